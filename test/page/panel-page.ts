import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished } from 'vitest'
import { tillAt } from '../../bin/till-over-service.ts'
import { openPrinter } from '../../drivers/index.ts'
import type { Family } from '../../drivers/model/families.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import type { ListeningPanel } from '../../emulator/panel/panel.ts'
import { settingsOf } from '../../server/config.ts'
import { listenPanel } from '../support/panel.ts'
import { type Browser, openBrowser, openPage, type PageOptions, type Watched } from './browser.ts'

export interface PanelPage {
  readonly emulator: Emulator
  /** Tests may close and replace the panel. */
  panel: ListeningPanel
  /** Opens the view on the page of this test. Any error on the page fails the test, unless `mayComplain` is set. */
  open(view: string, options?: Partial<PageOptions> & Wishes): Promise<Page>
}

interface Wishes {
  readonly url?: string
  readonly mayComplain?: true
}

export async function sellOne(emulator: Emulator): Promise<void> {
  const printer = openPrinter({ family: 'A', device: emulator.path }, { binding: emulator.binding })
  await printer.openFiscal({ operator: { code: 1, password: '0000' }, pointOfSale: 1, invoice: false })
  await printer.sellArticle({ plu: 2, quantity: 1000, void: false })
  await printer.pay({ mode: 0, amount: 150 })
  await printer.closeFiscal()
  await printer.disconnect()
}

export async function otherPanel(family: Family): Promise<{ emulator: Emulator; url: string }> {
  const emulator = createEmulator({ family })
  const panel = await listenPanel(emulator, 0, { till: tillAt(emulator, settingsOf({}, { family })) })
  onTestFinished(async () => {
    await panel.close()
    await emulator.close()
  })
  return { emulator, url: panel.url }
}

export function panelPage(): PanelPage {
  let browser: Browser
  let emulator: Emulator
  let panel: ListeningPanel
  let watched: Watched | undefined
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    emulator = createEmulator({ family: 'A' })
    panel = await listenPanel(emulator, 0, { till: tillAt(emulator, settingsOf({}, { family: 'A' })) })
  })
  afterEach(async () => {
    await watched?.page.close()
    const troubles = watched?.troubles ?? []
    watched = undefined
    await panel.close()
    await emulator.close()
    // Refusals by the device must cause no console error either (decisions 8).
    expect(troubles).toEqual([])
  })
  return {
    get emulator() {
      return emulator
    },
    get panel() {
      return panel
    },
    set panel(another) {
      panel = another
    },
    async open(view, { width = 1440, height = 900, scheme = 'light', url = panel.url, mayComplain } = {}) {
      const { page, troubles } = await openPage(browser, { width, height, scheme })
      watched = { page, troubles: mayComplain ? [] : troubles }
      await page.goto(`${url}/#${view}`)
      await page.getByText('live', { exact: true }).waitFor()
      return page
    },
  }
}
