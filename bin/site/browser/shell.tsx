/** The bar above the control panel: choice of the device, links, and limits of the browser. */
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { isScenarioLink, linkOf, scenarioOf } from './scenario-link.ts'
import type { PlayedView, SiteView } from './site-app.ts'

export function showShell(isShared: boolean): void {
  const place = document.getElementById('site')
  if (place) render(<Shell isShared={isShared} />, place)
  // A scenario link that is opened in this tab requires another worker.
  addEventListener('hashchange', () => {
    if (isScenarioLink(location.hash)) location.reload()
  })
}

async function ask<View>(path: string, body?: object | string): Promise<View> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(path, body === undefined ? {} : { method: 'POST', body: text as string })
  const answer = (await response.json()) as View & { readonly error?: string }
  if (!response.ok) throw new Error(answer.error ?? `${path}: ${response.status}`)
  return answer
}

const wordsOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem))

function Shell({ isShared }: { readonly isShared: boolean }) {
  const [trouble, setTrouble] = useState<string>()
  useEffect(() => {
    const onTrouble = (event: Event) => setTrouble((event as CustomEvent<string>).detail)
    document.addEventListener('trouble', onTrouble)
    return () => document.removeEventListener('trouble', onTrouble)
  }, [])
  return (
    <>
      <nav class="site" aria-label="Site">
        {isShared ? <SharedScenario onTrouble={setTrouble} /> : <OwnDevice onTrouble={setTrouble} />}
        <a href="./docs/index.html">Documentation</a>
        <a href="./docs/try-it.html">Try it</a>
        <a href="./printer.html">Connect a printer</a>
      </nav>
      {trouble === undefined ? null : (
        <p class="site-trouble" role="alert">
          {trouble}
          <button type="button" onClick={() => setTrouble(undefined)}>
            Close
          </button>
        </p>
      )}
    </>
  )
}

interface Part {
  readonly onTrouble: (words: string) => void
}

function OwnDevice({ onTrouble }: Part) {
  const [site, setSite] = useState<SiteView>()
  const [message, setMessage] = useState('')
  const take = (view: SiteView) => {
    setSite(view)
    if (view.trouble !== null) onTrouble(view.trouble)
  }
  const [link, setLink] = useState<string>()
  useEffect(() => {
    const read = () => ask<SiteView>('/site')
    read().then(take, (problem) => onTrouble(wordsOf(problem)))
    const onChosen = () =>
      void read().then(
        // The page is reloaded to show the chosen device. A reload would lose a device that is not stored.
        (view) => (view.trouble === null ? location.reload() : take(view)),
        (problem) => onTrouble(wordsOf(problem)),
      )
    document.addEventListener('chosen', onChosen)
    return () => document.removeEventListener('chosen', onChosen)
  }, [])
  const choose = (index: number) => {
    const kind = site?.kinds[index]
    if (!kind) return
    ask<SiteView>('/site/kind', kind).then(take, (problem) => onTrouble(wordsOf(problem)))
  }
  const share = async () => {
    try {
      const response = await fetch('/emulator/session.yaml')
      if (!response.ok) {
        // No session is recorded after a reload, and a long session is dropped.
        await fetch('/emulator/session', { method: 'POST' })
        throw new Error('No session was recorded. Recording has started now: print something, then copy the link.')
      }
      const address = await linkOf(await response.text(), location.href)
      // The clipboard may be refused, and is missing over plain HTTP.
      const isCopied = await Promise.resolve(address)
        .then((text) => navigator.clipboard.writeText(text))
        .then(
          () => true,
          () => false,
        )
      setLink(isCopied ? undefined : address)
      setMessage(isCopied ? 'The link is copied.' : 'The browser did not copy the link: copy the address of')
    } catch (problem) {
      onTrouble(wordsOf(problem))
    }
  }
  return (
    <>
      <label>
        Device{' '}
        <select
          disabled={site === undefined}
          value={site?.kinds.findIndex((kind) => kind.family === site.family && kind.profile === site.profile)}
          onChange={(event) => choose(Number(event.currentTarget.value))}
        >
          {(site?.kinds ?? []).map(({ family, profile }, index) => (
            <option key={`${family} ${profile}`} value={index}>
              Family {family}, profile {profile}
            </option>
          ))}
        </select>
      </label>
      <button type="button" onClick={() => void share()}>
        Copy a link to this session
      </button>
      <span role="status">{message}</span>
      {link === undefined ? null : <a href={link}>the link to this session</a>}
    </>
  )
}

const STATUS = { passed: 'passed', failed: 'failed', notRun: 'was not run' } as const

function SharedScenario({ onTrouble }: Part) {
  const [played, setPlayed] = useState<PlayedView>()
  useEffect(() => {
    scenarioOf(location.hash)
      .then((text) => ask<PlayedView>('/site/play', text))
      .then(setPlayed)
      .catch((problem) => onTrouble(wordsOf(problem)))
  }, [])
  return (
    <>
      <p class="site-shared" role="status">
        {played === undefined
          ? 'A shared scenario, on a separate device.'
          : `Shared scenario "${played.name}" ${STATUS[played.status]}, on a separate device.`}
        {(played?.reasons ?? []).map((reason) => (
          <span key={reason}>{reason}</span>
        ))}
      </p>
      <a href="./">Open your own device</a>
    </>
  )
}
