/**
 * Replaces the addresses in the examples by those of the server that sent the page, and shows the link to the control
 * panel.
 */
import type { DocumentationHere } from '../../../drivers/host/documentation.ts'

/** Two scripts request the file at the same time. With the browser's cache, the second would wait for seconds. */
const FRESH: RequestInit = { cache: 'no-store' }

const SERVICE = 'http://127.0.0.1:65400'
const PANEL = 'http://127.0.0.1:65402'

export async function useHere(panelLink: HTMLAnchorElement): Promise<void> {
  const here = await read()
  if (!here) return
  const panel = here.panel === undefined ? undefined : new URL(here.panel, location.href)
  if (panel) {
    panelLink.href = panel.href
    panelLink.hidden = false
  }
  const service = here.api === undefined ? here.service : location.origin
  replaceAddresses(
    new Map([
      ...(service === undefined ? [] : [[SERVICE, new URL(service, location.href).origin] as const]),
      ...(panel ? [[PANEL, panel.origin] as const] : []),
    ]),
  )
}

/** Resolves to `undefined` if the pages are files, or if the server has only the pages. */
async function read(): Promise<DocumentationHere | undefined> {
  if (!location.protocol.startsWith('http')) return undefined
  try {
    const answer = await fetch(new URL('./here.json', address()), FRESH)
    return answer.ok ? ((await answer.json()) as DocumentationHere) : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the base address. `/docs` without a final slash is also the first page, but relative addresses would be wrong
 * there.
 */
const address = (): string =>
  location.pathname.endsWith('/docs') ? `${location.href.split(/[?#]/)[0]}/` : location.href

function replaceAddresses(addresses: ReadonlyMap<string, string>): void {
  const inPlace = (text: string): string => {
    let replaced = text
    for (const [written, real] of addresses) replaced = replaced.replaceAll(written, real)
    return replaced
  }
  const texts = document.createTreeWalker(document.getElementById('content') as HTMLElement, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = node.nodeValue ?? ''
    if (text.includes('127.0.0.1:6540')) node.nodeValue = inPlace(text)
  }
  for (const link of document.querySelectorAll<HTMLAnchorElement>('#content a[href^="http://127.0.0.1:6540"]'))
    link.href = inPlace(link.href)
}
