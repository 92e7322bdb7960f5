import type { PrintedView } from '../../../contract.ts'
import { call } from '../api.ts'
import { titleOf } from '../labels-and-formats.ts'

export class Mistakes extends Error {
  readonly errors: PrintedView['errors']
  constructor(errors: PrintedView['errors']) {
    super(errors.map(({ message }) => message).join(' '))
    this.name = 'Mistakes'
    this.errors = errors
  }
}

/** Returns the message about a printed receipt. Throws Mistakes if the receipt was refused. */
export async function asPrinted({ document, message, errors }: PrintedView, how: string, note = ''): Promise<string> {
  if (errors.length > 0) throw new Mistakes(errors)
  if (document === null) return message ?? 'Nothing was printed.'
  const head = await call('GET /emulator/documents/{id}', { params: { id: document } })
  return `${how}: ${titleOf(head)}${note}.${message === null ? '' : ` ${message}`}`
}
