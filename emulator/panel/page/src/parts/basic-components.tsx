import type { ComponentChildren } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { startAction } from '../store.ts'
import type { ControlState } from './device-controls.ts'

export function Card({
  title,
  children,
  action,
  class: name = '',
}: {
  title: string
  children: ComponentChildren
  action?: ComponentChildren
  class?: string
}) {
  const id = useId()
  return (
    <section class={`card ${name}`} aria-labelledby={id}>
      <header class="card-head">
        <h2 id={id}>{title}</h2>
        {action}
      </header>
      {children}
    </section>
  )
}

const SETTLED_MS = 500

/** A choice between a few states with radio buttons, between which arrow keys move. */
export function Switch<Value extends string>({
  label,
  options,
  value,
  onChange,
  icon,
}: {
  label: string
  options: readonly Pick<ControlState<Value>, 'value' | 'label' | 'tone'>[]
  value: Value | undefined
  onChange: (value: Value) => Promise<void>
  icon: ComponentChildren
}) {
  const name = useId()
  // The choice is shown until the device has reported the result.
  const [choice, setChoice] = useState<Value>()
  useEffect(() => setChoice((now) => (now === value ? undefined : now)), [value])
  const choose = async (chosen: Value) => {
    setChoice(chosen)
    await onChange(chosen)
    setTimeout(() => setChoice((now) => (now === chosen ? undefined : now)), SETTLED_MS)
  }
  const current = choice ?? value
  return (
    <fieldset class="switch">
      <legend>
        {icon}
        {label}
      </legend>
      <div class="segments">
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              checked={option.value === current}
              disabled={value === undefined}
              onChange={() => void choose(option.value)}
            />
            <span class={option.tone}>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

export function Facts(props: {
  readonly rows: readonly (readonly [string, ComponentChildren])[]
  readonly as?: 'facts' | 'figures' | 'floor-figures'
}) {
  const { rows, as = 'facts' } = props
  const letters = Math.max(1, ...rows.map(([, value]) => String(value).length))
  return (
    <dl class={as} style={as === 'figures' ? { '--letters': letters } : undefined}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function CopyLine({ text, label }: { text: string; label: string }) {
  const copy = () =>
    startAction(async () => {
      await navigator.clipboard.writeText(text)
      return 'Copied.'
    })
  return (
    <div class="copy-line">
      <code>{text}</code>
      <button type="button" class="quiet" onClick={copy} aria-label={`Copy: ${label}`}>
        Copy
      </button>
    </div>
  )
}

/** On a narrow screen, the way back to the list from an object that does not exist. */
export const NarrowHead = ({ all, title, onBack }: { all: string; title: string; onBack: () => void }) => (
  <header class="card-head only-narrow">
    <button type="button" class="quiet" onClick={onBack}>
      {all}
    </button>
    <h2>{title}</h2>
  </header>
)

export function Icon({ path }: { path: string }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={path} />
    </svg>
  )
}
