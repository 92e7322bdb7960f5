/** Faults on a real port (a pty): the tap between driver and port applies its rules. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { autoDetect } from '@serialport/bindings-cpp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Binding, openPrinter } from '../../drivers/index.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import type { Rule } from '../../emulator/faults/rule.ts'
import { type FaultyBinding, withLineFaults } from '../../scenarios/simulation/line-faults.ts'

let emulator: Emulator
let printer: FiscalPrinter
let tap: FaultyBinding
let folder: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-tap-'))
  emulator = createEmulator({ family: 'A' })
  const link = join(folder, 'printer')
  await emulator.openPty(link)
  tap = withLineFaults(autoDetect() as Binding, emulator.wire, 1)
  printer = openPrinter({ family: 'A', device: link }, { binding: tap })
  await printer.transactionStatus()
})
afterEach(async () => {
  await printer.disconnect()
  await emulator.close()
  rmSync(folder, { recursive: true })
})

const OPENING = { operator: { code: 1, password: '0000' }, pointOfSale: 1, invoice: false }

describe('a receipt over a pty is printed exactly once if', () => {
  it.each<[string, Rule]>([
    ['an answer is lost', { at: 'link.toHost', on: 'closeFiscal', times: 1, do: 'drop' }],
    ['a query is lost', { at: 'link.toDevice', on: 'closeFiscal', times: 1, do: 'drop' }],
    ['a query arrives twice', { at: 'link.toDevice', on: 'closeFiscal', times: 1, do: 'duplicate' }],
    ['a bit of the query flips', { at: 'link.toDevice', on: 'closeFiscal', times: 1, do: { flip: 50 } }],
    ['half of the answer comes late', { at: 'link.toHost', on: 'closeFiscal', times: 1, do: { split: 9 } }],
    ['noise precedes the answer', { at: 'link.toHost', on: 'closeFiscal', times: 1, do: { noise: '\0AT\r' } }],
    ['the end of the answer is swallowed', { at: 'link.toHost', on: 'closeFiscal', times: 1, do: 'drop', after: 12 }],
  ])('%s', async (_what, rule) => {
    tap.add(rule)
    await printer.openFiscal(OPENING)
    await printer.sellArticle({ plu: 1, quantity: 1000, void: false })
    await printer.pay({ mode: 0 })
    expect((await printer.closeFiscal()).receiptNumber).toBe('1')
    expect(tap.hits).toBe(1)
    expect(emulator.device.documents().map(({ kind }) => kind)).toEqual(['fiscal'])
  })
})
