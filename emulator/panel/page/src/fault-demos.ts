import type { Rule } from '../../../faults/rule.ts'

/** A preset of a fault that occurs in shops. The rule applies to the first command of `on` that the family has. */
interface FaultDemo {
  readonly title: string
  readonly text: string
  readonly rule: Omit<Rule, 'on'>
  readonly on?: readonly string[]
}

export const FAULT_DEMOS: readonly FaultDemo[] = [
  {
    title: 'The answer to the closing command is lost once',
    text: 'The receipt is booked, but the program that closed it gets no answer. The service queries the device and finds out; a careless till that drives the device itself prints it twice.',
    rule: { at: 'link.toHost', times: 1, do: 'drop' },
    on: ['closeFiscal', 'payment'],
  },
  {
    title: 'The answer to the closing command comes 6 s late',
    text: 'The receipt is booked and printed. If the service cannot wait that long, it answers "Outcome unknown". A careless till sells again, and the sale is booked twice.',
    rule: { at: 'link.toHost', times: 1, do: { delayMs: 6000 } },
    on: ['closeFiscal', 'payment'],
  },
  {
    title: 'A sale command is damaged in transit, once',
    text: 'One bit is wrong: the device asks for the frame again, and sells once.',
    rule: { at: 'link.toDevice', times: 1, do: { flip: 41 } },
    on: ['saleByPlu', 'sale'],
  },
  {
    title: 'The paper runs out in the middle of a receipt',
    text: 'Eight lines are printed, then the roll is empty. Load paper and see how printing goes on.',
    rule: { at: 'paper.line', skip: 8, times: 1, do: 'paperOut' },
  },
  {
    title: 'The cover is opened during printing',
    text: 'After the fourth line of whatever is printed next.',
    rule: { at: 'paper.line', skip: 4, times: 1, do: 'coverOpen' },
  },
  {
    title: 'Power fails while the receipt is being booked',
    text: 'In the middle of the write to the fiscal memory. Switch the device on again: it was booked whole, or not at all.',
    rule: { at: 'memory.write', times: 1, do: 'powerCut' },
  },
  {
    title: 'The plug falls out during a payment, and is put back at once',
    text: 'The device has booked the payment, but its answer is lost. The till must open the port again and ask.',
    rule: { at: 'link.toHost', times: 1, do: 'unplug' },
    on: ['payment'],
  },
  {
    title: 'The Z report takes twenty seconds',
    text: 'The device says that it is busy, as its wire does, and the till must wait.',
    rule: { at: 'command.before', times: 1, do: { busyMs: 20_000 } },
    on: ['reportZ'],
  },
  {
    title: 'A noisy line',
    text: 'One answer in ten has a wrong bit, until the rule is removed.',
    rule: { at: 'link.toHost', probability: 0.1, do: { flip: 43 } },
  },
  {
    title: 'Late answers',
    text: 'Every answer comes 400 ms late.',
    rule: { at: 'link.toHost', do: { delayMs: 400 } },
  },
  {
    title: 'The fiscal memory is full',
    text: 'Receipts cannot be closed until the rule is removed.',
    rule: { at: 'memory.write', do: 'memoryFull' },
  },
]

/** Returns `undefined` if the family has none of the commands in `on`. */
export function ruleOf({ rule, on }: FaultDemo, commands: readonly string[]): Rule | undefined {
  if (!on) return rule
  const command = on.find((name) => commands.includes(name))
  return command === undefined ? undefined : { ...rule, on: command }
}

export function howOften({ skip, times, probability }: Rule, hits = 0): string {
  const count = times === undefined ? 'every time' : times === 1 ? 'once' : `${times} times`
  const after = skip ? `, after ${skip}` : ''
  const chance = probability === undefined ? '' : `, with probability ${probability}`
  return count + after + chance + (times !== undefined && hits >= times ? '; used up, it is not triggered again' : '')
}

/** A persistent condition of the device, made of several rules. */
interface Preset {
  readonly title: string
  readonly text: string
  readonly rules: readonly Rule[]
}

/** A byte takes ten bits at 9600 baud, 8N1: about 1 ms. */
export const SLOW_LINE: Preset = {
  title: 'A slow line',
  text: 'Byte by byte in both directions, as on a cable at 9600 baud.',
  rules: [
    { at: 'link.toDevice', do: { slowMs: 1 } },
    { at: 'link.toHost', do: { slowMs: 1 } },
  ],
}

const MEMBERS = ['at', 'on', 'skip', 'times', 'probability', 'containing', 'after', 'byte', 'do'] as const

/** Returns the rule in the notation of a plan (`emulate --faults FILE`) and of the step `fault:` in a scenario. */
export function yamlOf(rule: Rule): string {
  const members = MEMBERS.flatMap((name) => (rule[name] === undefined ? [] : [`${name}: ${plain(rule[name])}`]))
  return `- { ${members.join(', ')} }`
}

function plain(value: unknown): string {
  if (typeof value === 'string') return /^[A-Za-z][A-Za-z.]*$/.test(value) ? value : JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{ ${Object.entries(value)
    .map(([name, one]) => `${name}: ${plain(one)}`)
    .join(', ')} }`
}
