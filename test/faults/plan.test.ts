/** Fault rules as data: their form, the errors in wrong rules, and their effects at their points. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkRule, PlanError, planSchemaText, readPlan } from '../../emulator/faults/fault-plan.ts'
import { RuleInjector } from '../../emulator/faults/injector.ts'
import type { DeviceControls, FaultReport } from '../../emulator/faults/points.ts'
import type { Rule } from '../../emulator/faults/rule.ts'
import { seededRandom } from '../../emulator/faults/seeded-random.ts'
import { PowerCut } from '../../emulator/fiscal/types/events.ts'

const COMMANDS = new Set(['sale', 'saleByPlu', 'closeFiscal', 'reportZ'])
const ROOT = join(import.meta.dirname, '..', '..')

interface Bench {
  readonly injector: RuleInjector
  readonly done: string[]
  readonly reports: FaultReport[]
}

function bench(rules: readonly Rule[], seed = 1): Bench {
  const done: string[] = []
  const reports: FaultReport[] = []
  const hands: DeviceControls = {
    setPaper: (state) => done.push(`paper ${state}`),
    setCover: (open) => done.push(`cover ${open}`),
    refusal: () => Uint8Array.of(0x15),
    busy: () => ({ byte: 0x16, everyMs: 60 }),
    report: (fault) => reports.push(fault),
  }
  const injector = new RuleInjector(hands, seededRandom(seed), () => COMMANDS)
  injector.addAll(rules)
  return { injector, done, reports }
}

const FRAME = Uint8Array.of(1, 2, 3, 4)
const pass = ({ injector }: Bench, at: 'link.toDevice' | 'link.toHost' = 'link.toHost', command = 'sale') => {
  const { pieces, ending } = injector.link(at, { command, bytes: FRAME })
  return [
    ...pieces.map(({ bytes, afterMs }) => `${Array.from(bytes).join(' ')} after ${afterMs}`),
    ...(ending ? [ending] : []),
  ]
}

describe('a fault rule', () => {
  it.each<[Rule['do'], Partial<Rule>, string[]]>([
    ['drop', {}, []],
    ['drop', { after: 3 }, ['1 2 3 after 0']],
    ['drop', { byte: 1 }, ['1 3 4 after 0']],
    ['duplicate', {}, ['1 2 3 4 after 0', '1 2 3 4 after 0']],
    ['duplicate', { byte: 0 }, ['1 1 2 3 4 after 0']],
    ['refuse', {}, ['21 after 0']],
    [{ flip: 0 }, {}, ['0 2 3 4 after 0']],
    [{ flip: 25 }, {}, ['1 2 3 6 after 0']],
    [{ flip: 32 }, {}, ['0 2 3 4 after 0']],
    [{ split: 1 }, {}, ['1 after 0', '2 3 4 after 20']],
    [{ split: 4 }, {}, ['1 2 3 4 after 0']],
    [{ delayMs: 700 }, {}, ['1 2 3 4 after 700']],
    [{ busyMs: 130 }, {}, ['22 after 60', '22 after 60', '1 2 3 4 after 10']],
    [{ noise: '\u0000\u00ff' }, {}, ['0 255 after 0', '1 2 3 4 after 0']],
    ['unplug', {}, ['unplug']],
    ['unplug', { after: 2 }, ['1 2 after 0', 'unplug']],
    ['powerCut', { after: 4 }, ['1 2 3 4 after 0', 'powerCut']],
  ])('may have the effect %j %j on the way to the host', (what, more, arrives) => {
    expect(pass(bench([{ at: 'link.toHost', do: what, ...more }]))).toEqual(arrives)
  })

  it('with `refuse` on the way to the device damages the end of the frame', () => {
    expect(pass(bench([{ at: 'link.toDevice', do: 'refuse' }]), 'link.toDevice')).toEqual(['1 2 3 68 after 0'])
  })

  it('with `busyMs` on the way to the device prolongs the command that the frame carries', () => {
    const one = bench([{ at: 'link.toDevice', do: { busyMs: 500 }, times: 1 }])
    expect(pass(one, 'link.toDevice')).toEqual(['1 2 3 4 after 0'])
    expect(one.injector.command('command.before', 'sale')).toEqual({ busyMs: 500 })
    expect(one.injector.command('command.before', 'sale')).toEqual({})
  })

  it('is triggered at its command, after the matches that it skips, as often as configured', () => {
    const one = bench([{ at: 'link.toHost', on: 'sale', skip: 1, times: 2, do: 'drop' }])
    const answers = ['reportZ', 'sale', 'sale', 'reportZ', 'sale', 'sale'].map(
      (command) => pass(one, 'link.toHost', command).length,
    )
    expect(answers).toEqual([1, 1, 0, 1, 0, 1])
    expect(one.injector.list()).toEqual([
      { id: 1, at: 'link.toHost', on: 'sale', skip: 1, times: 2, do: 'drop', hits: 2 },
    ])
  })

  it('does not change busy bytes if it names a command', () => {
    const one = bench([{ at: 'link.toHost', on: 'reportZ', times: 1, do: 'drop' }])
    const { pieces } = one.injector.link('link.toHost', { command: 'reportZ', bytes: Uint8Array.of(0x16) })
    expect(pieces).toHaveLength(1)
    expect(one.injector.unused()).toHaveLength(1)
  })

  it('may match the content of a frame', () => {
    const one = bench([{ at: 'link.toHost', containing: '\u0002\u0003', do: 'drop' }])
    expect(pass(one)).toEqual([])
    expect(one.injector.link('link.toHost', { command: 'sale', bytes: Uint8Array.of(9) }).pieces).toHaveLength(1)
  })

  it('with a probability is triggered by the random numbers of the seed, equally every time', () => {
    const run = (seed: number) => {
      const one = bench([{ at: 'link.toHost', probability: 0.5, do: 'drop' }], seed)
      return Array.from({ length: 20 }, () => pass(one).length).join('')
    }
    expect(run(1)).toBe(run(1))
    expect(run(1)).not.toBe(run(2))
    expect(run(1)).toMatch(/0.*1|1.*0/)
  })

  it.each<[Rule['do'], object]>([
    ['drop', { drop: true }],
    ['refuse', { refuse: true }],
    [{ busyMs: 5 }, { busyMs: 5 }],
    ['powerCut', { ending: 'powerCut' }],
    ['unplug', { ending: 'unplug' }],
  ])('may have the effect %j around a command', (what, expected) => {
    expect(bench([{ at: 'command.before', on: 'sale', do: what }]).injector.command('command.before', 'sale')).toEqual(
      expected,
    )
  })

  it('acts on paper, cover and memory if a tester triggers it by hand', () => {
    const one = bench([
      { at: 'command.before', on: 'sale', do: 'paperOut', times: 1 },
      { at: 'paper.line', containing: 'TOTAL', do: 'coverOpen', times: 1 },
      { at: 'command.before', on: 'closeFiscal', do: 'memoryFull', times: 1 },
    ])
    one.injector.command('command.before', 'sale')
    one.injector.paperLine('BREAD')
    one.injector.paperLine('TOTAL 1.00')
    expect(one.done).toEqual(['paper out', 'cover true'])
    expect(one.injector.memoryFull(false)).toBe(false)
    one.injector.command('command.before', 'closeFiscal')
    expect(one.injector.memoryFull(false)).toBe(true)
    one.injector.command('command.before', 'closeFiscal')
    expect(one.injector.memoryFull(false)).toBe(false)
  })

  it('cuts the power only at a write that belongs to its command', () => {
    const { injector } = bench([{ at: 'memory.write', on: 'reportZ', containing: 'journal', do: 'powerCut', times: 1 }])
    injector.command('command.before', 'closeFiscal')
    injector.memoryWrite('journal')
    injector.command('command.before', 'reportZ')
    injector.memoryWrite('z')
    expect(() => injector.memoryWrite('journal')).toThrow(PowerCut)
  })

  it('is reported with its number when it is triggered', () => {
    const one = bench([{ at: 'link.toHost', do: { flip: 3 }, times: 1 }])
    pass(one)
    pass(one)
    expect(one.reports).toEqual([{ point: 'link.toHost', what: 'flip 3', rule: 1, on: 'sale' }])
  })

  it('disappears when it is removed, and the numbers continue', () => {
    const one = bench([{ at: 'link.toHost', do: 'drop' }])
    expect(one.injector.remove(1)).toBe(true)
    expect(one.injector.remove(1)).toBe(false)
    expect(pass(one)).toHaveLength(1)
    expect(one.injector.add({ at: 'link.toHost', do: 'drop' }).id).toBe(2)
    one.injector.clear()
    expect(one.injector.list()).toEqual([])
    expect(one.injector.watches('link.toHost')).toBe(false)
  })
})

describe('a fault plan', () => {
  it('accepts every published form', () => {
    const rules: Rule[] = [
      { at: 'link.toHost', on: 'saleByPlu', times: 1, do: 'drop' },
      { at: 'link.toDevice', do: { flip: 12 }, skip: 3 },
      { at: 'memory.write', do: 'powerCut', probability: 0.01 },
    ]
    expect(readPlan(rules, COMMANDS)).toEqual(rules)
  })

  it.each<[unknown, string]>([
    [
      { at: 'somewhere', do: 'drop' },
      'at: expected link.toDevice, link.toHost, command.before, command.after, memory.write, paper.line',
    ],
    [
      { at: 'link.toHost', do: 'drop', on: 'sail' },
      'on: "sail" is no command of this family; see emulate --list-commands',
    ],
    [
      { at: 'link.toHost', do: 'drop', on: 'saleplu' },
      'on: "saleplu" is no command of this family; did you mean sale, saleByPlu?',
    ],
    [{ at: 'link.toHost', do: 'drop', times: 0 }, 'times: expected a whole number from 1 to 1000000000'],
    [{ at: 'link.toHost', do: 'drop', probability: 2 }, 'probability: expected a number from 0 to 1'],
    [{ at: 'link.toHost', do: 'drop', often: 1 }, 'Unrecognized key: "often"'],
    [
      { at: 'paper.line', do: 'drop' },
      'do: drop cannot happen at paper.line; possible there: paperOut, coverOpen, powerCut',
    ],
    [
      { at: 'link.toHost', do: { flip: 1 }, after: 2 },
      'after: only drop, unplug and powerCut on a line can come after some bytes',
    ],
    [{ at: 'command.after', do: 'drop', byte: 2 }, 'byte: only drop and duplicate on a line can touch a single byte'],
  ])('is refused: %j', (rule, message) => {
    expect(checkRule(rule, COMMANDS).map((one) => (one.path ? `${one.path}: ${one.message}` : one.message))).toEqual([
      message,
    ])
  })

  it('lists the possible effects', () => {
    const [problem] = checkRule({ at: 'link.toHost', do: { flap: 1 } }, COMMANDS)
    expect(problem?.path).toBe('do')
    expect(problem?.message).toContain('expected drop, duplicate, refuse')
  })

  it('names all mistakes at once, each with its position', () => {
    const rules = [
      { at: 'link.toHost', do: 'drop' },
      { at: 'x', do: 'drop' },
      { at: 'link.toHost', on: 'nix', do: 'explode' },
    ]
    expect(() => readPlan(rules, COMMANDS)).toThrow(PlanError)
    try {
      readPlan(rules, COMMANDS)
    } catch (error) {
      expect((error as PlanError).problems.map(({ path }) => path)).toEqual(['[1].at', '[2].do'])
    }
  })

  it('has a published JSON Schema, which npm run docs writes', () => {
    expect(readFileSync(join(ROOT, 'fixtures', 'fault-plan.schema.json'), 'utf8')).toBe(planSchemaText())
  })
})
