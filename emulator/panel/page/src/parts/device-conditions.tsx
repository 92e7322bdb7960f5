import { useRef } from 'preact/hooks'
import { runAction, useStore } from '../store.ts'
import { CABLE, COVER, type DeviceControl, PAPER, POWER } from './device-controls.ts'

/** Conditions that block printing or the connection, each with a button that clears it. */
export function Troubles() {
  const device = useStore((state) => state.device)
  const isExamined = useStore((state) => state.exam !== null)
  const box = useRef<HTMLDivElement>(null)
  const troubles = ([POWER, PAPER, COVER, CABLE] as readonly DeviceControl[]).flatMap((control) => {
    const trouble = device && control.states.find(({ value }) => value === control.now(device))?.trouble
    return trouble ? [{ hand: control, ...trouble }] : []
  })
  const mend = ({ states: [sound], set }: DeviceControl) =>
    runAction(async () => {
      await set(sound.value)
      // The button disappears with its condition, so that the box gets the focus.
      box.current?.focus()
      return sound.confirmation
    })
  return (
    <div class="troubles" role="status" ref={box} tabIndex={-1}>
      {troubles.map(({ hand, text, remedy }) => (
        <p key={hand.label} class="trouble">
          <span>{text}</span>
          {isExamined ? null : (
            <button type="button" onClick={() => mend(hand)}>
              {remedy}
            </button>
          )}
        </p>
      ))}
    </div>
  )
}
