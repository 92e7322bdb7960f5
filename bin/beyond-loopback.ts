/** Protection of servers that the whole network reaches: a key, or the user's explicit permission (decisions 4). */
import { isLoopbackAddress } from '../drivers/host/server-access.ts'
import { EXIT_USAGE, Exit } from './exit.ts'

interface Listener {
  /** Host to which the server is bound. */
  readonly host: string
  /** Option that sets the host. */
  readonly option: '--host' | '--panel-host'
  /** Capability of every client that reaches it: `print on this device`. */
  readonly does: string
  /** False: the wire of a device carries no key. */
  readonly hasKey?: boolean
}

interface Protection {
  readonly apiKey: string | undefined
  /** `--open`. */
  readonly open: boolean
}

/**
 * Returns a warning for the start line; undefined: no server is open. Throws Exit if an open server was not allowed.
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
    ({ host, does, hasKey = true }) =>
      `${hasKey ? 'without apiKey ' : ''}every client that reaches ${host} can ${does}`,
  )
  return `open: ${words.join('; ')}`
}

/** Returns the warning of the start line. */
export function warningOf(open: string | undefined, panel: { readonly note?: string } | undefined): string | undefined {
  const warnings = [open, panel?.note].filter((warning) => warning !== undefined)
  return warnings.length === 0 ? undefined : warnings.join('; ')
}

export const warningLine = (warning: string | undefined): readonly string[] =>
  warning === undefined ? [] : [`  WARNING ${warning}`]
