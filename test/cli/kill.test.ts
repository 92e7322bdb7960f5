/**
 * Real processes, killed by SIGKILL at seeded frames while a receipt is printed, and started again: after the retry
 * with the same Idempotency-Key, the device's own paper has exactly one complete receipt (decisions 3).
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import type { Family } from '../../drivers/model/families.ts'
import { seededRandom } from '../../emulator/faults/seeded-random.ts'
import { type Running, start } from '../support/command.ts'
import { rotatingRuns, rotatingSeed } from '../support/slice.ts'

const ITEM = { Type: 1, PluSale: { PluNumber: 1 } }
const TEXT = { Type: 2, Text: { Message: 'a line of text, so that the receipt takes a while' } }
const RECEIPT = { ReceiptItems: [...Array.from({ length: 20 }, () => [ITEM, TEXT]).flat()] }
const ROUNDS = rotatingRuns(1, 3)
/** Total in the drawer after all rounds and the two receipts before them, each of 20 items at 1.20. */
const TOTAL = `${24 * (ROUNDS + 2)}.00`
const SEED = rotatingSeed()
/**
 * Share of a receipt's frames at which a kill can still interrupt it: the last frames may pass before the process has
 * ended.
 */
const IN_THE_MIDDLE = 0.9

let folder: string
const running = new Set<Running>()
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-kill-'))
})
afterEach(async () => {
  for (const each of running) await kill(each)
  rmSync(folder, { recursive: true, force: true })
})

async function begin(args: readonly string[]): Promise<{ process: Running; ready: Record<string, unknown> }> {
  const process = start([...args, '--json'], { cwd: folder, env: { FISCAL_RIG_LOG: 'error' } })
  running.add(process)
  return { process, ready: await process.ready() }
}

async function kill(process: Running): Promise<void> {
  running.delete(process)
  process.child.kill('SIGKILL')
  await process.ended
}

const emulate = (family: Family, tcp: number) =>
  begin(['emulate', '--family', family, '--tcp', String(tcp), '--panel-port', '0', '--data', 'device'])
const serve = (family: Family, tcp: unknown) =>
  begin(['serve', '--family', family, '--device', `tcp://127.0.0.1:${tcp}`, '--data', 'service',
    '--http-port', '0', '--https-port', '0']) // biome-ignore format: one command line

interface Answer {
  readonly StatusCode: number
  readonly Data?: string
  readonly Message?: string
}

/** Returns `undefined` if the process ended before it responded. */
async function print(http: unknown, key: string): Promise<Answer | undefined> {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key }
  try {
    const answer = await fetch(`${http}/print-fiscal-receipt`, {
      method: 'POST',
      headers,
      body: JSON.stringify(RECEIPT),
    })
    return (await answer.json()) as Answer
  } catch {
    return undefined
  }
}

const MAY_BE_OWN = /nothing is sold on it: this request has opened it/

/**
 * Retries like a till while the device is absent. No other program prints here, so an empty receipt of unknown origin
 * is the till's own. The function cancels that receipt and sends the sale with a new key, as the message advises.
 */
async function printUntilKnown(http: unknown, first: string): Promise<{ answer: Answer | undefined; key: string }> {
  let key = first
  for (let tries = 0; ; tries++) {
    const answer = await print(http, key)
    if (answer?.StatusCode !== 424 || tries >= 5) return { answer, key }
    if (!MAY_BE_OWN.test(answer.Message ?? '')) continue
    await fetch(`${http}/cancel-fiscal-receipt`, { method: 'POST' })
    key = `${key} again`
  }
}

interface Paper {
  readonly kind: string
  readonly number: number
  readonly text: readonly string[]
}

async function receipts(panel: unknown): Promise<Paper[]> {
  const answer = await fetch(`${panel}/emulator/documents`)
  return ((await answer.json()) as Paper[]).filter(({ kind }) => kind === 'fiscal')
}

async function dayTotal(panel: unknown): Promise<string> {
  const answer = await fetch(`${panel}/emulator`)
  return ((await answer.json()) as { day: { total: string } }).day.total
}

interface Frames {
  next(count: number): Promise<void>
  readonly passed: number
}

async function framesOf(panel: unknown): Promise<Frames> {
  const { body } = await fetch(`${panel}/events`)
  let passed = 0
  let wake: () => void = () => undefined
  const listen = async () => {
    let rest = ''
    for await (const text of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      passed += lines.filter((line) => line === 'event: frame').length
      wake()
    }
  }
  // The stream fails when the device is killed.
  listen().catch(() => undefined)
  return {
    get passed() {
      return passed
    },
    async next(count) {
      const until = passed + count
      while (passed < until) await new Promise<void>((resolve) => (wake = resolve))
    },
  }
}

async function framesOfReceipt(http: unknown, frames: Frames, key: string): Promise<number> {
  const before = frames.passed
  await print(http, key)
  return frames.passed - before
}

it.each(FAMILIES)(
  'family %s: a receipt is printed once, and is known to its retry, when the service is killed at some moment',
  async (family) => {
    const random = seededRandom(SEED)
    const device = await emulate(family, 0)
    let service = await serve(family, device.ready['tcp'])
    const frames = await framesOf(device.ready['panel'])
    await framesOfReceipt(service.ready['http'], frames, 'first')
    const count = await framesOfReceipt(service.ready['http'], frames, 'second')
    for (let round = 1; round <= ROUNDS; round++) {
      const key = `round ${round}`
      const cut = print(service.ready['http'], key)
      await frames.next(Math.ceil(((round - random()) / ROUNDS) * count * IN_THE_MIDDLE))
      await kill(service.process)
      await cut
      service = await serve(family, device.ready['tcp'])
      const { answer, key: last } = await printUntilKnown(service.ready['http'], key)
      const paper = await receipts(device.ready['panel'])
      expect(answer).toEqual({ StatusCode: 200, Data: String(paper.at(-1)?.number) })
      expect(paper).toHaveLength(round + 2)
      expect(await print(service.ready['http'], last)).toEqual(answer)
    }
    expect(await dayTotal(device.ready['panel'])).toBe(TOTAL)
  },
)

it.each(FAMILIES)(
  'family %s: a receipt is printed once, and is known to its retry, when the device loses power at some moment',
  async (family) => {
    const random = seededRandom(SEED)
    let device = await emulate(family, 0)
    const tcp = Number(device.ready['tcp'])
    const service = await serve(family, tcp)
    let frames = await framesOf(device.ready['panel'])
    await framesOfReceipt(service.ready['http'], frames, 'first')
    const count = await framesOfReceipt(service.ready['http'], frames, 'second')
    for (let round = 1; round <= ROUNDS; round++) {
      const key = `round ${round}`
      const cut = print(service.ready['http'], key)
      await frames.next(Math.ceil(((round - random()) / ROUNDS) * count * IN_THE_MIDDLE))
      await kill(device.process)
      device = await emulate(family, tcp)
      frames = await framesOf(device.ready['panel'])
      const first = await cut
      const answer = first?.StatusCode === 200 ? first : (await printUntilKnown(service.ready['http'], key)).answer
      const paper = await receipts(device.ready['panel'])
      expect(answer).toEqual({ StatusCode: 200, Data: String(paper.at(-1)?.number) })
      expect(paper).toHaveLength(round + 2)
    }
    expect(await dayTotal(device.ready['panel'])).toBe(TOTAL)
  },
)
