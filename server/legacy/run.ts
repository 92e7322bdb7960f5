import { DeviceError } from '../../drivers/model/errors.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import type { DocumentKind, StepOfKind } from '../../drivers/model/steps.ts'
import { readOr } from '../operations/log/log-file.ts'
import type { Entry, Part } from '../operations/operation.ts'
import {
  type Effect,
  leavesOf,
  type Outcome,
  outcomeOf,
  ServiceError,
  textReason,
  withEffect,
} from '../operations/outcome.ts'
import { defaultOperator, type Printing, printFiscalReceipt, printNonFiscalReceipt } from '../operations/receipt.ts'
import { REST_NOT_DONE } from '../operations/reconciliation.ts'
import { run } from '../operations/run.ts'
import { isOnPaper, type LegacyJob, type PlacedCall, type ServiceCall } from './job.ts'
import { fail, LegacyProblem } from './problem.ts'
import { createResolver, type LegacySettings } from './resolve.ts'

/**
 * Checks a job against the connected device and prints it by the same operations as REST: phases (c) and (d) of legacy
 * formats 1.4 (failures: 1.10, 1.11, 4). Must be called from a job of the printer queue.
 */
export async function runJob(
  job: LegacyJob,
  settings: LegacySettings,
  on: Printing,
  earlier?: EarlierParts,
): Promise<JobData> {
  const resolver = createResolver(on.printer, settings, on.facts)
  switch (job.kind) {
    case 'service':
      resolver.checkCalls(job.calls)
      await runCalls(job.calls, on, earlier)
      return ''
    case 'nonFiscal': {
      resolver.checkCalls(job.after)
      const items = resolver.printItems(job.steps)
      await refuseOpenReceipt(on.printer)
      await printNonFiscalReceipt(items, on, { cancelled: job.cancelled })
      return runAfter('', job.after, on)
    }
    case 'fiscal': {
      resolver.checkCalls(job.after)
      const receipt = await resolver.receipt(job)
      await refuseOpenReceipt(on.printer)
      const number = await printFiscalReceipt(receipt, on)
      return runAfter(number, job.after, on)
    }
  }
}

export interface EarlierParts {
  readonly job: string
  isDone(part: Pick<Part, 'index'>): boolean
  notePrinted(part: Part): void
  /** Renews the age of the executed parts, because the next retry may still need them. */
  renew(): void
}

/** Executes each call once, even if the job needs several retries. */
async function runCalls(calls: readonly PlacedCall[], on: Printing, earlier?: EarlierParts): Promise<void> {
  let isRenewed = false
  for (const [index, call] of calls.entries()) {
    const part = earlier && { job: earlier.job, index, isLast: index === calls.length - 1 }
    if (part && earlier.isDone(part)) {
      if (!isRenewed) earlier.renew()
      isRenewed = true
      continue
    }
    if (part) on.progress.atPart(part)
    try {
      await runCall(call, on)
    } catch (error) {
      const doneCalls = calls.slice(0, index)
      const failure = doneCalls.some(isOnPaper)
        ? failureAfterLines(doneCalls, call, error, earlier !== undefined)
        : error
      throw index < calls.length - 1 ? beforeTheRest(failure) : failure
    }
    if (part) earlier.notePrinted(part)
  }
}

/** If the outcome of a line is unknown, adds to its error that no request will execute the remaining lines. */
function beforeTheRest(error: unknown): unknown {
  if (error instanceof LegacyProblem) return error
  const { effect, reasons } = outcomeOf(error)
  return effect === 'undecided'
    ? withEffect(error, effect, { reasons: [...reasons, textReason(REST_NOT_DONE)] })
    : error
}

/**
 * Returns the failure of a call after executed lines. The message names those lines, because a retry without a key
 * would execute them again. `hasKey`: a retry continues after the executed lines.
 */
function failureAfterLines(
  doneCalls: readonly PlacedCall[],
  { line }: PlacedCall,
  error: unknown,
  hasKey: boolean,
): unknown {
  const executedText = describeExecuted(doneCalls.map((call) => call.line).filter((one) => one !== line))
  const advice = hasKey ? RETRY_DOES_THE_REST : SEND_THE_REST
  if (error instanceof LegacyProblem)
    return new LegacyProblem(error.code, `${error.text}. ${executedText}${advice}`, error.line)
  const outcome = outcomeOf(error)
  const { effect, reasons } = outcome
  const leaves = leavesOf(outcome)
  if (effect === 'unforeseen') return error
  const isOpen = leaves === 'open' && hasKey
  const reasonText = textReason(
    `${executedText}${isOpen ? RETRY_MAY_DO_THE_REST : leaves === 'nothing' ? advice : SEND_NOTHING_AGAIN}`,
  )
  return withEffect(error, OF_THE_WHOLE.has(effect) ? (hasKey ? 'nothing' : 'printed') : effect, {
    reasons: [...reasons, reasonText],
  })
}

/** Returns the outcome of a retry that did not reach the device. It names the lines that earlier requests executed. */
export function outcomeBeforeTurn(job: LegacyJob, outcome: Outcome, earlier: EarlierParts): Outcome {
  const calls = job.kind === 'service' ? job.calls : []
  const doneCalls = readOr(() => calls.filter((_, index) => earlier.isDone({ index })), undefined)
  // If the log cannot be read, the outcome does not change.
  if (doneCalls === undefined) return outcome
  const next = calls[doneCalls.length]
  if (!next || !doneCalls.some(isOnPaper)) return outcome
  earlier.renew()
  return outcomeOf(failureAfterLines(doneCalls, next, new ServiceError(outcome), true))
}

