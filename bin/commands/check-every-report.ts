/**
 * The report of `fiscal-rig check --every`: counts per device, and violations by kind with the command that reproduces
 * each.
 */
import { countText } from '../../drivers/model/count-text.ts'
import { type PlacesPlan, repeatCommand } from '../../scenarios/campaign/campaign-plan.ts'
import { type FamilySums, sumsName, type Violation } from '../../scenarios/campaign/campaign-sums.ts'
import { duration } from '../../scenarios/campaign/progress.ts'
import { failureText } from '../../scenarios/simulation/check.ts'
import { byKind, kindOf } from '../../scenarios/simulation/every/try-points.ts'
import { EXIT_FAILED } from '../exit.ts'
import { io } from '../io.ts'
import { deliver, hasWritten, type ReportOptions, savedCase } from './check-report.ts'

const LISTED_VIOLATIONS_MAX = 8

interface PlacesReport extends Pick<ReportOptions, 'json' | 'output' | 'save'> {
  readonly path?: string | undefined
  readonly every: PlacesPlan
  readonly took: string
}

/** Sets the exit status to 1 if there is a violation. */
export function reportPlaces(
  all: readonly FamilySums[],
  { every, took, path, json, output, save }: PlacesReport,
): void {
  const sum = (countOf: (one: FamilySums) => number): number => all.reduce((before, one) => before + countOf(one), 0)
  const [tried, planned] = [sum(({ runs }) => runs), sum(({ placesToTry = 0 }) => placesToTry)]
  const violations = all.flatMap((one) => one.violations)
  const part = every.parts === 1 || path !== undefined ? '' : ` of shard ${every.part}/${every.parts}`
  const counted = path !== undefined && tried === planned ? `place ${path}` : `${countTried(tried, planned)}${part}`
  const last = `${counted} ${tried === 1 ? 'was' : 'were'} tried, ${countText(violations.length, 'violation')}, ${took}`
  deliver(json ? all.map(asJson).join('') : asText(all, last), output)
  const [first] = violations
  if (!first) return
  io().status = EXIT_FAILED
  if (save !== undefined) hasWritten(save, savedCase(save, { ...first, command: repeatCommand(first) }))
}

function countTried(tried: number, planned: number): string {
  if (tried !== planned) return `${tried} of ${planned} places`
  return tried === 1 ? 'the only place' : `all ${tried} places`
}

export const placesText = ({ devices, pairs, part, parts }: PlacesPlan): string =>
  `${pairs ? 'pairs' : 'places'} of ${devices.map(sumsName).join(', ')}${parts === 1 ? '' : `, shard ${part}/${parts}`}`

function asText(all: readonly FamilySums[], last: string): string {
  const lines = all.flatMap((sums) => {
    const { places = 0, runs, requests, hits, tookMs, violations } = sums
    return [
      `family ${sumsName(sums)}: ${countText(places, 'place')}, ${runs} tried, ${countText(requests, 'request')}, ` +
        `${countText(hits, 'fault')} injected, in ${duration(tookMs)} of CPU time: ${countText(violations.length, 'violation')}`,
      ...byKind(violations).flatMap(([kind, ones]) => [
        `  ${ones.length} of kind: ${kind}`,
        ...ones.slice(0, LISTED_VIOLATIONS_MAX).map(({ path, place }) => `    place ${path}: ${place?.name}`),
        ...(ones.length > LISTED_VIOLATIONS_MAX
          ? [`    and ${ones.length - LISTED_VIOLATIONS_MAX} more (--json lists all)`]
          : []),
      ]),
    ]
  })
  const firsts = all.flatMap(({ violations }) => byKind(violations).flatMap(([, [first]]) => (first ? [first] : [])))
  return [...lines, ...firsts.map((one) => failureText(one, repeatCommand(one))), last]
    .map((line) => `${line}\n`)
    .join('')
}

function asJson({ family, profile, places, runs: tried, requests, hits, tookMs, violations }: FamilySums): string {
  const listed = violations.map((one: Violation) => {
    const { path, place, why, case: placed } = one
    return { place: Number(path), name: place?.name, kind: kindOf(one), why, case: placed, command: repeatCommand(one) }
  })
  const device = { family, ...(profile !== undefined && { profile }) }
  return `${JSON.stringify({ ...device, places, tried, requests, hits, tookMs: Math.round(tookMs), violations: listed })}\n`
}
