import { html, joinMarkup, type Markup } from '../../../drivers/host/markup.ts'
import { countText } from '../../../drivers/model/count-text.ts'
import type { Depth } from '../../../drivers/wire/questionnaire.ts'
import type { Difference, Passport } from '../../../emulator/passport/passport.ts'
import { htmlPage, timeOf } from '../../report/page.ts'
import { agreement, describeMeaning, describeRequest, type Group, groupsOf, nameOf, sectionOf } from './report.ts'

type Provenance = (family: string, command: string) => string | undefined

export function passportHtml(passport: Passport, at: Date, provenance: Provenance = () => undefined): string {
  const groups = groupsOf(passport)
  const title = `Passport of ${nameOf(passport)}`
  const { depth, complete, device } = passport
  const numbers = [
    ...(device.firmware === undefined ? [] : [`firmware ${device.firmware}`]),
    ...(device.serialNumber === undefined ? [] : [`serial number ${device.serialNumber}`]),
  ]
  const header = html`<h1>${title}</h1>
<p class="sentence">${agreement(passport)}</p>
${complete ? '' : html`<p class="sentence warning">This passport is incomplete: the recording ended early.</p>`}
<p class="facts">${[...numbers, DEPTH_TEXTS[depth]].join(', ')} &middot; ${timeOf(at)}</p>`
  const main = html`<section>
<h2>How much agrees</h2>
${bar(passport)}
<p>The emulated printer is a program that replaces a real printer, so that other programs can be developed and tested
without one. With the passport, it behaves like your printer:
<code>fiscal-rig emulate --passport FILE</code>.</p>
</section>
<section>
<h2>What your printer does differently</h2>
${groups.length === 0 ? html`<p>Nothing: it answers as the emulated printer does.</p>` : DIFFERENCES_NOTE}
${joinMarkup(groups.map((one) => groupHtml(passport, one, provenance)))}
</section>
${groups.length === 0 ? '' : sendIt(passport, provenance)}
<section>
<h2>Firmware behaviour</h2>
<p>Known differences between such printers, named after the switches of the emulated printer.</p>
${switchTable(passport)}
</section>
<section>
<h2>Settings</h2>
${factTable(passport)}
</section>
<section>
<h2>Speed</h2>
${times(passport)}
</section>`
  return htmlPage({ title, folder: import.meta.dirname, header, main }).text
}

const DEPTH_TEXTS: Readonly<Record<Depth, string>> = {
  read: 'sent queries only: nothing was printed or counted',
  print: 'sent queries, and commands that print without being fiscal',
  fiscal: 'sent queries, and commands that print, also fiscal receipts of the smallest amount',
}

const DIFFERENCES_NOTE = html`<p>These differences are not faults of your printer. Open a line to see the query and the answer, byte by
byte. Next to each query is the source of the fact in our protocol specification: published in a text, captured on a device,
taken from another program (cross), or derived (never observed).</p>`

function bar({ same, differences }: Passport): Markup {
  const explained = differences.filter(({ explainedBy }) => explainedBy !== null).length
  const counts = [
    ['same', same, 'with the same answer'],
    ['explained', explained, 'with a different answer that is known from other printers'],
    ['different', differences.length - explained, 'with a different answer that was not known yet'],
  ] as const
  const rows = counts.map(
    ([kind, count, words]) =>
      html`<li><span class="mark ${kind}" aria-hidden="true"></span><b>${count}</b> ${words}</li>`,
  )
  return html`<meter min="0" max="${same + differences.length}" value="${same}" aria-label="queries with the same answer">${same}</meter>
<ul class="counts">${rows}</ul>`
}

function groupHtml(passport: Passport, { title, differences }: Group, provenance: Provenance): Markup {
  const [first] = differences
  const explained = first?.explainedBy
  const kind = explained
    ? html`<span class="tag explained">known: ${explained}</span>`
    : html`<span class="tag different">new</span>`
  const rows = joinMarkup(differences.map((one) => differenceHtml(passport, one, provenance)))
  return html`<details class="entry ${explained ? 'explained' : 'different'}">
<summary>${kind} <span class="name">Your printer: ${describeMeaning(passport, title)}</span> <span class="times">${countText(differences.length, 'query', 'queries')}</span></summary>
${rows}
</details>`
}

const bytes = (text: string): Markup => (text === '' ? html`<i>nothing</i>` : html`<code>${text}</code>`)

