import { describe, expect, it } from 'vitest'
import type { Evidence } from '../../drivers/model/printer.ts'
import type { Step } from '../../drivers/model/steps.ts'
import type { Entry } from '../../server/operations/operation.ts'
import { type Effect, type Outcome, outcomeOf, ServiceError, textReason } from '../../server/operations/outcome.ts'
import type { UnderWay } from '../../server/operations/under-way.ts'
import { alone, article, documentOf, receipt, receiptSteps, text } from './entries.ts'
import { type LeftOpen, left, leftOpen, NAME, unsettledOver } from './left-open.ts'
import { BEFORE, LACKING, NO_ANSWER, NO_PAPER, openAt, REFUSED, type Script } from './scripted-printer.ts'

const OPEN: Partial<Evidence> = { open: openAt(17, { items: 1, total: 480, remaining: 480 }), lastDocument: 17 }
const SELL: Step = { does: 'sell', sale: article() }
const RECEIPT = receiptSteps()
const INTENT = { name: '/other', fingerprint: 'g' }
const CAME_BACK = 'The device was reconnected during this request.'
const outcomeIn = (act: () => unknown): Outcome | undefined => {
  try {
    act()
  } catch (error) {
    return outcomeOf(error)
  }
  return undefined
}

describe('a receipt that the device refuses to close', () => {
  const cannotCancel: Script = { says: [OPEN], fails: { cancelFiscal: REFUSED } }
  const beginsOn = (progress: UnderWay, steps: readonly Step[], before: Partial<Evidence> | null) =>
    outcomeIn(() => progress.begin({ steps, before: before && { ...BEFORE, ...before } }))
  async function begins(script: Script, open: LeftOpen, steps: readonly Step[], before: Partial<Evidence> | null) {
    const { unsettled } = unsettledOver(script, [open])
    await unsettled.settleAll()
    return beginsOn(unsettled.track(INTENT), steps, before)
  }
  const held = { status: 400, effect: 'blockedByEarlier', receiptNumber: '17', reasons: [REFUSED.problem] }

  it.each<[string, readonly Step[]]>([
    ['step', [SELL]],
    ['close', [{ does: 'close' }]],
    ['complete receipt', RECEIPT],
    ['report, which the device would refuse with advice about the receipt,', documentOf('x').steps],
  ])('belongs to its request: no %s begins on it', async (_, steps) => {
    expect(await begins(cannotCancel, leftOpen('filling'), steps, OPEN)).toEqual(held)
  })

  it('is recognized by the last document if the wire protocol does not report its number', async () => {
    expect(await begins(cannotCancel, leftOpen('filling'), [SELL], { ...OPEN, open: openAt(null) })).toEqual(held)
  })

  it.each<[string, Script, LeftOpen, readonly Step[], Partial<Evidence> | null]>([
    ['a step while nothing is open', cannotCancel, leftOpen('filling'), [SELL], {}],
    ['a step while the device does not report what is open', cannotCancel, leftOpen('filling'), [SELL], null],
    ['a step on another receipt', cannotCancel, leftOpen('filling'), [SELL], { open: openAt(18), lastDocument: 18 }],
    ['a step on another device', cannotCancel, leftOpen('filling'), [SELL], { ...OPEN, serialNumber: 'S2' }],
    ['a step after another step', { says: [REFUSED] }, left(alone(SELL, { document: 17 })), [SELL], OPEN],
  ])('does not hold up %s', async (_, script, open, steps, before) => {
    expect(await begins(script, open, steps, before)).toBeUndefined()
  }) // biome-ignore format: a table

  it('blocks no request before the device has refused to close it', () => {
    const { unsettled } = unsettledOver(cannotCancel, [leftOpen('filling')])
    expect(beginsOn(unsettled.track(INTENT), [SELL], OPEN)).toBeUndefined()
  })

  it('belongs to its request, even if its device was reconnected only after the reconciliation', async () => {
    const { unsettled } = unsettledOver({ says: [{ serialNumber: 'S2' }] }, [leftOpen('filling')])
    await unsettled.settleAll()
    const begins = (before: Partial<Evidence>) => beginsOn(unsettled.track(INTENT), [SELL], before)
    expect(begins(OPEN)).toEqual({ ...held, status: 424, reasons: [textReason(CAME_BACK)] })
    expect(begins({ ...OPEN, serialNumber: 'S2' })).toBeUndefined()
    expect(begins({})).toBeUndefined()
  })

  it('blocks no request after it is closed', async () => {
    let refuses = true
    const cancelFiscal = async () => {
      if (refuses) throw REFUSED
      return { text: '', retransmitted: false }
    }
    const { unsettled } = unsettledOver({ says: [OPEN], more: { cancelFiscal } }, [leftOpen('filling')])
    await unsettled.settleAll()
    refuses = false
    await unsettled.settleAll()
    expect(beginsOn(unsettled.track(INTENT), [SELL], OPEN)).toBeUndefined()
  })
})

