/** Answers and prints over a log in memory, whose disk a test can make full or unreadable. */
import { SimulatedClock } from '../../../drivers/model/clock.ts'
import { openAnswers } from '../../../server/operations/log/answers.ts'
import { openLogFile } from '../../../server/operations/log/log-file.ts'
import type { LogTables } from '../../../server/operations/log/log-tables.ts'
import { openPlainTables } from '../../../server/operations/log/plain-tables.ts'
import { openPrintLog } from '../../../server/operations/log/print-log.ts'
import { openAges } from '../../../server/operations/log/row-ages.ts'
import { receipt } from '../entries.ts'
import { BEFORE } from '../scripted-printer.ts'

export const START = Date.UTC(2026, 6, 15, 9)
const { hold: _hold, ...before } = BEFORE
export const FILLING = receipt('filling', { document: 17, before })
export const PAYING = receipt('paying', { document: 17, before })
export const intent = (key?: string, fingerprint = 'body') => ({
  name: '/x',
  fingerprint,
  ...(key !== undefined && { key }),
})
export const order = { shop: 'a.example', id: '7', token: 't' }

const diskError = (errcode: number) => Object.assign(new Error('disk'), { errcode })

export function journal() {
  const clock = new SimulatedClock(START)
  const plain = openPlainTables()
  const flushed: boolean[] = []
  const tables: LogTables = {
    ...plain,
    transaction(write, isDurable) {
      flushed.push(isDurable)
      plain.transaction(write, isDurable)
    },
  }
  const disk = { isFull: false, isUnread: false }
  const writing = () => {
    if (disk.isFull) throw diskError(13)
  }
  const reading = () => {
    if (disk.isUnread) throw diskError(10)
  }
  const open = () => {
    const file = openLogFile(tables, { writing, reading })
    const ages = openAges(tables, clock)
    const prints = openPrintLog(file, ages)
    return { file, ages, prints, answers: openAnswers(file, ages, prints) }
  }
  /** `again` opens the log for the next service. `flushed` lists whether each transaction flushed the disk. */
  return { ...open(), clock, tables, flushed, disk, again: open }
}
