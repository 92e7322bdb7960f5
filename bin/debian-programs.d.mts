interface DebianProgram {
  /** Its name in PATH, or a file of it. */
  readonly program?: string
  readonly file?: string
  /** Names for apt, with blanks between. */
  readonly package: string
  readonly instead?: DebianProgram
}
export const SOCAT: DebianProgram
export const CHROMIUM: DebianProgram
export const REDIS: DebianProgram
export const PROGRAMS_OF_PARTS: Readonly<Record<string, readonly DebianProgram[]>>
