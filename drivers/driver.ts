import type { DriverFamily, DriverSettings } from './family.ts'
import type { WireTypes } from './link/protocol-adapter.ts'
import { createSession } from './link/session.ts'
import type { Link } from './link/types.ts'
import { cannotPrint } from './model/errors.ts'
import type { Family } from './model/families.ts'
import type { FiscalPrinter } from './model/printer.ts'

export function createDriver<W extends WireTypes>(
  name: Family,
  family: DriverFamily<W>,
  link: Link<W['frame']>,
  settings: DriverSettings,
): FiscalPrinter {
  const session = createSession(link, family.protocolAdapter(settings, link), settings.waits?.documentMs)
  return {
    family: name,
    get capabilities() {
      return family.capabilities(settings, session)
    },
    connect: async () => ({ family: name, ...(await session.start()).identity }),
    disconnect: () => link.close(),
    get state() {
      const { identity, conditions, facts } = session
      return {
        isConnected: link.isOpen && facts !== undefined && !link.isUnanswered,
        identity: identity && { family: name, ...identity },
        conditions,
      }
    },
    onWaiting: (call) => link.onWaiting(() => call(cannotPrint('paperOrCover'))),
    brokenSince: ({ hold }) =>
      link.isOpen && link.hold === hold
        ? undefined
        : link.connectionLost('it was interrupted in the middle of this request'),
    ...family.operations(session, settings),
  }
}
