import { closeSync, existsSync, openSync, readSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readForeignFile } from '../../../drivers/host/foreign-file.ts'
import { messageOf } from '../../../drivers/model/errors.ts'
import { writePrivateFile } from '../../private-files.ts'
import { PUT_BACK, UnusableLog } from './log-tables.ts'

/**
 * File name that sorts before the log: a copy of the folder that is made while it is in use reads it first, so its
 * count is never ahead.
 */
const NAME = 'answers.count'
const DIGITS = 16

/**
 * The number of transactions that the log certainly has on the disk. A log with fewer is an older copy, or has lost its
 * -wal file, and does not know about later prints. The file is written after each flush of the log and not flushed
 * itself: after a power failure it is never ahead.
 */
interface CountFile {
  write(count: number): void
  /**
   * Returns whether the file contains the last written count. It does not if a copy of the folder was restored in
   * place; the count is then written again, so that the next start rejects the copy, too.
   */
  isUnchanged(): boolean
  close(): void
}

/**
 * Returns the number of transactions that the log must have. `isKept`: the log was written before. Throws UnusableLog.
 */
export function countNextToLog(log: string, isKept: boolean): number {
  const path = pathBeside(log)
  if (!existsSync(path)) {
    if (isKept) throw new UnusableLog(`${path}, which counts its writes, is gone. ${PUT_BACK}`)
    return 0
  }
  const text = readForeignFile(path, { maxBytes: 2 * DIGITS })
  if (!/^\d{16}\n$/.test(text)) throw new UnusableLog(`${path}, which counts its writes, is damaged. ${PUT_BACK}`)
  return Number(text)
}

/** Opens the file. `count`: number of transactions in the log. */
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
    throw new UnusableLog(`${path}, which counts its writes, cannot be written: ${messageOf(error)}`)
  }
  function write(now: number): void {
    try {
      writeSync(file, text(now), 0)
      written = text(now)
    } catch {
      // The log is written. A count that is too low proves less, but nothing false.
    }
  }
  /** Reads the count. An unreadable file proves nothing, so the last written text is returned. */
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
