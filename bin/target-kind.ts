import { unknownWord } from '../scenarios/runner/nearest.ts'
import { EXIT_USAGE, Exit } from './exit.ts'

type TargetKind = 'emulator' | 'pty' | 'device' | 'service' | 'fleet'

const EXAMPLES: Readonly<Record<TargetKind, readonly string[]>> = {
  emulator: ['emulator'],
  pty: ['pty'],
  device: ['/dev/ttyUSB0', 'tcp://HOST:PORT'],
  service: ['http://HOST:PORT'],
  fleet: ['fleet:NAME'],
}

/** Throws Exit for an unknown target, and for a target that the command cannot use. */
export function targetKind<const Kind extends TargetKind>(name: string, allowed: readonly Kind[]): Kind {
  const kind = kindOf(name)
  const match = allowed.find((one) => one === kind)
  if (match !== undefined) return match
  const examples = allowed.flatMap((one) => EXAMPLES[one])
  if (kind === undefined) throw new Exit(EXIT_USAGE, `--target: ${unknownWord('target', name, examples)}`)
  throw new Exit(
    EXIT_USAGE,
    `--target: ${name} is a ${kind}, which this command cannot use; use one of ${examples.join(', ')}`,
  )
}

function kindOf(name: string): TargetKind | undefined {
  if (name === 'emulator' || name === 'pty') return name
  if (/^fleet:./.test(name)) return 'fleet'
  if (/^https?:\/\/./.test(name)) return 'service'
  if (/^tcp:\/\/./.test(name) || name.includes('/') || name.includes('\\') || /^COM\d+$/i.test(name)) return 'device'
  return undefined
}
