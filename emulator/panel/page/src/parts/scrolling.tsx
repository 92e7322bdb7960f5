import type { ComponentChildren, Ref } from 'preact'

/** A scrollable region with a tab stop, so that arrow keys scroll it. */
export function Scrolling(props: {
  readonly label: string
  readonly class: string
  readonly children: ComponentChildren
  readonly box?: Ref<HTMLElement>
  readonly onScroll?: () => void
  /** -1 if an element inside has the tab stop. */
  readonly tabIndex?: 0 | -1
  readonly onKeyDown?: (event: KeyboardEvent) => void
}) {
  const { label, class: name, children, box = null, onScroll, onKeyDown, tabIndex = 0 } = props
  return (
    <section class={name} ref={box} onScroll={onScroll} onKeyDown={onKeyDown} tabIndex={tabIndex} aria-label={label}>
      {children}
    </section>
  )
}
