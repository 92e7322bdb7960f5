import { openPrinter } from '../../../drivers/index.ts'
import { serialPort } from '../../../drivers/link/port.ts'
import { systemClock } from '../../../drivers/model/clock.ts'
import type { Passport } from '../../../emulator/passport/passport.ts'
import { type FoundDevice, probe } from '../../../scenarios/line/find-device.ts'
import { recordPassport } from '../../../scenarios/passport/passport.ts'
import { compose, openStores, printerConfig } from '../../../server/compose.ts'
import { settingsOf } from '../../../server/config.ts'
import type { App } from './replacements/express.ts'
import { inject } from './replacements/inject.ts'
import { bindingOver, type WebSerialPort } from './web-serial.ts'

declare const RIG_VERSION: string

const PATH = 'the chosen port'

export interface Answer {
  readonly StatusCode: number
  readonly Message?: string
  readonly Data?: unknown
}

export interface RealPrinter extends FoundDevice {
  status(): Promise<Answer>
  printSlip(): Promise<Answer>
  passport(progress: (done: number, of: number) => void, signal: AbortSignal): Promise<RecordedPassport>
  /** Closes the port, so that the user can choose it again. */
  close(): Promise<void>
}

export interface RecordedPassport {
  readonly passport: Passport
  readonly ended: string | undefined
}

/** Rejects if no device of a supported family responds. */
export async function findPrinter(port: WebSerialPort): Promise<RealPrinter> {
  const binding = bindingOver(port)
  const found = await probe(PATH, { binding })
  if ('closed' in found)
    throw new Error(`The port cannot be opened: ${found.closed.replace(/\.$/, '')}. Close the program that uses it.`)
  if ('silent' in found)
    throw new Error('No device answers on this port. Check that the printer is switched on, in PC mode, and connected.')
  const { family, baud } = found
  const settings = settingsOf({}, { family, baud, device: PATH }, '/')
  const printer = openPrinter(printerConfig(settings), { clock: systemClock, binding })
  const stores = openStores(systemClock)
  const { app } = compose({ settings, printer, clock: systemClock, stores })
  const ask = async (path: string, body: object): Promise<Answer> => {
    const headers = { 'content-type': 'application/json' }
    const call = { method: 'POST', path: `/api${path}`, headers, body: JSON.stringify(body) }
    const answer = await inject(app as unknown as App, call).answer
    return JSON.parse(answer?.text ?? '{"StatusCode": 500}') as Answer
  }
  return {
    ...found,
    status: () => ask('/status-of-the-fiscal-transaction', {}),
    printSlip: () => ask('/print-non-fiscal-receipt', SLIP),
    close: () => printer.disconnect(),
    async passport(progress, signal) {
      await printer.disconnect()
      const taken = await recordPassport({
        ...{ family, baud, progress, signal, clock: systemClock, rig: RIG_VERSION },
        opener: serialPort(PATH, baud, systemClock, binding),
        consent: { depth: 'read', z: false },
      })
      const { ended, isUnanswered } = taken.conversation
      if (isUnanswered && ended !== 'interrupted')
        throw new Error('The device stopped responding. No passport was created.')
      return { passport: taken.passport, ended }
    },
  }
}

const SLIP = {
  ReceiptItems: [
    { Type: 0, Text: { Message: 'Test slip' } },
    { Type: 2, SeparatingLineType: 1 },
    { Type: 0, Text: { Message: 'Printed from a browser' } },
  ],
}
