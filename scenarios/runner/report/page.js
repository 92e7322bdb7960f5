// Embedded at the end of the report's page: shows the scenarios that hold all words of the search, have the tag and a
// ticked status; opens the one that the address names, else the first that failed.
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

const first = document.querySelector('.entry.failed')
if (location.hash === '' && first && first.getBoundingClientRect().top > innerHeight / 2) first.scrollIntoView()
form.addEventListener('input', show)
form.addEventListener('submit', (event) => event.preventDefault())
addEventListener('hashchange', openNamed)
openNamed()
