import type { PrintedView } from '../../../contract.ts'
import { call } from '../api.ts'
import { titleOf } from '../labels-and-formats.ts'
import { asPageAdvice } from './page-advice.ts'

export class Mistakes extends Error {
  readonly errors: PrintedView['errors']
  constructor(errors: PrintedView['errors']) {
    super(errors.map(({ message }) => message).join(' '))
    this.name = 'Mistakes'
    this.errors = errors
  }
}

/** Documents that a message names at most. */
const NAMED_MAX = 5

async function namesOf(documents: readonly number[]): Promise<string> {
  const named = documents.slice(-NAMED_MAX)
  const heads = await Promise.all(named.map((id) => call('GET /emulator/documents/{id}', { params: { id } })))
  const names = heads.map(titleOf).join(', ')
  return named.length === documents.length ? names : `${documents.length} documents, the last of them ${names}`
}

/** Returns the message about printed documents. Throws Mistakes if the service refused the request. */
export async function asPrinted(printed: PrintedView, how: string, note = ''): Promise<string> {
  const { document, documents, message, errors } = printed
  if (errors.length > 0) {
    const problems = errors.map((one) => ({ path: one.path, message: asPageAdvice(one.message) }))
    if (documents.length === 0) throw new Mistakes(problems)
    throw new Mistakes([...problems, { path: '', message: `Printed meanwhile: ${await namesOf(documents)}.` }])
  }
  if (document === null) return message ?? 'Nothing was printed.'
  const before = documents.slice(0, -1)
  const also = before.length === 0 ? '' : ` Printed before it: ${await namesOf(before)}.`
  return `${how}: ${await namesOf([document])}${note}.${also}${message === null ? '' : ` ${message}`}`
}
