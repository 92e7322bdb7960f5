/** One HTML file without outside references: the field of commands by faults, and behind each cell its story. */
import { html, htmlPage, timeOf } from '../../markup.ts'
import { type CaseResult, countsOf, type ExamEnd } from '../exam.ts'
import { faultNamed } from '../faults.ts'
import { VERDICTS, type Verdict } from '../judge.ts'
import type { StoryEntry } from '../story.ts'
import { adviceForAll, badOnes, countsLine, type ExamFacts, sentences } from './report.ts'

/** A verdict is never told by its colour alone. */
const LETTERS: Readonly<Record<Verdict, string>> = {
  doubled: 'D',
  lost: 'L',
  wrong: 'W',
  stuck: 'S',
  hung: 'H',
  untold: 'U',
  passed: 'P',
  'not reached': 'N',
}

const classOf = (verdict: Verdict): string => verdict.replace(' ', '-')

export function examHtml(end: ExamEnd, facts: ExamFacts, at: Date): string {
  const { family, profile, device, cases } = end
  const [first = '', ...others] = sentences(end)
  const ordered = [...badOnes(cases), ...cases.filter((one) => !badOnes(cases).includes(one))]
  const header = `<h1>${html(first)}</h1>
${others.map((one) => `<p class="sentence">${html(one)}</p>`).join('\n')}
<p class="facts">${html(countsLine(end))} &middot; till <b>${html(facts.till)}</b> &middot; family ${html(family)}, profile ${html(profile)}, ${html(device)} &middot; depth ${html(facts.depth)}, seed ${facts.seed} &middot; ${timeOf(at)}</p>
<p class="facts"><code>${html(facts.command)}</code></p>
${adviceForAll(end, facts)
  .map((one) => `<p class="facts">${html(one)}</p>`)
  .join('\n')}`
  const main = `<section>
<h2>Faults at the commands of this till</h2>
${legend(cases)}
${field(end)}
</section>
<section>
<h2>Faults that strike once</h2>
${onces(cases)}
</section>
<section>
<h2>The stories</h2>
<p class="tools"><label><input type="checkbox" id="all"> show those that passed, too</label></p>
${ordered.map(story).join('\n')}
</section>`
  const data = `<script type="application/json" id="stories">${storyData(ordered, facts)}</script>\n`
  return htmlPage({ title: first, folder: import.meta.dirname, header, main, data })
}

function legend(cases: readonly CaseResult[]): string {
  const counts = countsOf(cases)
  const entries = VERDICTS.map(
    (verdict) =>
      `<li><span class="cell ${classOf(verdict)}">${LETTERS[verdict]}</span> ${verdict} <b>${counts[verdict]}</b></li>`,
  )
  return `<ul class="legend">${entries.join('')}</ul>`
}

const anchor = ({ id }: CaseResult): string => `case-${id.replace('@', '-at-').replace('#', '-')}`

const cell = (one: CaseResult): string =>
  `<a class="cell ${classOf(one.verdict)}" href="#${html(anchor(one))}" aria-label="${html(`${one.verdict}: ${one.id}`)}">${LETTERS[one.verdict]}</a>`

/** Commands are the columns, in their order; faults the rows. */
function field({ map, cases }: ExamEnd): string {
  const struck = cases.filter(({ target }) => target)
  const columns = map.filter(({ command, n }) =>
    struck.some(({ target }) => target?.command === command && target.n === n),
  )
  const faults = [...new Set(struck.map(({ fault }) => fault))]
  if (columns.length === 0) return '<p>None of these cases was run.</p>'
  const head = columns.map(({ command, n }) => `<th scope="col"><span>${html(command)} #${n}</span></th>`).join('')
  const rows = faults.map((fault) => {
    const cells = columns.map(({ command, n }) => {
      const one = struck.find((each) => each.fault === fault && each.command === command && each.target?.n === n)
      return `<td>${one ? cell(one) : ''}</td>`
    })
    return `<tr><th scope="row">${faultTitle(fault)}</th>${cells.join('')}</tr>`
  })
  return `<div class="field" tabindex="0" role="region" aria-label="Commands by faults">
<table><thead><tr><th scope="col">fault</th>${head}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table></div>`
}

const faultTitle = (fault: string): string =>
  `${html(fault)} <small>${html(faultNamed(fault)?.words ?? 'nothing goes wrong')}</small>`

function onces(cases: readonly CaseResult[]): string {
  const entries = cases
    .filter(({ target }) => !target)
    .map((one) => `<li>${cell(one)} <span>${faultTitle(one.fault)}</span></li>`)
  return `<ul class="onces">\n${entries.join('\n')}\n</ul>`
}

// ---------------------------------------------------------------- the stories

/** Its body is drawn when it is opened. */
function story(result: CaseResult): string {
  const { verdict, id, why } = result
  return `<details class="story ${classOf(verdict)}" id="${html(anchor(result))}">
<summary><span class="cell ${classOf(verdict)}">${LETTERS[verdict]}</span> <span class="name">${html(id)}</span> <span class="why">${html(`${verdict}: ${why}`)}</span></summary>
</details>`
}

const KINDS: Readonly<Record<StoryEntry['kind'], string>> = {
  asked: 'asked',
  said: 'said',
  output: 'its output',
  hand: 'hand',
  fault: 'fault',
  toDevice: 'to the device',
  toHost: 'to the till',
  paper: 'paper',
}
const KIND_NAMES = Object.keys(KINDS)

/**
 * The stories as data, each text once: most frames of one case are those of every other. An entry is
 * `[ms, kind, text]` or `[ms, kind, text, bytes]`, the last two as places in `texts`.
 */
function storyData(cases: readonly CaseResult[], facts: ExamFacts): string {
  const texts = new Map<string, number>()
  const placeOf = (text: string): number => {
    const known = texts.get(text)
    if (known !== undefined) return known
    texts.set(text, texts.size)
    return texts.size - 1
  }
  const stories = Object.fromEntries(
    cases.map((one) => [
      anchor(one),
      {
        line: one.story.map(({ ms, kind, text, hex }) => [
          ...[ms, KIND_NAMES.indexOf(kind), placeOf(text)],
          ...(hex === undefined ? [] : [placeOf(hex)]),
        ]),
        paper: one.paper.map((lines) => placeOf(lines.join('\n'))),
        advice: (facts.advice(one) ?? []).map(placeOf),
        again: placeOf(one.repeat),
      },
    ]),
  )
  const kinds = KIND_NAMES.map((name) => [name, KINDS[name as StoryEntry['kind']]])
  // Inside of a page nothing but this sign could end it.
  return JSON.stringify({ kinds, texts: [...texts.keys()], stories }).replaceAll('<', '\\u003c')
}
