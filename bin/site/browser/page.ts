/** The page of the site: the control panel's page over the worker. */
import './shell.css'
import { downloadsFromWorker } from './downloads.ts'
import { isScenarioLink } from './link.ts'
import { channelName, linkChannelName } from './messages.ts'
import { showShell } from './shell.tsx'
import { scopeAt, start } from './start.ts'

const isShared = isScenarioLink(location.hash)
const scope = scopeAt('.')

const connection = start(isShared ? linkChannelName(scope) : channelName(scope))
// A link is foreign, and nothing in a browser interrupts a pattern.
if (isShared) connection.watch()
downloadsFromWorker()
showShell(isShared)
await import('../../../emulator/panel/page/src/main.tsx')
// All files are loaded: the next visit needs no network.
const { serviceWorker } = navigator as Partial<Navigator>
serviceWorker?.register('./offline.js').catch(() => undefined)
