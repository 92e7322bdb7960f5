import { it } from 'vitest'
import { panelPage } from './panel-page.ts'
const rig = panelPage()
it('look', async () => {
  rig.emulator.device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
  rig.emulator.device.sell({ name: 'Olive oil', taxCode: 1, price: 899, quantity: 1000, void: false })
  const page = await rig.open('compose', { mayComplain: true })
  await page.getByRole('button', { name: 'Print a sample receipt' }).click()
  await page.locator('.message').waitFor()
  for (const [w, h] of [[1440, 900], [1024, 768], [800, 600], [390, 844]] as const) {
    await page.setViewportSize({ width: w, height: h })
    await page.screenshot({ path: `/tmp/p1/look-${w}.png` })
  }
})
