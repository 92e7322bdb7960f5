import type { Difference, Passport } from '../../../emulator/passport/passport.ts'
import { questionnaireFor } from '../../../emulator/passport/passport-device.ts'
import { familyOf } from '../../../emulator/profiles.ts'

export interface Group {
  readonly title: string
  readonly differences: readonly Difference[]
}

export const nameOf = ({ device: { model, family, profile } }: Passport): string =>
  `${model ?? 'a printer'}, family ${family}, profile ${profile}`

export function agreement({ same, differences }: Passport): string {
  const all = same + differences.length
  if (differences.length === 0) return `The printer and the emulated printer answer all ${all} queries alike.`
  return `The printer and the emulated printer answer ${same} of ${all} queries alike, and ${differences.length} differently.`
}

/** The command is the part before the first point or, for a step of a path, the last part. */
const commandOf = ({ probe }: Difference): string =>
  probe.startsWith('way.') ? (probe.split('.').at(-1) ?? '') : (probe.split('.')[0] ?? '')

export function groupsOf({ differences }: Passport): readonly Group[] {
  const groups = Map.groupBy(differences, ({ meaning, explainedBy }) => `${explainedBy ?? ''} ${meaning}`)
  return [...groups.values()]
    .map((some) => ({ title: some[0]?.meaning ?? '', differences: some }))
    .sort((one, other) => other.differences.length - one.differences.length)
}

const questionnaireOf = ({ device }: Passport) => questionnaireFor(familyOf({ family: device.family }), device.profile)

/** Adds the meaning of refusal codes: `-111016 (no receipt is open)`. */
export function describeMeaning(passport: Passport, meaning: string): string {
  const q = questionnaireOf(passport)
  return meaning.replace(/\b(refused with|refuses with|the emulator has) ([^,;]+)/g, (whole, _verb, code: string) => {
    const words = meaning.startsWith('refused') || whole.startsWith('refuse') ? q.meaning(code) : undefined
    return words === undefined ? whole : `${whole} (${words})`
  })
}

const STATES: Readonly<Record<string, string>> = {
  idle: 'with no receipt open',
  nonFiscal: 'with a service receipt open',
  selling: 'with a fiscal receipt open',
  paying: 'with a receipt that is partly paid',
  paid: 'with a receipt that is paid and not closed',
}

export function describeRequest(difference: Difference): string {
  const state = STATES[difference.probe.split('.').at(-1) ?? '']
  const command = commandOf(difference).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${command}${state === undefined ? '' : `, ${state}`}`
}

export function sectionOf(passport: Passport, difference: Difference): string {
  const q = questionnaireOf(passport)
  const command = commandOf(difference)
  if (command === 'unknown') return q.unknownSection
  if (command === 'link') return q.link.find(({ id }) => `link.${id}` === difference.probe)?.section ?? ''
  if (command === 'reading' || command === 'closing') return q.catalogue.byName[q.closing[0]]?.source ?? ''
  return q.catalogue.byName[command]?.source ?? ''
}
