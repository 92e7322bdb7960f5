import { readForeignFile } from '../../drivers/host/foreign-file.ts'
import { messageOf } from '../../drivers/model/errors.ts'
import type { Passport } from '../../emulator/passport/passport.ts'
import { readPassport } from '../../scenarios/passport/passport-format.ts'
import type { PrinterOptions } from './types.ts'

/** Throws RangeError if the file is not a passport, or if its device has another family or profile. */
export function passportOf(file: string, { family, profile }: PrinterOptions): Passport {
  const passport = read(file)
  const { device } = passport
  if (device.family !== family)
    throw wrong(`${file} describes a device of family ${device.family}; start it with that family`)
  if (profile !== undefined && device.profile !== profile)
    throw wrong(`${file} describes a device of profile ${device.profile}; omit profile`)
  return passport
}

function read(file: string): Passport {
  try {
    return readPassport(file, readForeignFile(file))
  } catch (problem) {
    throw wrong(messageOf(problem).replaceAll('\n', '; '), problem)
  }
}

const wrong = (why: string, cause?: unknown): RangeError => new RangeError(`startPrinter: passport: ${why}`, { cause })
