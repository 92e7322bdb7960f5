/** A scenario as `#scenario=` in the address of the page: compressed, in base64url. */

const NAME = '#scenario='
/** Maximum length of a link. Browsers and mail programs cut longer ones. */
const LINK_MAX = 64 * 1024
/** Maximum size of a scenario, because a short link may decompress to far more. */
const SCENARIO_MAX_BYTES = 2 * 1024 * 1024

export const isScenarioLink = (hash: string): boolean => hash.startsWith(NAME)

/** Rejects if the scenario is too long. */
export async function linkOf(scenario: string, page: string): Promise<string> {
  const bytes = await through(new Blob([scenario]), new CompressionStream('deflate-raw'), Number.POSITIVE_INFINITY)
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  const link = `${page.split('#')[0]}${NAME}${letters.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
  if (link.length <= LINK_MAX) return link
  throw new Error(
    'The session is too long for a link: download it as a scenario file in Timeline, or begin a new session there.',
  )
}

/** Rejects if the link is damaged. */
export async function scenarioOf(hash: string): Promise<string> {
  const damaged = new Error('The link is damaged: it contains only a part of a scenario. Ask its sender for a new one.')
  if (hash.length > LINK_MAX) throw damaged
  try {
    const text = atob(hash.slice(NAME.length).replaceAll('-', '+').replaceAll('_', '/'))
    const packed = Uint8Array.from(text, (letter) => letter.charCodeAt(0))
    const bytes = await through(new Blob([packed]), new DecompressionStream('deflate-raw'), SCENARIO_MAX_BYTES)
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw damaged
  }
}

async function through(blob: Blob, filter: CompressionStream | DecompressionStream, most: number): Promise<Uint8Array> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for (const reader = blob.stream().pipeThrough(filter).getReader(); ; ) {
    const { value, done } = await reader.read()
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer())
    parts.push(value)
    length += value.length
    if (length > most) throw new RangeError('too long')
  }
}
