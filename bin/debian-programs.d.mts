interface DebianProgram {
  /** Name in PATH, or a file of the program. */
  readonly program?: string
  readonly file?: string
  /** Names for apt, separated by blanks. */
  readonly package: string
  readonly instead?: DebianProgram
}
export const SOCAT: DebianProgram
export const CHROMIUM: DebianProgram
export const REDIS: DebianProgram
export const PROGRAMS_OF_PARTS: Readonly<Record<string, readonly DebianProgram[]>>
