export function copyButtons(): void {
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', () => {
      navigator.clipboard.writeText(block.querySelector('pre')?.textContent ?? '').then(
        () => announce(button, 'Copied'),
        () => announce(button, 'Not allowed'),
      )
    })
    block.append(button)
  }
}

const NOTICE_MS = 1500

function announce(button: HTMLElement, words: string): void {
  button.textContent = words
  setTimeout(() => {
    button.textContent = 'Copy'
  }, NOTICE_MS)
}
