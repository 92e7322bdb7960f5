/**
 * Command lines as they stand on the pages, and what they need to run beside others: ports that are free in place of those
 * that are written down, and real ones in place of the ports of the reader's machine.
 */

/** Ports that a command takes when nothing is said. */
const USUAL: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  serve: { '--http-port': 65_400, '--https-port': 65_401, '--panel-port': 65_402 },
  emulate: { '--panel-port': 65_402 },
  'mock-platform': { '--port': 4010 },
  capture: {},
}
const PORT_OPTIONS = ['--http-port', '--https-port', '--panel-port', '--tcp', '--port']

export const lastsOf = ([name = '', ...rest]: readonly string[]): boolean =>
  name in USUAL && !rest.includes('--list-commands') && !rest.includes('--switch')

export interface Freed {
  readonly argv: readonly string[]
  /** Options that were given or are usual, with their ports as the page has them. */
  readonly ports: ReadonlyMap<string, number>
}

/** The same command on any free ports, telling which. */
export function freed([name = '', ...words]: readonly string[]): Freed {
  const ports = new Map(Object.entries(USUAL[name] ?? {}))
  const rest: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (PORT_OPTIONS.includes(word)) ports.set(word, Number(words[++at]))
    else rest.push(word)
  }
  const free = [...ports.keys()].flatMap((option) => [option, '0'])
  const json = rest.includes('--json') ? [] : ['--json']
  return { argv: [name, ...rest, ...free, ...json], ports }
}

/** Which member of the line of `--json` tells the port of an option. */
const TOLD: Readonly<Record<string, string>> = {
  '--http-port': 'http',
  '--https-port': 'https',
  '--panel-port': 'panel',
  '--tcp': 'tcp',
  '--port': 'url',
}

/** Port of the page to port of this run. */
export function portsOf({ ports }: Freed, ready: Readonly<Record<string, unknown>>): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  for (const [option, port] of ports) {
    const told = ready[TOLD[option] ?? '']
    const actual = typeof told === 'number' ? told : Number(/:(\d+)(?:\/|$)/.exec(String(told))?.[1])
    if (port !== 0 && actual > 0) found.set(port, actual)
  }
  return found
}

/** A script with the ports of this run. Throws for an address at which nobody listens. */
export function withPorts(script: string, ports: ReadonlyMap<number, number>): string {
  return script.replace(/(127\.0\.0\.1)([: ])(\d{2,5})\b/g, (_all, host: string, sign: string, port: string) => {
    const actual = ports.get(Number(port))
    if (actual === undefined) throw new Error(`nobody listens at ${host}:${port} here`)
    return `${host}${sign}${actual}`
  })
}

/** The first line of a fence, where it is a file's name: `# lost.yaml`, `// pos.ts`. */
export const fileOf = (content: string): string | undefined =>
  /^(?:#|\/\/) ([\w.-]+\.(?:yaml|ts|js|mjs|py))$/.exec(content.split('\n')[0] ?? '')?.[1]