describe('an open receipt that blocks a request', () => {
  const inTheWay = (effect: Outcome['effect'] = 'otherIsOpen', receiptNumber?: string) =>
    new ServiceError({ status: 400, effect, reasons: [], ...(receiptNumber !== undefined && { receiptNumber }) })
  const step = (does: 'open' | 'openNonFiscal' | 'sell', before: Partial<Evidence> | null = {}): Entry =>
    alone(does === 'sell' ? SELL : { does }, { before: before && { ...BEFORE, ...before } })
  const asking = receipt('opening', { before: { ...BEFORE, ...OPEN } })
  const effectOf = (error: unknown) => outcomeOf(error).effect

  it.each(['open', 'openNonFiscal'] as const)(
    "is reported as this service's own if a step of this service opened it: %s",
    (does) => {
      const { unsettled, restarted } = unsettledOver({ says: [{}] })
      unsettled.carriedOut(step(does))
      const named = unsettled.named(inTheWay('otherIsOpen', '17'), asking)
      expect(outcomeOf(named)).toMatchObject({ effect: 'ownIsOpen', receiptNumber: '17' })
      expect(effectOf(restarted().named(inTheWay('otherIsOpen', '17'), asking))).toBe('ownIsOpen')
      // Another device was connected between the two steps, and got a receipt.
      unsettled.carriedOut(step(does, { serialNumber: 'S2', lastDocument: 4 }))
      expect(effectOf(unsettled.named(inTheWay('otherIsOpen', '17'), asking))).toBe('ownIsOpen')
      expect(effectOf(restarted().named(inTheWay('otherIsOpen', '17'), asking))).toBe('ownIsOpen')
    },
  )

  it("stays this service's own if a later opening was not executed", () => {
    const { unsettled } = unsettledOver({ says: [{}] })
    unsettled.carriedOut(step('open'))
    unsettled.notCarriedOut(step('open'))
    expect(effectOf(unsettled.named(inTheWay('otherIsOpen', '17'), asking))).toBe('ownIsOpen')
  })

  it.each<[string, Entry | undefined, ServiceError, Entry]>([
    ['no step has opened a receipt', undefined, inTheWay('otherIsOpen', '17'), asking],
    ['its step opened no receipt', step('sell'), inTheWay('otherIsOpen', '17'), asking],
    ['the device did not report the number before it', step('open', null), inTheWay('otherIsOpen', '17'), asking],
    ['the device did not count before it', step('open', { lastDocument: null }), inTheWay('otherIsOpen', '1'), asking],
    ['another receipt is open', step('open'), inTheWay('otherIsOpen', '18'), asking],
    ['the device does not report which one is open', step('open'), inTheWay('otherIsOpen'), asking],
    ['it is on another device', step('open', { serialNumber: 'S2' }), inTheWay('otherIsOpen', '17'), asking],
    ['the device does not report its identity', step('open'), inTheWay('otherIsOpen', '17'), { ...asking, before: null }],
    ['the answer is another failure', step('open'), inTheWay('blockedByEarlier', '17'), asking],
  ])('is reported without an owner if %s', (_, carriedOut, error, entry) => {
    const { unsettled } = unsettledOver({ says: [{}] })
    if (carriedOut) unsettled.carriedOut(carriedOut)
    expect(unsettled.named(error, entry)).toBe(error)
  }) // biome-ignore format: a table

  it("is this service's own if the reconciliation found its opening executed, and only then", async () => {
    const opening = left(step('open'))
    const carriedOut = unsettledOver({ says: [{ open: openAt(17), lastDocument: 17 }] }, [opening])
    await carriedOut.unsettled.settleAll()
    expect(effectOf(carriedOut.unsettled.named(inTheWay('otherIsOpen', '17'), asking))).toBe('ownIsOpen')
    const not = unsettledOver({ says: [{}] }, [opening])
    await not.unsettled.settleAll()
    expect(effectOf(not.unsettled.named(inTheWay('otherIsOpen', '17'), asking))).toBe('otherIsOpen')
  })

  describe('after an opening with an unknown outcome', () => {
    const began = (before: Partial<Evidence> = {}, does: 'open' | 'openNonFiscal' | 'sell' = 'open') => {
      const rig = unsettledOver({ says: [{}] })
      const progress = rig.unsettled.track(INTENT)
      progress.begin(step(does, before))
      return { ...rig, entry: progress.entry }
    }
    const effectAt = ({ restarted }: ReturnType<typeof began>) =>
      effectOf(restarted().named(inTheWay('otherIsOpen', '17'), asking))

    it.each(['open', 'openNonFiscal'] as const)(
      "is reported as this service's or another program's by the service after a restart: %s",
      (does) => {
        const rig = began({}, does)
        expect(effectAt(rig)).toBe('perhapsOwnIsOpen')
        expect(effectOf(rig.unsettled.named(inTheWay('otherIsOpen', '18'), asking))).toBe('otherIsOpen')
        rig.unsettled.carriedOut(rig.entry)
        expect(effectAt(rig)).toBe('ownIsOpen')
      },
    )

    it("is another program's once the opening is known not to be executed", () => {
      const rig = began()
      rig.unsettled.notCarriedOut(rig.entry)
      expect(effectAt(rig)).toBe('otherIsOpen')
      expect(effectOf(rig.unsettled.named(inTheWay('otherIsOpen', '17'), asking))).toBe('otherIsOpen')
      expect(rig.answers.opened()).toEqual([])
    })

    it.each<[string, Partial<Evidence>]>([
      ['otherIsOpen', {}],
      ['perhapsOwnIsOpen', { lastDocument: 17 }],
      ['ownIsOpen', { open: openAt(17), lastDocument: 17 }],
    ])('is reported as %s once the device has reported the outcome of that opening', async (effect, now) => {
      const { unsettled } = unsettledOver({ says: [now] })
      const progress = unsettled.track(INTENT)
      progress.begin(step('open'))
      unsettled.leave(progress, 'unknown')
      await unsettled.settleAll()
      expect(effectOf(unsettled.named(inTheWay('otherIsOpen', '17'), asking))).toBe(effect)
    })

    it.each<[string, boolean]>([
      ['perhapsOwnIsOpen', false],
      ['ownIsOpen', true],
    ])('is reported as %s also after a second opening that the device refuses because of it', (effect, isHeard) => {
      const rig = began()
      if (isHeard) rig.unsettled.carriedOut(rig.entry)
      const second = rig.unsettled.track(INTENT)
      second.begin(step('open', OPEN))
      rig.unsettled.notCarriedOut(second.entry)
      expect(effectAt(rig)).toBe(effect)
    })

    it('has the number of the answer to its opening, not the next one: the device may print a document in between', () => {
      const { unsettled, restarted, entry } = began()
      unsettled.carriedOut({ ...entry, document: 19 })
      for (const service of [unsettled, restarted()]) {
        expect(effectOf(service.named(inTheWay('otherIsOpen', '19'), asking))).toBe('ownIsOpen')
        expect(effectOf(service.named(inTheWay('otherIsOpen', '17'), asking))).toBe('otherIsOpen')
      }
    })

    it('is not opened if the disk refuses its record', () => {
      const { unsettled, disk, answers } = unsettledOver({ says: [{}] })
      disk.isFull = true
      expect(outcomeIn(() => unsettled.track(INTENT).begin(step('open')))).toMatchObject({ status: 503 })
      disk.isFull = false
      answers.catchUp()
      expect(answers.opened()).toEqual([])
      expect(effectOf(unsettled.named(inTheWay('otherIsOpen', '17'), asking))).toBe('otherIsOpen')
    })

    it("is another program's if it was open before that opening", () => {
      expect(effectAt(began(OPEN))).toBe('otherIsOpen')
    })

    it("is another program's after a step that opens no receipt", () => {
      expect(effectAt(began({}, 'sell'))).toBe('otherIsOpen')
    })
  })

  it("is this service's own even if the disk refuses the record, which is logged", () => {
    const { unsettled, notes, disk } = unsettledOver({ says: [{}] })
    disk.isFull = true
    unsettled.carriedOut(step('open'))
    expect(notes).toEqual([expect.stringContaining('cannot write its operation log (in memory): the disk is full')])
    expect(effectOf(unsettled.named(inTheWay('otherIsOpen', '17'), asking))).toBe('ownIsOpen')
  })
})

