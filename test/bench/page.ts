/** The control panel: events at full speed, and the cost of ten thousand documents in the browser. */
import { createEmulator } from '../../emulator/emulator.ts'
import { buildHostA } from '../frame-builders/frames-a.ts'
import { launchBrowser, openPage } from '../page/browser.ts'
import { listenPanel } from '../support/panel.ts'
import type { Figure } from './measure.ts'

const COMMANDS_PER_S = 500
const TICK_MS = 20
const DOCUMENTS = 10_000

const HEAP_MIB = 'performance.memory.usedJSHeapSize / 1048576'
/** Records the longest time between two frames of the browser in `window.worst`, in ms. */
const WATCH = `(() => { let last = performance.now(); window.worst = 0; const look = (now) => {
  window.worst = Math.max(window.worst, now - last); last = now; requestAnimationFrame(look) }; requestAnimationFrame(look) })()`

export async function pageFigures(forMs: number): Promise<Figure[]> {
  const emulator = createEmulator({ family: 'A' })
  const panel = await listenPanel(emulator, 0)
  const browser = await launchBrowser()
  try {
    const { page } = await openPage(browser, { width: 1440, height: 900 })
    await page.goto(`${panel.url}/#wire`)
    await page.getByText('live', { exact: true }).waitFor()
    const port = await emulator.binding.open({ path: emulator.path, baudRate: 115_200 })
    await page.evaluate(WATCH)
    const sent = await sendAtRate(forMs, (sequence) => port.write(numbered(sequence)))
    const last = emulator.frames().at(-1)
    const began = performance.now()
    await page
      .locator('.frame-row .at', { hasText: last?.at.slice(11, 23) ?? '' })
      .last()
      .waitFor()
    const behind = performance.now() - began
    const worst = await page.evaluate<number>('window.worst')
    await port.close()

    for (let count = 0; count < DOCUMENTS; count++) {
      emulator.device.openNonFiscal({ operator: 1 })
      emulator.device.closeNonFiscal()
    }
    await page.goto(`${panel.url}/#documents`)
    await page.reload()
    await page.getByText(String(DOCUMENTS), { exact: true }).first().waitFor()
    const heap = await page.evaluate<number>(HEAP_MIB)
    return [
      { name: 'page: commands shown', value: sent, unit: '/s', target: { atLeast: COMMANDS_PER_S * 0.9 } },
      { name: 'page: last frame shown after', value: behind, unit: 'ms', target: { atMost: 500 } },
      { name: 'page: longest pause between pictures', value: worst, unit: 'ms' },
      { name: `page: heap with ${DOCUMENTS} documents`, value: heap, unit: 'MiB', target: { atMost: 50 } },
    ]
  } finally {
    await browser.close()
    await panel.close()
    await emulator.close()
  }
}

const numbered = (sequence: number): Buffer => Buffer.from(buildHostA(0x20 + (sequence % 0xd0), 74, ''))

function sendAtRate(forMs: number, send: (sequence: number) => Promise<void>): Promise<number> {
  const began = performance.now()
  let count = 0
  return new Promise((done, fail) => {
    const timer = setInterval(() => {
      const spent = performance.now() - began
      const due = Math.floor((Math.min(spent, forMs) * COMMANDS_PER_S) / 1000)
      while (count < due) send(count++).catch(fail)
      if (spent < forMs) return
      clearInterval(timer)
      done((count * 1000) / forMs)
    }, TICK_MS)
  })
}
