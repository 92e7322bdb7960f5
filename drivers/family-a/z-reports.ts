import { createAskOnce, type Probe } from '../link/ask-once.ts'
import { isPresent } from '../link/same-device.ts'
import type { Session } from '../link/session.ts'
import type { Asking } from '../link/speech.ts'
import type { Questions, Reports } from '../model/printer.ts'
import { lastZ, numbersOf } from './evidence.ts'
import type { WireA } from './wire.ts'

/**
 * The Z report. A device that loses its power directly after it has forgotten the number of the frame, and would print a
 * second Z when the frame is written again: after a silence the device is asked for the number of its last Z first.
 */

type ZReports = Pick<Reports, 'reportZ'> & Pick<Questions, 'lastReportZ'>

const askOnce = createAskOnce<WireA>({ isSameDevice: (device) => isPresent(device, numbersOf) })

/** A device that does not report its last Z decides nothing. */
const dayClosed: Probe<WireA, number | null> = {
  look: lastZ,
  wasDone: (before, after) =>
    before === null || after === null ? undefined : after === before ? false : after === before + 1 ? true : undefined,
}

export const zReports = ({ lookAtTold, print }: Session<WireA>): ZReports => ({
  reportZ: () =>
    print(async (device) => {
      const { text, isAnswerLost } = await askOnce(device, 'report', { option: 'Z' }, dayClosed)
      if (!isAnswerLost) return { text }
      const closure = await lastReportZ(device)
      device.stay()
      return { text: closure }
    }),
  lastReportZ: () => lookAtTold(lastReportZ),
})

/**
 * 69 answers the number, the sums of sales and those of reversals; 64 has them for the last closure, with its date. In the
 * edition ro the sums of sales are followed by that of invoices and by their tax.
 */
async function lastReportZ(device: Asking<WireA>): Promise<string> {
  const isRo = device.edition.name === 'ro'
  const sales = await device.ask('lastClosure', { of: 'turnover' })
  const more = await device.ask('lastClosure', { of: isRo ? 'tax' : 'reversals' })
  const [sums, rest] = [sales.text.split('\t').slice(0, -1), more.text.split('\t').slice(1, -1)]
  return [...sums, ...(isRo ? rest.slice(-1) : rest)].join('\t')
}
