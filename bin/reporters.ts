/** `--reporter NAME[=FILE]`, repeatable: formats and files of reports. */
import { InvalidArgumentError, Option } from 'commander'

export const RUN_REPORTERS = ['pretty', 'junit', 'json', 'html', 'github', 'gitlab'] as const
export type RunReporter = (typeof RUN_REPORTERS)[number]

export const EXAM_REPORTERS = ['pretty', 'json', 'junit', 'html'] as const
export type ExamReporter = (typeof EXAM_REPORTERS)[number]

export const PASSPORT_REPORTERS = ['pretty', 'html', 'json'] as const
export type PassportReporter = (typeof PASSPORT_REPORTERS)[number]

export interface ReporterChoice<Name extends string> {
  readonly name: Name
  readonly file?: string
}

export interface PlacedReport<Name extends string> {
  readonly name: Name
  readonly file: string | undefined
}

export const reporterOption = <Name extends string>(names: readonly Name[]): Option =>
  new Option(
    '--reporter <NAME[=FILE]>',
    `report format: ${names.join(', ')}; may be repeated (default: pretty)`,
  ).argParser((text: string, before: readonly ReporterChoice<Name>[] = []): readonly ReporterChoice<Name>[] => {
    const [, name, file] = /^(\w+)(?:=(.+))?$/.exec(text) ?? []
    const reporter = names.find((one) => one === name)
    if (!reporter) throw new InvalidArgumentError(`Must be ${names.join(', ')}, or one of them with =FILE.`)
    return [...before, { name: reporter, ...(file !== undefined && { file }) }]
  })

export const outputOption = () =>
  new Option(
    '--output <FILE>',
    'write the report to FILE; with several reporters, applies to the last one without =FILE',
  )

/** Returns the reporters with their files. `--output` is the file of the last reporter that has none. */
export function placedReports<Name extends string>(
  chosen: readonly ReporterChoice<Name>[],
  output: string | undefined,
): PlacedReport<Name>[] {
  const last = chosen.findLastIndex(({ file }) => file === undefined)
  return chosen.map(({ name, file }, index) => ({ name, file: index === last ? output : file }))
}
