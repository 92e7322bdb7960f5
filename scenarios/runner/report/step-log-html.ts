import { attributes, html, joinMarkup, type Markup } from '../../../drivers/host/markup.ts'
import { faultLine } from '../../../emulator/faults/effects.ts'
import { faultsOfStep, isFaultLine } from '../injected-faults.ts'
import { type Detail, wireLines } from '../scenario-details.ts'
import type { StepLogEntry } from '../step-results.ts'
import { type DiffLine, differenceOf } from './difference.ts'
import {
  failedBeforeLines,
  failureSections,
  manualCheckLines,
  PAPER,
  splitExpectation,
  WIRE,
  wireCount,
} from './report.ts'
import type { ReportData } from './report-data.ts'
import { scrubber } from './trace-timeline.ts'

export const WORDS = {
  passed: 'passed',
  failed: 'failed',
  notRun: 'not run',
  flaky: 'flaky',
  notReached: 'not reached',
  otherFamily: 'other family',
} as const

export function stepLogOf(account: ReportData, anchor: string): Markup {
  const { purpose, reason, manualChecks, left, failure } = account
  const inner = [
    ...(purpose === undefined ? [] : [html`<p class="purpose">${purpose}</p>`]),
    ...(reason === undefined ? [] : [html`<p>Not run: ${reason}</p>`]),
    ...causeOf(account),
    ...failedBeforeLines(account).map((line) => html`<p class="again">${line}</p>`),
    ...(manualChecks.length === 0 ? [] : [preformatted(manualCheckLines(account), 'look')]),
    ...(left === undefined ? [] : [html`<p>Not cleaned up: ${left}</p>`]),
    sideBySide(
      joinMarkup(
        [scrubber(account), stepList(account, anchor), ...(failure ? [otherSections(account)] : [])].filter(
          (part) => !part.isEmpty,
        ),
      ),
      papersOf(account, anchor),
    ),
  ].filter((part) => !part.isEmpty)
  return inner.length === 0 ? html`<p>Nothing was printed.</p>` : joinMarkup(inner)
}

const preformatted = (lines: readonly string[], kind?: string): Markup =>
  html`<pre${attributes({ class: kind })} tabindex="0">${lines.join('\n')}</pre>`

const sideBySide = (line: Markup, papers: Markup): Markup =>
  line.isEmpty ? papers : papers.isEmpty ? line : html`<div class="story">\n<div>\n${line}\n</div>\n${papers}\n</div>`

function causeOf(account: ReportData): Markup[] {
  const { failure } = account
  if (!failure) return []
  const lines = (title: string) => failureSections(account).find((section) => section.title === title)?.lines ?? []
  const before = lines('before').map((line) => html`<p class="before">${line}</p>`)
  const wrong = lines('wrong').map((line) => html`<li>${expectedAndFound(line)}</li>`)
  const diff = lines(PAPER)
  return [
    html`<p class="place"><code>${failure.file}:${failure.line}</code></p><ul class="cause">${wrong}</ul>`,
    ...before,
    ...(diff.length === 0 ? [] : [diffFigure(diff)]),
  ]
}

function expectedAndFound(text: string): Markup {
  const parts = splitExpectation(text)
  if (!parts) return html`${text}`
  return html`${parts.before}<ins>${parts.expected}</ins>${parts.between}<del>${parts.found}</del>`
}

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { gone: '-', new: '+', same: ' ' }

function diffFigure(lines: readonly string[]): Markup {
  const marked = differenceOf(lines).map(({ kind, parts }) => {
    const text = parts.map((part) => (part.isChanged ? html`<b>${part.text}</b>` : part.text))
    return html`<span class="${kind}">${SIGNS[kind]} ${text}</span>`
  })
  return html`<figure class="difference"><pre class="paper diff" tabindex="0">${joinMarkup(marked)}</pre><figcaption>- expected, + printed</figcaption></figure>`
}

function stepList({ story, detail, status }: ReportData, anchor: string): Markup {
  if (story.length === 0 || (status !== 'failed' && !detail)) return html``
  const steps = story.map(
    (step, index) =>
      html`<li data-step="${index}" class="${step.status} depth-${Math.min(step.depth, DEPTH_SHOWN)}">${stepOf(step, detail, anchor)}</li>`,
  )
  return html`<ol class="steps" aria-label="Steps">\n${joinMarkup(steps)}\n</ol>`
}

const DEPTH_SHOWN = 4

