import { closeSync, existsSync, openSync, readSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readForeignFile, whyUnreadable } from '../../../drivers/host/foreign-file.ts'
import { messageOf } from '../../../drivers/model/errors.ts'
import { writePrivateFile } from '../../private-files.ts'
import { PUT_BACK, UnusableLog } from './log-tables.ts'

/**
 * The name sorts before that of the log. A copy of the folder that is made during use then reads this file first, so
 * its count is never too high.
 */
const NAME = 'answers.count'
const DIGITS = 16

/**
 * The number of transactions of the log that are on the disk. A log with fewer is an older copy or has lost its -wal
 * file. The file is written after each flush of the log but is not flushed itself, so after a power failure the count
 * is never too high.
 */
interface CountFile {
  write(count: number): void
  /**
   * Returns whether the file contains the last written count. If it does not, a copy of the folder was restored in
   * place; the count is then written again, so that the next start also rejects the copy.
   */
  isUnchanged(): boolean
  close(): void
}

/**
 * Returns the minimum number of transactions in the log. `isKept`: the log existed before, so a missing file is an
 * error. Throws UnusableLog.
 */
export function countNextToLog(log: string, isKept: boolean): number {
  const path = pathBeside(log)
  if (!existsSync(path)) {
    if (isKept) throw new UnusableLog(`${path}, which counts its writes, is gone. ${PUT_BACK}`)
    return 0
  }
  let text: string
  try {
    text = readForeignFile(path, { maxBytes: 2 * DIGITS })
  } catch (error) {
    throw new UnusableLog(`${path}, which counts its writes, cannot be read: ${whyUnreadable(error)}. ${PUT_BACK}`)
  }
  if (!/^\d{16}\n$/.test(text)) throw new UnusableLog(`${path}, which counts its writes, is damaged. ${PUT_BACK}`)
  return Number(text)
}

export function openCountFile(log: string, count: number): CountFile {
  const path = pathBeside(log)
  const text = (now: number) => `${String(now).padStart(DIGITS, '0')}\n`
  const found = Buffer.alloc(DIGITS + 1)
  let written = text(count)
  let file: number
  try {
    writePrivateFile(path, written)
    file = openSync(path, 'r+')
  } catch (error) {
    throw new UnusableLog(
      `${path}, which counts its writes, cannot be written: ${messageOf(error)}. Check the free space of the disk and the permissions of the folder`,
    )
  }
  function write(now: number): void {
    try {
      writeSync(file, text(now), 0)
      written = text(now)
    } catch {
      // The log itself is written. A count that is too low detects fewer old copies but rejects no valid log.
    }
  }
  /** A failed read proves nothing, so the last written text is returned. */
  function readNow(): string {
    try {
      return found.toString('latin1', 0, readSync(file, found, 0, found.length, 0))
    } catch {
      return written
    }
  }
  return {
    write,
    isUnchanged() {
      if (readNow() === written) return true
      write(Number(written))
      return false
    },
    close: () => closeSync(file),
  }
}

const pathBeside = (log: string): string => join(dirname(log), NAME)
