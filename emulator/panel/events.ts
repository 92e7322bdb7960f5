import { systemClock } from '../../drivers/model/clock.ts'
import type { Emulator, EmulatorEvent } from '../emulator.ts'
import type { PanelEvent } from './contract.ts'
import { documentView, emulatorView, hitView } from './views.ts'

/**
 * Minimum interval of state events, in ms. The state changes with every command; each event contains the state at its
 * time.
 */
const STATE_EVERY_MS = 50

/**
 * Emits the events frame, line, document, display, state, fault and drawer of a device. The returned function ends it.
 */
export function tellEvents(emulator: Emulator, hear: (told: PanelEvent) => void): () => void {
  let cancelState: (() => void) | undefined
  const stateSoon = () => {
    cancelState ??= systemClock.after(STATE_EVERY_MS, () => {
      cancelState = undefined
      hear(['state', emulatorView(emulator)])
    })
  }
  const tell = (event: EmulatorEvent) => {
    switch (event.type) {
      case 'frame':
        hear(['frame', emulator.decode(event.entry)])
        break
      case 'line':
        hear(['line', { text: event.text }])
        break
      case 'document': {
        const document = emulator.device.document(event.id)
        if (document) hear(['document', documentView(document)])
        break
      }
      case 'display':
        hear(['display', { lines: event.lines }])
        break
      case 'fault':
        hear(['fault', hitView(event, emulator.device.localTime())])
        break
      case 'drawer':
        hear(['drawer', {}])
        break
      case 'state':
        break
    }
    stateSoon()
  }
  hear(['state', emulatorView(emulator)])
  const unsubscribe = emulator.subscribe(tell)
  return () => {
    unsubscribe()
    cancelState?.()
  }
}
