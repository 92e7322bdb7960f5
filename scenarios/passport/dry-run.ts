import type { Family } from '../../drivers/model/families.ts'
import { hexOf } from '../../drivers/wire/charset.ts'
import type { Probe } from '../../drivers/wire/probe.ts'
import type { Questionnaire } from '../../drivers/wire/questionnaire.ts'
import { OPERATOR, questionnaireFor } from '../../emulator/passport/taken.ts'
import { familyOf } from '../../emulator/profiles.ts'
import type { Consent } from './gate.ts'
import { maskedBytes, maskedText, requestSecrets } from './mask.ts'
import { closingProbe, planOf, stepProbe, waysOf } from './plan.ts'

/** What would be sent, each frame with its meaning, in the order of the conversation. Nothing is. */

interface Wanted {
  readonly family: Family
  /** The family's first without. */
  readonly profile?: string
  readonly consent: Consent
  readonly password?: string
}

export function dryRun({ family: name, profile, consent, password }: Wanted): string {
  const family = familyOf({ family: name })
  const chosen = profile ?? (family.profiles[0] as string)
  const q = questionnaireFor(family, chosen, password)
  const secret = password ?? family.profile(chosen).factoryPassword(OPERATOR)
  const others = family.profiles.filter((one) => one !== chosen).map((one) => questionnaireFor(family, one, password))
  const plan = planOf(q, others, consent).map(({ probe }) => probe)
  const rows = plan.map((probe) => rowOf(q, probe, secret))
  const ways = waysOf(q, consent.depth).flatMap((way) =>
    way.steps.map((_, at) => rowOf(q, stepProbe(q, way, at, 'idle'), secret)),
  )
  const ends = [...new Set(waysOf(q, consent.depth).flatMap(({ ends: all }) => all.flat().map((ask) => ask.join(' '))))]
  const closing = consent.z ? [rowOf(q, closingProbe(q), secret)] : []
  return [
    `Family ${name}, profile ${chosen}, depth ${consent.depth}: ${rows.length + ways.length + closing.length} questions. Nothing is sent.`,
    '',
    ...rows,
    ...(ways.length > 0 ? ['', 'On the way from one state of the receipt to another:', '', ...ways] : []),
    ...(ends.length > 0
      ? ['', `A receipt is ended by the first of these that is carried out: ${ends.join(', ').trim()}`]
      : []),
    ...(closing.length > 0 ? ['', 'At the end:', '', ...closing] : []),
    '',
  ].join('\n')
}

function rowOf(q: Questionnaire, probe: Probe, password: string): string {
  const frames = probe.write(q, q.numbers.first)
  const words = frames.map((frame) => {
    const request = q.request(frame)
    if (!request) return hexOf(frame)
    const places = requestSecrets(q, request, password)
    const data = maskedText(request.data, places)
    return `${maskedBytes(frame, request.data, places)}   ${probe.command} ${JSON.stringify(data)}`
  })
  return `${probe.depth.padEnd(5)}  ${probe.state.padEnd(9)}  ${probe.id.padEnd(40)}  ${probe.section.padEnd(5)}  ${words.join(' | ')}`
}
