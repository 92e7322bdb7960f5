/** The main page of the site: the control panel over the worker. */
import './shell.css'
import { downloadsFromWorker } from './downloads.ts'
import { channelName, linkChannelName } from './messages.ts'
import { isScenarioLink } from './scenario-link.ts'
import { showShell } from './shell.tsx'
import { scopeAt, start } from './start-worker.ts'

const isShared = isScenarioLink(location.hash)
const scope = scopeAt('.')

const connection = start(isShared ? linkChannelName(scope) : channelName(scope))
// The scenario of a link is untrusted. Only ending its worker stops a regular expression that runs for too long.
if (isShared) connection.watch()
downloadsFromWorker()
showShell(isShared)
await import('../../../emulator/panel/page/src/main.tsx')
// All files are loaded now, so that the next visit will need no network.
const { serviceWorker } = navigator as Partial<Navigator>
serviceWorker?.register('./offline.js').catch(() => undefined)
