/** A scenario as a story: its cause, its steps as a time line, and the paper beside it. */
import type { FrameView } from '../../../emulator/panel/contract.ts'
import { html as safe } from '../../markup.ts'
import { frameLine } from '../detail.ts'
import type { StoryStep } from '../story.ts'
import type { Account } from './account.ts'
import { type DiffLine, differenceOf } from './difference.ts'
import { failedBeforeLines, failureSections, lookLines, PAPER, WIRE } from './report.ts'

export const WORDS = {
  passed: 'passed',
  failed: 'failed',
  notRun: 'not run',
  flaky: 'unsteady',
  notReached: 'not reached',
  otherFamily: 'other family',
} as const

export function storyOf(account: Account, anchor: string): string {
  const { purpose, reason, looks, left, failure } = account
  const inner = [
    ...(purpose === undefined ? [] : [`<p class="purpose">${safe(purpose)}</p>`]),
    ...(reason === undefined ? [] : [`<p>Not run: ${safe(reason)}</p>`]),
    ...causeOf(account),
    ...failedBeforeLines(account).map((line) => `<p class="again">${safe(line)}</p>`),
    ...(looks.length === 0 ? [] : [preformatted(lookLines(account), 'look')]),
    ...(left === undefined ? [] : [`<p>Left behind: ${safe(left)}</p>`]),
    beside(
      [timeLine(account, anchor), ...(failure ? [rest(account)] : [])].join('\n').trim(),
      papersOf(account, anchor),
    ),
  ].filter((part) => part !== '')
  return inner.length === 0 ? '<p>Nothing was printed.</p>' : inner.join('\n')
}

const preformatted = (lines: readonly string[], kind = ''): string =>
  `<pre${kind === '' ? '' : ` class="${kind}"`} tabindex="0">${safe(lines.join('\n'))}</pre>`

const beside = (line: string, papers: string): string =>
  line === '' ? papers : papers === '' ? line : `<div class="story">\n<div>\n${line}\n</div>\n${papers}\n</div>`

// ---------------------------------------------------------------- the cause

function causeOf(account: Account): string[] {
  const { failure } = account
  if (!failure) return []
  const lines = (title: string) => failureSections(account).find((section) => section.title === title)?.lines ?? []
  const before = lines('before').map((line) => `<p class="before">${safe(line)}</p>`)
  const wrong = lines('wrong').map((line) => `<li>${expectedAndFound(line)}</li>`)
  const diff = lines(PAPER)
  return [
    `<p class="place"><code>${safe(failure.file)}:${failure.line}</code></p><ul class="cause">${wrong.join('')}</ul>`,
    ...before,
    ...(diff.length === 0 ? [] : [diffFigure(diff)]),
  ]
}

const EXPECTED = 'expected '
const FOUND = ', it is '

/** `expected 2.50, it is 2.40`, with both as what they are. */
function expectedAndFound(text: string): string {
  const from = text.indexOf(EXPECTED) + EXPECTED.length
  const to = text.lastIndexOf(FOUND)
  if (!text.includes(EXPECTED) || to < from) return safe(text)
  return `${safe(text.slice(0, from))}<ins>${safe(text.slice(from, to))}</ins>${FOUND}<del>${safe(text.slice(to + FOUND.length))}</del>`
}

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { gone: '-', new: '+', same: ' ' }

function diffFigure(lines: readonly string[]): string {
  const marked = differenceOf(lines).map(({ kind, parts }) => {
    const text = parts.map((part) => (part.isChanged ? `<b>${safe(part.text)}</b>` : safe(part.text))).join('')
    return `<span class="${kind}">${SIGNS[kind]} ${text}</span>`
  })
  return `<figure class="difference"><pre class="paper diff" tabindex="0">${marked.join('\n')}</pre><figcaption>- expected, + printed</figcaption></figure>`
}

// ---------------------------------------------------------------- the time line

/** Of what passed without more to tell than that it did, no line. */
function timeLine({ story, detail, status }: Account, anchor: string): string {
  if (story.length === 0 || (status !== 'failed' && !detail)) return ''
  const wire = detail?.wire ?? []
  const steps = story.map(
    (step) =>
      `<li class="${step.status} depth-${Math.min(step.depth, DEPTH_SHOWN)}">${stepOf(step, wire, anchor)}</li>`,
  )
  return `<ol class="steps" aria-label="Steps">\n${steps.join('\n')}\n</ol>`
}

const DEPTH_SHOWN = 4

