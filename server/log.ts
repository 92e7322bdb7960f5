/** The log: JSON lines on stderr (pino). Requests at info, the bytes of the line at debug, never a header or a body. */
import { type Logger, pino } from 'pino'
import type { TraceListener } from '../drivers/index.ts'
import { visibleLines } from '../drivers/model/visible.ts'

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug'
export const LOG_LEVELS: readonly LogLevel[] = ['silent', 'error', 'warn', 'info', 'debug']

/** What the service has to say besides its answers. Where nobody listens it is not said. */
export interface ServiceLog {
  /** `status` null: the caller hung up before the answer. */
  request?(line: { method: string; path: string; status: number | null; ms: number }): void
  /** What nobody foresaw. */
  trouble?(error: unknown): void
  /** What became of requests whose callers can no longer be told, and what was healed in silence. */
  warn?(line: string): void
}

export interface Log extends Required<ServiceLog> {
  readonly trace: TraceListener
  note(line: string): void
  readonly isDebug: boolean
}

const STDERR = 2

export function createLog(level: LogLevel, destination: NodeJS.WritableStream | number = STDERR): Log {
  const out = typeof destination === 'number' ? pino.destination({ dest: destination, sync: true }) : destination
  const logger: Logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    // JSON escapes the control characters of ASCII only.
    { write: (line) => void out.write(visibleLines(line)) },
  )
  const isDebug = logger.isLevelEnabled('debug')
  return {
    isDebug,
    request: (line) => logger.info(line, 'request'),
    trouble: (error) => logger.error({ err: error }, 'unexpected error'),
    note: (line) => logger.info(line),
    warn: (line) => logger.warn(line),
    trace: ({ direction, bytes }) => {
      if (isDebug) logger.debug({ direction, hex: Buffer.from(bytes).toString('hex') }, 'line')
    },
  }
}
