/**
 * Decisions 3, on all families with their real device: whatever is lost, and wherever the service or the cable ends,
 * exactly one receipt exists or none, and the answer says which. Judged by the device's own paper and day.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import type { Rule } from '../../emulator/faults/rule.ts'
import { type KillableService, startKillableService } from '../support/killable-service.ts'
import type { Answer } from '../support/rig.ts'

const PLU = { Type: 1, PluSale: { PluNumber: 1, Quantity: 2 } }
const TEXT = { Type: 2, Text: { Message: 'thank you' } }
const LINE = { Type: 4, SeparatingLineType: 1 }
const FISCAL = '/print-fiscal-receipt'
const NON_FISCAL = '/print-non-fiscal-receipt'

const RECEIPTS: Readonly<Record<string, object>> = {
  'paid by itself': { ReceiptItems: [PLU, TEXT, PLU], Subtotal: { Print: true } },
  'paid in two ways': {
    ReceiptItems: [PLU, LINE, PLU],
    Payments: [
      { PaymentMode: 1, Amount: 1 },
      { PaymentMode: 0, Amount: 50 },
    ],
  },
}
/** Article 1 costs 1.20 from the factory. */
const TOTAL = 480
/** The families, and the other edition of A. */
const DEVICES = [...FAMILIES, 'A ro']
const FAMILIES_AND_RECEIPTS = DEVICES.flatMap((family) => Object.keys(RECEIPTS).map((how) => [family, how] as const))

const open: KillableService[] = []
afterEach(async () => {
  for (const rig of open.splice(0)) await rig.close()
})

/** A service that has found its device already. */
async function ready(device: string): Promise<KillableService> {
  const [family = '', profile] = device.split(' ')
  const rig = startKillableService(family, profile === undefined ? {} : { profile })
  open.push(rig)
  await rig.post('/clear-display')
  return rig
}

const closed = ({ emulator }: KillableService) => emulator.device.documents().filter(({ kind }) => kind === 'fiscal')

/** What an answer promises about the paper; `undefined`: nothing. */
function promised({ StatusCode, Message = '' }: Answer): 0 | 1 | undefined {
  if (StatusCode === 200 || Message.startsWith('Completed as receipt ')) return 1
  return Message.startsWith('Outcome unknown:') ? undefined : 0
}

function numberIn({ Data, Message = '' }: Answer): string | undefined {
  return Data ?? /^Completed as receipt (\d+):/.exec(Message)?.[1]
}

/** What is wrong after a request and its settling; empty: nothing. */
function wrong(rig: KillableService, answer: Answer): string[] {
  const receipts = closed(rig)
  const expected = promised(answer)
  const { receipt, day } = rig.emulator.device
  const problems: string[] = []
  if (receipt !== null) problems.push('a receipt is left open')
  if (receipts.length > 1) problems.push(`${receipts.length} receipts`)
  if (expected !== undefined && receipts.length !== expected) problems.push(`${receipts.length} receipts`)
  if (expected === 1 && numberIn(answer) !== String(receipts[0]?.number)) problems.push('another number')
  if (day.total !== receipts.length * TOTAL) problems.push(`the day has ${day.total}`)
  return problems.map((problem) => `${problem}: ${JSON.stringify(answer)}`)
}

/** Runs a case for every place until the place is behind the end of the request; all that went wrong. */
async function everywhere(run: (place: number) => Promise<readonly string[] | 'behind the end'>): Promise<string[]> {
  const problems: string[] = []
  for (let place = 0; ; place++) {
    const outcome = await run(place)
    if (outcome === 'behind the end') {
      if (place < 5) problems.push(`only ${place} places`)
      return problems
    }
    problems.push(...outcome.map((problem) => `at ${place}: ${problem}`))
  }
}

