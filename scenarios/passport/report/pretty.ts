import { countText } from '../../../drivers/model/count-text.ts'
import type { Passport } from '../../../emulator/passport/passport.ts'
import { styleFor } from '../../terminal.ts'
import { agreement, describeMeaning, groupsOf, nameOf } from './report.ts'

const PROBES_SHOWN_MAX = 5

export function passportPretty(passport: Passport, isTerminal: boolean): string {
  const { good, bad, faint } = styleFor(isTerminal)
  const { switches, notSeen, overrides, differences, depth, line } = passport
  const tone = differences.length === 0 ? good : bad
  const groups = groupsOf(passport).flatMap(({ title, differences: some }) => [
    `${some[0]?.explainedBy === null ? bad('differs') : 'switch '}  ${describeMeaning(passport, title)}${some[0]?.explainedBy ? ` (${some[0].explainedBy})` : ''}`,
    ...some.slice(0, PROBES_SHOWN_MAX).map(({ probe }) => faint(`           ${probe}`)),
    ...(some.length > PROBES_SHOWN_MAX ? [faint(`           and ${some.length - PROBES_SHOWN_MAX} more`)] : []),
  ])
  const set = Object.entries(switches).map(([name, value]) => `${name}=${value}`)
  const { firstByteMs, perPrintedLineMs } = line
  return [
    `${nameOf(passport)}, at depth ${depth}`,
    tone(agreement(passport)),
    ...(groups.length > 0 ? ['', ...groups] : []),
    '',
    ...(set.length > 0 ? [`switches  ${set.join(' ')}`] : []),
    ...(notSeen.length > 0 ? [`not seen  ${notSeen.join(' ')}`] : []),
    ...(overrides.length > 0 ? [`reproduced as recorded: ${countText(overrides.length, 'answer')}`] : []),
    ...(firstByteMs ? [`answers begin after ${firstByteMs.median} ms, nearly all within ${firstByteMs.p95} ms`] : []),
    ...(perPrintedLineMs === undefined ? [] : [`a printed line takes ${perPrintedLineMs} ms`]),
    ...(passport.complete ? [] : [bad('This passport is not complete: the recording ended early.')]),
    '',
  ].join('\n')
}
