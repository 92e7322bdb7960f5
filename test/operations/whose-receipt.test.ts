/** Receipts that stand open: which request may act on them, who is told of them, and those that were left on another device. */
import { describe, expect, it } from 'vitest'
import type { Evidence } from '../../drivers/model/printer.ts'
import { type Outcome, outcomeOf, ServiceError, said } from '../../server/operations/outcome.ts'
import type { ProgressRecord, Step, Undertaking } from '../../server/operations/operation.ts'
import type { Tracked } from '../../server/operations/under-way.ts'
import { type LeftOpen, leftOpen, NAME, recovering } from './recovering.ts'
import { BEFORE, LACKING, NO_ANSWER, NO_PAPER, openAt, REFUSED, type Script } from './scripted-printer.ts'

const OPEN: Partial<Evidence> = { open: openAt(17, { items: 1, total: 480, remaining: 480 }), lastDocument: 17 }
const INTENT = { name: '/other', fingerprint: 'g' }
const CAME_BACK = 'The device was connected again in the middle of this request.'
const outcomeIn = (act: () => unknown): Outcome | undefined => {
  try {
    act()
  } catch (error) {
    return outcomeOf(error)
  }
  return undefined
}

describe('a receipt that the device refuses to end', () => {
  const cannotCancel: Script = { says: [OPEN], fails: { cancelFiscal: REFUSED } }
  async function begins(script: Script, left: LeftOpen, undertaking: Undertaking, before: Partial<Evidence> | null) {
    const { recovery } = recovering(script, [left])
    await recovery.settleAll()
    const { progress } = recovery.track(INTENT)
    return outcomeIn(() => progress.begin(undertaking, { before: before && { ...BEFORE, ...before } }))
  }
  const held = { status: 400, effect: 'heldUp', receiptNumber: '17', reasons: [REFUSED.problem] }

  it.each(['step', 'closeFiscal', 'fiscalReceipt'] as const)('is nobody else’s: no %s begins on it', async (undertaking) => {
    expect(await begins(cannotCancel, leftOpen('filling'), undertaking, OPEN)).toEqual(held)
  }) // biome-ignore format: one line

  it('is known by the last document where the wire does not tell its number', async () => {
    expect(await begins(cannotCancel, leftOpen('filling'), 'step', { ...OPEN, open: openAt(null) })).toEqual(held)
  })

  it.each<[string, Script, LeftOpen, Undertaking, Partial<Evidence> | null]>([
    ['a report, which does not act on it', cannotCancel, leftOpen('filling'), 'document', OPEN],
    ['a step where nothing is open', cannotCancel, leftOpen('filling'), 'step', {}],
    ['a step where nobody tells what is open', cannotCancel, leftOpen('filling'), 'step', null],
    ['a step on another receipt', cannotCancel, leftOpen('filling'), 'step', { open: openAt(18), lastDocument: 18 }],
    ['a step on another device', cannotCancel, leftOpen('filling'), 'step', { ...OPEN, serialNumber: 'S2' }],
    ['a step behind another step', { says: [REFUSED] }, leftOpen('filling', { undertaking: 'step' }), 'step', OPEN],
  ])('does not hold up %s', async (_, script, left, undertaking, before) => {
    expect(await begins(script, left, undertaking, before)).toBeUndefined()
  }) // biome-ignore format: a table

  it('holds up nobody before the device has refused', () => {
    const { recovery } = recovering(cannotCancel, [leftOpen('filling')])
    const { progress } = recovery.track(INTENT)
    expect(outcomeIn(() => progress.begin('step', { before: { ...BEFORE, ...OPEN } }))).toBeUndefined()
  })

  it('is nobody else’s either where its device was connected again only behind the settling', async () => {
    const { recovery } = recovering({ says: [{ serialNumber: 'S2' }] }, [leftOpen('filling')])
    await recovery.settleAll()
    const begins = (before: Partial<Evidence>) =>
      outcomeIn(() => recovery.track(INTENT).progress.begin('step', { before: { ...BEFORE, ...before } }))
    expect(begins(OPEN)).toEqual({ ...held, status: 424, reasons: [said(CAME_BACK)] })
    expect(begins({ ...OPEN, serialNumber: 'S2' })).toBeUndefined()
    expect(begins({})).toBeUndefined()
  })

  it('holds up nobody once it is ended', async () => {
    let refuses = true
    const cancelFiscal = async () => {
      if (refuses) throw REFUSED
      return { text: '', repeated: false }
    }
    const { recovery } = recovering({ says: [OPEN], more: { cancelFiscal } }, [leftOpen('filling')])
    await recovery.settleAll()
    refuses = false
    await recovery.settleAll()
    const { progress } = recovery.track(INTENT)
    expect(outcomeIn(() => progress.begin('step', { before: { ...BEFORE, ...OPEN } }))).toBeUndefined()
  })
})

