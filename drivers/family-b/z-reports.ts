import { createAskOnce, type Probe } from '../link/ask-once.ts'
import { isPresent } from '../link/same-device.ts'
import type { Session } from '../link/session.ts'
import type { Asking } from '../link/speech.ts'
import type { Questions, Reports } from '../model/printer.ts'
import { lastZ, numbersOf } from './evidence.ts'
import type { WireB } from './wire.ts'

/**
 * The Z report. A device that loses its power directly after it has forgotten the number of the frame, and would print a
 * second Z when the frame is written again: after a silence the device is asked for the number of its last Z first.
 */

type ZReports = Pick<Reports, 'reportZ'> & Pick<Questions, 'lastReportZ'>

const askOnce = createAskOnce<WireB>({ isSameDevice: (device) => isPresent(device, numbersOf) })

/** A device that does not report its last Z decides nothing. */
const dayClosed: Probe<WireB, number | null> = {
  look: lastZ,
  wasDone: (before, after) =>
    before === null || after === null ? undefined : after === before ? false : after === before + 1 ? true : undefined,
}

export const zReports = ({ lookAtTold, print }: Session<WireB>): ZReports => ({
  reportZ: () =>
    print(async (device) => {
      const { text, isAnswerLost } = await askOnce(device, 'dailyReport', { item: 0, keepOperators: false }, dayClosed)
      if (!isAnswerLost) return { text }
      const closure = await lastReportZ(device)
      device.stay()
      return { text: closure }
    }),
  lastReportZ: () => lookAtTold(lastReportZ),
})

/** 69 answers the number and the sums; 64 has them for the last closure, followed by its date. */
async function lastReportZ(device: Asking<WireB>): Promise<string> {
  const { text } = await device.ask('lastFiscalRecord', { sums: 'gross' })
  return text.replace(/,[^,]*$/, '')
}
