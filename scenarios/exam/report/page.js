// A cell opens its story. Without this script the stories can be opened one by one.
const all = document.getElementById('all')

function showPassed() {
  document.body.classList.toggle('only-bad', !all.checked)
}

function openNamed() {
  const story = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!story) return
  if (story.matches('.passed, .not-reached')) {
    all.checked = true
    showPassed()
  }
  story.open = true
  story.scrollIntoView()
  story.querySelector('summary')?.focus()
}

all.addEventListener('change', showPassed)
addEventListener('hashchange', openNamed)
all.checked = !document.querySelector('.story:not(.passed, .not-reached)')
showPassed()
openNamed()
