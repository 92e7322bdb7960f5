/** Failures of reading or writing the operation log, with the codes and texts of SQLite. */
const TROUBLE = {
  locked: { errcode: 5, errstr: 'database is locked' },
  full: { errcode: 13, errstr: 'database or disk is full' },
  damaged: { errcode: 11, errstr: 'database disk image is malformed' },
  'read-only': { errcode: 8, errstr: 'attempt to write a readonly database' },
} as const
export type LogFailure = keyof typeof TROUBLE
export const LOG_FAILURES = Object.keys(TROUBLE) as readonly LogFailure[]

export class LogDisk {
  readonly #note: (what: string) => void
  #trouble: { readonly trouble: LogFailure; skip: number; times: number } | undefined
  hasFailed = false

  constructor(note: (what: string) => void) {
    this.#note = note
  }

  /** After `skip` writes, `times` writes fail. */
  fail(trouble: LogFailure, skip: number, times: number): void {
    this.#trouble = { trouble, skip, times }
  }

  heal(): void {
    this.#trouble = undefined
  }

  /** Must be called before each read. Throws SQLite's error if the failure is `damaged`. */
  read(): void {
    if (this.#trouble?.trouble === 'damaged') this.written()
  }

  /** Must be called before each write. Throws SQLite's error while a failure is active. */
  written(): void {
    const trouble = this.#trouble
    if (trouble === undefined || trouble.times === 0) return
    if (trouble.skip-- > 0) return
    trouble.times--
    const { errcode, errstr } = TROUBLE[trouble.trouble]
    this.#note(`journal: ${errstr}`)
    this.hasFailed = true
    throw Object.assign(new Error(errstr), { code: 'ERR_SQLITE_ERROR', errcode, errstr })
  }
}
