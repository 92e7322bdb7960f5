/** The page "Connect a printer", for a real printer on a serial port of the browser. Sends no data anywhere else. */
import '../../../emulator/panel/tokens.css'
import './shell.css'
import './printer.css'
import { render } from 'preact'
import { useRef, useState } from 'preact/hooks'
import tokens from '../../../emulator/panel/tokens.css?raw'
import type { Passport } from '../../../emulator/passport/passport.ts'
import { passportFileName, passportText } from '../../../scenarios/passport/passport-format.ts'
import { passportHtml } from '../../../scenarios/passport/report/html.ts'
import pageScript from '../../../scenarios/passport/report/page.js?raw'
import reportStyle from '../../../scenarios/report/style.css?raw'
import { save } from './downloads.ts'
import { type Answer, findPrinter, type RealPrinter, type RecordedPassport } from './real-printer.ts'
import { put } from './replacements/fs.ts'
import { refusalOf, webSerial } from './web-serial.ts'

// The report reads its style sheets and script from files.
put('../../emulator/panel/tokens.css', tokens)
put('style.css', reportStyle)
put('page.js', pageScript)

const wordsOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem))

const NO_SERIAL =
  'This browser has no Web Serial: open this page in Chromium, Chrome, Edge or Opera on a computer, over https or on localhost.'

function Page() {
  const [printer, setPrinter] = useState<RealPrinter>()
  const [message, say] = useState('')
  const [busy, setBusy] = useState(false)
  const serial = webSerial()
  const act = (work: () => Promise<string>): void => {
    setBusy(true)
    work()
      .then(say, (problem) => say(wordsOf(problem)))
      .finally(() => setBusy(false))
  }
  const choose = () =>
    act(async () => {
      const port = await serial
        ?.requestPort()
        .catch((problem: unknown) => Promise.reject(new Error(refusalOf(problem))))
      if (!port) return NO_SERIAL
      await printer?.close()
      setPrinter(undefined)
      say('Looking for the printer ...')
      const found = await findPrinter(port)
      setPrinter(found)
      return describeFound(found)
    })
  return (
    <>
      <nav class="site" aria-label="Site">
        <a href="./">Emulated printer</a>
        <a href="./docs/index.html">Documentation</a>
      </nav>
      <main class="printer">
        <h1>Connect a printer</h1>
        <p>
          The browser asks for a serial port and talks to the printer on it. Nothing is printed before you agree, and
          nothing is sent anywhere.
        </p>
        <p role="status">{serial ? message : NO_SERIAL}</p>
        <button type="button" disabled={busy || !serial} onClick={choose}>
          Choose a port
        </button>
        {printer ? <Connected printer={printer} busy={busy} act={act} say={say} /> : null}
      </main>
    </>
  )
}

function describeFound({ family, baud, identity }: RealPrinter): string {
  const name = identity
    ? `: ${identity.model}, firmware ${identity.firmware}, serial number ${identity.serialNumber}`
    : ''
  return `A device of family ${family} answers at ${baud} baud${name}.`
}

interface ConnectedParts {
  readonly printer: RealPrinter
  readonly busy: boolean
  act(work: () => Promise<string>): void
  say(words: string): void
}

function Connected({ printer, busy, act, say }: ConnectedParts) {
  const [agreed, setAgreed] = useState(false)
  const [taken, setTaken] = useState<RecordedPassport>()
  const stop = useRef<AbortController>(undefined)
  const take = () =>
    act(async () => {
      stop.current = new AbortController()
      const progress = (done: number, total: number) => say(`${done} of ${total} commands`)
      const result = await printer.passport(progress, stop.current.signal)
      setTaken(result)
      return result.ended === undefined
        ? 'The passport is complete.'
        : `The passport is not complete (${result.ended}).`
    })
  return (
    <>
      <div class="acts">
        <button type="button" disabled={busy} onClick={() => act(async () => describeStatus(await printer.status()))}>
          Read the status
        </button>
        <label>
          <input type="checkbox" checked={agreed} onChange={(event) => setAgreed(event.currentTarget.checked)} /> The
          printer may print a test slip
        </label>
        <button
          type="button"
          disabled={busy || !agreed}
          onClick={() => act(async () => describeSlip(await printer.printSlip()))}
        >
          Print a test slip
        </button>
        <button type="button" disabled={busy} onClick={take}>
          Take a passport
        </button>
        <button type="button" disabled={!busy} onClick={() => stop.current?.abort()}>
          Stop
        </button>
      </div>
      {taken ? <PassportPage passport={taken.passport} /> : null}
    </>
  )
}

function describeStatus({ StatusCode, Message, Data }: Answer): string {
  if (StatusCode !== 200) return `${StatusCode}: ${Message}`
  const { IsOpen, Kind } = Data as { readonly IsOpen?: boolean; readonly Kind?: string }
  return IsOpen === true ? `A receipt is open: ${Kind}.` : 'No receipt is open.'
}

const describeSlip = ({ StatusCode, Message }: Answer): string =>
  StatusCode === 200 ? 'The test slip is printed.' : `${StatusCode}: ${Message}`

function PassportPage({ passport }: { readonly passport: Passport }) {
  const html = passportHtml(passport, new Date())
  const name = passportFileName(passport)
  const saveAs = (text: string, type: string, file: string) => save(new Blob([text], { type }), file)
  return (
    <section class="passport" aria-label="Passport">
      <div class="acts">
        <button type="button" onClick={() => saveAs(passportText(passport), 'application/yaml', name)}>
          Save the passport
        </button>
        <button type="button" onClick={() => saveAs(html, 'text/html', name.replace(/yaml$/, 'html'))}>
          Save this page
        </button>
      </div>
      <div ref={(place) => showAlone(place, html)} />
    </section>
  )
}

/**
 * Shows a report in a shadow root. The policy of this page forbids the style element of the report, but allows style
 * sheets that code adds.
 */
function showAlone(place: HTMLElement | null, html: string): void {
  if (!place) return
  // The style element is removed before parsing, because the policy would block it.
  const [element = '', style = ''] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? []
  const page = new DOMParser().parseFromString(html.replace(element, ''), 'text/html')
  // A page may have only one `main` element.
  for (const main of page.querySelectorAll('main')) {
    const part = page.createElement('div')
    part.className = 'main'
    part.replaceChildren(...main.childNodes)
    main.replaceWith(part)
  }
  const sheet = new CSSStyleSheet()
  const partStyle = style
    .replaceAll(/\b(?:body|:root)\b(?=[^{}]*\{)/g, ':host')
    .replaceAll(/\bmain\b(?=[^{}]*\{)/g, '.main')
  sheet.replaceSync(partStyle)
  const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [sheet]
  for (const script of page.querySelectorAll('script')) script.remove()
  root.replaceChildren(...page.body.childNodes)
}

const place = document.getElementById('page')
if (place) render(<Page />, place)
