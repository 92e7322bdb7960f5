/** One HTML file without outside references: what was played, what failed and why, receipts shown as paper. */
import type { Result } from '../play.ts'
import type { Summary } from '../run.ts'
import { countsLine, failureSections, type Reporter, type RunFacts, type Write } from './report.ts'

export function htmlReporter(write: Write, facts: RunFacts, at: Date): Reporter {
  return {
    ended: () => undefined,
    finished: (summary) => write(page(summary, facts, at)),
  }
}

const safe = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const WORDS = { passed: 'passed', failed: 'failed', notRun: 'not run' } as const

function page(summary: Summary, facts: RunFacts, at: Date): string {
  const files = [...new Set(summary.results.map(({ play }) => play.loaded.file))]
  const order = { failed: 0, notRun: 1, passed: 2 } as const
  const worst = (file: string) =>
    Math.min(...summary.results.filter(({ play }) => play.loaded.file === file).map(({ status }) => order[status]))
  files.sort((one, other) => (worst(one) === 0 ? 0 : 1) - (worst(other) === 0 ? 0 : 1) || one.localeCompare(other))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${summary.failed > 0 ? `${summary.failed} failed` : 'passed'}: scenarios on ${safe(facts.target)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${summary.failed > 0 ? `${summary.failed} of ${summary.results.length} scenarios failed` : `All ${summary.passed} scenarios passed`}</h1>
<p class="facts">${safe(countsLine(summary))} &middot; target <b>${safe(facts.target)}</b> &middot; seed ${facts.seed} &middot; <time datetime="${at.toISOString()}">${at.toISOString().slice(0, 16).replace('T', ' ')} UTC</time></p>
<p class="facts"><code>${safe(facts.command)}</code></p>
<div class="bar" role="img" aria-label="${safe(countsLine(summary))}">${bar(summary)}</div>
<form class="tools" role="search">
<label>Search <input id="search" type="search" placeholder="name, file, paper, message" autocomplete="off"></label>
<fieldset><legend>Show</legend>
${(['failed', 'notRun', 'passed'] as const).map((status) => `<label class="${status}"><input type="checkbox" name="status" value="${status}" checked> ${WORDS[status]} <span>${summary[status]}</span></label>`).join('\n')}
</fieldset>
<output id="count" aria-live="polite"></output>
</form>
</header>
<main>
${files
  .map((file) =>
    section(
      file,
      summary.results.filter(({ play }) => play.loaded.file === file),
    ),
  )
  .join('\n')}
<p id="none" hidden>Nothing matches.</p>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`
}

function bar({ passed, failed, notRun }: Summary): string {
  const parts = [['failed', failed], ['notRun', notRun], ['passed', passed]] as const // biome-ignore format: a list
  return parts
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `<i class="${status}" style="flex-grow:${count}"></i>`)
    .join('')
}

const section = (file: string, results: readonly Result[]): string => `<section>
<h2>${safe(file)} <span>${results.length}</span></h2>
${results.map(entry).join('\n')}
</section>`

function entry(result: Result): string {
  const { play, status, reason, durationMs, paper, left } = result
  const { purpose } = play.loaded.scenario
  const inner = [
    ...(purpose === undefined ? [] : [`<p class="purpose">${safe(purpose)}</p>`]),
    ...(reason === undefined ? [] : [`<p>Not run: ${safe(reason)}</p>`]),
    ...(left === undefined ? [] : [`<p>Left behind: ${safe(left)}</p>`]),
    ...failureBlock(result),
    ...(paper.length === 0
      ? []
      : [
          `<div class="papers">${paper.map(({ kind, number, text }) => `<figure><pre class="paper" tabindex="0">${safe(text.join('\n'))}</pre><figcaption>${safe(kind)} ${number}</figcaption></figure>`).join('')}</div>`,
        ]),
  ]
  return `<details class="${status}"${status === 'failed' ? ' open' : ''}>
<summary><span class="mark">${WORDS[status]}</span><span class="name">${safe(play.name)}</span><span class="time">${status === 'notRun' ? '' : `${Math.max(1, Math.round(durationMs))} ms`}</span></summary>
<div class="inner">${inner.length === 0 ? '<p>Nothing was printed.</p>' : inner.join('\n')}</div>
</details>`
}

function failureBlock(result: Result): string[] {
  const { failure } = result
  if (!failure) return []
  const parts = failureSections(result).map(({ title, lines }) => {
    const text = title === 'paper' ? diffBlock(lines) : `<pre tabindex="0">${safe(lines.join('\n'))}</pre>`
    return `<dt>${title}</dt><dd class="part-${title.replaceAll(' ', '-')}">${text}</dd>`
  })
  return [`<p class="place"><code>${safe(failure.file)}:${failure.line}</code></p><dl>${parts.join('')}</dl>`]
}

function diffBlock(lines: readonly string[]): string {
  const kindOf = (line: string) => (line.startsWith('-') ? 'gone' : line.startsWith('+') ? 'new' : 'same')
  const marked = lines.map((line) => `<span class="${kindOf(line)}">${safe(line)}</span>`).join('\n')
  return `<figure><pre class="paper diff" tabindex="0">${marked}</pre><figcaption>- expected, + printed</figcaption></figure>`
}

const STYLE = `
:root{--page:#f4f3ef;--card:#fff;--ink:#1d2125;--faint:#5b636b;--line:#d9d7d0;--good:#1a6b3c;--bad:#b3261e;--off:#6b6f76;--paper:#fffef8;--paper-ink:#222;--gone:#fbe3e1;--new:#ddf3e4}
@media (prefers-color-scheme:dark){:root{--page:#16191c;--card:#1f2428;--ink:#e8e6e1;--faint:#a4abb3;--line:#363d44;--good:#6fcf97;--bad:#ff8a80;--off:#9aa2ab;--paper:#f1eee2;--paper-ink:#1c1c1a;--gone:#f3c9c5;--new:#c2e6cd}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
header,main{max-width:72rem;margin:0 auto;padding:1.25rem 1rem}
header{padding-bottom:0}
h1{font-size:1.5rem;line-height:1.2;margin:0 0 .5rem}
h2{font-size:.95rem;margin:1.75rem 0 .5rem;color:var(--faint);font-weight:600;overflow-wrap:anywhere}
h2 span{font-weight:400}
.facts{margin:.15rem 0;color:var(--faint);font-size:.9rem;overflow-wrap:anywhere}
code{font:.85em ui-monospace,Menlo,Consolas,monospace}
.bar{display:flex;gap:2px;height:.5rem;margin:1rem 0}
.bar i{min-width:4px;border-radius:2px}
.bar .passed{background:var(--good)}.bar .failed{background:var(--bad)}.bar .notRun{background:var(--off)}
.tools{display:flex;flex-wrap:wrap;gap:.75rem 1.5rem;align-items:center}
.tools fieldset{border:0;padding:0;margin:0;display:flex;flex-wrap:wrap;gap:.75rem}
.tools legend{float:left;padding:0;line-height:2rem;color:var(--faint)}
.tools label{display:inline-flex;gap:.4rem;align-items:center;min-height:2rem}
input[type=search]{font:inherit;color:inherit;background:var(--card);border:1px solid var(--off);border-radius:6px;padding:.35rem .6rem;width:min(22rem,70vw)}
input[type=checkbox]{width:1.1rem;height:1.1rem;accent-color:var(--ink)}
output{color:var(--faint);font-size:.9rem}
:focus-visible{outline:2px solid currentColor;outline-offset:2px}
details{background:var(--card);border:1px solid var(--line);border-left:4px solid var(--good);border-radius:6px;margin:.35rem 0}
details.failed{border-left-color:var(--bad)}details.notRun{border-left-color:var(--off)}
summary{display:flex;gap:.75rem;align-items:baseline;padding:.45rem .75rem;cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
.mark{flex:none;min-width:4rem;font-size:.8rem;font-weight:600;color:var(--good)}
.failed .mark,label.failed{color:var(--bad)}.notRun .mark,label.notRun{color:var(--off)}label.passed{color:var(--good)}
.name{flex:1;overflow-wrap:anywhere}
.time{flex:none;color:var(--faint);font-size:.85rem;font-variant-numeric:tabular-nums}
.inner{padding:.25rem .75rem .75rem}
.purpose{margin:.25rem 0 .75rem;color:var(--faint);max-width:60ch}
pre{font:.82rem/1.4 ui-monospace,Menlo,Consolas,monospace;margin:0;overflow-x:auto}
.place{margin:.25rem 0;color:var(--faint)}
dl{display:grid;grid-template-columns:6rem minmax(0,1fr);gap:.35rem .75rem;margin:.5rem 0;padding:.75rem;border:1px solid var(--line);border-radius:6px}
dt{color:var(--faint);font-size:.85rem}
dd{margin:0}
dd pre:not(.paper){white-space:pre-wrap;overflow-wrap:anywhere}
dd.part-wrong pre{color:var(--bad);font-weight:600}
dd figure{margin:0;width:fit-content}
.papers{display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-start}
figure{margin:.75rem 0 0;max-width:100%}
.paper{background:var(--paper);color:var(--paper-ink);padding:1rem 1rem 1.25rem;border:1px solid #d8d4c6;box-shadow:0 1px 3px rgb(0 0 0/.18);clip-path:polygon(0 0,100% 0,100% calc(100% - 4px),97% 100%,94% calc(100% - 4px),91% 100%,88% calc(100% - 4px),85% 100%,82% calc(100% - 4px),79% 100%,76% calc(100% - 4px),73% 100%,70% calc(100% - 4px),67% 100%,64% calc(100% - 4px),61% 100%,58% calc(100% - 4px),55% 100%,52% calc(100% - 4px),49% 100%,46% calc(100% - 4px),43% 100%,40% calc(100% - 4px),37% 100%,34% calc(100% - 4px),31% 100%,28% calc(100% - 4px),25% 100%,22% calc(100% - 4px),19% 100%,16% calc(100% - 4px),13% 100%,10% calc(100% - 4px),7% 100%,4% calc(100% - 4px),0 100%)}
figcaption{color:var(--faint);font-size:.8rem;padding:.25rem 0}
.diff span{display:inline-block;min-width:100%}
.diff .gone{background:var(--gone)}.diff .new{background:var(--new)}
@media (max-width:40rem){dl{grid-template-columns:minmax(0,1fr)}dd{margin-bottom:.5rem}summary{flex-wrap:wrap;gap:.1rem .75rem}.name{flex-basis:100%;order:3}pre{font-size:.72rem}.paper{padding:.75rem .5rem 1rem}}
`

const SCRIPT = `
const search=document.getElementById('search'),count=document.getElementById('count'),none=document.getElementById('none');
const entries=[...document.querySelectorAll('details')].map(node=>({node,text:(node.closest('section').querySelector('h2').textContent+' '+node.textContent).toLowerCase()}));
function show(){
  const words=search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const kinds=new Set([...document.querySelectorAll('input[name=status]:checked')].map(box=>box.value));
  let shown=0;
  for(const {node,text} of entries){node.hidden=!(kinds.has(node.className)&&words.every(word=>text.includes(word)));if(!node.hidden)shown++}
  for(const part of document.querySelectorAll('section'))part.hidden=!part.querySelector('details:not([hidden])');
  none.hidden=shown>0;count.textContent=shown===entries.length?'':shown+' of '+entries.length;
}
document.querySelector('form').addEventListener('input',show);
document.querySelector('form').addEventListener('submit',event=>event.preventDefault());
`