describe('a step on an open receipt', () => {
  const STEPS: readonly Step[] = [
    SELL,
    { does: 'pay', payment: { mode: 0 } },
    text('HELLO'),
    { does: 'subtotal', subtotal: { print: true, display: false } },
    { does: 'close' },
    { does: 'closeNonFiscal' },
  ]
  const at = (number: number | null, kind: 'Fiscal' | 'NonFiscal' = 'Fiscal'): Partial<Evidence> => ({
    open: { ...openAt(number), kind },
    lastDocument: number ?? 18,
  })
  const beginsOn = (progress: UnderWay, step: Step, more: Partial<Evidence>) =>
    outcomeIn(() => progress.begin({ steps: [step], before: { ...BEFORE, ...more } }))
  function opened17() {
    const rig = unsettledOver({ says: [{}] })
    const progress = rig.unsettled.track(INTENT)
    progress.begin(alone({ does: 'open' }))
    rig.unsettled.carriedOut(progress.entry)
    return rig
  }

  it.each(STEPS)('is refused if another program has opened it since: %o', (step) => {
    for (const service of [opened17().unsettled, opened17().restarted()]) {
      expect(beginsOn(service.track(INTENT), step, at(17))).toBeUndefined()
      for (const more of [at(18), at(null), { ...at(17), serialNumber: 'S2' }])
        expect(beginsOn(service.track(INTENT), step, more)).toMatchObject({ status: 400, effect: 'otherIsOpen' })
      const other = beginsOn(service.track(INTENT), step, at(18, 'NonFiscal'))
      expect(other).toMatchObject({ effect: 'otherNonFiscalIsOpen', receiptNumber: '18' })
    }
  })

  it('is accepted on a receipt that a complete receipt of this service has left open', async () => {
    const entry = receipt('filling', { document: 18, before: { ...BEFORE, lastDocument: 17 } })
    const rig = unsettledOver({ says: [{ ...at(18) }], fails: { cancelFiscal: REFUSED } }, [left(entry)])
    rig.unsettled.carriedOut({ ...alone({ does: 'open' }), document: 16 })
    expect(beginsOn(rig.unsettled.track(INTENT), SELL, at(18))).toBeUndefined()
  })

  it('is accepted if no step of this service has opened a receipt, and after an opening without a number', () => {
    const { unsettled } = unsettledOver({ says: [{}] })
    expect(beginsOn(unsettled.track(INTENT), SELL, at(18))).toBeUndefined()
    const rig = opened17()
    rig.unsettled.carriedOut(alone({ does: 'open' }, { before: { ...BEFORE, lastDocument: null } }))
    expect(beginsOn(rig.unsettled.track(INTENT), SELL, at(18))).toBeUndefined()
  })

  it.each<Step>([{ does: 'cancel' }, { does: 'cancelNonFiscal' }])('cancels it as its caller wants: %o', (step) => {
    expect(beginsOn(opened17().unsettled.track(INTENT), step, at(18))).toBeUndefined()
  })
})

