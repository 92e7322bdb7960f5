import { systemClock } from '../../drivers/model/clock.ts'
import type { Emulator, EmulatorEvent } from '../emulator.ts'
import type { PanelEvent } from './contract.ts'
import { documentView, emulatorView, hitView } from './views.ts'

/** Minimum interval of state events, in ms: the state changes with every command. */
const STATE_EVERY_MS = 50

export function forwardEvents(emulator: Emulator, listener: (panelEvent: PanelEvent) => void): () => void {
  let cancelState: (() => void) | undefined
  const stateSoon = () => {
    cancelState ??= systemClock.after(STATE_EVERY_MS, () => {
      cancelState = undefined
      listener(['state', emulatorView(emulator)])
    })
  }
  const forward = (event: EmulatorEvent) => {
    switch (event.type) {
      case 'frame':
        listener(['frame', emulator.decode(event.entry)])
        break
      case 'line':
        listener(['line', { text: event.text }])
        break
      case 'document': {
        const document = emulator.device.document(event.id)
        if (document) listener(['document', documentView(document)])
        break
      }
      case 'display':
        listener(['display', { lines: event.lines }])
        break
      case 'fault':
        listener(['fault', hitView(event, emulator.device.localTime())])
        break
      case 'drawer':
        listener(['drawer', {}])
        break
      case 'state':
        break
    }
    stateSoon()
  }
  listener(['state', emulatorView(emulator)])
  const unsubscribe = emulator.subscribe(forward)
  return () => {
    unsubscribe()
    cancelState?.()
  }
}
