export function menu(button: HTMLElement, pages: HTMLElement): void {
  const set = (isOpen: boolean) => {
    button.setAttribute('aria-expanded', String(isOpen))
    pages.classList.toggle('open', isOpen)
  }
  button.addEventListener('click', () => set(button.getAttribute('aria-expanded') !== 'true'))
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || button.getAttribute('aria-expanded') !== 'true') return
    set(false)
    button.focus()
  })
  const current = pages.querySelector<HTMLElement>('[aria-current]')
  if (current && current.offsetTop > pages.clientHeight - 80)
    pages.scrollTop = current.offsetTop - pages.clientHeight / 2
}

export function followReading(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('.contents a')].map((link) => [link.hash.slice(1), link]),
  )
  if (links.size === 0) return
  const list = document.querySelector<HTMLElement>('.contents')
  const headings = [...document.querySelectorAll<HTMLElement>('main h2[id], main h3[id]')]
  const mark = () => {
    const last = headings.filter((one) => one.getBoundingClientRect().top < 120).at(-1) ?? headings[0]
    for (const [id, link] of links) {
      if (id === last?.id) {
        if (!link.hasAttribute('aria-current') && list) showIn(list, link)
        link.setAttribute('aria-current', 'location')
      } else link.removeAttribute('aria-current')
    }
  }
  addEventListener('scroll', mark, { passive: true })
  mark()
}

function showIn(list: HTMLElement, link: HTMLElement): void {
  const [{ top, bottom }, place] = [list.getBoundingClientRect(), link.getBoundingClientRect()]
  if (place.top < top + 40 || place.bottom > bottom - 40) list.scrollTop += place.top - (top + bottom) / 2
}

function reach(one: Element): void {
  if (one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight) {
    one.setAttribute('tabindex', '0')
    one.setAttribute('role', 'group')
    one.setAttribute('aria-label', one.matches('pre') ? 'Code' : 'Table')
  } else for (const name of ['tabindex', 'role', 'aria-label']) one.removeAttribute(name)
}

const scrollers = new ResizeObserver((changes) => {
  for (const { target } of changes) reach(target)
})

/**
 * Makes matching elements scrollable by keys, also after their sizes change. The first report of the observer may be
 * late, so each element is checked at once.
 */
export function reachScrollers(selector: string): void {
  for (const one of document.querySelectorAll(selector)) {
    reach(one)
    scrollers.observe(one)
  }
}
