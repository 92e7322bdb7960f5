// Copies the report; where the browser has no clipboard it is selected, to be copied by hand.
const button = document.getElementById('copy')
const report = document.getElementById('report')
const told = document.getElementById('copied')
button?.addEventListener('click', async () => {
  try {
    await navigator.clipboard.writeText(report.textContent)
    told.textContent = 'Copied.'
  } catch {
    const range = document.createRange()
    range.selectNodeContents(report)
    getSelection().removeAllRanges()
    getSelection().addRange(range)
    told.textContent = 'Selected: copy it with your keyboard.'
  }
})
