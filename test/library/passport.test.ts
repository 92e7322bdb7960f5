import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PrinterOptions, startPrinter } from '../../bin/library.ts'
import { passportText } from '../../scenarios/passport/passport-format.ts'
import { passportOf } from '../passport/record-passport.ts'

let folder: string
let file: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'library-passport-'))
  file = join(folder, 'shop.yaml')
  const identity = { serialNumber: 'DT765432', fiscalMemoryNumber: '02765432' }
  const { passport } = await passportOf({ family: 'A', profile: 'ro', identity })
  writeFileSync(file, passportText(passport))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the option passport', () => {
  it('makes the printer the device of the passport', async () => {
    const printer = await startPrinter({ family: 'A', passport: file })
    expect(printer).toMatchObject({ family: 'A', profile: 'ro', serialNumber: 'DT765432' })
    await printer.close()
  })

  it.each<[string, () => object, string]>([
    ['another family', () => ({ family: 'B' }), 'shop.yaml describes a device of family A'],
    ['another profile', () => ({ profile: 'bg' }), 'shop.yaml describes a device of profile ro'],
    [
      'a file that does not exist',
      () => ({ passport: join(folder, 'none.yaml') }),
      'startPrinter: passport: expected a readable file, not',
    ],
    ['a file that is not a passport', () => ({ passport: import.meta.filename }), 'startPrinter: passport: '],
    ['no path', () => ({ passport: 7 }), 'startPrinter: passport: expected a text'],
  ])('is rejected with a readable message: %s', async (_what, wrong, sentence) => {
    const options = { family: 'A', passport: file, ...wrong() } as PrinterOptions
    await expect(startPrinter(options)).rejects.toThrow(sentence)
  })
})
