import { call } from '../api.ts'
import { asSentence } from '../labels-and-formats.ts'
import { startAction } from '../store.ts'
import { useAnswer } from './call-answer.ts'

export const COPIES = {
  curl: { label: 'curl', ask: (id: number) => call('GET /emulator/documents/{id}.curl', { params: { id } }) },
  yaml: { label: 'scenario', ask: (id: number) => call('GET /emulator/documents/{id}.yaml', { params: { id } }) },
  wire: { label: 'wire bytes', ask: (id: number) => call('GET /emulator/documents/{id}.wire', { params: { id } }) },
} as const
export type CopyForm = keyof typeof COPIES
export const isCopy = (form: string): form is CopyForm => form in COPIES

export function CopyButtons({ id, form, onShow }: { id: number; form: string; onShow: (form: CopyForm) => void }) {
  const copy = (one: CopyForm) =>
    startAction(async () => {
      onShow(one)
      const text = await COPIES[one].ask(id)
      if (text.split('\n').every((line) => line.trim() === '' || line.startsWith('#')))
        throw new Error('Nothing was copied: the document was made at the device itself, or its frames are gone.')
      await navigator.clipboard.writeText(text)
      return `Copied as ${COPIES[one].label}.`
    })
  return (
    <fieldset class="copies" aria-label="Copy as">
      <span aria-hidden="true">Copy as</span>
      {(Object.keys(COPIES) as CopyForm[]).map((one) => (
        <button
          key={one}
          type="button"
          class="quiet"
          aria-label={`Copy as ${COPIES[one].label}`}
          aria-pressed={one === form}
          onClick={() => copy(one)}
        >
          {COPIES[one].label}
        </button>
      ))}
    </fieldset>
  )
}

export function Copied({ id, form }: { id: number; form: CopyForm }) {
  const text = useAnswer(
    () =>
      COPIES[form].ask(id).then(
        (value) => ({ value, isRefused: false }),
        (problem: unknown) => ({
          value: problem instanceof Error ? problem.message : String(problem),
          isRefused: true,
        }),
      ),
    `${form} ${id}`,
  )
  if (!text) return null
  return text.isRefused ? <p class="empty">{asSentence(text.value)}</p> : <pre class="plain wrapped">{text.value}</pre>
}
