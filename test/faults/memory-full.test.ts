/** `memoryFull` at `memory.write` (decisions 6): without `times` the memory stays full. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Family } from '../../drivers/model/families.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import { emulatorView } from '../../emulator/panel/views.ts'
import { type PrinterRig, startPrinter } from '../support/rig.ts'

const FAMILIES: readonly Family[] = ['A', 'B', 'C']
const FULL: Readonly<Record<Family, string>> = { A: 'memoryFull', B: 'fiscalMemoryFull', C: 'memoryFull' }

describe.each(FAMILIES)('the fault "full memory" on family %s', (family) => {
  let rig: PrinterRig
  let printer: FiscalPrinter
  beforeEach(() => {
    rig = startPrinter({ family })
    printer = rig.driver()
  })
  afterEach(() => rig.close())

  const opening = () => {
    const code = 1
    return { operator: { code, password: printer.capabilities.defaultPassword(code) }, pointOfSale: 1, invoice: false }
  }
  const refused = { problem: { kind: 'refused' } }
  const statusOfLast = (command: string) =>
    rig.emulator.frames().findLast((one) => one.direction === 'toHost' && one.command === command)?.status ?? []
  const receipt = async () => {
    await printer.openFiscal(opening())
    await printer.sellArticle({ plu: 1, quantity: 1_000, void: false })
    await printer.pay({ mode: 0 })
    return printer.closeFiscal()
  }

  it('without times is shown by status, memory and openings until the rule is removed', async () => {
    await receipt()
    const { id } = rig.emulator.faults.add({ at: 'memory.write', do: 'memoryFull' })
    const { fiscalMemory } = emulatorView(rig.emulator)
    expect(fiscalMemory.used).toBe(fiscalMemory.capacity)
    await expect(printer.openFiscal(opening())).rejects.toMatchObject(refused)
    await expect(printer.reportZ()).rejects.toMatchObject(refused)
    await printer.transactionStatus()
    if (family !== 'C') expect(statusOfLast('transactionStatus')).toContain(FULL[family])
    else expect(statusOfLast('status')).toContain(FULL[family])
    expect(rig.emulator.faults.get(id)?.hits).toBeGreaterThan(0)

    rig.emulator.faults.remove(id)
    expect(emulatorView(rig.emulator).fiscalMemory.used).toBe(0)
    await receipt()
    await printer.reportZ()
    expect(emulatorView(rig.emulator).fiscalMemory.used).toBe(1)
  })

  it('with times refuses that number of writes with the status of a full memory, and an opening does not count', async () => {
    const { id } = rig.emulator.faults.add({ at: 'memory.write', times: 1, do: 'memoryFull' })
    await printer.openFiscal(opening())
    await printer.sellArticle({ plu: 1, quantity: 1_000, void: false })
    await printer.pay({ mode: 0 })
    expect(rig.emulator.faults.get(id)?.hits).toBe(0)
    await expect(printer.closeFiscal()).rejects.toMatchObject(refused)
    // Responses of family C carry no status bytes.
    if (family !== 'C') expect(statusOfLast('closeFiscal')).toContain(FULL[family])
    expect(rig.emulator.faults.get(id)?.hits).toBe(1)
    expect(emulatorView(rig.emulator).fiscalMemory.used).toBe(0)
    await printer.closeFiscal()
    expect(rig.papers().map(({ kind }) => kind)).toEqual(['fiscal'])
  })
})
