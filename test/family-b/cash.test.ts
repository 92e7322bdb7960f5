/** Cash in and out (sheet B 10.8, command 70) answers `F` for several causes, and the message names the right one. */
import { expect, it } from 'vitest'
import { explainRefusals } from '../../server/explain-refusals.ts'
import { startPrinter } from '../support/rig.ts'

const OPEN = { kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 } as const
const OPERATOR = { code: 1, password: '1' }

it.each([
  ['cash in while a receipt is open', 100, true, /the device accepts no cash now; a receipt may be open/],
  ['cash out while a receipt is open', -100, true, /the device pays out no cash now; a receipt may be open/],
  ['more cash out than there is', -100, false, /^There is not enough cash in the drawer \(device: F\): /],
])('the driver refuses, and the device prints nothing: %s', async (_what, amount, isOpen, message) => {
  const rig = startPrinter({ family: 'B' })
  const printer = explainRefusals(rig.driver())
  if (isOpen) {
    await printer.moveCash?.(500, OPERATOR)
    rig.emulator.device.openFiscal(OPEN)
  }
  await expect(printer.moveCash?.(amount, OPERATOR)).rejects.toThrow(message)
  await printer.disconnect()
  await rig.close()
})
