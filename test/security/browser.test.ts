/**
 * A web page in a real browser sends complete frames to the TCP ports of the emulated device, and of `capture` before a
 * device. Without a check of the first bytes, the device would print an X report.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPrinter } from '../../drivers/index.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { type Browser, openBrowser } from '../page/browser.ts'
import { type Running, start } from '../support/command.ts'
import { ATTACKED, type Attacked, X_REPORTS } from './x-report-frames.ts'

let browser: Browser
let site: Server
let page: Page
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-page-'))
  browser = await openBrowser()
  site = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end('<p>A page'))
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
  page = await browser.newPage()
  await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`)
})
afterAll(async () => {
  await browser.close()
  site.close()
  rmSync(folder, { recursive: true, force: true })
})

/** All requests that a page may send without permission. Each request ends with a response or an error. */
const ATTACKS = `async ({ port, frame }) => {
  const url = 'http://127.0.0.1:' + port + '/'
  const bytes = Uint8Array.from(frame)
  const text = String.fromCharCode(...bytes)
  const tries = [
    () => fetch(url, { method: 'POST', mode: 'no-cors', body: bytes }),
    () => fetch(url, { method: 'POST', mode: 'no-cors', body: new Blob([bytes], { type: 'text/plain' }) }),
    () => fetch(url + text, { mode: 'no-cors' }),
    () => new Promise((done) => {
      const request = new XMLHttpRequest()
      request.onloadend = done
      request.open('POST', url)
      request.send(bytes)
    }),
    () => new Promise((done) => {
      const socket = new WebSocket(url.replace('http', 'ws'))
      socket.onclose = done
      socket.onerror = done
    }),
    () => new Promise((done) => {
      const form = new FormData()
      form.append('file', new Blob([bytes]), 'frame.bin')
      fetch(url, { method: 'POST', mode: 'no-cors', body: form }).then(done, done)
    }),
    () => fetch(url.replace('http', 'https'), { mode: 'no-cors' }),
    async () => navigator.sendBeacon(url, bytes),
  ]
  for (const one of tries) await one().catch(() => undefined)
}`

async function attack(port: number, family: Attacked): Promise<void> {
  // `page.evaluate` gets a text, because the project's types do not include those of a browser.
  await page.evaluate(`(${ATTACKS})(${JSON.stringify({ port, frame: [...X_REPORTS[family]] })})`)
}

const receivedBy = (emulator: Emulator) => emulator.frames().filter(({ direction }) => direction === 'toDevice')

describe.each(ATTACKED)('a web page and a device of family %s', (family) => {
  it('gets nothing through the TCP port of the emulated device, which continues', async () => {
    const log: string[] = []
    const emulator = createEmulator({ family, log: (line) => log.push(line) })
    const { port } = await emulator.listenTcp(0)
    await attack(port, family)
    await expect.poll(() => log.filter((line) => line.includes('it sent HTTP')).length).toBeGreaterThan(4)
    expect(receivedBy(emulator)).toEqual([])
    expect(emulator.device.documents(0)).toEqual([])
    await printsX(family, port, emulator)
    await emulator.close()
  })

  it.each([
    ['whose capture knows the family', ['--family', family]],
    ['whose capture does not know the family', []],
  ])('gets nothing from a device %s', async (_which, named) => {
    const emulator = createEmulator({ family })
    const device = await emulator.listenTcp(0)
    const output = join(folder, `${family}-${named.length}.jsonl`)
    const args = ['--device', `tcp://127.0.0.1:${device.port}`, '--tcp', '0', '--output', output, '--json']
    const capture: Running = start(['capture', ...args, ...named])
    const port = Number((await capture.ready())['tcp'])
    await attack(port, family)
    await expect.poll(() => capture.log()).toContain('it sent HTTP')
    expect(receivedBy(emulator)).toEqual([])
    expect(emulator.device.documents(0)).toEqual([])
    await printsX(family, port, emulator)
    capture.child.kill('SIGTERM')
    expect(await capture.ended).toMatchObject({ status: 0 })
    await emulator.close()
  })
})

async function printsX(family: Attacked, port: number, emulator: Emulator): Promise<void> {
  const printer = openPrinter({ family, device: `tcp://127.0.0.1:${port}` })
  await expect
    .poll(() =>
      printer.connect().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  await printer.reportX()
  await printer.disconnect()
  expect(emulator.device.documents(0).map(({ kind }) => kind)).toEqual(['x'])
}
