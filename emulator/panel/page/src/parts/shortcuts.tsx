import { useEffect, useRef } from 'preact/hooks'
import { addressNow, navigate } from '../route.ts'
import { change, now } from '../store.ts'
import { Facts } from './basic-components.tsx'

const KEYS = [
  ['/', 'Search, in a view with a search field'],
  ['?', 'Show these shortcuts'],
  ['Esc', 'Close what is open: details, a message, a dialogue'],
  ['Tab', 'Go on to the next control; a list is one of them'],
  ['Arrow up, arrow down', 'Go through a list'],
  ['Home, End', 'Go to the first and the last row of a list'],
  ['Page up, page down', 'Go ten rows up or down'],
] as const

let dialog: HTMLDialogElement | null = null
export const showShortcuts = (): void => dialog?.showModal()

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.matches('input:not([type=radio], [type=checkbox], [type=range]), textarea, select')

/** Closes the element that was opened last. Returns false if nothing is open. */
function close(): boolean {
  const { message } = now()
  if (message) {
    change({ message: null })
    return true
  }
  const { view, path, query } = addressNow()
  const { frame, with: beside, ...otherQuery } = query
  if (frame === undefined && beside === undefined && path.length === 0) return false
  navigate({ view, path: beside === undefined ? [] : path, query: otherQuery })
  return true
}

function search(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')
  field?.focus()
  field?.select()
  return field !== null
}

const SHORTCUTS: Readonly<Record<string, () => boolean>> = {
  '/': search,
  Escape: close,
  '?'() {
    showShortcuts()
    return true
  },
}

/** Keys of the fleet overview, which has no list with rows. */
const FLEET_KEYS = KEYS.slice(0, 4)

export function Shortcuts({ isFleet = false }: { readonly isFleet?: boolean }) {
  const own = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog = own.current
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return
      if (event.key === 'Escape' && isTyping(event.target)) {
        ;(event.target as HTMLElement).blur()
        return
      }
      if (isTyping(event.target)) return
      const isDone = SHORTCUTS[event.key]?.() ?? false
      if (isDone) event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return (
    <dialog ref={own} class="shortcuts" aria-labelledby="shortcuts-title">
      <h2 id="shortcuts-title">Keyboard shortcuts</h2>
      <Facts rows={(isFleet ? FLEET_KEYS : KEYS).map(([key, words]) => [key, words])} />
      <form method="dialog" class="buttons">
        <button type="submit">Close</button>
      </form>
    </dialog>
  )
}