/** No wire tells whether a line of text or a printed subtotal came: family C's device would print a repeat, so it gets none. */
const isUntold = ({ Message = '' }: Answer): boolean =>
  /after (fiscalText|subtotal)\b.* The receipt was cancelled\.$/.test(Message)

const hasStruck = ({ emulator }: KillableService) => emulator.faults.unused().length === 0
const add = ({ emulator }: KillableService, rule: Rule) => emulator.faults.add(rule)

describe.each(FAMILIES_AND_RECEIPTS)('family %s, a receipt %s', (family, how) => {
  const body = RECEIPTS[how] as object

  it.each<[string, Omit<Rule, 'skip'>]>([
    ['one answer is lost', { at: 'link.toHost', times: 1, do: 'drop' }],
    ['one question is lost', { at: 'link.toDevice', times: 1, do: 'drop' }],
    ['one answer is damaged', { at: 'link.toHost', times: 1, do: { flip: 21 } }],
    ['one answer comes twice', { at: 'link.toHost', times: 1, do: 'duplicate' }],
    ['the line is noisy', { at: 'link.toHost', times: 1, do: { noise: 'noise' } }],
  ])('is printed once although %s', async (_, rule) => {
    const problems = await everywhere(async (skip) => {
      const rig = await ready(family)
      add(rig, { ...rule, skip })
      const answer = await rig.post(FISCAL, body)
      if (!hasStruck(rig)) return 'behind the end'
      return [
        ...wrong(rig, answer),
        ...(answer.StatusCode === 200 || isUntold(answer) ? [] : [`not printed: ${answer.Message}`]),
      ]
    })
    expect(problems).toEqual([])
  })

  it.each<[string, Omit<Rule, 'skip'>]>([
    ['the device works on without a word', { at: 'link.toHost', do: 'drop' }],
    ['the device is deaf', { at: 'link.toDevice', do: 'drop' }],
    ['the cable is pulled out with the answer', { at: 'link.toHost', times: 1, do: 'unplug' }],
    ['the cable is pulled out with the question', { at: 'link.toDevice', times: 1, do: 'unplug' }],
  ])('exists once or not when %s, and the next request finds it settled', async (_, rule) => {
    const problems = await everywhere(async (skip) => {
      const rig = await ready(family)
      add(rig, { ...rule, skip })
      const answer = await rig.post(FISCAL, body)
      if (!hasStruck(rig)) return 'behind the end'
      rig.emulator.faults.clear()
      const next = await rig.post('/clear-display')
      return [...wrong(rig, answer), ...(next.StatusCode === 200 ? [] : [`then: ${next.Message}`])]
    })
    expect(problems).toEqual([])
  })

  it.each<[string, Omit<Rule, 'skip'>]>([
    ['the device works on without a word', { at: 'link.toHost', do: 'drop' }],
    ['the device is deaf', { at: 'link.toDevice', do: 'drop' }],
  ])('is printed once by the repeat with its key when %s', async (_, rule) => {
    const problems = await everywhere(async (skip) => {
      const rig = await ready(family)
      add(rig, { ...rule, skip })
      await rig.post(FISCAL, body, 'key')
      if (!hasStruck(rig)) return 'behind the end'
      rig.emulator.faults.clear()
      const answer = await rig.post(FISCAL, body, 'key')
      const again = await rig.post(FISCAL, body, 'key')
      const same = JSON.stringify(again) === JSON.stringify(answer)
      return [...wrong(rig, answer), ...(promised(answer) === 1 && same ? [] : [`${JSON.stringify([answer, again])}`])]
    })
    expect(problems).toEqual([])
  })

  it.each([
    ['before a command', false],
    ['after a command', true],
  ])('survives the end of the service %s: settled at the start, printed once by the repeat', async (_, sent) => {
    const problems = await everywhere(async (skip) => {
      const rig = await ready(family)
      const answer = await rig.postAndKill({ frames: skip, sent }, FISCAL, body, 'key')
      if (answer !== 'killed') return 'behind the end'
      rig.restart()
      await rig.run(rig.service.start())
      const leftOpen = rig.emulator.device.receipt === null ? [] : ['open after the start']
      const again = await rig.post(FISCAL, body, 'key')
      return [...leftOpen, ...wrong(rig, again), ...(promised(again) === 1 ? [] : [JSON.stringify(again)])]
    })
    expect(problems).toEqual([])
  })

  it('survives the end of the service also while it clears up after the first one', async () => {
    const problems: string[] = []
    let killedTwice = 0
    for (let frames = 0, first = 'killed'; first === 'killed'; frames++) {
      for (let later = 0, second = 'killed'; second === 'killed'; later++) {
        const rig = await ready(family)
        const answer = await rig.postAndKill({ frames, sent: true }, FISCAL, body, 'key')
        first = answer === 'killed' ? answer : 'answered'
        if (answer !== 'killed') break
        rig.restart()
        second = await rig.startAndKill({ frames: later, sent: later % 2 === 0 })
        if (second === 'killed') killedTwice++
        rig.restart()
        const again = await rig.post(FISCAL, body, 'key')
        problems.push(...wrong(rig, again), ...(promised(again) === 1 ? [] : [JSON.stringify(again)]))
      }
    }
    expect(killedTwice).toBeGreaterThan(10)
    expect(problems).toEqual([])
  })

  it('without a key is cleared up when the service starts again, and the log says what became of it', async () => {
    const problems = await everywhere(async (skip) => {
      const rig = await ready(family)
      const answer = await rig.postAndKill({ frames: skip, sent: true }, FISCAL, body)
      if (answer !== 'killed') return 'behind the end'
      rig.restart()
      await rig.run(rig.service.start())
      const [note = 'its receipt was cancelled. Or never begun.'] = rig.warnings
      const [one] = closed(rig)
      const isSaid = one ? note.includes(`closed as receipt ${one.number}`) : /cancelled|nothing/.test(note)
      return [
        ...(rig.emulator.device.receipt === null ? [] : ['open']),
        ...(closed(rig).length > 1 ? ['two receipts'] : []),
        ...(isSaid ? [] : [note]),
      ]
    })
    expect(problems).toEqual([])
  })
})

