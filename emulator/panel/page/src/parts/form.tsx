import type { ComponentChildren, InputHTMLAttributes, PartialInputHTMLAttributes, Ref } from 'preact'
import { createContext } from 'preact'
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks'
import { asSentence } from '../labels-and-formats.ts'
import { clearMessage, say, useStore } from '../store.ts'
import { DoubleClickGuard } from './double-click.ts'
import { Mistakes } from './print-result.ts'

interface Labelled {
  readonly label: string
  readonly width?: 'short' | 'grow'
}

const classOf = (width: Labelled['width']): string => (width ? `field ${width}` : 'field')

type Attributes = Omit<PartialInputHTMLAttributes<HTMLInputElement>, 'width' | 'ref'> & {
  readonly type?: 'search' | 'datetime-local'
  readonly list?: string
}

export function Field(
  props: Labelled & Attributes & { readonly onText: (text: string) => void; readonly input?: Ref<HTMLInputElement> },
) {
  const { label, width, onText, input, ...attributes } = props
  const { marks, line } = useWrong(attributes.name as string | undefined)
  return (
    <label class={classOf(width)}>
      <span>{label}</span>
      <input
        {...(attributes as InputHTMLAttributes<HTMLInputElement>)}
        {...marks}
        {...(input && { ref: input })}
        onInput={(event) => onText(event.currentTarget.value)}
      />
      {line}
    </label>
  )
}

export function Choice<Value extends string>(
  props: Labelled & {
    readonly value: Value
    readonly options: readonly (readonly [Value, ComponentChildren])[]
    readonly onText: (value: Value) => void
    readonly name?: string
  },
) {
  const { label, width, value, options, onText, name } = props
  const { marks, line } = useWrong(name)
  return (
    <label class={classOf(width)}>
      <span>{label}</span>
      <select name={name} {...marks} value={value} onChange={(event) => onText(event.currentTarget.value as Value)}>
        {options.map(([own, words]) => (
          <option key={own} value={own}>
            {words}
          </option>
        ))}
      </select>
      {line}
    </label>
  )
}

/** Returns the entered values. `field` returns the properties that connect an input field to a member. */
export function useDraft<Draft>(empty: Draft) {
  const [draft, setDraft] = useState(empty)
  const field = <Name extends keyof Draft & string>(name: Name) => ({
    name,
    value: draft[name],
    onText: (value: Draft[Name]) => setDraft({ ...draft, [name]: value }),
  })
  return { draft, setDraft, field }
}

interface Mistake {
  readonly name: string
  readonly text: string
}

/** Problems by the name of the field, or `''` for those of the form as a whole. */
const Wrong = createContext<readonly Mistake[]>([])

/** Assigns a mistake to the field with its path or, if there is none, to the first field below the path. */
function mistakeAt(path: string, message: string, names: readonly string[]): Mistake {
  const inside = (name: string) => name.startsWith(`${path}.`) || name.startsWith(`${path}[`)
  const name = names.find((one) => one === path) ?? (path === '' ? '' : (names.find(inside) ?? ''))
  // The label of the field replaces the path in the message.
  const text = name !== '' && message.startsWith(`${path} `) ? message.slice(path.length + 1) : message
  return { name, text: asSentence(text) }
}

/** A message of the device may name several members: `skip: expected a number; times: expected a number`. */
const sentencesOf = (problem: unknown): readonly string[] =>
  (problem instanceof Error ? problem.message : String(problem)).split(/; (?=[\w[\].]+: )/)

/** Parses one message of the device, for example `[0].price: expected an amount`. */
function wrongIn(sentence: string, names: readonly string[]): Mistake {
  const path = /^([\w[\].]+):? /.exec(sentence)?.[1]?.split('.').at(-1) ?? ''
  return names.includes(path)
    ? { name: path, text: asSentence(sentence.replace(/^[\w[\].]+:? /, '')) }
    : { name: '', text: asSentence(sentence) }
}

/**
 * A form that shows the result of its submission. A refusal of a field is shown until the field changes, a refusal of
 * the whole form until any field changes.
 */
