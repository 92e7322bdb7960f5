import { closeSync, existsSync, openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readForeignFile } from '../../../drivers/host/foreign-file.ts'
import { messageOf } from '../../../drivers/model/errors.ts'
import { writePrivateFile } from '../../private-files.ts'
import { PUT_BACK, UnusableLog } from './journal-tables.ts'

/** Sorts before the log: a copy of the folder that is made while it is in use has it first, and so it is not ahead. */
const NAME = 'answers.count'
const DIGITS = 16

/**
 * How many transactions the log has on the disk for certain. A log with fewer is an older copy, or has lost its -wal file, and
 * does not know what was printed since. Written behind each flush of the log and not flushed itself: behind a power failure
 * it is never ahead.
 */
interface CountFile {
  write(count: number): void
  close(): void
}

/** So many transactions the log must have. `isKept`: it was written before. Throws UnusableLog. */
export function countBeside(log: string, isKept: boolean): number {
  const path = pathBeside(log)
  if (!existsSync(path)) {
    if (isKept) throw new UnusableLog(`${path}, which counts its writes, is gone. ${PUT_BACK}`)
    return 0
  }
  const text = readForeignFile(path, { maxBytes: 2 * DIGITS })
  if (!/^\d{16}\n$/.test(text)) throw new UnusableLog(`${path}, which counts its writes, is damaged. ${PUT_BACK}`)
  return Number(text)
}

/** `count`: what the log has taken. */
export function openCountFile(log: string, count: number): CountFile {
  const path = pathBeside(log)
  const text = (now: number) => `${String(now).padStart(DIGITS, '0')}\n`
  let file: number
  try {
    writePrivateFile(path, text(count))
    file = openSync(path, 'r+')
  } catch (error) {
    throw new UnusableLog(`${path}, which counts its writes, cannot be written: ${messageOf(error)}`)
  }
  return {
    write(now) {
      try {
        writeSync(file, text(now), 0)
      } catch {
        // The log is written: a count that is behind it tells less, and nothing wrong.
      }
    },
    close: () => closeSync(file),
  }
}

const pathBeside = (log: string): string => join(dirname(log), NAME)
