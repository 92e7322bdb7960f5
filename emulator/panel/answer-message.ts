/**
 * Returns the message in a JSON answer of the service. Returns `null` if there is none, as in most successful answers.
 */
export function messageIn(answer: string | undefined): string | null {
  if (answer === undefined || answer.length > LONGEST) return null
  const members = parsed(answer)
  const text = members?.['Message'] ?? members?.['ErrorInfo']
  return typeof text === 'string' && text !== '' ? text : null
}

/**
 * Maximum length in characters of an answer that is parsed. Every refusal is shorter, but the API description is
 * longer.
 */
const LONGEST = 100_000

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? (value as Readonly<Record<string, unknown>> | null) : null
  } catch {
    return null
  }
}
