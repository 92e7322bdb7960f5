/** "Try it": the reader of the API description, for requests to the service that sent the page. */
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
  /** Global of swagger-ui-bundle.js. */
  const SwaggerUIBundle: { (options: object): unknown; readonly presets: { readonly apis: unknown } }
}

/**
 * Returns a layout for a page that already has a title and a frame: only the requests, no link inside a button, and an
 * accessible name for the body field.
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

/** Follows the colours of the page; the reader selects its dark colours by a class. */
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

/** Time until the reader has its final height, in ms. */
const GROWS_MS = 6000
const OWN_SCROLLING = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/** Keeps the request of the address at the top until the reader has its final height, or the user scrolls. */
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

/** Returns the element of `#/TAG/NAME`. The reader escapes the tag in the id; the name is unique. */
const namedIn = (hash: string): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('#reader .opblock')].find(({ id }) =>
    id.endsWith(`-${hash.split('/').at(-1)}`),
  )

async function read<Answer>(address: string): Promise<Answer> {
  // A cached request would wait for the same request of the page (own-address.ts).
  const answer = await fetch(address, { cache: 'no-store' })
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`)
  return (await answer.json()) as Answer
}

const remark = document.getElementById('reader-told') as HTMLElement
const reader = document.getElementById('reader') as HTMLElement

/** Shows the address of the service if another server sent the page. */
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
  // Without the key, the reader shows the description that comes with the pages; the user enters the key in the reader.
  const own = here.api !== undefined && here.needsKey !== true
  const spec = await read<object>(own ? `${here.api}/openapi.json` : './openapi.json')
  if (here.api === undefined) sayWhere(here)
  else remark.textContent = `Requests go to ${location.origin}${here.api}.`
  if (here.needsKey) remark.textContent += ' It requires the API key: press Authorize first.'
  SwaggerUIBundle({
    // A page may send requests to its own server only.
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