describe('an open receipt that a complete receipt of this service may have opened', () => {
  const reasons = [textReason('Nothing is added to a receipt while it is unknown which program opened it.')]
  const refused = { status: 400, effect: 'perhapsOwnIsOpen', receiptNumber: '17', reasons }
  const EMPTY: Partial<Evidence> = { open: openAt(17), lastDocument: 17 }
  /** A receipt whose opening got no response. The line was reopened afterwards. */
  async function undecided() {
    const rig = unsettledOver({ says: [{ ...EMPTY, hold: 2 }] }, [left(receipt('opening'))])
    await rig.unsettled.settleAll()
    return rig
  }
  const beginsOn = (progress: UnderWay, steps: readonly Step[], more: Partial<Evidence> = {}) =>
    outcomeIn(() => progress.begin({ steps, before: { ...BEFORE, ...EMPTY, ...more } }))

  it.each<[string, Step]>([
    ['a row', SELL],
    ['a payment', { does: 'pay', payment: { mode: 0 } }],
    ['a text', text('HELLO')],
    ['a subtotal', { does: 'subtotal', subtotal: { print: true, display: false } }],
    ['a close', { does: 'close' }],
  ])('accepts no step of another request: %s', async (_, step) => {
    const { unsettled, restarted } = await undecided()
    expect(beginsOn(unsettled.track(INTENT), [step])).toEqual(refused)
    expect(beginsOn(restarted().track(INTENT), [step])).toEqual(refused)
  })

  const PART_PAID = { ...EMPTY, open: openAt(17, { items: 1, total: 480, paid: 100 }) }
  it.each<[string, readonly Step[], Partial<Evidence>]>([
    ['a cancel', [{ does: 'cancel' }], {}],
    ['a payment if a part is paid, so that it cannot be cancelled', [{ does: 'pay', payment: { mode: 0 } }], PART_PAID],
    ['its close, if a part is paid', [{ does: 'close' }], PART_PAID],
    ['a report', documentOf('x').steps, {}],
  ])('does not block %s', async (_, steps, more) => {
    const { unsettled } = await undecided()
    expect(beginsOn(unsettled.track(INTENT), steps, more)).toBeUndefined()
  })

  it.each<[string, Partial<Evidence>, Effect, string]>([
    ['receipt', { open: openAt(18), lastDocument: 18 }, 'perhapsOwnIsOpen', '18'],
    ['device', { serialNumber: 'S2' }, 'otherIsOpen', '17'],
  ])('accepts no step on another %s either: this service has opened none there', async (_, more, effect, number) => {
    const { unsettled } = await undecided()
    expect(beginsOn(unsettled.track(INTENT), [SELL], more)).toMatchObject({ effect, receiptNumber: number })
  })

  it('is named to the requests that it blocks', async () => {
    const { unsettled } = await undecided()
    const inTheWay = new ServiceError({ status: 400, effect: 'otherIsOpen', reasons: [], receiptNumber: '17' })
    const asking = receipt('opening', { before: { ...BEFORE, ...EMPTY } })
    expect(outcomeOf(unsettled.named(inTheWay, asking)).effect).toBe('perhapsOwnIsOpen')
  })
})

