/** Servers that other machines can reach need an API key or the user's explicit permission (decisions 4). */
import { isLoopbackAddress } from '../drivers/host/server-access.ts'
import { EXIT_USAGE, Exit } from './exit.ts'

interface Listener {
  readonly host: string
  readonly option: '--host' | '--panel-host'
  /** Verb phrase for the message, such as `print on this device`. */
  readonly does: string
  /** False for the line of a device, whose protocol carries no key. */
  readonly hasKey?: boolean
}

interface Protection {
  readonly apiKey: string | undefined
  readonly open: boolean
}

/**
 * Returns a warning for the start line; `undefined` if every server that other machines can reach requires a key.
 * Throws Exit for a server without a key and without permission.
 */
export function openWarning(places: readonly Listener[], { apiKey, open }: Protection): string | undefined {
  const reached = places.filter(
    ({ host, hasKey = true }) => !isLoopbackAddress(host) && !(hasKey && apiKey !== undefined),
  )
  for (const { host, option, does, hasKey = true } of open ? [] : reached) {
    const where = `${host || `an empty ${option}`} can be reached from the network`
    const [why, remedy] = hasKey
      ? ['without apiKey', 'set apiKey in the configuration, or allow it with --open (listen.open: true).']
      : ['as this line carries no key', 'allow it with --open (listen.open: true).']
    throw new Exit(EXIT_USAGE, `${where}, and ${why} every client there can ${does}: ${remedy}`)
  }
  if (reached.length === 0) return undefined
  const words = reached.map(
    ({ host, option, does, hasKey = true }) =>
      `${hasKey ? 'without apiKey ' : ''}every client that ${host === '' ? `can reach this machine (empty ${option})` : `reaches ${host}`} can ${does}`,
  )
  return `open: ${words.join('; ')}`
}

export function warningOf(open: string | undefined, panel: { readonly note?: string } | undefined): string | undefined {
  const warnings = [open, panel?.note].filter((warning) => warning !== undefined)
  return warnings.length === 0 ? undefined : warnings.join('; ')
}

export const warningLine = (warning: string | undefined): readonly string[] =>
  warning === undefined ? [] : [`  WARNING ${warning}`]
