import { describe, expect, it } from 'vitest'
import { type Binding, serialPort } from '../../drivers/link/port.ts'
import { SimulatedClock, simulate } from '../../drivers/model/clock.ts'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../emulator/emulator.ts'
import { emulatedFamilies } from '../../emulator/families.ts'
import { realisticDuration } from '../../emulator/line/durations.ts'
import { questionnaireFor } from '../../emulator/passport/passport-device.ts'
import { LineLost } from '../../scenarios/passport/line.ts'
import { type Outcome, recordPassport, type Task } from '../../scenarios/passport/passport.ts'
import { START } from '../support/rig.ts'
import { passportOf } from './record-passport.ts'

const FAMILIES = ['A', 'B', 'C'] as const

interface Ended extends Outcome {
  readonly receipt: Emulator['device']['receipt']
  readonly tookMs: number
}

async function talkTo(
  options: EmulatorOptions,
  ask: Partial<Task>,
  { before, binding }: { before?: (emulator: Emulator) => void; binding?: (own: Binding) => Binding } = {},
): Promise<Ended> {
  const clock = new SimulatedClock(START)
  const emulator = createEmulator({ data: 'memory', ...options, clock })
  before?.(emulator)
  const own = binding ? binding(emulator.binding) : emulator.binding
  const opener = serialPort(emulator.path, 115_200, clock, own)
  const consent = { depth: 'fiscal', z: false } as const
  const started = clock.now()
  const task = { family: options.family, opener, clock, consent, rig: '0', ...ask }
  const outcome = await simulate(clock, recordPassport(task)).catch((problem: unknown) => problem as Error)
  const end = { receipt: emulator.device.receipt, tookMs: clock.now() - started }
  await emulator.close()
  if (outcome instanceof Error) throw outcome
  return { ...outcome, ...end }
}

function holder() {
  let emulator: Emulator | undefined
  return {
    get: () => emulator,
    set(one: Emulator) {
      emulator = one
    },
  }
}

const questionnaireOf = (family: string) =>
  questionnaireFor(emulatedFamilies.get(family) as never, emulatedFamilies.get(family)?.profiles[0] as string)

const noisy =
  (isBroken: () => boolean) =>
  (own: Binding): Binding => ({
    async open(options) {
      const port = await own.open(options)
      return {
        get isOpen(): boolean {
          return port.isOpen
        },
        close: (): Promise<void> => port.close(),
        write: (bytes): Promise<void> => port.write(bytes),
        getBaudRate: (): Promise<{ baudRate: number }> => port.getBaudRate(),
        async read(buffer, offset, length) {
          const { bytesRead } = await port.read(buffer, offset, length)
          if (isBroken()) for (let at = offset; at < offset + bytesRead; at++) buffer[at] = 0xff - (buffer[at] ?? 0)
          return { bytesRead }
        },
      }
    },
  })

const atQuestion = (count: number, act: () => void) => {
  let requests = 0
  return () => {
    if (++requests === count) act()
  }
}

function openSale({ device }: Emulator): void {
  device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
  device.sell({ name: 'Bread', taxCode: 1, price: 120, quantity: 1_000, void: false })
}

function openText({ device }: Emulator): void {
  device.openNonFiscal()
}