describe('a request that is left open by this service', () => {
  const ALL_PAID: Partial<Evidence> = { open: openAt(17, { items: 1, total: 480, paid: 480 }), lastDocument: 17 }
  const rowless = (entry: Entry, key?: string) =>
    ({ id: undefined, intent: { ...INTENT, ...(key !== undefined && { key }) }, entry }) as unknown as UnderWay

  it('is reconciled before the next request, and has its own log record', async () => {
    const { unsettled, rows } = unsettledOver({ says: [OPEN] })
    const progress = unsettled.track({ ...INTENT, key: 'k' })
    progress.begin({ steps: RECEIPT, before: BEFORE })
    progress.reach(1, { document: 17 })
    unsettled.leave(progress, 'unknown')
    expect([unsettled.isNeeded, rows().length]).toEqual([true, 1])
    await unsettled.settleAll()
    expect([unsettled.isNeeded, rows().length]).toEqual([false, 0])
  })

  it.each<[string, Script]>([
    ['refuses to close', { says: [ALL_PAID], fails: { closeFiscal: REFUSED } }],
    ['has no paper for', { says: [ALL_PAID], fails: { closeFiscal: NO_PAPER } }],
  ])('is pending without a log record, too, on a device that %s it', async (_, script) => {
    const { unsettled, notes } = unsettledOver(script)
    unsettled.leave(rowless(leftOpen('closing').entry, 'k'), 'unknown')
    await unsettled.settleAll().catch(() => undefined)
    expect(notes.filter((note) => !note.includes('its outcome cannot be determined yet'))).toEqual([])
    expect(unsettled.stillOpen('k')).toMatchObject({ effect: 'paidNotClosed', receiptNumber: '17' })
  })

  it('and that began on another device is logged as interrupted if it has no log record', async () => {
    const { unsettled, notes } = unsettledOver({ says: [{ serialNumber: 'S2' }] })
    unsettled.leave(rowless(alone(SELL)), 'unknown')
    await unsettled.settleAll()
    expect(notes).toEqual([expect.stringContaining('/other, interrupted: it started on the device')])
  })

  it('is reconciled without a log record too', async () => {
    const { unsettled, notes, tables } = unsettledOver({ says: [{ open: openAt(17), lastDocument: 17 }] })
    const progress = unsettled.track(INTENT)
    progress.begin({ steps: [{ does: 'open' }], before: BEFORE })
    unsettled.leave(progress, 'unknown')
    await unsettled.settleAll()
    expect(notes).toEqual(['/other, interrupted: the device executed it.'])
    expect(tables.requests.lastId()).toBe(0)
  })
})

