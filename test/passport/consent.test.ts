import { describe, expect, it } from 'vitest'
import { serialPort } from '../../drivers/link/port.ts'
import { SimulatedClock, simulate } from '../../drivers/model/clock.ts'
import { type AnyCommand, factsOf } from '../../drivers/wire/command.ts'
import { factsFor, probesOf } from '../../drivers/wire/passport-probes.ts'
import { DEPTHS, type Depth, type Questionnaire } from '../../drivers/wire/questionnaire.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { emulatedFamilies } from '../../emulator/families.ts'
import type { DeviceSnapshot } from '../../emulator/fiscal/api.ts'
import { questionnaireFor } from '../../emulator/passport/passport-device.ts'
import { admits, consentNeededFor, NotAgreed, portBehindFilter } from '../../scenarios/passport/consent-filter.ts'
import { dryRun } from '../../scenarios/passport/dry-run.ts'
import { recordPassport } from '../../scenarios/passport/passport.ts'
import { bytesOf } from '../support/bytes.ts'
import { START } from '../support/rig.ts'
import { PROFILES, passportOf } from './record-passport.ts'

const questionnaire = (family: string, profile: string): Questionnaire => {
  const emulated = emulatedFamilies.get(family)
  if (!emulated) throw new Error(`no family ${family}`)
  return questionnaireFor(emulated, profile)
}

/** The text is empty if the frame is not a command. */
function textOf(q: Questionnaire, frame: Uint8Array): string {
  const request = q.readRequest(frame)
  const name = request && q.catalogue.find(request.code, request.data)?.name
  return request ? `${name ?? request.code} ${request.data}` : ''
}

/** Frames are recorded once for all tests, because they do not vary. */
const recordings = new Map<string, Promise<readonly Uint8Array[]>>()

function framesAt(family: string, profile: string, depth: Depth, z: boolean): Promise<readonly Uint8Array[]> {
  const key = [family, profile, depth, z].join()
  const frames = recordings.get(key) ?? listenedTo(family, profile, depth, z)
  recordings.set(key, frames)
  return frames
}

async function listenedTo(family: string, profile: string, depth: Depth, z: boolean): Promise<readonly Uint8Array[]> {
  const frames: Uint8Array[] = []
  await passportOf({
    ...{ family, profile, depth, z },
    before: (emulator) =>
      void emulator.subscribe((event) => {
        if (event.type === 'frame' && event.entry.direction === 'toDevice') frames.push(event.entry.bytes.slice())
      }),
  })
  return frames
}

async function changesAt(family: string, profile: string, depth: Depth, z = false) {
  const q = questionnaire(family, profile)
  const changes: string[] = []
  for (const frame of await framesAt(family, profile, depth, z)) {
    const request = q.readRequest(frame)
    const command = request && q.catalogue.find(request.code, request.data)
    if (command && request) changes.push((factsFor(command, request.data, q.page) ?? factsOf(command)).changes)
  }
  return new Set(changes)
}

/** A snapshot contains neither the clock nor the counters of the link. */
const stateOf = ({ device }: Emulator): DeviceSnapshot => device.snapshot()

