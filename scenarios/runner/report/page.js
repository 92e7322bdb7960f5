// Embedded at the end of the report's page: shows the scenarios that hold all words of the search and have a ticked status.
const search = document.getElementById('search')
const count = document.getElementById('count')
const none = document.getElementById('none')
const form = document.querySelector('form')

const entries = [...document.querySelectorAll('details')].map((node) => ({
  node,
  text: `${node.closest('section').querySelector('h2').textContent} ${node.textContent}`.toLowerCase(),
}))

function show() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  const statuses = new Set([...document.querySelectorAll('input[name=status]:checked')].map(({ value }) => value))
  let shown = 0
  for (const { node, text } of entries) {
    node.hidden = !(statuses.has(node.className) && words.every((word) => text.includes(word)))
    if (!node.hidden) shown++
  }
  for (const part of document.querySelectorAll('section')) part.hidden = !part.querySelector('details:not([hidden])')
  none.hidden = shown > 0
  count.textContent = shown === entries.length ? '' : `${shown} of ${entries.length}`
}

form.addEventListener('input', show)
form.addEventListener('submit', (event) => event.preventDefault())
