import { expect, it } from 'vitest'
import type { Refusal } from '../../emulator/fiscal/types/outcome.ts'
import { refusalText } from '../../emulator/panel/refusal-texts.ts'

it.each<Refusal>(['articlePriceAboveMaximum', 'taxRatesNotSet', 'tooManySales', 'noChangesLeft', 'clockBehind'])(
  'the refusal %s is explained without its name in the code',
  (refusal) => {
    expect(refusalText(refusal)).toMatch(/^[a-z][a-z0-9 ,.:]+$/i)
    expect(refusalText(refusal)).not.toMatch(/[a-z][A-Z]/)
  },
)
