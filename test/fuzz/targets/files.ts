/** Files and records that another person may have written: passports, traces, recordings, golden names, the queue. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { FAMILIES } from '../../../drivers/families.ts'
import { DEPTHS } from '../../../drivers/wire/questionnaire.ts'
import { createEmulator, profilesOf } from '../../../emulator/emulator.ts'
import {
  QueueDataError,
  readCampaign,
  readChunkJob,
  readSums,
  readViolation,
} from '../../../scenarios/campaign/queue/schema.ts'
import { asFixture, asScenario } from '../../../scenarios/line/export.ts'
import { meaningOf, readFrames } from '../../../scenarios/line/frames.ts'
import { RecordingError, readRecording } from '../../../scenarios/line/recording.ts'
import { PassportMistakes, readPassport } from '../../../scenarios/passport/passport-format.ts'
import { GoldenFileError, goldenPath } from '../../../scenarios/runner/golden.ts'
import { reportPage } from '../../../scenarios/runner/report/html.ts'
import { readTrace } from '../../../scenarios/runner/report/trace.ts'
import { Find, type FuzzTarget } from '../search.ts'

const text = (input: Buffer): string => input.toString('utf8')
const shape = (message: string): string => message.replace(/"[^"]*"?|\d+/g, '#').slice(0, 80)
const STEERS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u

function refused(error: unknown, ...kinds: readonly (new (message: string) => Error)[]): string {
  if (!kinds.some((kind) => error instanceof kind)) throw error
  const { message } = error as Error
  if (message.length > 20_000) throw new Find(`a refusal of ${message.length} characters`)
  return shape(message)
}

const passport = (more = '', family = 'A'): string =>
  `passport: 1\ncomplete: true\nrig: 0.2.0\ndepth: ${DEPTHS[0]}\ndevice: { family: ${family}, profile: ${profilesOf(family)[0]} }\nline: { baud: 9600, firstByteMs: { median: 4, p95: 9 } }\nswitches: {}\nnotSeen: []\nfacts: { taxRates: { A: "20.00", B: null }, payments: { "0": Cash }, header: [SHOP], textWidth: { fiscalText: 36 } }\noverrides: [${more}]\ndifferences: []\nsame: 0\n`

/** A passport is refused, or describes a usable device. */
const passports: FuzzTarget = {
  name: 'passports',
  seeds: () =>
    [
      passport(),
      passport(
        '{ command: "0x4A", answer: { fields: { "1": x }, widths: { "2": 8 }, added: [y], missing: [3], data: "00" } }',
      ),
      passport('{ command: "0x21", refusal: { code: "-1", status: [] } }, { command: "0x22", silent: true }', 'B'),
      passport('{ command: "0x10", bytes: "01 3F", state: none, request: a }', 'C'),
    ].map((one) => Buffer.from(one)),
  run(input) {
    try {
      const read = readPassport('fuzz.yaml', text(input))
      const { family, profile } = read.device
      createEmulator({ family, profile, passport: read })
      return `passport ${family}`
    } catch (error) {
      return refused(error, PassportMistakes)
    }
  },
}

const FRAME =
  '{"id":1,"at":"2026-01-01T00:00:00.000Z","direction":"toDevice","hex":"01 02","command":"status","fields":{},"status":[]}'
const trace = (account = ''): string =>
  `{"form":"fiscal-rig trace","version":1,"at":"2026-01-01T00:00:00.000Z","facts":{"target":"emulator","seed":1,"plays":1,"command":"npx fiscal-rig run x"},"counts":{"passed":1,"flaky":0,"failed":0,"notRun":0,"leftOut":0,"durationMs":1},"accounts":[${account}]}`