describe('the receipt that is in the way', () => {
  const inTheWay = (effect: Outcome['effect'] = 'otherIsOpen', receiptNumber?: string) =>
    new ServiceError({ status: 400, effect, reasons: [], ...(receiptNumber !== undefined && { receiptNumber }) })
  const step = (does: 'open' | 'openNonFiscal' | 'sale', before: Partial<Evidence> | null = {}): ProgressRecord => ({
    ...{ undertaking: 'step', stage: 'filling' },
    before: before && { ...BEFORE, ...before },
    step: { does } as Step,
  })
  const asking: ProgressRecord = { undertaking: 'fiscalReceipt', stage: 'opening', before: { ...BEFORE, ...OPEN } }
  const effectOf = (error: unknown) => outcomeOf(error).effect

  it.each(['open', 'openNonFiscal'] as const)('is this service’s own where its step did: %s', (does) => {
    const { recovery, restarted } = recovering({ says: [{}] })
    recovery.carriedOut(step(does))
    const named = recovery.named(inTheWay('otherIsOpen', '17'), asking)
    expect(outcomeOf(named)).toMatchObject({ effect: 'ownIsOpen', receiptNumber: '17' })
    expect(effectOf(restarted().named(inTheWay('otherIsOpen', '17'), asking))).toBe('ownIsOpen')
    // Another device was there meanwhile, and one was opened on it, too.
    recovery.carriedOut(step(does, { serialNumber: 'S2', lastDocument: 4 }))
    expect(effectOf(recovery.named(inTheWay('otherIsOpen', '17'), asking))).toBe('ownIsOpen')
    expect(effectOf(restarted().named(inTheWay('otherIsOpen', '17'), asking))).toBe('ownIsOpen')
  })

  it.each<[string, ProgressRecord | undefined, ServiceError, ProgressRecord]>([
    ['nobody has opened one', undefined, inTheWay('otherIsOpen', '17'), asking],
    ['its step opened none', step('sale'), inTheWay('otherIsOpen', '17'), asking],
    ['nobody told the number before it', step('open', null), inTheWay('otherIsOpen', '17'), asking],
    ['the device did not count before it', step('open', { lastDocument: null }), inTheWay('otherIsOpen', '1'), asking],
    ['another one is open', step('open'), inTheWay('otherIsOpen', '18'), asking],
    ['nobody tells which one is open', step('open'), inTheWay('otherIsOpen'), asking],
    ['it is on another device', step('open', { serialNumber: 'S2' }), inTheWay('otherIsOpen', '17'), asking],
    ['nobody tells which device it is', step('open'), inTheWay('otherIsOpen', '17'), { ...asking, before: null }],
    ['another failure is told', step('open'), inTheWay('heldUp', '17'), asking],
  ])('is told as it was where %s', (_, carriedOut, error, record) => {
    const { recovery } = recovering({ says: [{}] })
    if (carriedOut) recovery.carriedOut(carriedOut)
    expect(recovery.named(error, record)).toBe(error)
  }) // biome-ignore format: a table

  it('is its own where the step was settled as carried out, and not where it was not', async () => {
    const opening = leftOpen('filling', { undertaking: 'step', step: { does: 'open' } })
    const carriedOut = recovering({ says: [{ open: openAt(17), lastDocument: 17 }] }, [opening])
    await carriedOut.recovery.settleAll()
    expect(effectOf(carriedOut.recovery.named(inTheWay('otherIsOpen', '17'), asking))).toBe('ownIsOpen')
    const not = recovering({ says: [{}] }, [opening])
    await not.recovery.settleAll()
    expect(effectOf(not.recovery.named(inTheWay('otherIsOpen', '17'), asking))).toBe('otherIsOpen')
  })

  describe('where nobody has heard whether its step opened one', () => {
    const began = (before: Partial<Evidence> = {}, does: 'open' | 'openNonFiscal' | 'sale' = 'open') => {
      const rig = recovering({ says: [{}] })
      const tracked = rig.recovery.track(INTENT)
      tracked.progress.begin('step', { before: { ...BEFORE, ...before }, step: { does } as Step })
      tracked.progress.reach('filling')
      return { ...rig, record: tracked.progress.record }
    }
    const effectAt = ({ restarted }: ReturnType<typeof began>) =>
      effectOf(restarted().named(inTheWay('otherIsOpen', '17'), asking))

    it.each(['open', 'openNonFiscal'] as const)('is its own or another’s for the next service: %s', (does) => {
      const rig = began({}, does)
      expect(effectAt(rig)).toBe('perhapsOwnIsOpen')
      expect(effectOf(rig.recovery.named(inTheWay('otherIsOpen', '18'), asking))).toBe('otherIsOpen')
      rig.recovery.carriedOut(rig.record)
      expect(effectAt(rig)).toBe('ownIsOpen')
    })

    it('is another’s once that step is known not to be carried out', () => {
      const rig = began()
      rig.recovery.notCarriedOut(rig.record)
      expect(effectAt(rig)).toBe('otherIsOpen')
      expect(effectOf(rig.recovery.named(inTheWay('otherIsOpen', '17'), asking))).toBe('otherIsOpen')
      expect(rig.answers.opened()).toEqual([])
    })

    it.each<[string, Partial<Evidence>]>([
      ['otherIsOpen', {}],
      ['perhapsOwnIsOpen', { lastDocument: 17 }],
      ['ownIsOpen', { open: openAt(17), lastDocument: 17 }],
    ])('is %s once the device has told what became of that step', async (effect, now) => {
      const { recovery } = recovering({ says: [now] })
      const tracked = recovery.track(INTENT)
      tracked.progress.begin('step', { before: BEFORE, step: { does: 'open' } })
      tracked.progress.reach('filling')
      recovery.leave(tracked)
      await recovery.settleAll()
      expect(effectOf(recovery.named(inTheWay('otherIsOpen', '17'), asking))).toBe(effect)
    })

    it.each<[string, boolean]>([
      ['perhapsOwnIsOpen', false],
      ['ownIsOpen', true],
    ])('is %s also behind a second step that the device refuses for it', (effect, isHeard) => {
      const rig = began()
      if (isHeard) rig.recovery.carriedOut(rig.record)
      const second = rig.recovery.track(INTENT)
      second.progress.begin('step', { before: { ...BEFORE, ...OPEN }, step: { does: 'open' } })
      second.progress.reach('filling')
      rig.recovery.notCarriedOut(second.progress.record)
      expect(effectAt(rig)).toBe(effect)
    })

    it('is another’s where it stood open before that step', () => {
      expect(effectAt(began(OPEN))).toBe('otherIsOpen')
    })

    it('is another’s behind a step that opens nothing', () => {
      expect(effectAt(began({}, 'sale'))).toBe('otherIsOpen')
    })
  })

  it('is its own also where the disk does not take that, which is noted', () => {
    const { recovery, notes, disk } = recovering({ says: [{}] })
    disk.isFull = true
    recovery.carriedOut(step('open'))
    expect(notes).toEqual([expect.stringContaining('cannot be written: the disk is full')])
    expect(effectOf(recovery.named(inTheWay('otherIsOpen', '17'), asking))).toBe('ownIsOpen')
  })
})

