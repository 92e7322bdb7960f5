import { describe, expect, it } from 'vitest'
import { serialPort } from '../../drivers/link/port.ts'
import { SimulatedClock, simulate } from '../../drivers/model/clock.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { emulatedFamilies } from '../../emulator/families.ts'
import { PlainStore } from '../../emulator/fiscal/plain-store.ts'
import { questionnaireFor } from '../../emulator/passport/passport-device.ts'
import { dryRun } from '../../scenarios/passport/dry-run.ts'
import { recordPassport } from '../../scenarios/passport/passport.ts'
import { START } from '../support/rig.ts'
import { answerA, inventedBinding, readA } from './firmware.ts'
import { essence, PROFILES, passportOf } from './record-passport.ts'

/** A reference device has fewer closures than this. */
const MANY = 34
const FEW = 3

function closeDays({ device }: Emulator, count: number): void {
  for (let day = 0; day < count; day++) {
    device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
    device.sell({ name: 'BREAD', taxCode: 1, price: 100 + day, quantity: 1_000, void: false })
    device.pay({ mode: 0 })
    device.closeFiscal()
    device.reportZ()
  }
}

/** The queries are from A 6.12, B 10.7 and C 4.15. */
const ASKED: Readonly<Record<string, (number: number) => readonly [code: number, data: string]>> = {
  A: (number) => [125, `0\t${number}\t2\t`],
  B: (number) => [114, `${number},0`],
  C: (number) => [0x78, `${String(number).padStart(4, '0')};${String(number).padStart(4, '0')};8`],
}

describe.each(PROFILES)('a device of family %s, profile %s,', (family, profile) => {
  it('with many Z reports and little paper is queried for the first, the last and the next Z report, and has no difference', async () => {
    const emulated = emulatedFamilies.get(family)
    if (!emulated) throw new Error(`no family ${family}`)
    const q = questionnaireFor(emulated, profile)
    const requests: string[] = []
    const { passport, discovered } = await passportOf({
      ...{ family, profile },
      before: (emulator) => {
        closeDays(emulator, MANY)
        emulator.setPaper('low')
        void emulator.subscribe((event) => {
          if (event.type !== 'frame' || event.entry.direction !== 'toDevice') return
          const request = q.readRequest(event.entry.bytes)
          if (request) requests.push(JSON.stringify([request.code, request.data]))
        })
      },
    })
    expect(discovered.history.closures).toBe(MANY)
    const expected = [1, MANY, MANY + 1].map((number) => JSON.stringify(ASKED[family]?.(number)))
    expect(requests).toEqual(expect.arrayContaining(expected))
    expect(passport.differences).toEqual([])
    expect(passport.overrides).toEqual([])
  })
})

describe('a firmware that refuses its last Z with another code', () => {
  it('has only that difference, and is imitated under any number', { timeout: 60_000 }, async () => {
    const clock = new SimulatedClock(START)
    const emulator = createEmulator({ family: 'A', profile: 'bg', clock, store: new PlainStore() })
    closeDays(emulator, FEW)
    const emulated = emulatedFamilies.get('A')
    if (!emulated) throw new Error('no family A')
    const q = questionnaireFor(emulated, 'bg')
    const last = (request: Uint8Array) => readA(request).command === 125 && readA(request).data === `0\t${FEW}\t2\t`
    const binding = inventedBinding(emulator.binding, q.framesToDevice, q.framesFromDevice, {
      answers: (request, answer) => (last(request) ? answerA(answer, { data: '-105011\t' }) : undefined),
    })
    const opener = serialPort(emulator.path, 115_200, clock, binding)
    const consent = { depth: 'read', z: false } as const
    const task = { family: 'A', profile: 'bg', opener, clock, consent, rig: '0' } as const
    const { passport } = await simulate(clock, recordPassport(task))
    await emulator.close()
    expect(passport.differences.map(({ probe }) => probe)).toEqual(['journalRead.lastZ.idle'])
    expect(passport.overrides).toEqual([
      { command: 'journalRead', state: 'idle', request: '{lastZ}', refusal: { code: -105011 } },
    ])
    const other = await passportOf({ family: 'A', passport, before: (device) => closeDays(device, FEW + 2) })
    expect(essence(other.passport)).toEqual(essence(passport))
  })
})

describe('the dry run', () => {
  it('reports whose number is in the request', () => {
    const rows = dryRun({ family: 'B', consent: { depth: 'read', z: false } }).split('\n')
    expect(rows.filter((row) => row.includes('its own'))).toEqual([
      expect.stringMatching(/archivedZ\.lastZ\.idle .* its own last Z$/),
      expect.stringMatching(/archivedZ\.nextZ\.idle .* its own coming Z$/),
    ])
  })
})
