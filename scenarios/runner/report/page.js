// Embedded at the end of the report's page: shows the scenarios that hold all words of the search, have the tag and a
// ticked status; opens the one that the address names.
const search = document.getElementById('search')
const tag = document.getElementById('tag')
const count = document.getElementById('count')
const none = document.getElementById('none')
const form = document.querySelector('form')

const entries = [...document.querySelectorAll('.entry')].map((node) => ({
  node,
  tags: JSON.parse(node.dataset.tags),
  text: `${node.closest('section').querySelector('h2').textContent} ${node.textContent}`.toLowerCase(),
}))

function show() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  const statuses = new Set([...document.querySelectorAll('input[name=status]:checked')].map(({ value }) => value))
  const wanted = tag?.value ?? ''
  let shown = 0
  for (const { node, tags, text } of entries) {
    const isTagged = wanted === '' || tags.includes(wanted)
    node.hidden = !(isTagged && statuses.has(node.dataset.status) && words.every((word) => text.includes(word)))
    if (!node.hidden) shown++
  }
  for (const part of document.querySelectorAll('section')) part.hidden = !part.querySelector('.entry:not([hidden])')
  none.hidden = shown > 0
  count.textContent = shown === entries.length ? '' : `${shown} of ${entries.length}`
}

function openNamed() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  const entry = named?.closest('.entry')
  if (!entry) return
  if (entry.hidden) {
    form.reset()
    show()
  }
  entry.open = true
  named.scrollIntoView()
  entry.querySelector('summary').focus({ preventScroll: true })
}

form.addEventListener('input', show)
form.addEventListener('submit', (event) => event.preventDefault())
addEventListener('hashchange', openNamed)
openNamed()

// The timeline of each scenario: a slider over its steps, the device before and after, and the paper by then.
const WORDS = {
  power: (isOn) => (isOn ? 'on' : 'off'),
  paper: (state) => ({ ok: 'loaded', low: 'nearly out', out: 'out' })[state] ?? state,
  cover: (isOpen) => (isOpen ? 'open' : 'closed'),
  cable: (isIn) => (isIn ? 'plugged in' : 'pulled out'),
  display: (lines) => lines.filter((line) => line !== '').join(' | ') || 'empty',
  receipt: (receipt) => (receipt ? `${receipt.number}: ${receipt.total}, ${receipt.paid} paid` : 'none'),
  day: (amount) => amount,
}
const FACTS = {
  power: 'Power',
  paper: 'Paper',
  cover: 'Cover',
  cable: 'Cable',
  display: 'Display',
  receipt: 'Open receipt',
  day: 'Day',
}

const make = (name, text, kind) => {
  const element = document.createElement(name)
  if (text !== undefined) element.textContent = text
  if (kind !== undefined) element.className = kind
  return element
}

/** A value that the step has not changed appears in the column `before` only. */
function stateTable({ before, after }) {
  const table = make('table', undefined, 'state')
  const head = table.createTHead().insertRow()
  for (const words of ['', 'before', 'after']) head.append(make(words === '' ? 'td' : 'th', words))
  const body = table.createTBody()
  for (const [name, label] of Object.entries(FACTS)) {
    const [was, is] = [WORDS[name](before[name]), WORDS[name](after[name])]
    const row = body.insertRow()
    row.append(make('th', label))
    if (was === is) row.insertCell().textContent = was
    else {
      row.className = 'changed'
      row.insertCell().textContent = was
      row.insertCell().textContent = is
    }
    if (was === is) row.cells[1].colSpan = 2
  }
  return table
}

function scrub(line) {
  const steps = JSON.parse(line.dataset.steps)
  const slider = line.querySelector('input')
  const moment = line.querySelector('.moment')
  const now = line.querySelector('.now')
  const story = line.closest('.inner')
  const items = [...story.querySelectorAll('.steps > li')]
  const show = (index, isScrubbed) => {
    const step = steps[index]
    slider.value = index
    slider.setAttribute('aria-valuetext', `step ${index + 1}, ${step.title}`)
    now.setAttribute('d', `M${index + 0.5} 0v50`)
    moment.replaceChildren(make('h3', `Step ${index + 1} of ${steps.length}`), make('code', step.title))
    for (const fault of step.faults ?? []) moment.append(make('p', fault, 'injected'))
    if (step.before) moment.append(stateTable(step))
    for (const [at, item] of items.entries()) {
      item.classList.toggle('now', isScrubbed && at === index)
      item.classList.toggle('later', isScrubbed && at > index)
    }
    for (const paper of story.querySelectorAll('[data-document]'))
      paper.hidden = isScrubbed && step.printed !== undefined && Number(paper.dataset.document) > step.printed
  }
  slider.addEventListener('input', () => show(Number(slider.value), true))
  for (const [at, item] of items.entries()) item.addEventListener('click', () => show(at, true))
  show(steps.length - 1, false)
  line.hidden = false
}
for (const line of document.querySelectorAll('.scrubber')) scrub(line)
