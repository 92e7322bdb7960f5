import { type ErrorKey, errorOf, fieldErrorKey } from '../../drivers/family-a/protocol/errors.ts'
import { splitTabs } from '../../drivers/family-a/protocol/fields.ts'
import type { HostFrame } from '../../drivers/family-a/protocol/frame.ts'
import type { FieldError } from '../../drivers/wire/field.ts'
import { type Check, commonChecks } from '../composed-wire.ts'
import type { Context } from './context.ts'
import { openingRefusal } from './handlers/receipt.ts'
import { REASONS } from './refusals.ts'
import { refusedIn } from './states.ts'

const valueKey = ({ code, index }: FieldError): ErrorKey =>
  (code === undefined ? undefined : errorOf(code)?.key) ?? fieldErrorKey('value', index)

/** Returns the checks in the order of sheet 4.1. */
export function orderOfChecks({ device, session, switches }: Context): readonly Check<HostFrame, ErrorKey>[] {
  const { receipt, paper, need } = commonChecks(device, REASONS, refusedIn)

  /** Command 48 checks the password before the point of sale number (sheet 6.3). */
  function passwordFits({ data }: HostFrame): boolean {
    const [operator = '', password = ''] = splitTabs(data)
    return device.refusals.operator(Number(operator), password) === undefined
  }

  return [
    ({ command }) => (command ? undefined : 'invalidCommand'),
    ({ command }) => {
      const isFree =
        session.unlocked || session.persistentCells.softwarePassword === '' || command?.name === 'softwarePassword'
      return isFree ? undefined : 'needSoftPassword'
    },
    ({ problem }) => (problem?.problem === 'syntax' ? fieldErrorKey('syntax', problem.index) : undefined),
    receipt,
    paper,
    ({ facts, problem, frame }) => {
      if (facts.allowedIn !== 'opening') return undefined
      const reason = openingRefusal(device, switches)
      return reason ?? (problem && problem.index > 2 && !passwordFits(frame) ? 'wrongPassword' : undefined)
    },
    need('journal'),
    ({ problem }) => problem && valueKey(problem),
  ]
}
