import { type Command, type LegacyJob, type PlacedCall, printSteps } from './job.ts'
import { Ledger } from './ledger.ts'
import { fail } from './problem.ts'

/**
 * Reads the lines of format 1 as one job (legacy formats 2.1, 2.2).
 *
 *   job     = fiscal | { text | barcode } | service { service }
 *   fiscal  = { text | barcode | taxid } sale [ adjust ]
 *             { sale [ adjust ] | void | subtotal [ adjust ] | text | barcode } payment { payment }
 *
 * At most one tax number, before the first sale; nothing but payments after the first payment; nothing at all once the
 * receipt is paid. Lines of text and barcodes alone are a non-fiscal document.
 */
export function readJob1(commands: readonly Command[]): LegacyJob {
  const first = commands[0]
  if (first?.word === 'service') return readService(commands)
  const fiscal = commands.some(({ word }) => word !== 'text' && word !== 'barcode')
  return fiscal ? readFiscal(commands) : readNonFiscal(commands)
}

export function readService(commands: readonly Command[]): LegacyJob {
  const calls: PlacedCall[] = []
  for (const command of commands) {
    const { line } = command
    if (command.word === 'service') calls.push(...command.calls.map((call) => ({ ...call, line })))
    else if (command.word === 'cancel') calls.push({ call: 'cancel', line })
    else fail('312', line, 'a line of a document among service commands')
  }
  return { kind: 'service', calls }
}

function readNonFiscal(commands: readonly Command[]): LegacyJob {
  const steps = commands.flatMap((command) =>
    command.word === 'text' || command.word === 'barcode' ? printSteps(command) : [],
  )
  return { kind: 'nonFiscal', cancelled: false, steps, after: [] }
}

function readFiscal(commands: readonly Command[]): LegacyJob {
  const ledger = new Ledger()
  let customer: { readonly line: number; readonly number: string } | undefined
  for (const command of commands) {
    checkPlace(command, ledger)
    switch (command.word) {
      case 'taxNumber':
        if (ledger.sales > 0) return fail('306', command.line, 'the tax number must come before the first sale')
        if (customer) return fail('306', command.line, 'a second tax number')
        customer = command
        ledger.print()
        break
      case 'service':
      case 'open':
      case 'head':
      case 'foot':
      case 'nonFiscal':
      case 'cancel':
        return fail('312', command.line, 'a service command among the lines of a receipt')
      default:
        ledger.take(command)
    }
  }
  const last = commands.at(-1)?.line ?? 1
  if (ledger.sales === 0) return fail('301', customer?.line ?? last, 'a receipt without a sale')
  ledger.checkPaid(last)
  return {
    kind: 'fiscal',
    cancelled: false,
    ...(customer && { customerTaxId: customer.number }),
    steps: ledger.steps,
    total: ledger.total,
    change: ledger.change,
    after: [],
  }
}

/**
 * Throws if the line is not allowed here. After the first payment only payments are allowed, and after the full payment
 * nothing except service calls.
 */
function checkPlace(command: Command, ledger: Ledger): void {
  if (command.word === 'service' || ledger.payments === 0) return
  if (ledger.isPaid) {
    if (command.word === 'taxNumber') fail('313', command.line, 'a second receipt begins')
    fail('308', command.line, 'the receipt is already paid')
  }
  if (command.word !== 'payment') fail('307', command.line, 'only payments may follow the first payment')
}
