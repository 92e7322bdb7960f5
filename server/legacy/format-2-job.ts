import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import { readService } from './format-1-job.ts'
import { type Command, type LegacyJob, type LegacyOpening, type PlacedCall, type PrintStep, printSteps } from './job.ts'
import { Ledger } from './ledger.ts'
import { fail } from './problem.ts'

/**
 * Reads the lines of format 2 as one job (legacy formats 3.1, 3.2).
 *
 *   job       = fiscal | nonfiscal | service { service | trailer | cancel }
 *   fiscal    = { head | open | taxid | text | barcode } sale [ adjust ]
 *               { sale [ adjust ] | void | subtotal [ adjust ] | text | barcode }
 *               ( pay { pay | text } [ foot ] { trailer } | cancel )
 *   nonfiscal = "Y" { text | barcode } ( "T" [ "0" ] | cancel ) { trailer }
 *
 * head, open and taxid once each, before the first sale; open before any text or barcode.
 */
export function readJob2(commands: readonly Command[]): LegacyJob {
  const first = commands[0]
  if (first?.word === 'service' || first?.word === 'cancel') return readService(commands)
  return first?.word === 'nonFiscal' ? readNonFiscal(commands) : readFiscal(commands)
}

/** The lines that may follow a closed document: its foot, at most once, then trailers. */
class DocumentTail {
  readonly calls: PlacedCall[] = []
  #footAllowed: boolean

  constructor(footAllowed: boolean) {
    this.#footAllowed = footAllowed
  }

  /**
   * Handles a line after a cancellation. A cancelled receipt cannot be copied, so neither a foot nor a trailer may
   * follow.
   */
  takeAfterCancel(command: Command): void {
    if (command.word === 'foot' || (command.word === 'service' && command.trailer)) {
      fail('308', command.line, 'nothing may follow a cancelled receipt')
    }
    this.take(command)
  }

  take(command: Command): void {
    if (command.word === 'foot' && this.#footAllowed) {
      this.#footAllowed = false
      return
    }
    if (command.word === 'service') {
      if (!command.trailer) fail('312', command.line, 'a service command after a document')
      this.#footAllowed = false
      this.calls.push(...command.calls.map((call) => ({ ...call, line: command.line })))
      return
    }
    if (['nonFiscal', 'open', 'head', 'taxNumber'].includes(command.word)) {
      fail('313', command.line, 'a second document begins')
    }
    fail('308', command.line, 'the document is already closed')
  }
}

function readNonFiscal(commands: readonly Command[]): LegacyJob {
  const steps: PrintStep[] = []
  const tail = new DocumentTail(false)
  let end: 'closed' | 'cancelled' | undefined
  for (const command of commands.slice(1)) {
    if (end) {
      tail.take(command)
      continue
    }
    switch (command.word) {
      case 'text':
      case 'barcode':
        steps.push(...printSteps(command))
        break
      case 'payment':
        if (command.mode !== 0 || command.amount !== undefined) {
          return fail(
            '301',
            command.line,
            'a non-fiscal document has no payment: only T without mode and amount closes it',
          )
        }
        if (command.zero) return fail('204', command.line, 'T must have no amount in a non-fiscal document: remove it')
        end = 'closed'
        break
      case 'cancel':
        end = 'cancelled'
        break
      case 'subtotal':
        return fail('301', command.line, 'a subtotal in a non-fiscal document')
      case 'adjustment':
        return fail('302', command.line, 'an adjustment in a non-fiscal document')
      case 'service':
        return fail('312', command.line, 'a service command is not allowed inside a document: send it in its own job')
      case 'sale':
      case 'void':
        return fail('313', command.line, 'a sale in a non-fiscal document')
      case 'taxNumber':
      case 'open':
      case 'head':
      case 'foot':
      case 'nonFiscal':
        return fail('306', command.line, 'the line has no place in a non-fiscal document')
    }
  }
  if (!end) return fail('309', commands.at(-1)?.line, 'the non-fiscal document has no T line')
  return { kind: 'nonFiscal', cancelled: end === 'cancelled', steps, after: tail.calls }
}

interface Heading {
  head: boolean
  opening?: LegacyOpening
  customerTaxId?: string
  content?: number
  /** Line of an end mark before the receipt is paid. It is an error unless it is the last line. */
  foot?: number
}

function readFiscal(commands: readonly Command[]): LegacyJob {
  const ledger = new Ledger()
  const heading: Heading = { head: false }
  const tail = new DocumentTail(true)
  let cancelled = false
  for (const command of commands) {
    if (cancelled) tail.takeAfterCancel(command)
    else if (ledger.isPaid) tail.take(command)
    else if (command.word === 'cancel') cancelled = cancel(command.line, ledger, heading)
    else take(command, ledger, heading)
  }
  const last = commands.at(-1)?.line ?? 1
  if (ledger.sales === 0) return fail('301', heading.content ?? last, 'a document without a sale')
  if (!cancelled) ledger.checkPaid(last)
  return {
    kind: 'fiscal',
    cancelled,
    ...omitUndefined({ opening: heading.opening, customerTaxId: heading.customerTaxId }),
    steps: ledger.steps,
    total: ledger.total,
    change: ledger.change,
    after: tail.calls,
  }
}

function cancel(line: number, ledger: Ledger, { foot }: Heading): true {
  if (foot !== undefined) fail('306', foot, 'the end mark comes before the receipt is cancelled')
  if (ledger.sales === 0) return fail('301', line, 'nothing was sold that could be cancelled')
  if (ledger.payments > 0) return fail('307', line, 'a receipt cannot be cancelled after a payment')
  return true
}

function take(command: Command, ledger: Ledger, heading: Heading): void {
  if (heading.foot !== undefined) fail('306', heading.foot, 'the end mark comes before the receipt is paid')
  if (ledger.payments > 0 && !['payment', 'text', 'service', 'foot'].includes(command.word)) {
    fail('307', command.line, 'only payments and texts may follow the first payment')
  }
  switch (command.word) {
    case 'head':
    case 'open':
    case 'taxNumber':
      takeHeading(command, ledger, heading)
      break
    case 'text':
    case 'barcode':
      heading.content ??= command.line
      ledger.take(command)
      break
    case 'service':
      fail('312', command.line, 'a service command is not allowed inside a document: send it in its own job')
      break
    case 'nonFiscal':
      fail('306', command.line, 'a non-fiscal document cannot begin here')
      break
    case 'foot':
      heading.foot = command.line
      break
    case 'cancel':
      fail('307', command.line, 'the receipt cannot be cancelled here')
      break
    default:
      ledger.take(command)
  }
}

function takeHeading(
  command: Extract<Command, { word: 'head' | 'foot' | 'nonFiscal' | 'cancel' | 'open' | 'taxNumber' }>,
  ledger: Ledger,
  heading: Heading,
): void {
  if (ledger.sales > 0) fail('306', command.line, 'the line must come before the first sale')
  switch (command.word) {
    case 'open':
      if (heading.opening) fail('306', command.line, 'a second 48')
      if (ledger.steps.length > 0) fail('306', command.line, '48 must come before any text or barcode')
      heading.opening = command.opening
      return
    case 'taxNumber':
      if (heading.customerTaxId !== undefined) fail('306', command.line, 'a second tax number')
      heading.customerTaxId = command.number
      heading.content ??= command.line
      return
    case 'head':
    case 'foot':
    case 'nonFiscal':
    case 'cancel':
      if (heading.head) fail('306', command.line, 'a second H')
      heading.head = true
  }
}
