import { systemClock } from '../../drivers/model/clock.ts'
import { WrongCall } from './call-input.ts'
import type { DeviceView, ExamView, PanelEvent } from './contract.ts'
import type { Controls } from './controls.ts'

/** The controls of the devices of an exam, one after the other. A control panel stays connected to all of them. */
interface ExamControls extends Controls {
  opened(controls: Controls, caseId: string): () => void
  changed(): void
}

const EXAM_RUNNING = 'an exam runs on this device: nothing else may change it until the exam is over'
const EXAM_OVER = 'the exam is over, and its devices no longer exist'

/** Minimum interval between progress events, in ms: many cases end per second. */
const PROGRESS_INTERVAL_MS = 200

/** Offset between the generations of two devices, which is more than a device has during a case. */
const GENERATIONS = 1000

interface ShownCase {
  readonly caseId: string
  readonly controls: Controls
  /**
   * Every device counts its generations from 1. The offset lets the control panel notice that the device is another
   * one.
   */
  readonly generations: number
}

/** `exam` returns the progress; its argument is the case that is shown. */
export function examControls(exam: (caseId: string | null) => ExamView): ExamControls {
  const devices: ShownCase[] = []
  const listeners = new Set<(event: PanelEvent) => void>()
  let shownCase: ShownCase | undefined
  let count = 0
  let endEvents: (() => void) | undefined
  const waiting: (() => void)[] = []
  let isDue = false
  const emit = (event: PanelEvent) => {
    for (const listener of listeners) listener(event)
  }
  const view = () => exam(shownCase?.caseId ?? null)
  const hasEnded = () => view().ended !== null
  const show = (next: ShownCase | undefined) => {
    if (next === shownCase) return
    endEvents?.()
    shownCase = next
    endEvents = next?.controls.listen((event) => emit(withGenerations(event, next)))
    for (const go of waiting.splice(0)) go()
    emit(['exam', view()])
  }
  const device = async (): Promise<ShownCase> => {
    // Between two devices, calls wait for the next device.
    while (!shownCase && !hasEnded()) await new Promise<void>((go) => waiting.push(go))
    if (shownCase) return shownCase
    throw new WrongCall(EXAM_OVER, 404)
  }
  return {
    opened(controls, caseId) {
      const own = { caseId, controls, generations: ++count * GENERATIONS }
      devices.push(own)
      // Cases run concurrently. The case that is shown remains shown until it has ended.
      if (!shownCase) show(own)
      return () => {
        devices.splice(devices.indexOf(own), 1)
        if (shownCase === own) show(devices.at(-1))
      }
    },
    changed() {
      if (hasEnded()) for (const go of waiting.splice(0)) go()
      if (isDue) return
      isDue = true
      systemClock.after(PROGRESS_INTERVAL_MS, () => {
        isDue = false
        emit(['exam', view()])
      })
    },
    async answer(name, call) {
      if (name === 'GET /emulator/exam') return view()
      if (!name.startsWith('GET ')) throw new WrongCall(hasEnded() ? EXAM_OVER : EXAM_RUNNING)
      const { controls, generations } = await device()
      const answer = await controls.answer(name, call)
      return name === 'GET /emulator' ? later(answer as DeviceView, generations) : answer
    },
    listen(listener) {
      listeners.add(listener)
      // Only the new listener needs the current state of the device.
      if (shownCase) {
        const own = shownCase
        own.controls.listen((event) => listener(withGenerations(event, own)))()
      }
      listener(['exam', view()])
      return () => void listeners.delete(listener)
    },
  }
}

const later = (device: DeviceView, generations: number): DeviceView => ({
  ...device,
  generation: generations + device.generation,
})

const withGenerations = (event: PanelEvent, { generations }: ShownCase): PanelEvent =>
  event[0] === 'state' ? ['state', later(event[1], generations)] : event
