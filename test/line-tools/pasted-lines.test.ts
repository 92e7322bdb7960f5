/** `decode` and `replay` of text that people paste into threads: bytes in various notations. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PastedReader } from '../../scenarios/line/pasted-lines.ts'
import { runToEnd } from '../support/in-process.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pasted-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function decoded(text: string, ...options: string[]) {
  const file = join(folder, 'pasted.txt')
  writeFileSync(file, text)
  const { out, err, status } = await runToEnd(['decode', file, '--family', 'A', ...options])
  const frames = out.split('\n').filter((line) => / ms {2}[<>] /.test(line))
  return { frames: frames.map((line) => line.replace(/^.* ms {2}/, '')), out, err, status }
}

/** Three sessions from forum threads. */
const NOT_FISCALISED = `[2023-08-09 17:51:00 INF] COM8 <<< 01-30-30-32-3B-21-30-30-35-3A-31-05-30-31-3F-33-03
[2023-08-09 17:51:01 INF] COM8 >>> 16-01-30-30-36-3A-21-30-30-35-3A-44-50-2D-31-35-30-4D-58-2C-36-30-39-34-32-38-20-32-30-4A-75-6C-32-33-20-31-33-35-33-2C-39-34-36-30-2C-30-30-30-30-30-30-30-30-2C-20-20-20-20-30-32-30-30-30-30-39-39-04-80-80-80-80-84-82-80-80-05-31-31-31-3D-03
[2023-08-09 17:51:02 INF] COM8 <<< 01-25-21-5A-31-05-30-30-3D-36-03
[2023-08-09 17:51:03 INF] COM8 >>> 16-15
`
const REFUSED = `TX: 01 30 30 33 33 30 30 30 33 35 34 09 31 2E 35 33 09 31 09 05 30 33 30 3A 03
RX: 16 01 30 30 33 3B 30 30 30 33 35 2D 31 31 31 30 31 36 09 04 80 80 80 80 86 9A 80 80 05 30 37 34 3F 03
TX: 01 30 30 32 3A 31 30 30 33 3E 05 30 31 3D 33 03
`
const CLASSIC = '-> 0124243c053030383903\n'

describe('a session pasted from a forum', () => {
  it('with times and dashes, and reversed arrows, is corrected', async () => {
    const { frames, out, err, status } = await decoded(NOT_FISCALISED)
    expect(frames).toEqual([
      '> deviceInfo  {"form":"commas","checksum":true}',
      '< busy',
      expect.stringMatching(/^< deviceInfo {2}\{.*00000000.*\} {2}\[serialNumberSet memoryFormatted\]$/),
      '> damaged',
      '< busy',
      '< refused',
    ])
    expect(out).toMatch(/^17:51:00\.000 .*\n.*\n17:51:01\.000 {3}\+1000\.00 ms/)
    expect([err, status]).toEqual([expect.stringContaining('as the direction of'), 0])
  })

  it('with TX and RX, without times, is read unchanged', async () => {
    const { frames, err } = await decoded(REFUSED)
    expect(frames).toEqual([
      '> payment  {"mode":4,"amount":"1.53","kind":1}',
      '< busy',
      expect.stringMatching(/^< payment {2}\{"code":-111016,"meaning":"no receipt is open"\}/),
      expect.stringMatching(/^> /),
    ])
    expect(err).toBe('')
  })

  it('with an arrow and without blanks is read, even if no frame is complete', async () => {
    const { frames, out } = await decoded(CLASSIC)
    expect(frames).toEqual(['> damaged'])
    expect(out).toContain('01 24 24 3C 05 30 30 38 39 03')
  })

  it('can be replayed', async () => {
    const file = join(folder, 'replayed.txt')
    writeFileSync(file, REFUSED)
    const { out } = await runToEnd(['replay', file, '--family', 'A', '--json'])
    expect(JSON.parse(out)).toMatchObject({ exchanges: 2 })
  })

  it('is read without the lines of text between its bytes, which are counted', async () => {
    const { frames, err } = await decoded(`Hello,\nmy printer refuses a payment:\n\n${REFUSED}\nWhat is wrong?\n`)
    expect(frames).toHaveLength(4)
    expect(err).toContain('skipped 3 lines without bytes')
  })

  it('is rejected with status 2 if it has no bytes', async () => {
    const { err, status } = await decoded('Hello,\nwhat is wrong?\n')
    expect([err.split('\n')[0], status]).toEqual([
      expect.stringMatching(
        /pasted\.txt:1: expected a line of JSON, as capture records it, or bytes with their direction/,
      ),
      2,
    ])
  })
})

describe('a line of a pasted session', () => {
  const read = (...lines: string[]) => {
    const reader = new PastedReader()
    return lines.map((line) => {
      const piece = reader.read(line)
      return piece && [piece.direction, Buffer.from(piece.bytes).toString('hex'), piece.at]
    })
  }

  it.each([
    ['> 01 ff', 'toDevice', '01ff'],
    ['<- 01ff', 'toHost', '01ff'],
    ['→ 0x01, 0xFF', 'toDevice', '01ff'],
    ['  << \\x01\\xff', 'toHost', '01ff'],
    ['TX (2): 01 FF', undefined, undefined],
    ['TX: 01 FF  |..|', 'toDevice', '01ff'],
    ['Received: 01:ff  # noise', 'toHost', '01ff'],
    ['PC -> printer: 01 ff', 'toDevice', '01ff'],
    ['printer -> PC: 01 ff', 'toDevice', '01ff'],
    ['sent 00000000  01 ff', 'toDevice', '01ff'],
    ['> 01 f', undefined, undefined],
    ['> hello', undefined, undefined],
    ['01 ff', undefined, undefined],
  ])('is read: %s', (line, direction, hex) => {
    expect(read(line)[0]?.slice(0, 2)).toEqual(direction && [direction, hex])
  })

  it('continues in the next lines, and has the time that it contains', () => {
    expect(read('12:00:00,250 > 01 02', '03', '12:00:01.5 < 06', '> 07')).toEqual([
      ['toDevice', '0102', 43_200_250],
      ['toDevice', '03', 43_200_250],
      ['toHost', '06', 43_201_500],
      ['toDevice', '07', 43_201_501],
    ])
    expect(read('2026-07-15T09:00:00.123 > 01')[0]?.[2]).toBe(Date.UTC(2026, 6, 15, 9, 0, 0, 123))
  })

  it('of any length is read in a time proportional to its length', () => {
    const long = 200_000
    for (const line of [
      `${'> '.repeat(long)}x`,
      `> ${'01 '.repeat(long)}x`,
      `${'-'.repeat(long)}`,
      'tx '.repeat(long),
    ]) {
      const before = process.cpuUsage().user
      read(line)
      expect((process.cpuUsage().user - before) / 1e6).toBeLessThan(20)
    }
  })
})
