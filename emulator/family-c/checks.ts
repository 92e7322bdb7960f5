import { type Nibbles, SYNTAX, UNKNOWN_COMMAND } from '../../drivers/family-c/protocol/errors.ts'
import type { CommandFrame } from '../../drivers/family-c/protocol/frame.ts'
import { type Check, commonChecks } from '../composed-wire.ts'
import { receiptPhase } from '../fiscal/receipt-phase.ts'
import { type Context, operatorRefusal } from './context.ts'
import { REASONS } from './refusals.ts'
import { refusedIn } from './states.ts'

const POWER_WAS_CUT: Nibbles = { device: 13, command: 2 }

/** Returns the checks in the order of sheet 5.1. */
export function orderOfChecks(context: Context): readonly Check<CommandFrame, Nibbles>[] {
  const { device, switches, session } = context
  const { receipt, paper, need } = commonChecks(device, REASONS, refusedIn)
  return [
    ({ command }) => (command ? undefined : UNKNOWN_COMMAND),
    ({ problem }) => (problem?.problem === 'syntax' ? SYNTAX : undefined),
    ({ command }) => {
      const isRefused = switches.coverOpen === 'refusesAll' && device.mechanism.coverOpen && command?.name !== 'status'
      return isRefused ? REASONS.coverOpen : undefined
    },
    ({ facts }) => {
      if (!session.powerCut || session.powerCutReported || facts.allowedIn === 'anywhere') return undefined
      session.powerCutReported = true
      return POWER_WAS_CUT
    },
    need('fiscalMemory'),
    need('clock'),
    (question) => {
      const isIdleText = question.facts.allowedIn === 'inReceipt' && switches.idleText === 'allowed'
      return receipt(question, isIdleText && device.receipt === null ? 'selling' : receiptPhase(device))
    },
    ({ command, values }) => {
      if (!command?.operated || typeof values?.['operator'] !== 'number') return undefined
      return operatorRefusal(context, values['operator'], String(values['password']))?.reason
    },
    need('day'),
    paper,
    need('journal'),
    // A number with more symbols than its cell overflows the input register.
    ({ problem }) => problem && REASONS.rowTooLarge,
  ]
}