describe.each(FAMILIES)('family %s', (family) => {
  it('after an interrupt the open document is closed or cancelled, and the passport is not complete', async () => {
    for (const count of [3, 200, 330, 420]) {
      const stop = new AbortController()
      const ask = { signal: stop.signal, progress: atQuestion(count, () => stop.abort()) }
      const { passport, conversation, receipt } = await talkTo({ family }, ask)
      expect(passport.complete).toBe(false)
      expect(conversation.ended).toBe('interrupted')
      expect(receipt).toBeNull()
    }
  })

  it.each(['openNonFiscal', 'openFiscal'])(
    'after an interrupt while the device prints at %s the document is closed',
    async (name) => {
      const stop = new AbortController()
      const q = questionnaireOf(family)
      const { receipt, conversation } = await talkTo(
        { family, durationMs: realisticDuration({ lineMs: 400, reportZMs: 0 }) },
        { signal: stop.signal },
        {
          before(emulator) {
            emulator.subscribe((event) => {
              if (event.type !== 'frame' || event.entry.direction !== 'toDevice') return
              const request = q.readRequest(event.entry.bytes)
              if (!request || q.catalogue.find(request.code, request.data)?.name !== name) return
              emulator.clock.after(30, () => emulator.device.receipt && stop.abort())
            })
          },
        },
      )
      expect(conversation.ended).toBe('interrupted')
      expect(receipt).toBeNull()
    },
  )

  it('an interrupt before the first answer ends the queries, and no passport is written', async () => {
    const { passport, conversation } = await talkTo({ family }, { signal: AbortSignal.abort() })
    expect(conversation.ended).toBe('interrupted')
    expect(passport).toMatchObject({ complete: false, same: 0, overrides: [], differences: [] })
  })

  it('a device that falls silent is waited for a minute, and the answers so far are stored', async () => {
    const held = holder()
    const emulator = held.get
    const ask = { progress: atQuestion(100, (): void => emulator()?.setPower(false)) }
    const { passport, conversation, tookMs } = await talkTo({ family }, ask, { before: held.set })
    expect(conversation.ended).toBe('silent')
    expect(passport.complete).toBe(false)
    expect(passport.same).toBeGreaterThan(50)
    expect(tookMs).toBeGreaterThanOrEqual(60_000)
    // A missing response does not count as a difference.
    expect(passport.differences).toEqual([])
    expect(passport.overrides).toEqual([])
  })

  it('a device that sends only garbage from some point on is reported as silent', async () => {
    let isBroken = false
    const ask = { progress: atQuestion(60, () => (isBroken = true)) }
    const { passport, conversation } = await talkTo({ family }, ask, { binding: noisy(() => isBroken) })
    expect(conversation.ended).toBe('silent')
    expect(passport.differences).toEqual([])
  })

  it.each([
    ['read', 80],
    ['fiscal', 250],
    ['fiscal', 400],
  ] as const)(
    'a device that is silent for a while and returns is queried to the end (%s, %i)',
    async (depth, count) => {
      const held = holder()
      const emulator = held.get
      const ask = {
        progress: atQuestion(count, (): void => {
          emulator()?.setPower(false)
          emulator()?.clock.after(40_000, () => emulator()?.setPower(true))
        }),
        consent: { depth, z: false } as const,
      }
      const { conversation, passport } = await talkTo({ family }, ask, { before: held.set })
      expect(conversation.isComplete).toBe(true)
      expect(conversation.unsentProbes).toEqual([])
      expect(passport.differences).toEqual([])
    },
  )

  it('a cable that is pulled out ends the queries immediately', async () => {
    const held = holder()
    const emulator = held.get
    const ask = { progress: atQuestion(100, (): void => void emulator()?.setCable(false)) }
    const { passport, conversation } = await talkTo({ family }, ask, { before: held.set })
    expect(conversation.ended).toBe('lost')
    expect(passport.same).toBeGreaterThan(50)
  })

  it('a device that is switched off from the start is reported as silent', async () => {
    const { conversation } = await talkTo({ family }, {}, { before: (one) => one.setPower(false) })
    expect(conversation.isUnanswered).toBe(true)
  })

  it.each([
    ['fiscal', openSale],
    ['non-fiscal', openText],
  ] as const)(
    'a %s receipt of another program allows only queries, and the receipt is unchanged',
    async (kind, open) => {
      const q = questionnaireOf(family)
      const changes: string[] = []
      const { conversation, passport, receipt } = await talkTo(
        { family },
        {},
        {
          before(emulator) {
            open(emulator)
            emulator.subscribe((event) => {
              const request =
                event.type === 'frame' && event.entry.direction === 'toDevice' && q.readRequest(event.entry.bytes)
              const command = request && q.catalogue.find(request.code, request.data)
              if (command) changes.push(command.changes)
            })
          },
        },
      )
      expect(conversation.initialReceipt.receipt).toBe(kind === 'fiscal' ? 'fiscal' : 'nonFiscal')
      expect(receipt?.kind).toBe(kind === 'fiscal' ? 'fiscal' : 'nonFiscal')
      expect(conversation.unsentProbes.length).toBeGreaterThan(100)
      expect(passport.differences).toEqual([])
      expect(passport.depth).toBe('read')
      expect(new Set(conversation.exchanges.flatMap(({ probe, state: of }) => (probe ? [of] : [])))).toEqual(
        new Set([kind === 'fiscal' ? 'selling' : 'nonFiscal']),
      )
      if (receipt?.kind === 'fiscal') expect(receipt.fiscal.rows).toHaveLength(1)
    },
  )

  it.each([
    ['no paper', (one: Emulator) => one.setPaper('out')],
    ['an open cover', (one: Emulator) => one.setCover(true)],
  ])('with %s, printing is refused as by the emulated device, and nothing is left open', async (_, before) => {
    const { passport, receipt, conversation } = await talkTo({ family }, {}, { before })
    expect(receipt).toBeNull()
    expect(conversation.printBlockers).toHaveLength(1)
    expect(passport.complete).toBe(true)
    expect(passport.differences).toEqual([])
  })

  it.each([30, 250, 350])(
    'paper that runs out at query %i ends the queries, and does not count as a difference',
    async (count) => {
      const held = holder()
      const ask = { progress: atQuestion(count, (): void => held.get()?.setPaper('out')) }
      const { passport, conversation } = await talkTo({ family }, ask, { before: held.set })
      expect(conversation.ended).toBe('hindered')
      expect(passport.complete).toBe(false)
      expect(passport.differences).toEqual([])
    },
  )

  it('a device of another family is not taken for a device of this family', async () => {
    const other = family === 'C' ? 'A' : 'C'
    const { conversation, passport } = await talkTo(
      { family: other },
      { family, profile: emulatedFamilies.get(family)?.profiles[0] as string },
    )
    expect(conversation.ended).toBe('silent')
    expect(passport.same).toBe(0)
    expect(conversation.isUnanswered).toBe(true)
  })

  it('garbage on the line does not count as an answer', async () => {
    const { conversation } = await talkTo({ family }, {}, { binding: noisy(() => true) })
    expect(conversation.isComplete).toBe(false)
  })
})

