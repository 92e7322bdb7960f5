/** A list with one tab stop: the row that last had the focus. Arrow keys move between rows. */
import { useRef, useState } from 'preact/hooks'

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** Returns the handlers of the list. The row of each entry is its first button. */
export function useRoving() {
  const list = useRef<HTMLUListElement>(null)
  const [stop, setStop] = useState(0)
  const rows = () => [...(list.current?.children ?? [])].flatMap((entry) => entry.querySelector('button') ?? [])
  return {
    list,
    tab: (index: number): { readonly tabIndex: 0 | -1 } => ({ tabIndex: index === stop ? 0 : -1 }),
    onFocusIn(event: FocusEvent) {
      const index = rows().indexOf(event.target as HTMLButtonElement)
      if (index >= 0) setStop(index)
    },
    onKeyDown(event: KeyboardEvent) {
      const all = rows()
      const at = all.indexOf(event.target as HTMLButtonElement)
      const step = { ...STEPS, Home: -at, End: all.length - 1 - at }[event.key]
      if (at < 0 || step === undefined) return
      event.preventDefault()
      all[Math.max(0, Math.min(all.length - 1, at + step))]?.focus()
    },
  }
}
