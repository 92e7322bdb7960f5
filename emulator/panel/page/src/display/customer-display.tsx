import { Card } from '../parts/basic-components.tsx'
import { useStore } from '../store.ts'

const DISPLAY_COLUMNS = 20
const LINES = 2
const LETTER = { size: 10, width: 6, down: 13 } as const
const VIEW = `-3 -1 ${DISPLAY_COLUMNS * LETTER.width + 6} ${LINES * LETTER.down + 1}`

export function CustomerDisplay() {
  const lines = useStore((state) => state.device?.display) ?? []
  const isOff = useStore((state) => state.device?.power === false)
  return (
    <Card title="Customer display" class="display-card">
      <Display lines={lines} isOff={isOff} />
    </Card>
  )
}

export function Display({ lines, isOff }: { lines: readonly string[]; isOff: boolean }) {
  return (
    <svg class={isOff ? 'display off' : 'display'} viewBox={VIEW} role="img" aria-label={spoken(lines, isOff)}>
      {lines.slice(0, LINES).map((line, index) => (
        <text key={index} y={LETTER.size + index * LETTER.down} textLength={line.length * LETTER.width}>
          {line}
        </text>
      ))}
    </svg>
  )
}

function spoken(lines: readonly string[], isOff: boolean): string {
  if (isOff) return 'The display is dark: the device is switched off'
  const words = lines.map((line) => line.trim()).filter((line) => line !== '')
  return words.length === 0 ? 'The display is blank' : `The display shows: ${words.join('; ')}`
}
