/** The customer display shows each sale and the amount to pay, whichever program sends the sale. */
import { expect, it } from 'vitest'
import { openPrinter } from '../../drivers/index.ts'
import { createEmulator } from '../../emulator/emulator.ts'

async function sellAndShow(
  family: 'A' | 'C',
  before: (device: ReturnType<typeof createEmulator>) => void = () => undefined,
) {
  const emulator = createEmulator({ family })
  before(emulator)
  const printer = openPrinter({ family, device: emulator.path }, { binding: emulator.binding })
  const shown: string[] = []
  const look = () => shown.push(emulator.device.display.lines.map((line) => line.trim()).join(' | '))
  await printer.openFiscal({ operator: { code: 1, password: '0000' }, pointOfSale: 1, invoice: false })
  await printer.sellArticle({ plu: 1, quantity: 2000, void: false })
  look()
  await printer.sellArticle({ plu: 2, quantity: 1000, void: false })
  look()
  await printer.pay({ mode: 0, amount: 100 })
  look()
  await printer.pay({ mode: 0, amount: 500 })
  look()
  await printer.closeFiscal()
  await printer.disconnect()
  await emulator.close()
  return shown
}

it.each(['A', 'C'] as const)(
  'the display of family %s shows the sale, the remaining amount and the change',
  async (family) => {
    expect(await sellAndShow(family)).toEqual(['Bread | 2.40', 'Milk 1 l | 1.50', 'TOTAL | 2.90', 'CHANGE | 2.10'])
  },
)

it('the display shows a sum that is paid to the cent', async () => {
  const { device } = createEmulator({ family: 'A' })
  device.display.showAmount('A name that is longer than twenty letters', 123)
  expect(device.display.lines).toEqual(['A name that is longe', '                1.23'])
})

it('a device without a display stores nothing to be shown', async () => {
  const shown = await sellAndShow('A', ({ device }) => device.display.setAttached(false))
  expect(new Set(shown).size).toBe(1)
})
