import { expect, it, onTestFinished } from 'vitest'
import { openPrinter } from '../../drivers/index.ts'
import { listenPanel } from '../support/panel.ts'
import { panelPage } from './panel-page.ts'

const rig = panelPage()

function leave(paid: number): void {
  const { device } = rig.emulator
  device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
  device.sell({ name: 'Bread', taxCode: 1, price: 120, quantity: 1000, void: false })
  if (paid > 0) device.pay({ mode: 0, amount: paid })
}

it('an open receipt is cancelled', async () => {
  leave(0)
  const page = await rig.open('wire')
  await page.getByRole('button', { name: 'Cancel it' }).click()
  await page.getByText('Cancelled: Cancelled receipt 1.').waitFor()
  await page.getByText('No receipt is open.').waitFor()
})

it('an open receipt with a payment is paid and closed, and the page does not offer to cancel it', async () => {
  leave(50)
  const page = await rig.open('wire')
  const close = page.getByRole('button', { name: 'Pay the remaining amount in cash and close it' })
  await close.waitFor()
  expect(await page.getByRole('button', { name: 'Cancel it' }).count()).toBe(0)
  await close.click()
  await page.getByText('Closed: Fiscal receipt 1.').waitFor()
  expect(rig.emulator.device.day).toMatchObject({ total: 120, payments: { 0: 120 } })
})

it('while a program has the line, the page shows the refusal and the requests that the program has to send', async () => {
  const printer = openPrinter({ family: 'A', device: rig.emulator.path }, { binding: rig.emulator.binding })
  onTestFinished(() => printer.disconnect())
  await printer.openFiscal({ operator: { code: 1, password: '0000' }, pointOfSale: 1, invoice: false })
  const page = await rig.open('wire')
  await page.getByRole('button', { name: 'Cancel it' }).click()
  await page.getByRole('alert').getByText('another program uses the port').waitFor()
  await page.getByText('A program on the line can close or cancel it: with cancelFiscal').waitFor()
  expect(rig.emulator.device.receipt?.kind).toBe('fiscal')
})

it('without a service at the device, the page shows the requests that the program has to send', async () => {
  leave(0)
  const panel = await listenPanel(rig.emulator, 0)
  onTestFinished(() => panel.close())
  const page = await rig.open('wire', { url: panel.url })
  await page.getByText('A program on the line can close or cancel it: with cancelFiscal if nothing is paid').waitFor()
  expect(await page.getByRole('button', { name: 'Cancel it' }).count()).toBe(0)
})
