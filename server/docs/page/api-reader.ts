import './reader.css'
import type { DocumentationHere } from '../../../drivers/host/documentation.ts'
import { reachScrollers } from './reading-position.ts'

interface React {
  createElement(type: unknown, props: object | null, ...children: readonly unknown[]): object
}
type Part = (props: Readonly<Record<string, unknown>>) => object
interface System {
  readonly React: React
}
type GetComponent = (name: string, isContainer?: boolean) => unknown

declare global {
  const SwaggerUIBundle: { (options: object): unknown; readonly presets: { readonly apis: unknown } }
}

/**
 * Adapts the reader to a page that already has a title and a frame: it shows only the requests, puts no link inside a
 * button, and gives the body field an accessible name.
 */
function ownParts({ React: { createElement } }: System) {
  const Layout = ({ getComponent }: { readonly getComponent: GetComponent }) =>
    createElement(
      'div',
      { className: 'swagger-ui' },
      createElement(getComponent('SvgAssets'), null),
      createElement('div', { className: 'own-key' }, createElement(getComponent('AuthorizeBtnContainer', true), null)),
      createElement(getComponent('operations', true), null),
    )
  const DeepLink: Part = ({ text }) => createElement('span', null, text)
  const named =
    (Original: unknown): Part =>
    (props) =>
      createElement(Original, { ...props, 'aria-label': 'Body' })
  return { components: { OwnLayout: Layout, DeepLink }, wrapComponents: { TextArea: named } }
}

function followColours(): void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const set = () => {
    const chosen = document.documentElement.dataset['theme']
    document.documentElement.classList.toggle('dark-mode', chosen === undefined ? system.matches : chosen === 'dark')
  }
  set()
  system.addEventListener('change', set)
  new MutationObserver(set).observe(document.documentElement, { attributeFilter: ['data-theme'] })
}

function followCode(reader: HTMLElement): void {
  new MutationObserver(() => reachScrollers('#reader pre')).observe(reader, { childList: true, subtree: true })
}

const GROWS_MS = 6000
const OWN_SCROLLING = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/**
 * Scrolls to the request that the address names, again whenever the reader grows, until it has its final height or the
 * user scrolls.
 */
function goToNamed(): void {
  if (!location.hash.startsWith('#/')) return
  const end = new AbortController()
  for (const name of OWN_SCROLLING) addEventListener(name, () => end.abort(), { passive: true, signal: end.signal })
  const go = () => {
    const named = namedIn(location.hash)
    if (named && !named.classList.contains('is-open'))
      named.querySelector<HTMLElement>('.opblock-summary-control')?.click()
    if (!end.signal.aborted) named?.scrollIntoView()
  }
  go()
  const observer = new ResizeObserver(go)
  observer.observe(reader)
  const timer = setTimeout(() => end.abort(), GROWS_MS)
  end.signal.addEventListener('abort', () => {
    observer.disconnect()
    clearTimeout(timer)
  })
}

const namedIn = (hash: string): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('#reader .opblock')].find(({ id }) =>
    id.endsWith(`-${hash.split('/').at(-1)}`),
  )

async function read<Answer>(address: string): Promise<Answer> {
  // A cached request would wait until the request of own-address.ts for the same file ends.
  const answer = await fetch(address, { cache: 'no-store' })
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`)
  return (await answer.json()) as Answer
}

const remark = document.getElementById('reader-told') as HTMLElement
const reader = document.getElementById('reader') as HTMLElement

function sayWhere({ service }: DocumentationHere): void {
  const link = document.createElement('a')
  link.href = `${service ?? 'http://127.0.0.1:65400/docs'}/try-it.html${location.hash}`
  link.textContent = link.href
  remark.replaceChildren(
    'This page comes from the control panel, which has no REST API. To try a request, open the page at the service: ',
    link,
    service === undefined ? ' (the default; the service prints its address when it starts).' : '.',
  )
}

const withoutLocks = ({ needsKey }: DocumentationHere): object => (needsKey ? {} : { security: [] })

async function show(): Promise<void> {
  const here = await read<DocumentationHere>('./here.json')
  // Without the key, only the description that comes with the pages can be loaded. The user enters the key in the
  // reader.
  const own = here.api !== undefined && here.needsKey !== true
  const spec = await read<object>(own ? `${here.api}/openapi.json` : './openapi.json')
  if (here.api === undefined) sayWhere(here)
  else remark.textContent = `Requests go to ${location.origin}${here.api}.`
  if (here.needsKey) remark.textContent += ' It requires the API key: press Authorize first.'
  SwaggerUIBundle({
    // The content security policy allows a page to send requests only to its server.
    spec:
      here.api === undefined
        ? spec
        : { ...spec, ...withoutLocks(here), servers: [{ url: location.origin + here.api }] },
    domNode: reader,
    presets: [SwaggerUIBundle.presets.apis],
    plugins: [ownParts],
    layout: 'OwnLayout',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: -1,
    tryItOutEnabled: true,
    supportedSubmitMethods: here.api === undefined ? [] : ['get', 'post'],
    validatorUrl: null,
    onComplete: () => requestAnimationFrame(goToNamed),
  })
}

followColours()
addEventListener('hashchange', goToNamed)
followCode(reader)
show().catch(() => {
  remark.textContent =
    'The reader works only on pages that a service sends: start "fiscal-rig serve" and open its /docs.'
})
