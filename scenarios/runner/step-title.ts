import { escapeControl } from '../../drivers/model/escape-control.ts'
import { fillIfKnown, type Scope } from './scenario-names.ts'
import type { LoadedStep } from './steps/step.ts'

const TITLE_MAX = 140

/** Returns a title such as `post /register-plu-sale {"PluNumber":7}`. Names that have values are filled in. */
export function stepTitle({ verb, kind, raw }: LoadedStep, scope: Scope): string {
  const value = raw[verb]
  // Inner steps have their own titles.
  const shownValue =
    kind.inner === 'steps' || kind.inner === 'requests' ? { ...(value as object), steps: undefined } : value
  const text = textOf(fillIfKnown(shownValue, scope))
  const withText = raw['with'] === undefined ? '' : ` ${textOf(fillIfKnown(raw['with'], scope))}`
  const title = text === '' ? verb : `${verb} ${text}${withText}`
  return escapeControl(title.length > TITLE_MAX ? `${title.slice(0, TITLE_MAX)}...` : title)
}

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === true) return ''
  if (typeof value === 'string') return value
  const text = JSON.stringify(value)
  return text === '{}' ? '' : text
}
