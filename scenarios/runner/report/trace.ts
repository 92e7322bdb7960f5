/** A trace: one file with every step, request, answer and frame of a run, and the paper as text and picture. */
import { z } from 'zod'
import { parseForeignJson, RECORDED_MAX_BYTES } from '../../../drivers/host/foreign-file.ts'
import { escapeControl } from '../../../drivers/model/escape-control.ts'
import { POINT_NAMES } from '../../../emulator/faults/points.ts'
import { document, frame } from '../../../emulator/panel/view-schemas.ts'
import type { Reporter, RunFacts, Write } from './report.ts'
import type { Counts, ReportData } from './report-data.ts'
import { reportDataOf } from './report-data.ts'

const FORM = 'fiscal-rig trace'
const VERSION = 1
export const TRACE_MAX_BYTES = RECORDED_MAX_BYTES
const VALUES_MAX = 2_000_000

interface Trace {
  readonly form: typeof FORM
  readonly version: typeof VERSION
  readonly at: string
  readonly facts: RunFacts
  readonly counts: Counts
  readonly accounts: readonly ReportData[]
}

export function traceReporter(write: Write, facts: RunFacts, at: Date): Reporter {
  return {
    ended: () => undefined,
    finished({ results, ...counts }) {
      const trace: Trace = {
        form: FORM,
        version: VERSION,
        at: at.toISOString(),
        facts,
        counts,
        accounts: results.map(reportDataOf),
      }
      write(`${JSON.stringify(trace)}\n`)
    },
  }
}

const ITEMS_MAX = 100_000
const TEXT_MAX = 10_000_000
const whole = z.int().min(0)
/** Seeds of older versions, and seeds written by hand, may be negative. */
const seed = z.int()
const text = z.string().max(TEXT_MAX)
const texts = z.array(text).max(ITEMS_MAX)
const ms = z.number().min(-1e12).max(1e12)
const range = z.tuple([whole, whole])

const deviceState = z.object({
  power: z.boolean(),
  ...{ paper: text.max(100), cover: z.boolean(), cable: z.boolean() },
  display: z.array(text.max(1000)).max(100),
  receipt: z.object({ number: whole, items: whole, total: text.max(100), paid: text.max(100) }).nullable(),
  day: text.max(100),
})

const step = z.object({
  file: text,
  line: whole,
  depth: whole.max(1000),
  title: text,
  note: text.optional(),
  status: z.enum(['passed', 'failed', 'notReached', 'otherFamily']),
  ...{ atMs: ms, tookMs: ms },
  ...{ asked: text.optional(), answered: text.optional() },
  ...{ heard: range.optional(), injected: range.optional(), printed: range.optional() },
  device: z.tuple([deviceState, deviceState]).optional(),
})

const fault = z.object({
  point: z.enum(POINT_NAMES),
  what: text.max(2000),
  on: text.max(100).optional(),
  rule: whole.optional(),
  frame: whole,
})

const failure = z.object({
  file: text,
  line: whole,
  step: text.optional(),
  problems: z.array(z.object({ what: text, diff: texts.optional() })).max(ITEMS_MAX),
  ...{ asked: text.optional(), answered: text.optional() },
  ...{ printed: texts.optional(), trace: texts, state: texts, repeat: text },
})

const manualCheck = z.object({
  at: z.enum(['paper', 'display', 'device', 'journal', 'sums']),
  of: text.optional(),
  lines: texts,
})

const earlier = z.object({
  sentence: text,
  runs: z
    .array(z.object({ title: text, status: z.enum(['passed', 'failed', 'flaky', 'notRun']).nullable() }))
    .max(ITEMS_MAX),
})

const account = z.object({
  ...{ name: text, id: text, scenario: text, file: text, line: whole, family: text, seed, tags: texts },
  purpose: text.optional(),
  status: z.enum(['passed', 'failed', 'notRun']),
  reason: text.optional(),
  durationMs: ms,
  failedBefore: texts.optional(),
  failure: failure.optional(),
  paper: z.array(document).max(ITEMS_MAX),
  manualChecks: z.array(manualCheck).max(ITEMS_MAX),
  left: text.optional(),
  story: z.array(step).max(ITEMS_MAX),
  detail: z
    .object({
      wire: z.array(frame).max(ITEMS_MAX),
      // Traces of older versions do not contain faults.
      faults: z.array(fault).max(ITEMS_MAX).optional(),
      pictures: z.record(z.string().regex(/^\d{1,15}$/), text),
      open: text.optional(),
    })
    .optional(),
  earlier: earlier.optional(),
})

const trace = z.object({
  form: z.literal(FORM),
  version: z.literal(VERSION),
  at: z.iso.datetime(),
  facts: z.object({ target: text, seed, plays: whole, wire: z.boolean().optional(), command: text }),
  counts: z.object({
    ...{ passed: whole, flaky: whole, failed: whole, notRun: whole, leftOut: whole, updated: whole.optional() },
    durationMs: ms,
  }),
  accounts: z.array(z.unknown()).max(ITEMS_MAX),
})

/** Drops unknown members. Throws RangeError with a message for the user. */
export function readTrace(file: string, content: string): Trace {
  let value: unknown
  try {
    value = parseForeignJson(content, VALUES_MAX)
  } catch {
    throw new RangeError(`${file} is not a trace: expected a file that run --trace has written`)
  }
  const { form, version } = (value ?? {}) as Partial<Trace>
  if (form !== FORM) throw new RangeError(`${file} is not a trace: expected a file that run --trace has written`)
  if (version !== VERSION)
    throw new RangeError(
      escapeControl(
        `${file} is a trace of version ${JSON.stringify(version)?.slice(0, 40)}; this program reads version ${VERSION}. Record it again with run --trace`,
      ),
    )
  const read = partOf(trace, value, file)
  // Scenarios are parsed one by one, because the issues of all of them could exhaust the memory.
  const accounts = read.accounts.map((one, index) => partOf(account, one, file, ['accounts', index]))
  return { ...read, accounts } as Trace
}

function partOf<T>(form: z.ZodType<T>, value: unknown, file: string, at: readonly PropertyKey[] = []): T {
  const result = form.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new RangeError(
    escapeControl(
      `${file} is not a valid trace: ${[...at, ...(issue?.path ?? [])].map(String).join('.')}: ${issue?.message}`,
    ).slice(0, 300),
  )
}
