/** The worker of the site: an emulated device, its control interface and the REST service over it. */
import './browser/globals.ts'
import { randomUUID } from './browser/digest.ts'
import { Request, Response } from './browser/exchange.ts'
import type { App } from './browser/express.ts'
import type { ToPages, ToWorker } from './messages.ts'
import { openTab, type Tab } from './tab.ts'

const channel = new BroadcastChannel(self.name)
const life = randomUUID()
const say = (message: ToPages): void => channel.postMessage(message)
const underWay = new Map<string, Response>()

/** The service looks for a Host that names this machine. */
const HOST = ['Host', '127.0.0.1:65400'] as const

const opening = openTab()
opening.then(
  () => say({ to: 'pages', is: 'ready', life }),
  (problem: unknown) =>
    say({ to: 'pages', is: 'trouble', why: problem instanceof Error ? problem.message : String(problem) }),
)

channel.onmessage = ({ data }: MessageEvent<ToWorker | ToPages>) => {
  if (data.to !== 'worker') return
  if (data.is === 'hello') void opening.then(() => say({ to: 'pages', is: 'ready', life })).catch(() => undefined)
  else if (data.is === 'gone') underWay.get(`${data.from} ${data.id}`)?.destroy()
  else void opening.then((tab) => answer(tab, data))
}

function answer(tab: Tab, { from, id, method, path, headers, body }: Extract<ToWorker, { is: 'request' }>): void {
  const name = `${from} ${id}`
  const app: App = tab.appAt(path)
  const request = new Request({ method, path, headers: [HOST, ...headers], body })
  const response = new Response(request, {
    head: (status, all) => say({ to: from, id, is: 'head', status, headers: all }),
    piece: (bytes) => say({ to: from, id, is: 'piece', bytes }),
    end: () => say({ to: from, id, is: 'end' }),
  })
  underWay.set(name, response)
  response.on('close', () => underWay.delete(name))
  app(request, response)
}