describe.each(PROFILES)('a printer of family %s, profile %s,', (family, profile) => {
  const q = questionnaire(family, profile)

  it('is unchanged by queries, byte by byte', async () => {
    const clock = new SimulatedClock(START)
    const emulator = createEmulator({ family, profile, clock, data: 'memory' })
    const before = stateOf(emulator)
    const opener = serialPort(emulator.path, 115_200, clock, emulator.binding)
    const task = { family, profile, opener, clock, consent: { depth: 'read', z: false } as const, rig: '0' }
    await simulate(clock, recordPassport(task))
    expect(stateOf(emulator)).toEqual(before)
    await emulator.close()
  })

  it('receives no command beyond the agreed depth', async () => {
    expect([...(await changesAt(family, profile, 'read'))].sort()).toEqual(['nothing'])
    expect([...(await changesAt(family, profile, 'print'))].sort()).toEqual(['nothing', 'paper'])
    expect([...(await changesAt(family, profile, 'fiscal'))].sort()).toEqual(['day', 'nothing', 'paper'])
    expect([...(await changesAt(family, profile, 'fiscal', true))].sort()).toEqual([
      'day',
      'memory',
      'nothing',
      'paper',
    ])
  })

  it('gets at least 150 queries that may print, and 300 with fiscal commands, each with its section of the sheet', () => {
    const counts = DEPTHS.map((depth) => probesOf(q, depth).length)
    expect(counts[1]).toBeGreaterThanOrEqual(150)
    expect(counts[2]).toBeGreaterThanOrEqual(300)
    expect(probesOf(q, 'fiscal').filter(({ section }) => section === '')).toEqual([])
  })

  it('has every query of the catalogue among its probes', () => {
    const probed = new Set(probesOf(q, 'read').map(({ command }) => command))
    const questions = q.catalogue.all.filter(
      ({ changes, claims }: AnyCommand) => changes === 'nothing' && claims?.('') !== false,
    )
    const missing = questions.map(({ name }) => name).filter((name) => !probed.has(name))
    // `reportAsText` needs an earlier report; `memoryDump` would take an hour.
    expect(missing.filter((name) => !['reportAsText', 'memoryDump'].includes(name))).toEqual([])
  })

  it('has a dry run that sends nothing and hides the password', () => {
    const text = dryRun({ family, profile, consent: { depth: 'fiscal', z: true }, password: '8642' })
    expect(text).toMatch(/^Family . profile|^Family/)
    expect(text).toContain('Nothing is sent')
    expect(text).not.toContain('8642')
    expect(text).toContain('**')
    expect(text.split('\n').length).toBeGreaterThan(300)
  })

  it('has a dry run that lists every command that will be sent', async () => {
    const q = questionnaire(family, profile)
    const text = dryRun({ family, profile, consent: { depth: 'fiscal', z: true } })
    const listed = new Set(
      [...text.matchAll(/(?:^|[ |])((?:[0-9A-F]{2} )+[0-9A-F]{2}) {3}/gm)].map(([, hex = '']) =>
        textOf(q, bytesOf(hex)),
      ),
    )
    const unlisted = new Set<string>()
    for (const frame of await framesAt(family, profile, 'fiscal', true)) {
      const asked = textOf(q, frame)
      if (asked !== '' && !listed.has(asked) && !/W+/.test(asked)) unlisted.add(asked)
    }
    expect([...unlisted].filter((asked) => !/^open/.test(asked))).toEqual([])
  })
})

describe('the consent filter', () => {
  const q = questionnaire('A', 'bg')
  const others = [questionnaire('A', 'ro')]
  const frame = (name: string, data: string): Uint8Array => {
    const command = q.catalogue.byName[name] as AnyCommand
    return q.writeRequest({ number: 0x20, code: command.code, data })
  }

  it.each([
    ['status', '', 'read'],
    ['feed', '1\t', 'print'],
    ['sale', 'x\t1\t0.01\t\t\t\t0\t', 'fiscal'],
    ['sale', 'nonsense', 'fiscal'],
    ['report', 'X\t', 'print'],
    ['report', 'Z\t', 'closing'],
    // Unreadable data might be a closure.
    ['report', 'Q\t', 'never'],
    ['articles', 'R\t1\t', 'read'],
    ['articles', 'D\tA\t\t', 'never'],
    ['articles', 'nonsense', 'never'],
    ['setClock', '01-01-26 10:00:00\t', 'never'],
    ['setTaxRates', '', 'never'],
    ['operatorPassword', '1\t\t1234\t', 'never'],
    ['parameter', 'Header\t0\t\t', 'read'],
    ['parameter', 'Header\t0\tMINE\t', 'never'],
  ] as const)('classifies %s %j as %s', (name, data, needed) => {
    expect(consentNeededFor(frame(name, data), q, others)).toBe(needed)
  })

  it('accepts no unknown commands except the fixed commands that no device has', () => {
    expect(consentNeededFor(q.writeRequest({ number: 0x20, code: 0x1f0, data: '' }), q, others)).toBe('read')
    expect(consentNeededFor(q.writeRequest({ number: 0x20, code: 0x1f1, data: '' }), q, others)).toBe('never')
  })

  it('passes the Z report only with separate consent', () => {
    expect(admits({ depth: 'fiscal', z: false }, 'closing')).toBe(false)
    expect(admits({ depth: 'print', z: true }, 'closing')).toBe(false)
    expect(admits({ depth: 'fiscal', z: true }, 'closing')).toBe(true)
    expect(admits({ depth: 'fiscal', z: true }, 'never')).toBe(false)
  })

  it('stops a frame that arrives in pieces before its last byte', async () => {
    const sent: number[] = []
    const port = {
      byteMs: 0,
      write: async (bytes: Uint8Array) => void sent.push(...bytes),
      close: async () => undefined,
    }
    const filteredPort = portBehindFilter(port, q, others, { depth: 'read', z: false })
    const bytes = frame('feed', '1\t')
    await filteredPort.write(bytes.subarray(0, 7))
    await expect(filteredPort.write(bytes.subarray(7))).rejects.toThrow(NotAgreed)
    expect(sent).toEqual([...bytes.subarray(0, 7)])
  })
})