function stepOf(step: StoryStep, wire: readonly FrameView[], anchor: string): string {
  const { line, title, note, status, atMs, asked, answered, heard, printed } = step
  const code = /^(?:\d{3}|no answer)\b/.exec(answered ?? '')?.[0]
  const head = [
    `<span class="mark">${WORDS[status]}</span>`,
    `<span class="at">${status === 'notReached' || status === 'otherFamily' ? '' : time(atMs)}</span>`,
    `<code>${safe(title)}</code>`,
    ...(code === undefined ? [] : [`<span class="code">${safe(code)}</span>`]),
    `<span class="line">line ${line}</span>`,
    ...(note === undefined ? [] : [`<span class="note">${safe(note)}</span>`]),
  ].join(' ')
  const frames = heard ? wire.filter(({ id }) => id > heard[0] && id <= heard[1]) : []
  const body = [
    ...(asked === undefined ? [] : [`<p class="label">asked</p>${preformatted([asked])}`]),
    ...(answered === undefined ? [] : [`<p class="label">answered</p>${preformatted([answered])}`]),
    ...(printed ? documentLinks(printed, anchor) : []),
    ...(frames.length === 0 ? [] : [folded(`${frames.length} frames on the wire`, frames.map(frameLine))]),
  ]
  if (body.length === 0) return `<div class="step">${head}</div>`
  return `<details class="step"${status === 'failed' ? ' open' : ''}><summary>${head}</summary>${body.join('\n')}</details>`
}

const folded = (title: string, lines: readonly string[]): string =>
  `<details class="wire"><summary>${safe(title)}</summary>${preformatted(lines)}</details>`

/** `12.5 s`, `1 h 5 min`: on the scenario's clock. */
function time(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes === 0) return `${(ms / 1000).toFixed(1)} s`
  const hours = Math.floor(minutes / 60)
  return hours === 0 ? `${minutes} min ${Math.floor(ms / 1000) % 60} s` : `${hours} h ${minutes % 60} min`
}

function documentLinks([before, after]: readonly [number, number], anchor: string): string[] {
  if (after <= before) return []
  const ids = Array.from({ length: Math.min(after - before, LINKS_MAX) }, (_, index) => before + index + 1)
  return [
    `<p class="label">printed ${ids.map((id) => `<a href="#${anchor}-d${id}">document ${id}</a>`).join(', ')}</p>`,
  ]
}

const LINKS_MAX = 12

// ---------------------------------------------------------------- the paper

/** Pictures where there are any; else, of what passed, the text. */
function papersOf({ paper, detail }: Account, anchor: string): string {
  const figures = paper.map(({ id, kind, number, text }) => {
    const svg = detail?.pictures[id]
    const words = text.join('\n')
    const caption = `<figcaption>${safe(kind)} ${number}</figcaption>`
    const place = `id="${anchor}-d${id}"`
    if (svg === undefined)
      return `<figure ${place}><pre class="paper" tabindex="0">${safe(words)}</pre>${caption}</figure>`
    const asText = `<details class="text"><summary>as text</summary><pre tabindex="0">${safe(words)}</pre></details>`
    return `<figure ${place}>${picture(svg, `${kind} ${number} on paper`)}${caption}${asText}</figure>`
  })
  const open =
    detail?.open === undefined
      ? []
      : [
          `<figure>${picture(detail.open, 'the open receipt on paper')}<figcaption>the receipt that is still open</figcaption></figure>`,
        ]
  const all = [...figures, ...open]
  return all.length === 0 ? '' : `<div class="papers">${all.join('')}</div>`
}

/** As an image: whatever a device has drawn into it stays a picture. */
const picture = (svg: string, title: string): string =>
  `<img src="data:image/svg+xml,${encodeURIComponent(svg)}" alt="${safe(title)}" loading="lazy">`

// ---------------------------------------------------------------- the rest

/** In the cause, or at its step in the time line. */
const SHOWN_ABOVE: readonly string[] = ['wrong', 'before', PAPER, 'steps', 'asked', 'answered']

function rest(account: Account): string {
  // Step by step the wire stands in the time line, where it is known what belongs to which.
  const hasOwnWire = account.story.some(({ heard }) => heard)
  const parts = failureSections(account)
    .filter(({ title }) => !SHOWN_ABOVE.includes(title) && !(title === WIRE && hasOwnWire))
    .map(({ title, lines }) => {
      const shown = title === WIRE ? folded(`${lines.length} frames`, lines) : preformatted(lines)
      return `<dt>${title}</dt><dd class="part-${title.replaceAll(' ', '-')}">${shown}</dd>`
    })
  return `<dl>${parts.join('')}</dl>`
}
