/** Returns the message in an answer of the service; `null` if it has none, like most successful answers. */
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