describe('a request that is left open by this service', () => {
  const ALL_PAID: Partial<Evidence> = { open: openAt(17, { items: 1, total: 480, paid: 480 }), lastDocument: 17 }
  /** Nothing was written down of it. */
  const rowless = (record: ProgressRecord, key?: string): Tracked =>
    ({ leftOpen: () => ({ id: undefined, name: '/other', key, record }) }) as unknown as Tracked

  it('is settled before the next one, and has its row', async () => {
    const { recovery, rows } = recovering({ says: [OPEN] })
    const tracked = recovery.track({ ...INTENT, key: 'k' })
    tracked.progress.begin('fiscalReceipt', { before: BEFORE })
    tracked.progress.reach('opening')
    tracked.progress.reach('filling', { document: 17 })
    recovery.leave(tracked)
    expect([recovery.isNeeded, rows().length]).toEqual([true, 1])
    await recovery.settleAll()
    expect([recovery.isNeeded, rows().length]).toEqual([false, 0])
  })

  it.each<[string, Script]>([
    ['refuses to end', { says: [ALL_PAID], fails: { closeFiscal: REFUSED } }],
    ['has no paper for', { says: [ALL_PAID], fails: { closeFiscal: NO_PAPER } }],
  ])('is owed without a row, too, on a device that %s it', async (_, script) => {
    const { recovery, notes } = recovering(script)
    recovery.leave(rowless(leftOpen('closing').record, 'k'))
    await recovery.settleAll().catch(() => undefined)
    expect(notes.filter((note) => !note.includes('it cannot be settled yet'))).toEqual([])
    expect(recovery.stillOpen('k')).toMatchObject({ effect: 'owed', receiptNumber: '17' })
  })

  it('and that has begun on another device leaves nothing to be written, where it has no row', async () => {
    const { recovery, notes } = recovering({ says: [{ serialNumber: 'S2' }] })
    recovery.leave(rowless(leftOpen('filling', { undertaking: 'step', step: { does: 'sale' } }).record))
    await recovery.settleAll()
    expect(notes).toEqual([expect.stringContaining('/other, interrupted: it began on the device')])
  })

  it('is settled without a row too', async () => {
    const { recovery, notes, tables } = recovering({ says: [{ open: openAt(17), lastDocument: 17 }] })
    const tracked = recovery.track(INTENT)
    tracked.progress.begin('step', { before: BEFORE, step: { does: 'open' } })
    tracked.progress.reach('filling')
    recovery.leave(tracked)
    await recovery.settleAll()
    expect(notes).toEqual(['/other, interrupted: the device has carried it out.'])
    expect(tables.requests.lastId()).toBe(0)
  })
})