describe.each(DEVICES)('family %s', (family) => {
  it('a non-fiscal receipt is finished or cancelled, wherever the service ends', async () => {
    const lines = {
      ReceiptItems: [
        { Type: 0, Text: { Message: 'x' } },
        { Type: 2, SeparatingLineType: 2 },
      ],
    }
    const problems = await everywhere(async (skip) => {
      const rig = await ready(family)
      const answer = await rig.postAndKill({ frames: skip, sent: true }, NON_FISCAL, lines, 'key')
      if (answer !== 'killed') return 'behind the end'
      rig.restart()
      await rig.run(rig.service.start())
      const isOpen = rig.emulator.device.receipt !== null
      const again = await rig.post(NON_FISCAL, lines, 'key')
      const whole = rig.emulator.device.documents().filter(({ text }) => !text.some((line) => /VOID/.test(line)))
      return [
        ...(isOpen ? ['open'] : []),
        ...(again.StatusCode === 200 && whole.length === 1 ? [] : [`${whole.length} ${JSON.stringify(again)}`]),
      ]
    })
    expect(problems).toEqual([])
  })

  it.each([
    ['/report-z', 'z'],
    ['/copy-of-last-fiscal-receipt', 'copy'],
  ])('%s whose answer is lost for a while is made once, and what can be read back is', async (path, kind) => {
    const rig = await ready(family)
    await rig.post(FISCAL, RECEIPTS['paid by itself'])
    const twin = await ready(family)
    await twin.post(FISCAL, RECEIPTS['paid by itself'])
    const expected = await twin.post(path)
    const command = kind === 'z' ? 'reportZ' : 'duplicate'
    add(rig, { at: 'command.after', on: command, times: 1, do: 'drop' })
    add(rig, { at: 'link.toDevice', on: command, skip: 1, do: 'drop' })
    const answer = await rig.post(path, undefined, 'key')
    expect(answer).toEqual(expected)
    expect(await rig.post(path, undefined, 'key')).toEqual(answer)
    expect(rig.emulator.device.documents().map((one) => one.kind)).toEqual(['fiscal', kind])
  })
})

