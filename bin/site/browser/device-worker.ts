/** The web worker of the site: an emulated device, its control API and the REST service. */

import type { ToPages, ToWorker } from './messages.ts'
import { randomUUID } from './replacements/digest.ts'
import type { App } from './replacements/express.ts'
import { Request, Response } from './replacements/http-messages.ts'
import { siteApp } from './site-app.ts'
import { openTab, type Tab } from './tab.ts'

const channel = new BroadcastChannel(self.name)
const workerId = randomUUID()
const say = (message: ToPages): void => channel.postMessage(message)
const underWay = new Map<string, Response>()

/** The service only accepts a Host header that names this machine. */
const HOST = ['Host', '127.0.0.1:65400'] as const

const opening = openTab(self.name, (why) => say({ to: 'pages', is: 'trouble', why })).then((tab) => ({
  tab,
  site: siteApp(tab, () => say({ to: 'pages', is: 'chosen' })),
}))
opening.then(
  () => say({ to: 'pages', is: 'ready', workerId }),
  (problem: unknown) =>
    say({ to: 'pages', is: 'trouble', why: problem instanceof Error ? problem.message : String(problem) }),
)

channel.onmessage = ({ data }: MessageEvent<ToWorker | ToPages>) => {
  if (data.to !== 'worker') return
  if (data.is === 'hello') void opening.then(() => say({ to: 'pages', is: 'ready', workerId })).catch(() => undefined)
  else if (data.is === 'gone') underWay.get(`${data.from} ${data.id}`)?.destroy()
  else void opening.then(({ tab, site }) => dispatch(tab, site, data))
}

function appAt({ running }: Tab, site: App, path: string): App {
  if (path.startsWith('/site')) return site
  return path.startsWith('/emulator') ? running.panel : running.service
}

type ParentMessage = Extract<ToWorker, { is: 'request' }>

/** Requests wait while another device is being opened. */
async function dispatch(tab: Tab, site: App, sent: ParentMessage): Promise<void> {
  if (!sent.path.startsWith('/site')) await tab.settled()
  answer(tab, appAt(tab, site, sent.path), sent)
}

function answer(tab: Tab, app: App, { from, id, method, path, headers, body }: ParentMessage): void {
  const name = `${from} ${id}`
  const request = new Request({ method, path, headers: [HOST, ...headers], body })
  const response = new Response(request, {
    head: (status, all) => say({ to: from, id, is: 'head', status, headers: all }),
    piece: (bytes) => say({ to: from, id, is: 'piece', bytes }),
    // A response ends after its changes are stored, so that a tab can be closed without losing them.
    end: () => void tab.storage.saved().then(() => say({ to: from, id, is: 'end' })),
  })
  underWay.set(name, response)
  response.on('close', () => underWay.delete(name))
  app(request, response)
}
