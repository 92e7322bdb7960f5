/**
 * Removes the parts of a scenario that its schema rejects, so that other mistakes can be found in the same run. The
 * remainder is never run.
 */
import type { z } from 'zod'
import { kindOf } from './steps/index.ts'
import { MODIFIERS } from './steps/modifiers.ts'

type Path = readonly PropertyKey[]
type Holder = Record<PropertyKey, unknown>

/** Replacement of an invalid step. It keeps the names that the step would have kept. */
const UNREAD_STEP = { get: '/' }

export function withoutInvalidParts(value: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const copy = structuredClone(value)
  // Deeper paths come first, because removing a step also removes its contents.
  for (const path of issues
    .flatMap((issue) => pathsOf(issue, []))
    .toSorted((one, other) => other.length - one.length)) {
    const step = path.findLastIndex((part, at) => typeof part === 'number' && path[at - 1] === 'steps')
    const own = path[step + 1]
    if (step >= 0 && (own === undefined || !(String(own) in MODIFIERS)))
      removeKeyOrStep(copy, path.slice(0, step + 1), own)
    else remove(copy, step >= 0 ? path.slice(0, step + 2) : path)
  }
  return copy
}

/** The path of a union itself is sufficient, although each alternative has issues. */
function pathsOf(issue: z.core.$ZodIssue, base: Path): Path[] {
  const path = [...base, ...issue.path]
  if (issue.code !== 'unrecognized_keys') return [path]
  // Requests with parameters are valid, although no schema lists them.
  return issue.keys.filter((key) => kindOf(key) === undefined).map((key) => [...path, key])
}

function holderOf(root: unknown, path: Path): Holder | undefined {
  let at = root
  for (const part of path.slice(0, -1)) at = (at as Holder | undefined)?.[part]
  return typeof at === 'object' && at !== null ? (at as Holder) : undefined
}

function remove(root: unknown, path: Path): void {
  const last = path.at(-1)
  const holder = holderOf(root, path)
  if (last !== undefined && holder && !Array.isArray(holder)) delete holder[last]
}

/** Removes only the key if the key is unknown and the step has a valid verb. Otherwise replaces the step. */
function removeKeyOrStep(root: unknown, path: Path, key: PropertyKey | undefined): void {
  const index = path.at(-1)
  const steps = holderOf(root, path)
  const step = index === undefined ? undefined : (steps?.[index] as Holder | undefined)
  if (!steps || index === undefined) return
  const isVerb = key === undefined || kindOf(String(key)) !== undefined
  if (step && !isVerb && Object.keys(step).some((one) => kindOf(one) !== undefined)) delete step[key as PropertyKey]
  else steps[index] = { ...UNREAD_STEP, ...(step?.['keep'] === undefined ? {} : { keep: step['keep'] }) }
}
