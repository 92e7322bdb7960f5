import './style.css'
import { copyButtons } from './copy-buttons.ts'
import { chooseLanguages } from './languages.ts'
import { useHere } from './own-address.ts'
import { followReading, menu, reachScrollers } from './reading-position.ts'
import { search } from './search.ts'
import { choose, chosenTheme, type Theme } from './theme.ts'

const NEXT_THEME: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' }
const WORDS: Readonly<Record<Theme, string>> = { system: 'as the system', light: 'light', dark: 'dark' }

function themeSwitch(button: HTMLElement): void {
  const applyTheme = (theme: Theme) => {
    button.setAttribute('aria-label', `Colours: ${WORDS[theme]}`)
    button.title = `Colours: ${WORDS[theme]}`
  }
  applyTheme(chosenTheme())
  let theme = chosenTheme()
  button.addEventListener('click', () => {
    theme = NEXT_THEME[theme]
    choose(theme)
    applyTheme(theme)
  })
}

const byId = (id: string): HTMLElement => document.getElementById(id) as HTMLElement

themeSwitch(byId('theme'))
menu(byId('menu'), byId('pages'))
copyButtons()
reachScrollers('.scrolls')
followReading()
void useHere(byId('panel') as HTMLAnchorElement).then(chooseLanguages)
search({
  open: byId('find'),
  dialog: byId('search') as HTMLDialogElement,
  query: byId('query') as HTMLInputElement,
  status: byId('told'),
  list: byId('found'),
})