export function Form(props: {
  readonly onSubmit: () => Promise<string | undefined>
  readonly children: ComponentChildren
  /** The subject of the form. Refusals about another subject are removed. */
  readonly of?: number | string
}) {
  const { onSubmit, children, of } = props
  const [wrong, setWrong] = useState<readonly Mistake[]>([])
  const connection = useStore((state) => state.connection)
  const generation = useStore((state) => state.device?.generation)
  // A submission that failed without a connection, or on another device, can be repeated.
  useEffect(() => setWrong([]), [connection, generation, of])
  useMended(() => setWrong(fieldMistakes))
  const own = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (wrong[0]?.name === '') own.current?.querySelector('.wrong.whole')?.scrollIntoView({ block: 'nearest' })
  }, [wrong])
  const guard = useRef(new DoubleClickGuard()).current
  useEffect(() => guard.reset(), [of])
  const submit = async (form: HTMLFormElement) => {
    clearMessage()
    try {
      const text = await onSubmit()
      setWrong([])
      if (text !== undefined) say(text)
    } catch (problem) {
      guard.reset()
      const names = [...form.elements].map((one) => one.getAttribute('name') ?? '').filter((name) => name !== '')
      const mistakes =
        problem instanceof Mistakes
          ? problem.errors.map(({ path, message }) => mistakeAt(path, message, names))
          : sentencesOf(problem).map((sentence) => wrongIn(sentence, names))
      setWrong(mistakes)
      form.querySelector<HTMLElement>(`[name="${mistakes[0]?.name}"]`)?.focus()
    }
  }
  return (
    <Wrong.Provider value={wrong}>
      <form
        class="form"
        ref={own}
        onSubmit={(event) => {
          event.preventDefault()
          const form = event.currentTarget
          void guard.run(() => submit(form))
        }}
        onInput={({ target }) => {
          guard.reset()
          setWrong((all) => afterChangeOf(target as HTMLElement, all))
        }}
      >
        {children}
        {wrong
          .filter(({ name }) => name === '')
          .map(({ text }) => (
            <p key={text} class="wrong whole" role="alert">
              {text}
            </p>
          ))}
      </form>
    </Wrong.Provider>
  )
}

/** Returns the problems of fields only. Those of the whole form may be solved now. */
const fieldMistakes = (all: readonly Mistake[]): readonly Mistake[] =>
  all.every(({ name }) => name !== '') ? all : all.filter(({ name }) => name !== '')

/**
 * Returns the problems that remain after a change of a field. A selection changes the meaning of the other fields in
 * its group.
 */
function afterChangeOf(field: HTMLElement, all: readonly Mistake[]): readonly Mistake[] {
  const group = field instanceof HTMLSelectElement ? field.closest('fieldset, form') : null
  const isOfGroup = (name: string) => group?.querySelector(`[name="${name}"]`) != null
  const own = field.getAttribute('name')
  return fieldMistakes(all).filter(({ name }) => name !== own && !isOfGroup(name))
}

/** Calls `act` when a condition that blocks printing, or an open receipt, has ended. */
function useMended(act: () => void): void {
  const device = useStore((state) => state.device)
  const troubles = device
    ? [device.paper === 'out', device.cover, !device.power, !device.cable, device.receipt !== null]
    : []
  const before = useRef(troubles)
  const isMended = before.current.some((isBad, index) => isBad && troubles[index] === false)
  before.current = troubles
  useEffect(() => {
    if (isMended) act()
  }, [isMended])
}

/** Returns the problems of a field, to be shown below it, and the matching ARIA attributes. */
function useWrong(name: string | undefined) {
  const wrong = useContext(Wrong)
  const id = useId()
  const texts = wrong.filter((one) => one.name === name).map(({ text }) => text)
  if (name === undefined || texts.length === 0) return { marks: {}, line: null }
  const line = (
    <span class="wrong" id={id} role="alert">
      {texts.join(' ')}
    </span>
  )
  return { marks: { 'aria-invalid': true, 'aria-describedby': id } as const, line }
}

/** `numbers` are the indexes of columns with right-aligned numbers. */
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