describe('a request that began on another device', () => {
  const maybeOnOtherDevice =
    'it started on the device with serial number S1, but S2 is connected now. Check the paper of S1, or reconnect it.'
  const other: Partial<Evidence> = { serialNumber: 'S2' }
  /** The serial numbers of the responding devices, in order. The last number repeats. */
  const answering = (...serials: readonly string[]): NonNullable<Script['more']> => {
    const left = [...serials]
    const numbers = async () => ({ serialNumber: (left.length > 1 ? left.shift() : left[0]) ?? '', fiscalMemoryNumber: 'M1' })
    return { numbers }
  } // biome-ignore format: one line each

  it('stays open for its retry if it may be printed there, until that device is connected again', async () => {
    const script: Script = { says: [other, { lastDocument: 17 }], documents: { 17: { kind: 'fiscal', total: 480 } }, more: answering('S2', 'S1') }
    const { unsettled, printer, notes, answers } = unsettledOver(script, [leftOpen('closing', { key: 'k' })])
    await unsettled.settleAll()
    expect(notes).toEqual([`${NAME}, interrupted: ${maybeOnOtherDevice}`])
    const outcome = { status: 424, effect: 'maybeOnOtherDevice', reasons: [textReason(maybeOnOtherDevice)] }
    expect(unsettled.stillOpen('k')).toEqual(outcome)
    await unsettled.settleAll()
    expect([unsettled.stillOpen('k'), printer.story]).toEqual([outcome, ['evidence']])
    await unsettled.settleAll()
    expect(unsettled.isNeeded).toBe(false)
    expect(answers.find('k')).toMatchObject({ state: 'answered', reply: { status: 200 } })
  }) // biome-ignore format: one line

  it('stays open while the connected device is unknown', async () => {
    const numbers = () => Promise.reject(NO_ANSWER)
    const { unsettled } = unsettledOver({ says: [other], more: { numbers } }, [leftOpen('closing', { key: 'k' })])
    await unsettled.settleAll()
    await expect(unsettled.settleAll()).rejects.toBe(NO_ANSWER)
    expect(unsettled.isNeeded).toBe(true)
  })

  it('stays open on a device that refuses to identify itself, and blocks no request', async () => {
    const numbers = () => Promise.reject(LACKING)
    const { unsettled, printer } = unsettledOver({ says: [other], more: { numbers } }, [
      leftOpen('closing', { key: 'k' }),
    ])
    await unsettled.settleAll()
    await unsettled.settleAll()
    expect([unsettled.isNeeded, printer.story]).toEqual([true, ['evidence thorough']])
  })

  it.each<[string, LeftOpen]>([
    ['with a key, before its first payment', leftOpen('filling', { key: 'k' })],
    ['without a key', leftOpen('closing')],
  ])('and has begun a receipt there %s, ends, and the receipt stays there', async (_, open) => {
    const { unsettled, rows, answers } = unsettledOver({ says: [other, OPEN], more: answering('S2', 'S1') }, [open])
    await unsettled.settleAll()
    expect(answers.find('k')).toBeUndefined()
    // The service has responded that nothing was sold, so it only cancels the receipt, whatever another program pays on
    // it.
    const isGivenUp = open.entry.at === 1 && { isGivenUp: true }
    expect([unsettled.isNeeded, rows()]).toEqual([true, [{ ...open.entry, ...isGivenUp }]])
    expect(unsettled.stillOpen('k').effect).toBe('unknown')
    await unsettled.settleAll()
    expect(unsettled.isNeeded).toBe(true)
    await unsettled.settleAll()
    expect([unsettled.isNeeded, rows()]).toEqual([false, []])
  })

  it('and was a single command without a key is over', async () => {
    const { unsettled, rows } = unsettledOver({ says: [other] }, [left(documentOf('x'))])
    await unsettled.settleAll()
    expect([unsettled.isNeeded, rows()]).toEqual([false, []])
  }) // biome-ignore format: one line

  function leavingElsewhere(script: Script, isFull: boolean) {
    const rig = unsettledOver({ more: answering('S2', 'S1'), ...script })
    const progress = rig.unsettled.track({ ...INTENT, key: 'k' })
    progress.begin({ steps: RECEIPT, before: BEFORE })
    progress.reach(1, { document: 17 })
    rig.disk.isFull = isFull
    rig.unsettled.leaveElsewhere(progress, 'It began elsewhere.')
    rig.disk.isFull = false
    return rig
  }
  const FULL = [expect.stringContaining('cannot write its operation log')]

  it.each([false, true])('leaves its receipt there until that device is connected again, with a full disk: %s', async (isFull) => {
    const { unsettled, rows, answers, notes, printer } = leavingElsewhere({ says: [OPEN] }, isFull)
    expect(answers.find('k')).toBeUndefined()
    expect(notes).toEqual(isFull ? FULL : [])
    await unsettled.settleAll()
    expect([unsettled.isNeeded, printer.story]).toEqual([true, []])
    expect(rows()).toHaveLength(1)
    await unsettled.settleAll()
    expect(notes).toEqual([...(isFull ? FULL : []), '/other, interrupted: its receipt was cancelled.'])
    expect([unsettled.isNeeded, rows()]).toEqual([false, []])
  }) // biome-ignore format: one line

  it.each([false, true])(
    'is ended by the service after a restart too, under its name, with a full disk: %s',
    async (isFull) => {
      const { restarted, notes, rows } = leavingElsewhere({ says: [OPEN] }, isFull)
      await restarted().settleAll()
      expect(notes).toEqual([...(isFull ? FULL : []), '/other, interrupted: its receipt was cancelled.'])
      expect(rows()).toEqual([])
    },
  )

  it('found by the reconciliation is ended by the service after a restart, even if the disk was full then', async () => {
    const open = leftOpen('filling', { key: 'k' })
    const { unsettled, disk, restarted, notes, rows } = unsettledOver({ says: [other, OPEN] }, [open])
    disk.isFull = true
    await unsettled.settleAll()
    disk.isFull = false
    expect([unsettled.isNeeded, rows()]).toEqual([true, [open.entry]])
    await restarted().settleAll()
    expect(notes.at(-1)).toBe(`${NAME}, interrupted: its receipt was cancelled.`)
    expect(rows()).toEqual([])
  })

  it('is named to requests that wait for that device', async () => {
    const paid = { open: openAt(17, { items: 1, total: 480, paid: 480 }), lastDocument: 17 }
    const { unsettled, notes } = leavingElsewhere({ says: [NO_PAPER, paid], more: answering('S1') }, true)
    const outcome = outcomeOf(await unsettled.reconcilePending().catch((error) => error))
    expect(outcome).toMatchObject({ effect: 'blockedByEarlier', receiptNumber: '17' })
    expect(notes).toEqual(FULL)
  })

  it('leaves no record of a step there', () => {
    const { unsettled } = unsettledOver({ says: [OPEN] })
    const progress = unsettled.track(INTENT)
    progress.begin({ steps: [SELL], before: BEFORE })
    unsettled.leaveElsewhere(progress, 'It began elsewhere.')
    expect(unsettled.isNeeded).toBe(false)
  })
})
