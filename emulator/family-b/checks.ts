import type { ErrorNumber } from '../../drivers/family-b/protocol/errors.ts'
import type { RequestFrame } from '../../drivers/family-b/protocol/frame.ts'
import type { AnyCommand } from '../../drivers/wire/command.ts'
import type { FieldError } from '../../drivers/wire/field.ts'
import { type Check, commonChecks } from '../composed-wire.ts'
import type { Context } from './context.ts'
import type { Reason } from './refusals.ts'
import { REASONS } from './refusals.ts'
import { refusedIn } from './states.ts'

/**
 * Malformed data sets bit 0.0 and is checked early. An invalid value has an error number in byte 3 and is checked last
 * (sheet 8).
 */
const isMalformed = ({ code, problem }: FieldError): boolean => code === undefined && problem === 'syntax'

/**
 * Returns the checks in the order of sheet 8. The handlers check memory, clock and the 24 hours afterwards
 * (document-blockers.ts).
 */
export function orderOfChecks({ device, switches, session }: Context): readonly Check<RequestFrame, Reason>[] {
  const { receipt, paper } = commonChecks(device, REASONS, refusedIn)

  /** A report that 153 redirects to the line needs no paper. */
  const sendsText = (command: AnyCommand | undefined): boolean =>
    command?.asText === true && session.textUntil !== undefined && device.now() <= session.textUntil

  return [
    ({ command }) => (command ? undefined : { channel: 'invalid' }),
    ({ facts }) =>
      facts.needs?.includes('pcMode') && switches.pcMode === 'off' ? { channel: 'state', error: 20 } : undefined,
    ({ problem }) => (problem && isMalformed(problem) ? { channel: 'syntax' } : undefined),
    receipt,
    (question) => (sendsText(question.command) ? undefined : paper(question)),
    ({ problem }) => problem && { channel: 'error', error: (problem.code ?? 21) as ErrorNumber },
  ]
}
