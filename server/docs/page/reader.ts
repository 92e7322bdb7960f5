/** "Try it": the reader of the API description, on the service that the page comes from. */
import './reader.css'
import type { DocumentationHere } from '../../../drivers/model/documentation.ts'

interface Description {
  servers: readonly { readonly url: string }[]
}

interface ReaderOptions {
  readonly spec: object
  readonly domNode: HTMLElement
  readonly presets: readonly unknown[]
  readonly layout: string
  readonly deepLinking: boolean
  readonly docExpansion: string
  readonly defaultModelsExpandDepth: number
  readonly tryItOutEnabled: boolean
  readonly supportedSubmitMethods: readonly string[]
  readonly validatorUrl: null
  readonly onComplete: () => void
}

declare global {
  /** Of swagger-ui-bundle.js. */
  const SwaggerUIBundle: { (options: ReaderOptions): unknown; readonly presets: { readonly apis: unknown } }
}

async function read<Answer>(address: string): Promise<Answer> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`)
  return (await answer.json()) as Answer
}

const told = document.getElementById('reader-told') as HTMLElement

/** Where the page comes from no service there is nothing to try, and the words say where. */
function sayWhere({ service }: DocumentationHere): void {
  const link = document.createElement('a')
  link.href = service ?? 'http://127.0.0.1:65400/docs/try-it.html'
  link.textContent = link.href
  const where = service === undefined ? 'unless its start line names another port: ' : ''
  told.replaceChildren(
    `This page comes from the panel, which has no REST interface. Open it at the service to try a request; ${where}`,
    link,
  )
}

async function show(): Promise<void> {
  const here = await read<DocumentationHere>('./here.json')
  // Who has no key yet reads the description that comes with the pages, and gives the key to the reader.
  const own = here.api !== undefined && here.needsKey !== true
  const spec = await read<Description>(own ? `${here.api}/openapi.json` : './openapi.json')
  if (here.api === undefined) sayWhere(here)
  else told.textContent = `Requests go to ${location.origin}${here.api}.`
  if (here.needsKey) told.textContent += ' It wants the API key: press Authorize first.'
  SwaggerUIBundle({
    // A page may ask the server that it comes from, and no other.
    spec: here.api === undefined ? spec : { ...spec, servers: [{ url: location.origin + here.api }] },
    domNode: document.getElementById('reader') as HTMLElement,
    presets: [SwaggerUIBundle.presets.apis],
    layout: 'BaseLayout',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: -1,
    tryItOutEnabled: true,
    supportedSubmitMethods: here.api === undefined ? [] : ['get', 'post'],
    validatorUrl: null,
    onComplete: () => document.body.classList.add('reader-ready'),
  })
}

show().catch(() => {
  told.textContent = 'The reader works on pages that a service sends: start "fiscal-rig serve" and open its /docs.'
})
