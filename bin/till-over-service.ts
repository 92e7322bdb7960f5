/** A till for the control panel. A service prints its receipts, like those of any other client. */
import type { Express } from 'express'
import { openPrinter } from '../drivers/index.ts'
import { systemClock } from '../drivers/model/clock.ts'
import type { Emulator } from '../emulator/emulator.ts'
import type { Till, TillAnswer } from '../emulator/panel/till.ts'
import { inject } from '../scenarios/runner/inject.ts'
import { BASE_PATH } from '../server/app.ts'
import { compose, printerConfig } from '../server/compose.ts'
import type { Settings } from '../server/config.ts'

export const tillOver =
  (app: Express, { apiKey }: Pick<Settings, 'apiKey'>): Till =>
  async (path, body) => {
    const key = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
    const { answer } = inject(app, {
      method: 'POST',
      path: BASE_PATH + path,
      headers: { 'content-type': 'application/json', ...key },
      body,
    })
    const reply = await answer
    return JSON.parse(reply?.text ?? '{"StatusCode": 500}') as TillAnswer
  }

/**
 * Returns the till of a device without a service. Creates a service at the first receipt. The till occupies the line
 * only while printing.
 */
export function tillAt(emulator: Emulator, settings: Settings): Till {
  let made: { readonly till: Till; disconnect(): Promise<void> } | undefined
  return async (path, body) => {
    if (!made) {
      const { binding } = emulator
      const printer = openPrinter(printerConfig(settings, emulator.path), { clock: systemClock, binding })
      const { app } = compose({ settings, printer, clock: systemClock })
      made = { till: tillOver(app, settings), disconnect: () => printer.disconnect() }
    }
    try {
      return await made.till(path, body)
    } finally {
      await made.disconnect()
    }
  }
}
