// A cell opens its story, which is drawn when it is opened.
const all = document.getElementById('all')
const { kinds, texts, stories } = JSON.parse(document.getElementById('stories').textContent)

function element(name, text = '', attributes = {}) {
  const made = document.createElement(name)
  made.textContent = text
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  return made
}

function entry([ms, kind, text, bytes]) {
  const [name, words] = kinds[kind]
  const item = element('li', '', { class: name })
  const body = name === 'output' ? element('pre', texts[text], { tabindex: '0' }) : element('span', texts[text])
  item.append(element('time', `${ms} ms`), ' ', element('b', words), ' ', body)
  if (bytes !== undefined) item.append(' ', element('code', texts[bytes]))
  return item
}

function draw(story) {
  const told = stories[story.id]
  if (!told || story.querySelector('.line')) return
  const line = element('ol', '', { class: 'line' })
  line.append(...told.line.map(entry))
  const papers = element('div', '', { class: 'papers' })
  papers.append(...told.paper.map((text) => element('pre', texts[text], { class: 'paper', tabindex: '0' })))
  const again = element('p', 'Again: ')
  again.append(element('code', texts[told.again]))
  story.append(line, papers, ...told.advice.map((text) => element('p', texts[text], { class: 'advice' })), again)
}

function showPassed() {
  document.body.classList.toggle('only-bad', !all.checked)
}

function openNamed() {
  const story = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!story) return
  if (story.matches('.passed, .not-triggered')) {
    all.checked = true
    showPassed()
  }
  draw(story)
  story.open = true
  story.scrollIntoView()
  story.querySelector('summary').focus()
}

for (const story of document.querySelectorAll('.entry')) story.addEventListener('toggle', () => draw(story))
all.addEventListener('change', showPassed)
addEventListener('hashchange', openNamed)
all.checked = !document.querySelector('.entry:not(.passed, .not-triggered)')
showPassed()
openNamed()
