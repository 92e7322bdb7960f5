/** Returns JSON on one line in the style of scenarios: names without quotes, and dollar signs doubled. */
export function yamlOnOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(yamlOnOneLine).join(', ')}]`
  if (typeof value === 'string') return JSON.stringify(value.replaceAll('$', () => '$$'))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if ('rawJSON' in value) return String(value.rawJSON)
  const members = Object.entries(value).map(([name, member]) => `${keyOf(name)}: ${yamlOnOneLine(member)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** Quotes names that YAML interprets as a keyword. */
const keyOf = (name: string): string =>
  /^[A-Za-z]\w*$/.test(name) && !WORDS.has(name.toLowerCase()) ? name : JSON.stringify(name)
const WORDS = new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off', 'y', 'n'])

/** Returns a step with one request. If the body is too long for one line, each of its members has its own line. */
export function requestStep(verb: string, body: object | undefined): readonly string[] {
  if (body === undefined) return [`  - ${verb}:`]
  const line = `  - ${verb}: ${yamlOnOneLine(body)}`
  if (line.length <= LINE_MAX) return [line]
  return [`  - ${verb}:`, ...Object.entries(body).flatMap(([name, member]) => memberLines(name, member))]
}

const LINE_MAX = 110

function memberLines(name: string, member: unknown): readonly string[] {
  const line = `      ${name}: ${yamlOnOneLine(member)}`
  if (line.length <= LINE_MAX || !Array.isArray(member)) return [line]
  return [`      ${name}:`, ...member.map((one) => `        - ${yamlOnOneLine(one)}`)]
}
