/**
 * fixtures/states.json contains what the wire, the paper and the service report in each state. Set FISCAL_RIG_UPDATE to
 * rewrite the file.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import supertest from 'supertest'
import { describe, expect, it } from 'vitest'
import { deviceShape as deviceA, encodeHostFrame } from '../../drivers/family-a/protocol/frame.ts'
import { status as statusA } from '../../drivers/family-a/protocol/status.ts'
import { parseAnswer, writeRequest } from '../../drivers/family-b/protocol/frame.ts'
import { readStatus } from '../../drivers/family-b/protocol/status.ts'
import { deviceShape as deviceC, writeFrame } from '../../drivers/family-c/protocol/frame.ts'
import { status as statusC } from '../../drivers/family-c/protocol/status.ts'
import { Deframer } from '../../drivers/wire/deframer.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import { createPanel } from '../support/panel.ts'
import { composeService, startPrinter } from '../support/rig.ts'

interface Observation {
  /** Only status flags that a device without problems does not set. */
  readonly wire: readonly string[]
  readonly receipt: string
  readonly display: string
  readonly paper: readonly string[]
}

type Call = readonly [path: string, body: object]
const STATES: Readonly<Record<string, readonly Call[]>> = {
  'paper nearly at its end': [['paper', { state: 'low' }]],
  'no paper': [['paper', { state: 'out' }]],
  'cover open': [['cover', { open: true }]],
  'display absent': [['display', { attached: false }]],
  'clock lost': [['clock', { lost: true }]],
  'not fiscalised': [['fiscalised', { fiscalised: false }]],
  'fiscal memory nearly full': [['room', { fiscalMemory: 10 }]],
  'fiscal memory full': [['faults', { at: 'memory.write', do: 'memoryFull' }]],
  'journal nearly full': [['room', { journal: 200 }]],
  'journal full': [['room', { journal: 0 }]],
}

function ask(emulator: Emulator, bytes: Uint8Array): Uint8Array {
  const frames = new Deframer(emulator.wire.shape).push(bytes).flatMap((event) => {
    const meeting = emulator.wire.meet(event)
    return meeting.kind === 'run' ? meeting.run().frames : []
  })
  return Buffer.concat(frames)
}

let seq = 0x20
type FamilyName = 'A' | 'B' | 'C'
const FLAGS: Readonly<Record<FamilyName, (emulator: Emulator) => readonly string[]>> = {
  A: (emulator) => [
    ...statusA.read(deviceA.parse(ask(emulator, encodeHostFrame({ seq: ++seq, code: 74, data: '' })))?.status ?? ''),
  ],
  B(emulator) {
    const answer = parseAnswer(ask(emulator, writeRequest({ seq: ++seq, command: 74, data: '' })))
    return [...readStatus(answer?.status ?? '').flags]
  },
  C(emulator) {
    const [piece] = new Deframer(deviceC).push(ask(emulator, writeFrame(++seq, 0x20, '')))
    return piece?.kind === 'frame' && piece.frame.kind === 'message' ? [...statusC.read(piece.frame.data)] : []
  },
}

const flagsOf = (family: FamilyName, emulator: Emulator): readonly string[] => FLAGS[family](emulator)

async function observe(family: FamilyName, calls: readonly Call[]): Promise<Observation> {
  const rig = startPrinter({ family })
  const service = composeService(rig.driver())
  const wellFlags = flagsOf(family, rig.emulator)
  const { app } = createPanel(rig.emulator)
  for (const [path, body] of calls) await supertest(app).post(`/emulator/${path}`).send(body).expect(200)
  const flags = flagsOf(family, rig.emulator)
  const spoken = async (path: string, body: object) => {
    const { StatusCode, Message } = await service.post(path, body)
    return Message === undefined ? String(StatusCode) : `${StatusCode}: ${Message}`
  }
  const display = await spoken('/display-line-one', { Text: 'Hello' })
  const receipt = await spoken('/print-fiscal-receipt', {
    ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }],
  })
  const paper = rig
    .papers()
    .map(({ kind, text }) => (/NON-FISCAL RECEIPT|SERVICE RECEIPT/.test(text) ? 'training slip' : kind))
  await rig.close()
  await service.close()
  const gone = wellFlags.filter((flag) => !flags.includes(flag)).map((flag) => `no ${flag}`)
  return { wire: [...flags.filter((flag) => !wellFlags.includes(flag)), ...gone], receipt, display, paper }
}

const golden = new URL('../../fixtures/states.json', import.meta.url)
type Golden = Record<string, Record<string, Observation>>

describe.each(['A', 'B', 'C'] as const)('family %s', (family) => {
  it.each(Object.keys(STATES))('shows the state on the wire, in the service and on the page: %s', async (state) => {
    const now = await observe(family, STATES[state] ?? [])
    if (process.env['FISCAL_RIG_UPDATE'] !== undefined) {
      const all = JSON.parse(readFileSync(golden, 'utf8')) as Golden
      all[family] = { ...all[family], [state]: now }
      writeFileSync(golden, `${JSON.stringify(all, null, 1)}\n`)
    }
    const stored = JSON.parse(readFileSync(golden, 'utf8')) as Golden
    expect(now).toEqual(stored[family]?.[state])
  })
})
