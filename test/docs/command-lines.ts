/**
 * Command lines of the pages, adapted to run in parallel: free ports in place of the written ones, and emulated devices
 * in place of the reader's.
 */

/** Default ports of the commands. */
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
  /** Given and default options, with their ports as on the page. */
  readonly ports: ReadonlyMap<string, number>
}

/** Returns the command on free ports, which it reports. */
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

/** Member of the `--json` line that contains the port of an option. */
const TOLD: Readonly<Record<string, string>> = {
  '--http-port': 'http',
  '--https-port': 'https',
  '--panel-port': 'panel',
  '--tcp': 'tcp',
  '--port': 'url',
}

/** Maps ports of the page to ports of this run. */
export function portsOf({ ports }: Freed, ready: Readonly<Record<string, unknown>>): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  for (const [option, port] of ports) {
    const told = ready[TOLD[option] ?? '']
    const actual = typeof told === 'number' ? told : Number(/:(\d+)(?:\/|$)/.exec(String(told))?.[1])
    if (port !== 0 && actual > 0) found.set(port, actual)
  }
  return found
}

/** Replaces the ports of a script with those of this run. Throws for an address without a listener. */
export function withPorts(script: string, ports: ReadonlyMap<number, number>): string {
  return script.replace(/(127\.0\.0\.1)([: ])(\d{2,5})\b/g, (_all, host: string, sign: string, port: string) => {
    const actual = ports.get(Number(port))
    if (actual === undefined) throw new Error(`nobody listens at ${host}:${port} here`)
    return `${host}${sign}${actual}`
  })
}

/** Returns the name of a file in the first line of a fence: `# lost.yaml`, `// pos.ts`. */
export const fileOf = (content: string): string | undefined =>
  /^(?:#|\/\/) ([\w.-]+\.(?:yaml|ts|js|mjs|py))$/.exec(content.split('\n')[0] ?? '')?.[1]