/** The receipt in single requests, each with a key of its own: what is done on the device is not done again. */
describe.each(DEVICES)('family %s, step by step', (family) => {
  const operator = ({ emulator }: KillableService) => ({
    OperatorCode: 1,
    OperatorPassword: emulator.profile.factoryPassword(1),
    PointOfSaleNumber: 1,
    Invoice: false,
  })
  const STEPS: readonly [string, (rig: KillableService) => object][] = [
    ['/open-fiscal-receipt', operator],
    ['/register-plu-sale', () => ({ PluNumber: 1, Quantity: 2 })],
    ['/register-plu-sale', () => ({ PluNumber: 1, Quantity: 3 })],
    ['/register-plu-sale', () => ({ PluNumber: 1, Quantity: 1, Void: family === 'C' })],
    ['/subtotal', () => ({ DiscountType: 2, DiscountValue: 10 })],
    ['/payment', () => ({ PaymentMode: 1, Amount: 1 })],
    ['/payment', () => ({ PaymentMode: 0, Amount: 50 })],
    ['/close-fiscal-receipt', () => ({})],
  ]
  /** 1.20 a piece: 6 pieces, or 4 where the last row takes one back; less 10 %. */
  const expected = family === 'C' ? 432 : 648

  async function walk(
    rig: KillableService,
    trouble: (at: number, path: string, body: object, key: string) => Promise<void>,
  ) {
    const answers: Answer[] = []
    for (const [at, [path, body]] of STEPS.entries()) {
      await trouble(at, path, body(rig), `key ${at}`)
      answers.push(await rig.post(path, body(rig), `key ${at}`))
    }
    const { day, receipt } = rig.emulator.device
    const failed = answers.filter(({ StatusCode }) => StatusCode !== 200)
    const problems = failed.map((answer) => JSON.stringify(answer))
    if (closed(rig).length !== 1 || receipt !== null) problems.push(`${closed(rig).length} receipts`)
    if (day.total !== expected) problems.push(`the day has ${day.total}`)
    return problems
  }

  it.each(STEPS.map(([path], at) => [at, path] as const))(
    'the service ends in step %i, %s: the repeat with the key carries it out if nobody has yet',
    async (step) => {
      const problems: string[] = []
      for (const sent of [false, true]) {
        for (let frames = 0, killed = true; killed; frames++) {
          const rig = await ready(family)
          killed = false
          const outcome = await walk(rig, async (at, path, body, key) => {
            if (at !== step) return
            killed = (await rig.postAndKill({ frames, sent }, path, body, key)) === 'killed'
            rig.restart()
            await rig.run(rig.service.start())
          })
          problems.push(...outcome.map((problem) => `at ${frames} ${sent}: ${problem}`))
        }
      }
      expect(problems).toEqual([])
    },
  )

  it.each(STEPS.map(([path], at) => [at, path] as const))(
    'the device is silent from some place of step %i, %s, and later is not',
    async (step) => {
      const problems: string[] = []
      for (let skip = 0, struck = true; struck; skip++) {
        const rig = await ready(family)
        const outcome = await walk(rig, async (at, path, body, key) => {
          if (at !== step) return
          add(rig, { at: 'link.toHost', do: 'drop', skip })
          await rig.post(path, body, key)
          struck = hasStruck(rig)
          rig.emulator.faults.clear()
        })
        problems.push(...outcome.map((problem) => `at ${skip}: ${problem}`))
      }
      expect(problems).toEqual([])
    },
  )
})
