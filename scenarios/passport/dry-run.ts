import type { Family } from '../../drivers/model/families.ts'
import { hexOf } from '../../drivers/wire/charset.ts'
import { frameOf, type Probe } from '../../drivers/wire/passport-probes.ts'
import { type CommandCall, covers, type Questionnaire } from '../../drivers/wire/questionnaire.ts'
import { OPERATOR, questionnaireFor } from '../../emulator/passport/passport-device.ts'
import { familyOf } from '../../emulator/profiles.ts'
import type { Consent } from './consent-filter.ts'
import { closingProbe, planOf, stepProbe, WIDEST, waysOf } from './probe-plan.ts'
import { maskedBytes, maskedText, requestSecrets } from './redact.ts'

interface DryRun {
  readonly family: Family
  /** The default is the first profile of the family. */
  readonly profile?: string
  readonly consent: Consent
  readonly password?: string
}

export function dryRun({ family: name, profile, consent, password }: DryRun): string {
  const family = familyOf({ family: name })
  const chosen = profile ?? (family.profiles[0] as string)
  const q = questionnaireFor(family, chosen, password)
  const secret = password ?? family.profile(chosen).factoryPassword(OPERATOR)
  const otherEditions = family.profiles
    .filter((one) => one !== chosen)
    .map((one) => questionnaireFor(family, one, password))
  const plan = planOf(q, otherEditions, consent).map(({ probe }) => probe)
  const rows = plan.map((probe) => rowOf(q, probe, secret))
  const ways = waysOf(q, consent.depth).flatMap((way) =>
    way.steps.map((_, at) => rowOf(q, stepProbe(q, way, at, 'idle'), secret)),
  )
  const ends = uniqueAsks(waysOf(q, consent.depth).flatMap(({ ends: all }) => all.flat()))
  const { nonFiscal, selling } = q.widest ?? {}
  const widths: readonly CommandCall[] = [
    ...(nonFiscal && covers(consent.depth, 'print') ? [nonFiscal(WIDEST)] : []),
    ...(selling && covers(consent.depth, 'fiscal') ? [selling(WIDEST)] : []),
  ]
  const closing = consent.z ? [rowOf(q, closingProbe(q), secret)] : []
  return [
    `Family ${name}, profile ${chosen}, depth ${consent.depth}: ${rows.length + ways.length + closing.length} commands. Nothing is sent.`,
    '',
    ...rows,
    '',
    'Before them and between them, for the state of the receipt and of the mechanism:',
    '',
    ...uniqueAsks([q.state, q.mechanism]).map((ask) => askRow(q, ask, secret)),
    ...(q.readings.length > 0
      ? ['', 'Repeated until no more data is returned:', '', ...q.readings.map(({ again }) => askRow(q, again, secret))]
      : []),
    ...(ways.length > 0 ? ['', 'On the way from one state of the receipt to another:', '', ...ways] : []),
    ...(widths.length > 0
      ? [
          '',
          `To find the widest text, with up to ${WIDEST} letters:`,
          '',
          ...widths.map((ask) => askRow(q, ask, secret)),
        ]
      : []),
    ...(ends.length > 0
      ? [
          '',
          'A receipt is closed or cancelled by the first of these that is executed:',
          '',
          ...ends.map((ask) => askRow(q, ask, secret)),
        ]
      : []),
    ...(closing.length > 0 ? ['', 'At the end:', '', ...closing] : []),
    '',
  ].join('\n')
}

const uniqueAsks = (asks: readonly CommandCall[]): readonly CommandCall[] => [
  ...new Map(asks.map((ask) => [ask.join(' '), ask] as const)).values(),
]

const askRow = (q: Questionnaire, ask: CommandCall, password: string): string =>
  `  ${describeFrame(q, ask[0], frameOf(q, ask, q.numbers.first), password)}`

function describeFrame(q: Questionnaire, command: string, frame: Uint8Array, password: string): string {
  const request = q.readRequest(frame)
  if (!request) return hexOf(frame)
  const places = requestSecrets(q, request, password)
  return `${maskedBytes(frame, request.data, places)}   ${command} ${JSON.stringify(maskedText(request.data, places))}`
}

function rowOf(q: Questionnaire, probe: Probe, password: string): string {
  const frames = probe.write(q, q.numbers.first)
  const words = frames.map((frame) => describeFrame(q, probe.command, frame, password))
  const own = probe.closure ? `, with the number of its own ${probe.closure === 'lastZ' ? 'last' : 'coming'} Z` : ''
  return `${probe.depth.padEnd(5)}  ${probe.state.padEnd(9)}  ${probe.id.padEnd(40)}  ${probe.section.padEnd(5)}  ${words.join(' | ')}${own}`
}
