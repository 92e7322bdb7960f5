import { useMemo } from 'preact/hooks'
import { Card } from '../parts/small.tsx'
import { useStore } from '../store.ts'
import { dotsOf, sizeOf } from './glyphs.ts'

/** The customer display, dot by dot: what the device shows, whichever program brought it there. */

const PLACES = 20
const LINES = 2
const EDGE = 1.5
const SIZE = sizeOf(PLACES, LINES)
const VIEW = `${-EDGE - 0.5} ${-EDGE - 0.5} ${SIZE.wide + 2 * EDGE} ${SIZE.high + 2 * EDGE}`
const ALL_DOTS = dotsOf(['', ''], PLACES, false)

export function CustomerDisplay() {
  const lines = useStore((state) => state.device?.display) ?? []
  const isOff = useStore((state) => state.device?.power === false)
  return (
    <Card title="Customer display" class="display-card">
      <DisplayDots lines={lines} isOff={isOff} />
    </Card>
  )
}

export function DisplayDots({ lines, isOff }: { lines: readonly string[]; isOff: boolean }) {
  const text = lines.join('\n')
  const lit = useMemo(() => dotsOf(lines.slice(0, LINES), PLACES, true), [text])
  return (
    <svg class={isOff ? 'display off' : 'display'} viewBox={VIEW} role="img" aria-label={spoken(lines, isOff)}>
      <path class="dark" d={ALL_DOTS} />
      <path class="lit" d={lit} />
    </svg>
  )
}

function spoken(lines: readonly string[], isOff: boolean): string {
  if (isOff) return 'The display is dark: the device is switched off'
  const words = lines.map((line) => line.trim()).filter((line) => line !== '')
  return words.length === 0 ? 'The display is blank' : `The display shows: ${words.join('; ')}`
}
