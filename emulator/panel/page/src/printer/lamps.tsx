/** Lamps have their meaning as text, so that it does not depend on colours. */
import type { DeviceView } from '../../../contract.ts'

type Tone = 'good' | 'warning' | 'bad'
interface Lamp {
  readonly name: string
  readonly words: string
  readonly tone?: Tone | undefined
}

const PAPER_TONES = { ok: undefined, low: 'warning', out: 'bad' } as const
const PAPER_WORDS = { ok: 'loaded', low: 'nearly out', out: 'out' } as const

function lampsOf({ power, paper, cover, cable }: DeviceView): readonly Lamp[] {
  if (!power) return ['Power', 'Paper', 'Error', 'Online'].map((name) => ({ name, words: 'dark' }))
  const stopped = paper === 'out' ? 'no paper' : 'cover open'
  const isStopped = paper === 'out' || cover
  return [
    { name: 'Power', words: 'on', tone: 'good' },
    { name: 'Paper', words: PAPER_WORDS[paper], tone: PAPER_TONES[paper] },
    { name: 'Error', words: isStopped ? stopped : 'none', tone: isStopped ? 'bad' : undefined },
    { name: 'Online', words: cable ? 'yes' : 'no', tone: cable ? 'good' : undefined },
  ]
}

export function Lamps({ device }: { device: DeviceView }) {
  return (
    <ul class="lamps" aria-label="Lamps">
      {lampsOf(device).map(({ name, words, tone = 'dark' }) => (
        <li key={name} class={`lamp ${tone}`}>
          <span class="bulb" aria-hidden="true" />
          <span class="lamp-name">{name}</span> <span class="lamp-words">{words}</span>
        </li>
      ))}
    </ul>
  )
}
