/** Separate from log.ts, so that `--help` need not load the logger. */

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug'
export const LOG_LEVELS: readonly LogLevel[] = ['silent', 'error', 'warn', 'info', 'debug']

export type LogFormat = 'pretty' | 'json'
export const LOG_FORMATS: readonly LogFormat[] = ['pretty', 'json']