function stepOf(step: StepLogEntry, detail: Detail | undefined, anchor: string): Markup {
  const { line, title, note, status, atMs, tookMs, asked, answered, heard, printed } = step
  const faults = faultsOfStep(step, detail)
  const code = /^(?:\d{3}|no answer)\b/.exec(answered ?? '')?.[0]
  const parts = [
    html`<span class="mark">${WORDS[status]}</span>`,
    html`<span class="at">${status === 'notReached' || status === 'otherFamily' ? '' : time(atMs)}</span>`,
    html`<code>${title}</code>`,
    ...(code === undefined ? [] : [html`<span class="code">${code}</span>`]),
    ...faults.map((fault) => html`<b class="injected">${faultLine(fault)}</b>`),
    ...(tookMs >= 1 ? [html`<span class="took">${milliseconds(tookMs)}</span>`] : []),
    html`<span class="line">line ${line}</span>`,
    ...(note === undefined ? [] : [html`<span class="note">${note}</span>`]),
  ]
  const head = joinMarkup(parts, ' ')
  const frames = heard ? (detail?.wire ?? []).filter(({ id }) => id > heard[0] && id <= heard[1]) : []
  const lines = wireLines(frames, faults)
  const body = [
    ...(asked === undefined || titleContains(title, asked)
      ? []
      : [html`<p class="label">asked</p>${preformatted([asked])}`]),
    ...(answered === undefined ? [] : [html`<p class="label">answered</p>${preformatted([answered])}`]),
    ...(printed ? documentLinks(printed, anchor) : []),
    ...(lines.length === 0 ? [] : [folded(`${wireCount(lines)} on the wire`, lines)]),
  ]
  if (body.length === 0) return html`<div class="step">${head}</div>`
  return html`<details class="step"${attributes({ open: status === 'failed' })}><summary>${head}</summary>${joinMarkup(body)}</details>`
}

const folded = (title: string, lines: readonly string[]): Markup =>
  html`<details class="wire"><summary>${title}</summary><pre tabindex="0">${joinMarkup(
    lines.map((line) => (isFaultLine(line) ? html`<b class="injected">${line}</b>` : html`${line}`)),
    '\n',
  )}</pre></details>`

function titleContains(title: string, asked: string): boolean {
  const plain = (text: string) => text.replace(/^(\w+) (?:\/api)?/, (_, method: string) => `${method.toLowerCase()} `)
  return plain(asked) === plain(title) || /^\w+ \/emulator\//.test(asked)
}

const milliseconds = (ms: number): string => `${Math.round(ms).toLocaleString('en')} ms`

function time(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes === 0) return milliseconds(ms)
  const hours = Math.floor(minutes / 60)
  return hours === 0 ? `${minutes} min ${Math.floor(ms / 1000) % 60} s` : `${hours} h ${minutes % 60} min`
}

function documentLinks([before, after]: readonly [number, number], anchor: string): Markup[] {
  if (after <= before) return []
  const ids = Array.from({ length: Math.min(after - before, LINKS_MAX) }, (_, index) => before + index + 1)
  return [
    html`<p class="label">printed ${joinMarkup(
      ids.map((id) => html`<a href="#${anchor}-d${id}">document ${id}</a>`),
      ', ',
    )}</p>`,
  ]
}

const LINKS_MAX = 12

function papersOf({ paper, detail }: ReportData, anchor: string): Markup {
  const figures = paper.map(({ id, kind, number, text }) => {
    const svg = detail?.pictures[id]
    const words = text.join('\n')
    const caption = html`<figcaption>${kind} ${number}</figcaption>`
    const place = attributes({ id: `${anchor}-d${id}`, 'data-document': id })
    if (svg === undefined)
      return html`<figure${place}><pre class="paper" tabindex="0">${words}</pre>${caption}</figure>`
    const asText = html`<details class="text"><summary>as text</summary><pre tabindex="0">${words}</pre></details>`
    return html`<figure${place}>${picture(svg, `${kind} ${number} on paper`)}${caption}${asText}</figure>`
  })
  const open =
    detail?.open === undefined
      ? []
      : [
          html`<figure>${picture(detail.open, 'the open receipt on paper')}<figcaption>the receipt that is still open</figcaption></figure>`,
        ]
  const all = [...figures, ...open]
  return all.length === 0 ? html`` : html`<div class="papers">${all}</div>`
}

/** An image cannot execute anything that a device has drawn. */
const picture = (svg: string, title: string): Markup =>
  html`<img src="data:image/svg+xml,${encodeURIComponent(svg.toWellFormed())}" alt="${title}" loading="lazy">`

const SHOWN_ABOVE: readonly string[] = ['wrong', 'before', PAPER, 'steps', 'asked', 'answered']

function otherSections(account: ReportData): Markup {
  // The timeline shows the frames if the steps know them.
  const hasOwnWire = account.story.some(({ heard: range }) => range)
  const parts = failureSections(account)
    .filter(({ title }) => !SHOWN_ABOVE.includes(title) && !(title === WIRE && hasOwnWire))
    .map(({ title, lines }) => {
      const content = title === WIRE ? folded(wireCount(lines), lines) : preformatted(lines)
      return html`<dt>${title}</dt><dd class="part-${title.replaceAll(' ', '-')}">${content}</dd>`
    })
  return html`<dl>${parts}</dl>`
}
