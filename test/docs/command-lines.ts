/**
 * Command lines of the pages, changed so that several tests can run them in parallel: free ports replace the written
 * ports, and emulated devices replace the reader's.
 */

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
  readonly ports: ReadonlyMap<string, number>
}

/** Replaces ports by 0, so that the command chooses free ports and reports them. */
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

const TOLD: Readonly<Record<string, string>> = {
  '--http-port': 'http',
  '--https-port': 'https',
  '--panel-port': 'panel',
  '--tcp': 'tcp',
  '--port': 'url',
}

/** Returns the ports of this run by the ports on the page. */
export function portsOf({ ports }: Freed, ready: Readonly<Record<string, unknown>>): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  for (const [option, port] of ports) {
    const chosenPort = ready[TOLD[option] ?? '']
    const actual = typeof chosenPort === 'number' ? chosenPort : Number(/:(\d+)(?:\/|$)/.exec(String(chosenPort))?.[1])
    if (port !== 0 && actual > 0) found.set(port, actual)
  }
  return found
}

/** Throws for an address without a listener. */
export function withPorts(script: string, ports: ReadonlyMap<number, number>): string {
  return script.replace(/(127\.0\.0\.1)([: ])(\d{2,5})\b/g, (_all, host: string, sign: string, port: string) => {
    const actual = ports.get(Number(port))
    if (actual === undefined) throw new Error(`no program listens at ${host}:${port} here`)
    return `${host}${sign}${actual}`
  })
}

export const fileOf = (content: string): string | undefined =>
  /^(?:#|\/\/) ([\w.-]+\.(?:yaml|ts|js|mjs|py))$/.exec(content.split('\n')[0] ?? '')?.[1]
