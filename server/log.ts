/**
 * The log: JSON lines on stderr (pino). Level `info` includes requests, `debug` the bytes on the line. Headers and
 * bodies are never logged.
 */
import { type Logger, pino } from 'pino'
import type { TraceListener } from '../drivers/index.ts'
import { escapeControl, escapeControlInLines } from '../drivers/model/escape-control.ts'
import type { LogFormat, LogLevel } from './log-options.ts'

/** `status` is null if the caller disconnected before the answer. `replayed`: an earlier request got this answer first. */
export interface RequestLine {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly status: number | null
  readonly ms: number
  readonly printed: boolean
  readonly replayed?: true
}

/** Messages of the service besides its answers. A message without a function is dropped. */
export interface ServiceLog {
  request?(line: RequestLine): void
  /** Receives an unexpected error and the `X-Request-Id`. */
  trouble?(error: unknown, request?: string): void
  /** Receives outcomes of interrupted requests, and other problems that no caller learns. */
  warn?(line: string): void
}

export interface Log extends Required<ServiceLog> {
  readonly trace: TraceListener
  note(line: string): void
  readonly isDebug: boolean
}

const STDERR = 2

interface LogOptions {
  readonly level: LogLevel
  readonly format?: LogFormat
  readonly destination?: NodeJS.WritableStream | number
}

/**
 * Requests that print are logged at the levels `warn`, `info` and `debug`, other requests only at `info` and `debug`.
 */
export function createLog({ level, format = 'json', destination = STDERR }: LogOptions): Log {
  const out = typeof destination === 'number' ? pino.destination({ dest: destination, sync: true }) : destination
  const logger: Logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    // JSON escapes only the control characters of ASCII.
    { write: (line) => void out.write(format === 'json' ? escapeControlInLines(line) : prettyLine(line)) },
  )
  const isDebug = logger.isLevelEnabled('debug')
  const printing = level === 'warn' ? logger.child({}, { level: 'info' }) : logger
  return {
    isDebug,
    request: (line) => (line.printed ? printing : logger).info(line, 'request'),
    trouble: (error, id) => logger.error({ ...(id !== undefined && { id }), err: error }, 'unexpected error'),
    note: (line) => logger.info(line),
    warn: (line) => logger.warn(line),
    trace: ({ direction, bytes }) => {
      if (isDebug) logger.debug({ direction, hex: Buffer.from(bytes).toString('hex') }, 'line')
    },
  }
}

const LEVEL_WORDS: Readonly<Record<number, string>> = { 20: 'debug', 30: '', 40: 'warning', 50: 'error' }

interface Entry extends Partial<RequestLine> {
  readonly time: string
  readonly level: number
  readonly msg: string
  readonly direction?: string
  readonly hex?: string
  readonly err?: { readonly message: string; readonly stack?: string }
}

/** Formats a line, for example `09:30:12.345 POST /api/report-x 200 18 ms, printed [1f6b0c55d2e3a497]`. */
function prettyLine(json: string): string {
  const { time, level, msg, id, method, path, status, ms, printed, replayed, direction, hex, err } = JSON.parse(
    json,
  ) as Entry
  const text =
    method !== undefined
      ? `${method} ${path} ${status ?? 'disconnected'} ${ms} ms${printed ? ', printed' : replayed ? ', repeated answer' : ''} [${id}]`
      : hex !== undefined
        ? `${direction === 'toDevice' ? '>' : '<'} ${hex}`
        : err
          ? `${msg}${id === undefined ? '' : ` [${id}]`}: ${err.stack ?? err.message}`
          : msg
  return `${[time.slice(11, 23), LEVEL_WORDS[level], escapeControl(text)].filter((part) => part).join(' ')}\n`
}