describe('a port that cannot be opened', () => {
  it('is reported', async () => {
    const clock = new SimulatedClock(START)
    const opener = async () => Promise.reject(new Error('no such port'))
    const task = { family: 'A', profile: 'bg', opener, clock, consent: { depth: 'read', z: false } as const, rig: '0' }
    await expect(simulate(clock, recordPassport(task))).rejects.toThrow('no such port')
    expect(LineLost.name).toBe('LineLost')
  })
})

describe('a used printer', () => {
  it.each(FAMILIES)('with 40 days of receipts yields a passport without differences: family %s', async (family) => {
    const { passport } = await passportOf({
      family,
      depth: 'fiscal',
      before(emulator) {
        const { device } = emulator
        for (let day = 0; day < 40; day++) {
          for (let receipt = 0; receipt < 3; receipt++) {
            device.openFiscal({ kind: 'sale', invoice: false, operator: 1 + (receipt % 3), pointOfSale: 1 })
            device.sellArticle({ plu: 1 + (receipt % 3), quantity: 2_000, void: false })
            device.pay({ mode: receipt % 2 })
            device.closeFiscal()
          }
          if (day < 39) device.reportZ()
        }
      },
    })
    expect(passport.differences.map(({ probe, meaning }) => `${probe}: ${meaning}`)).toEqual([])
  })
})
