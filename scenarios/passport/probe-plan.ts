import type { ReceiptPhase } from '../../drivers/model/receipt.ts'
import { frameOf, type Probe, probesOf } from '../../drivers/wire/passport-probes.ts'
import { covers, type Depth, type Questionnaire, type StatePath } from '../../drivers/wire/questionnaire.ts'
import { admits, type Consent, consentNeededFor, type NeededConsent } from './consent-filter.ts'

interface PlannedProbe {
  readonly probe: Probe
  readonly needs: NeededConsent
  readonly frames: readonly Uint8Array[]
}

/** Omits probes that would need more consent in another edition of the family. */
export function planOf(
  q: Questionnaire,
  otherEditions: readonly Questionnaire[],
  consent: Consent,
): readonly PlannedProbe[] {
  return probesOf(q, consent.depth)
    .map((probe) => {
      const frames = probe.write(q, q.numbers.first)
      const needs = frames.map((frame) => (q.readRequest(frame) ? consentNeededFor(frame, q, otherEditions) : 'read'))
      return { probe, frames, needs: needs.find((one) => !admits(consent, one)) ?? needs.at(-1) ?? 'read' }
    })
    .filter(({ needs }) => admits(consent, needs))
}

export const WIDEST = 64

export const waysOf = (q: Questionnaire, depth: Depth): readonly StatePath[] =>
  q.statePaths.filter((way) => covers(depth, way.depth))

export function stepProbe(q: Questionnaire, way: StatePath, at: number, state: ReceiptPhase): Probe {
  const [name, data] = way.steps[at] as readonly [string, string]
  const command = q.catalogue.byName[name]
  return {
    id: `way.${way.id}.${at + 1}.${name}`,
    command: name,
    section: command?.source ?? '',
    depth: way.depth,
    state,
    isHarmless: false,
    write: (own, number) => [frameOf(own, [name, data], number)],
  }
}

export const closingProbe = (q: Questionnaire): Probe => ({
  id: 'closing',
  command: q.closing[0],
  section: q.catalogue.byName[q.closing[0]]?.source ?? '',
  depth: 'fiscal',
  state: 'idle',
  isHarmless: false,
  write: (own, number) => [frameOf(own, own.closing, number)],
})
