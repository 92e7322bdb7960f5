/** A journal in memory whose disk is full whenever a test says so. */
import { type JournalFile, openJournalFile } from '../../server/recovery/journal-file.ts'
import { openPlainTables } from '../../server/recovery/plain-tables.ts'

/** In the words of SQLite. */
const FULL = Object.assign(new Error('database or disk is full'), { errcode: 13 })

export interface JournalOnDisk extends JournalFile {
  isFull: boolean
}

export function journalOnDisk(): JournalOnDisk {
  const journal: JournalOnDisk = {
    ...openJournalFile(openPlainTables(), {
      writing() {
        if (journal.isFull) throw FULL
      },
    }),
    isFull: false,
  }
  return journal
}
