import type { ComponentChildren, InputHTMLAttributes, PartialInputHTMLAttributes, Ref } from 'preact'
import { useState } from 'preact/hooks'

/** Fields of forms, and what is typed into them. */

interface Labelled {
  readonly label: string
  readonly width?: 'short' | 'grow'
}

const classOf = (width: Labelled['width']): string => (width ? `field ${width}` : 'field')

type Attributes = Omit<PartialInputHTMLAttributes<HTMLInputElement>, 'width' | 'ref'> & {
  readonly type?: 'number' | 'search' | 'datetime-local'
  readonly list?: string
}

export function Field(
  props: Labelled & Attributes & { readonly onText: (text: string) => void; readonly input?: Ref<HTMLInputElement> },
) {
  const { label, width, onText, input, ...attributes } = props
  return (
    <label class={classOf(width)}>
      <span>{label}</span>
      <input
        {...(attributes as InputHTMLAttributes<HTMLInputElement>)}
        {...(input && { ref: input })}
        onInput={(event) => onText(event.currentTarget.value)}
      />
    </label>
  )
}

/** One of several values, each with its words. */
export function Choice<Value extends string>(
  props: Labelled & {
    readonly value: Value
    readonly options: readonly (readonly [Value, ComponentChildren])[]
    readonly onText: (value: Value) => void
  },
) {
  const { label, width, value, options, onText } = props
  return (
    <label class={classOf(width)}>
      <span>{label}</span>
      <select value={value} onChange={(event) => onText(event.currentTarget.value as Value)}>
        {options.map(([own, words]) => (
          <option key={own} value={own}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}

/** What is typed so far; `field` ties a field to its member. */
export function useDraft<Draft>(empty: Draft) {
  const [draft, setDraft] = useState(empty)
  const field = <Name extends keyof Draft>(name: Name) => ({
    value: draft[name],
    onText: (value: Draft[Name]) => setDraft({ ...draft, [name]: value }),
  })
  return { draft, setDraft, field }
}

export function Form({ onSubmit, children }: { onSubmit: () => void; children: ComponentChildren }) {
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}

/** The head of a table; columns of numbers stand on the right. */
export function Columns({ names, numbers = [] }: { names: readonly ComponentChildren[]; numbers?: readonly number[] }) {
  return (
    <thead>
      <tr>
        {names.map((name, index) => (
          <th key={index} scope="col" class={numbers.includes(index) ? 'num' : undefined}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  )
}
