/** The site's service worker: stores all files at the first visit, and serves them. */
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

/** The build inserts this list of the site's files and the digest of the files. */
declare const FILES: readonly string[]
declare const VERSION: string

const { scope } = self.registration
const CACHE_PREFIX = `fiscal-rig ${scope} `
const here = new Set(FILES.map((name) => new URL(name, scope).href))

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE_PREFIX + VERSION).then((cache) => cache.addAll([...here])))
})

self.addEventListener('activate', (event) => {
  const otherCaches = async () =>
    (await caches.keys()).filter((name) => name.startsWith(CACHE_PREFIX) && name !== CACHE_PREFIX + VERSION)
  event.waitUntil(otherCaches().then((names) => Promise.all(names.map((name) => caches.delete(name)))))
})

self.addEventListener('fetch', (event) => {
  const { method, url } = event.request
  const [plain = ''] = url.split(/[?#]/)
  const address = plain.endsWith('/') ? `${plain}index.html` : plain
  if (method !== 'GET' || !here.has(address)) return
  const answer = async () => (await (await caches.open(CACHE_PREFIX + VERSION)).match(address)) ?? fetch(event.request)
  event.respondWith(answer())
})
