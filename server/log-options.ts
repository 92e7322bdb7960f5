/** Options of the log; separate from the log itself, so that `--help` does not load it. */

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug'
export const LOG_LEVELS: readonly LogLevel[] = ['silent', 'error', 'warn', 'info', 'debug']

export type LogFormat = 'pretty' | 'json'
export const LOG_FORMATS: readonly LogFormat[] = ['pretty', 'json']
