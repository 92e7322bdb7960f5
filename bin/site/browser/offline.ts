/** The site's service worker: what the site is made of is kept at the first visit, and answered from there. */
export {}

declare const self: ServiceWorkerGlobalScope
interface ServiceWorkerGlobalScope {
  readonly registration: { readonly scope: string }
  addEventListener(name: 'install' | 'activate', call: (event: Extendable) => void): void
  addEventListener(name: 'fetch', call: (event: Extendable & Fetching) => void): void
}
interface Extendable {
  waitUntil(work: Promise<unknown>): void
}
interface Fetching {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}

/** Put in by the build: all files, and a digest of them. */
declare const FILES: readonly string[]
declare const VERSION: string

const { scope } = self.registration
const OWN = `fiscal-rig ${scope} `
const here = new Set(FILES.map((name) => new URL(name, scope).href))

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(OWN + VERSION).then((cache) => cache.addAll([...here])))
})

self.addEventListener('activate', (event) => {
  const others = async () => (await caches.keys()).filter((name) => name.startsWith(OWN) && name !== OWN + VERSION)
  event.waitUntil(others().then((names) => Promise.all(names.map((name) => caches.delete(name)))))
})

self.addEventListener('fetch', (event) => {
  const { method, url } = event.request
  const [plain = ''] = url.split(/[?#]/)
  const address = plain.endsWith('/') ? `${plain}index.html` : plain
  if (method !== 'GET' || !here.has(address)) return
  const answer = async () => (await (await caches.open(OWN + VERSION)).match(address)) ?? fetch(event.request)
  event.respondWith(answer())
})
