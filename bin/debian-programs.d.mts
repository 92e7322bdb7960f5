interface DebianProgram {
  readonly program?: string
  readonly file?: string
  /** Package names for apt, separated by blanks. */
  readonly package: string
  readonly instead?: DebianProgram
}
export const SOCAT: DebianProgram
export const CHROMIUM: DebianProgram
export const REDIS: DebianProgram
export const PROGRAMS_OF_PARTS: Readonly<Record<string, readonly DebianProgram[]>>