/** A trace is refused, or becomes a page whose only markup is that of the templates. */
const traces: FuzzTarget = {
  name: 'traces',
  seeds: () =>
    [
      trace(),
      trace(
        `{"name":"a","id":"a [A]","scenario":"a","file":"a.yaml","line":1,"family":"A","seed":1,"tags":["x"],"status":"failed","durationMs":1,"failure":{"file":"a.yaml","line":2,"problems":[{"what":"wrong","diff":["- a"]}],"trace":["x"],"state":[],"repeat":"npx"},"paper":[],"looks":[{"at":"paper","lines":["x"]}],"story":[{"file":"a","line":1,"depth":0,"title":"post","status":"passed","atMs":0,"tookMs":1}],"detail":{"wire":[${FRAME}],"pictures":{"1":"<svg></svg>"}}}`,
      ),
    ].map((one) => Buffer.from(one)),
  run(input) {
    try {
      const { at, ...read } = readTrace('fuzz.json', text(input))
      const page = String(reportPage({ ...read, at: new Date(at) }))
      if (/<script[^>]+src|http-equiv=.?refresh|javascript:[^&\s"]*\(|<iframe/i.test(page))
        throw new Find('the page of a trace loads something')
      return `trace of ${read.accounts.length}`
    } catch (error) {
      return refused(error, RangeError)
    }
  },
}

const SCRATCH = mkdtempSync(join(tmpdir(), 'fiscal-rig-fuzz-files-'))
process.once('exit', () => rmSync(SCRATCH, { recursive: true, force: true }))
const meanings = FAMILIES.map((family) => meaningOf(family, undefined))

/** A recording is refused, or becomes frames, a fixture and a scenario of every family. */
const recordings: FuzzTarget = {
  name: 'recordings',
  seeds: () =>
    [
      '{"capture":1,"device":"tcp://x","family":"A","startedAt":"2026-01-01T00:00:00.000Z"}\n{"at":1767225600000,"direction":"toDevice","hex":"01 30 30"}\n{"at":1767225600001.5,"direction":"toHost","hex":"15"}\n{"at":1767225600002,"event":"lost"}\n',
      '{"at":1,"direction":"toDevice","hex":"01 24 20 4A 05 30 30 39 33 03"}\n{"at":2,"direction":"toHost","hex":"16 16"}\n{"at":1e308,"direction":"toHost","hex":"06"}\n{"at":3,"di',
    ].map((one) => Buffer.from(one)),
  run(input) {
    const file = join(SCRATCH, 'fuzz.jsonl')
    writeFileSync(file, input)
    try {
      const recording = readRecording(file)
      for (const meaning of meanings) {
        for (const { at } of readFrames(recording.pieces, meaning)) new Date(at).toISOString()
        asFixture(recording, meaning)
        asScenario(recording, meaning, undefined)
      }
      return `recording of ${Math.min(9, recording.pieces.length)}`
    } catch (error) {
      return refused(error, RecordingError)
    }
  },
}

const PAPERS = join(SCRATCH, 'paper')

/** The name of a golden file is refused, or is a path inside the folder without a dot at the beginning of a part. */
const goldenNames: FuzzTarget = {
  name: 'golden-names',
  seeds: () =>
    ['day.txt', 'deeper/day (1).txt', '../x', 'a/../b', '.bashrc', 'a\\b', 'con', '/etc/passwd'].map((one) =>
      Buffer.from(one),
    ),
  longest: 400,
  run(input) {
    try {
      const inside = relative(join(PAPERS, 'a'), goldenPath(PAPERS, 'A', text(input)))
      const isPlain = inside !== '' && !inside.split(sep).some((part) => part.startsWith('.') || STEERS.test(part))
      if (!isPlain) throw new Find(`a golden file at ${JSON.stringify(inside)}`)
      return `golden file ${inside.split(sep).length}`
    } catch (error) {
      return refused(error, GoldenFileError)
    }
  },
}

const SETTINGS = '{"families":["A"],"seed":1,"runs":10,"chunk":5,"bail":false}'

/** A record of the queue, read as each kind, is refused in one line, or has the right form and is within the limits. */
const queue: FuzzTarget = {
  name: 'queue',
  seeds: () =>
    [
      `{"campaign":"night","id":"c1","index":3,"settings":${SETTINGS}}`,
      `{"id":"c1","revision":"r1","settings":${JSON.stringify(SETTINGS)},"state":"running","beganAt":"1","dealt":"2","chunksDone":"1"}`,
      '{"A runs":"3","A requests":"9","A notRun":"[\\"x\\"]"}',
      '{"chunk":1,"seed":5,"path":"1:2","why":"x","words":["a"],"trace":[],"shrinks":2,"case":{"family":"A","seed":1,"steps":[]}}',
    ].map((one) => Buffer.from(one)),
  run(input) {
    const outcomes: string[] = []
    const read = (what: string, reader: () => unknown): void => {
      try {
        reader()
        outcomes.push(what)
      } catch (error) {
        if (STEERS.test((error as Error).message)) throw new Find('a refusal that steers a terminal')
        outcomes.push(refused(error, QueueDataError))
      }
    }
    read('violation', () => readViolation(text(input)))
    let value: unknown
    try {
      value = JSON.parse(text(input))
    } catch {
      return outcomes.join()
    }
    read('job', () => readChunkJob(value))
    if (typeof value === 'object' && value !== null) {
      const texts = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, String(one)]))
      read('campaign', () => readCampaign(texts))
      for (const family of FAMILIES) read(`sums ${family}`, () => readSums(family, texts))
    }
    return outcomes.join()
  },
}

export const files: readonly FuzzTarget[] = [passports, traces, recordings, goldenNames, queue]