describe('a request that began on another device', () => {
  const elsewhere =
    'it began on the device with the serial number S1, and S2 is connected now. Look at the paper of S1, or connect it again.'
  const other: Partial<Evidence> = { serialNumber: 'S2' }
  /** Which device answers, one after the other; the last of them stays. */
  const answering = (...serials: readonly string[]): NonNullable<Script['more']> => {
    const left = [...serials]
    const numbers = async () => ({ serialNumber: (left.length > 1 ? left.shift() : left[0]) ?? '', fiscalMemoryNumber: 'M1' })
    return { numbers }
  } // biome-ignore format: one line each

  it('stays open for its repeat where it may be printed there, until that device is back', async () => {
    const script: Script = { says: [other, { lastDocument: 17 }], documents: { 17: { kind: 'fiscal', total: 480 } }, more: answering('S2', 'S1') }
    const { recovery, printer, notes, answers } = recovering(script, [leftOpen('closing', { key: 'k' })])
    await recovery.settleAll()
    expect(notes).toEqual([`${NAME}, interrupted: ${elsewhere}`])
    const told = { status: 424, effect: 'elsewhere', reasons: [said(elsewhere)] }
    expect(recovery.stillOpen('k')).toEqual(told)
    await recovery.settleAll()
    expect([recovery.stillOpen('k'), printer.story]).toEqual([told, ['evidence']])
    await recovery.settleAll()
    expect(recovery.isNeeded).toBe(false)
    expect(answers.find('k')).toMatchObject({ state: 'answered', reply: { status: 200 } })
  }) // biome-ignore format: one line

  it('stays open while nobody says which device is connected', async () => {
    const numbers = () => Promise.reject(NO_ANSWER)
    const { recovery } = recovering({ says: [other], more: { numbers } }, [leftOpen('closing', { key: 'k' })])
    await recovery.settleAll()
    await expect(recovery.settleAll()).rejects.toBe(NO_ANSWER)
    expect(recovery.isNeeded).toBe(true)
  })

  it('stays open beside a device that refuses to say which it is, and holds up nobody', async () => {
    const numbers = () => Promise.reject(LACKING)
    const { recovery, printer } = recovering({ says: [other], more: { numbers } }, [leftOpen('closing', { key: 'k' })])
    await recovery.settleAll()
    await recovery.settleAll()
    expect([recovery.isNeeded, printer.story]).toEqual([true, ['evidence thorough']])
  })

  it.each<[string, LeftOpen]>([
    ['with a key, before its first payment', leftOpen('filling', { key: 'k' })],
    ['without a key', leftOpen('closing')],
  ])('and has begun a receipt there %s is ended there, and its repeat begins anew', async (_, left) => {
    const { recovery, rows, answers } = recovering({ says: [other, OPEN], more: answering('S2', 'S1') }, [left])
    await recovery.settleAll()
    expect(answers.find('k')).toBeUndefined()
    // Once its caller has heard that nothing was sold, it is only cancelled, whatever another program pays on it.
    const isGivenUp = left.record.stage === 'filling' && { isGivenUp: true }
    expect([recovery.isNeeded, rows()]).toEqual([true, [{ ...left.record, ...isGivenUp }]])
    expect(recovery.stillOpen('k').effect).toBe('unknown')
    await recovery.settleAll()
    expect(recovery.isNeeded).toBe(true)
    await recovery.settleAll()
    expect([recovery.isNeeded, rows()]).toEqual([false, []])
  })

  it('and was a single command without a key is over', async () => {
    const { recovery, rows } = recovering({ says: [other] }, [leftOpen('closing', { undertaking: 'document', kind: 'x' })])
    await recovery.settleAll()
    expect([recovery.isNeeded, rows()]).toEqual([false, []])
  }) // biome-ignore format: one line

  function leavingElsewhere(script: Script, isFull: boolean) {
    const rig = recovering({ more: answering('S2', 'S1'), ...script })
    const tracked = rig.recovery.track({ ...INTENT, key: 'k' })
    tracked.progress.begin('fiscalReceipt', { before: BEFORE })
    tracked.progress.reach('opening')
    tracked.progress.reach('filling', { document: 17 })
    rig.disk.isFull = isFull
    rig.recovery.leaveElsewhere(tracked, 'It began elsewhere.')
    rig.disk.isFull = false
    return rig
  }
  const FULL = [expect.stringContaining('cannot be written')]

  it.each([false, true])('leaves its receipt there for when that device is back, on a full disk: %s', async (isFull) => {
    const { recovery, rows, answers, notes, printer } = leavingElsewhere({ says: [OPEN] }, isFull)
    expect(answers.find('k')).toBeUndefined()
    expect(notes).toEqual(isFull ? FULL : [])
    await recovery.settleAll()
    expect([recovery.isNeeded, printer.story]).toEqual([true, []])
    expect(rows()).toHaveLength(1)
    await recovery.settleAll()
    expect(notes).toEqual([...(isFull ? FULL : []), '/other, interrupted: its receipt was cancelled.'])
    expect([recovery.isNeeded, rows()]).toEqual([false, []])
  }) // biome-ignore format: one line

  it.each([false, true])('is ended by the next service too, under its name, on a full disk: %s', async (isFull) => {
    const { restarted, notes, rows } = leavingElsewhere({ says: [OPEN] }, isFull)
    await restarted().settleAll()
    expect(notes).toEqual([...(isFull ? FULL : []), '/other, interrupted: its receipt was cancelled.'])
    expect(rows()).toEqual([])
  })

  it('found by settling is ended by the next service too, also where the disk was full then', async () => {
    const left = leftOpen('filling', { key: 'k' })
    const { recovery, disk, restarted, notes, rows } = recovering({ says: [other, OPEN] }, [left])
    disk.isFull = true
    await recovery.settleAll()
    disk.isFull = false
    expect([recovery.isNeeded, rows()]).toEqual([true, [left.record]])
    await restarted().settleAll()
    expect(notes.at(-1)).toBe(`${NAME}, interrupted: its receipt was cancelled.`)
    expect(rows()).toEqual([])
  })

  it('is named to those who wait for it there', async () => {
    const paid = { open: openAt(17, { items: 1, total: 480, paid: 480 }), lastDocument: 17 }
    const { recovery, notes } = leavingElsewhere({ says: [NO_PAPER, paid], more: answering('S1') }, true)
    const outcome = outcomeOf(await recovery.settleFirst().catch((error) => error))
    expect(outcome).toMatchObject({ effect: 'heldUp', receiptNumber: '17' })
    expect(notes).toEqual(FULL)
  })

  it('leaves nothing of a step there', () => {
    const { recovery } = recovering({ says: [OPEN] })
    const tracked = recovery.track(INTENT)
    tracked.progress.begin('step', { before: BEFORE, step: { does: 'sale' } })
    tracked.progress.reach('filling')
    recovery.leaveElsewhere(tracked, 'It began elsewhere.')
    expect(recovery.isNeeded).toBe(false)
  })
})