function marked(text: string, other: string): Markup {
  const [own, otherWords] = [text.split(' '), other.split(' ')]
  if (text === '' || other === '') return bytes(text)
  const longer = own.length - otherWords.length
  const first = own.findIndex((byte, at) => byte !== otherWords[at])
  const last = own.findLastIndex((byte, at) => byte !== otherWords[at - longer])
  const isOther = (byte: string, at: number) => (longer === 0 ? byte !== otherWords[at] : at >= first && at <= last)
  const runs: { isOther: boolean; bytes: string[] }[] = []
  for (const [at, byte] of own.entries()) {
    const last = runs.at(-1)
    if (last && last.isOther === isOther(byte, at)) last.bytes.push(byte)
    else runs.push({ isOther: isOther(byte, at), bytes: [byte] })
  }
  const words = runs.map((run) => (run.isOther ? html`<mark>${run.bytes.join(' ')}</mark>` : run.bytes.join(' ')))
  return html`<code>${joinMarkup(words, ' ')}</code>`
}

function differenceHtml(passport: Passport, one: Difference, provenance: Provenance): Markup {
  const section = sectionOf(passport, one)
  const source = provenance(passport.device.family, one.probe.split('.')[0] ?? '')
  const sheet = `sheet ${passport.device.family} ${section}${source === undefined ? '' : `, ${source} until now`}`
  return html`<div class="item">
<h3>${describeRequest(one)} <small>${`${one.probe}; ${sheet}`}</small></h3>
<dl>
<dt>asked</dt><dd>${bytes(one.request)}</dd>
<dt>your printer</dt><dd>${marked(one.device, one.emulator)}</dd>
<dt>emulated</dt><dd>${marked(one.emulator, one.device)}</dd>
</dl>
</div>`
}

function sendIt(passport: Passport, provenance: Provenance): Markup {
  const lines = passport.differences.map((one) => {
    const source = provenance(passport.device.family, one.probe.split('.')[0] ?? '')
    const sheet = `sheet ${passport.device.family} ${sectionOf(passport, one)}${source === undefined ? '' : ` (${source})`}`
    return [
      `${one.probe}: ${sheet}`,
      `  asked     ${one.request}`,
      `  device    ${one.device}`,
      `  emulated  ${one.emulator}`,
      `  ${one.meaning}`,
    ].join('\n')
  })
  const text = [nameOf(passport), `fiscal-rig ${passport.rig}, depth ${passport.depth}`, '', ...lines].join('\n')
  return html`<section>
<h2>Send it to us</h2>
<p>Most of our knowledge of these printers comes from documents. The behaviour of your printer corrects it.
Copy this report, check it, and send it. It contains no password.</p>
<p><button type="button" id="copy">Copy the report</button> <span id="copied" role="status"></span></p>
<pre id="report" tabindex="0">${text}</pre>
</section>`
}

const table = (rows: readonly (readonly [string, string])[]): Markup =>
  rows.length === 0
    ? html`<p>Unknown.</p>`
    : html`<table class="plain"><tbody>${rows.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody></table>`

const switchTable = ({ switches, notSeen }: Passport): Markup =>
  table([
    ...Object.entries(switches),
    ...(notSeen.length > 0 ? [['not measurable at this depth', notSeen.join(', ')] as const] : []),
  ])

function factTable({ facts }: Passport): Markup {
  const { taxRates, payments, operators, header, textWidth, articles } = facts
  const rates = Object.entries(taxRates ?? {}).map(
    ([letter, rate]) => `${letter} ${rate === null ? 'off' : `${rate} %`}`,
  )
  return table([
    ...(rates.length > 0 ? [['tax groups', rates.join(', ')] as const] : []),
    ...(payments ? [['payments', Object.values(payments).join(', ')] as const] : []),
    ...(operators === undefined ? [] : [['operators', String(operators)] as const]),
    ...(header ? [['header', header.join(' / ')] as const] : []),
    ...(textWidth?.nonFiscalText === undefined
      ? []
      : [['widest text', `${textWidth.nonFiscalText} characters`] as const]),
    ...(articles?.first === undefined ? [] : [['articles', `${articles.first} to ${articles.last ?? '?'}`] as const]),
  ])
}

function times({ line }: Passport): Markup {
  const { baud, firstByteMs, perPrintedLineMs, slow = {} } = line
  return table([
    ...(baud === undefined ? [] : [['speed of the line', `${baud} baud`] as const]),
    ...(firstByteMs
      ? [['an answer begins after', `${firstByteMs.median} ms, nearly always within ${firstByteMs.p95} ms`] as const]
      : []),
    ...(perPrintedLineMs === undefined ? [] : [['a printed line', `${perPrintedLineMs} ms`] as const]),
    ...Object.entries(slow).map(([command, ms]) => [command, `${(ms / 1000).toFixed(1)} s`] as const),
  ])
}