function describeExecuted(lines: readonly number[]): string {
  const [first, last] = [lines[0], lines.at(-1)]
  return first === last ? `Line ${first} was executed` : `Lines ${first} to ${last} were executed`
}

const RETRY_DOES_THE_REST = '. A retry with the same Idempotency-Key within 24 hours executes only the remaining lines.'
const RETRY_MAY_DO_THE_REST =
  '. A retry with the same Idempotency-Key within 24 hours executes only the remaining lines, if the outcome of this line can be determined.'
const SEND_THE_REST = '. Send only the remaining lines.'
const SEND_NOTHING_AGAIN = ' and must not be sent again.'

const OF_THE_WHOLE: ReadonlySet<Effect> = new Set(['nothing', 'notCarriedOut'])

/** Throws if a receipt is open. The service never cancels it without a request. */
async function refuseOpenReceipt(printer: FiscalPrinter): Promise<void> {
  const { isOpen } = await printer.transactionStatus()
  if (isOpen) fail('503', undefined, 'a receipt is already open on the device: close or cancel it first')
}

const NEEDS_NO_RECEIPT = new Set<ServiceCall['call']>(['reportX', 'reportZ', 'cashIn', 'cashOut', 'copy'])

/**
 * Executes the calls after a closed document. Their failure does not undo the document, so the answer names the lines
 * that were not executed.
 */
async function runAfter(receiptNumber: string, calls: readonly PlacedCall[], on: Printing): Promise<JobData> {
  if (calls.length === 0) return receiptNumber
  const notExecuted: string[] = []
  for (const call of calls) {
    try {
      await runCall(call, on)
    } catch (error) {
      if (error instanceof ServiceError) throw errorAfterDocument(error, on.progress.entry)
      if (!(error instanceof DeviceError || error instanceof LegacyProblem)) throw error
      notExecuted.push(failureAfter(call, error))
    }
  }
  return { receiptNumber, notExecuted: notExecuted.join(' ') }
}

function failureAfter({ line }: PlacedCall, error: DeviceError | LegacyProblem): string {
  const isUnknown = error instanceof DeviceError && error.problem.kind === 'outcomeUnknown'
  const text = error instanceof LegacyProblem ? error.text : error.message
  return `Line ${line} ${isUnknown ? 'may not have been executed' : 'was not executed'}: ${text.replace(/\.?$/, '.')}`
}

/**
 * Number of the closed fiscal receipt, or ''. For a job with calls after its document, an object. A plain number then
 * means that the document was reconciled later, so the outcome of the calls is unknown.
 */
export type JobData = string | { readonly receiptNumber: string; readonly notExecuted: string }

export function resultOf(job: LegacyJob, data: unknown): Exclude<JobData, string> {
  if (typeof data === 'object' && data !== null) return data as Exclude<JobData, string>
  const receiptNumber = String(data ?? '')
  const lines = job.kind === 'service' ? [] : [...new Set(job.after.map(({ line }) => line))]
  if (lines.length === 0) return { receiptNumber, notExecuted: '' }
  const which = lines.length === 1 ? `Line ${lines[0]}` : `Lines ${lines[0]} to ${lines.at(-1)}`
  return {
    receiptNumber,
    notExecuted: `${which} may not have been executed, because the request was interrupted: check the paper.`,
  }
}

/**
 * Returns the error of a call after a document. The log contains only the document, so the call will not be reconciled.
 */
function errorAfterDocument(error: ServiceError, { receiptNumber }: Entry): ServiceError {
  if (receiptNumber !== undefined) return withEffect(error, 'completedAndMore', { receiptNumber })
  return leavesOf(error.outcome) === 'open' ? withEffect(error, 'undecided') : error
}

async function runCall(call: ServiceCall, on: Printing): Promise<void> {
  const { printer, facts } = on
  if (NEEDS_NO_RECEIPT.has(call.call)) await refuseOpenReceipt(printer)
  switch (call.call) {
    case 'reportX':
      return printDocument('x', on)
    case 'reportZ':
      return printDocument('z', on)
    case 'copy':
      return printDocument('copy', on)
    case 'drawer':
      await printer.openDrawer?.()
      return
    case 'cashIn':
    case 'cashOut':
      if (!printer.moveCash) return
      return printDocument(call.call, on, { amount: call.amount, operator: defaultOperator(printer, facts) })
    case 'display':
      await printer.displayLine(call.row, call.text || ' '.repeat(printer.capabilities.displayWidth))
      return
    case 'clearDisplay':
      await printer.clearDisplay()
      return
    case 'cancel':
      return cancelWhatIsOpen(on)
  }
}

async function printDocument(
  kind: DocumentKind,
  on: Printing,
  cash: Pick<StepOfKind<'document'>, 'amount' | 'operator'> = {},
): Promise<void> {
  await run({ steps: [{ does: 'document', kind, ...cash }] }, on)
}

/** The cancellation is recorded first, so that a retry does not cancel the next receipt. */
async function cancelWhatIsOpen(on: Printing): Promise<void> {
  const { isOpen, kind } = await on.printer.transactionStatus()
  if (!isOpen) fail('504', undefined, 'no receipt is open on the device')
  await run({ steps: [{ does: kind === 'NonFiscal' ? 'cancelNonFiscal' : 'cancel' }] }, on)
}
