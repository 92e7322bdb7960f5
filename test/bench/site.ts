/** The site (npm run site): from an empty browser profile to a printed receipt, and the size of the download. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildSite } from '../../bin/site/build.ts'
import { closeAtOnce, listenLocally } from '../../drivers/host/local-server.ts'
import { type Browser, launchBrowser } from '../page/browser.ts'
import { BELOW, folderServer } from '../site/folder-server.ts'
import { type Figure, median } from './measure.ts'

const VISITS = 5
const FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"

export async function siteFigures(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'site-'))
  const browser = await launchBrowser()
  const server = folderServer(folder)
  try {
    await buildSite(folder)
    const address = `http://127.0.0.1:${await listenLocally(server, 0)}${BELOW}`
    const paints: number[] = []
    const receipts: number[] = []
    for (let visit = 0; visit < VISITS; visit++) {
      const { painted, printed } = await visitOnce(browser, address)
      paints.push(painted)
      receipts.push(printed)
    }
    return [
      { name: 'site: first paint', value: median(paints), unit: 'ms' },
      { name: 'site: printed receipt after', value: median(receipts), unit: 'ms', target: { atMost: 3000 } },
      { name: 'site: compressed', value: megabytes(folder), unit: 'MB', target: { atMost: 1.5 } },
    ]
  } finally {
    await browser.close()
    await closeAtOnce(server)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function visitOnce(
  browser: Browser,
  address: string,
): Promise<{ readonly painted: number; readonly printed: number }> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(address, { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Print a sample receipt' }).click()
  await page.getByText('Fiscal receipt 1').first().waitFor()
  const printed = await page.evaluate<number>('performance.now()')
  const painted = await page.evaluate<number>(FIRST_PAINT)
  await context.close()
  return { painted, printed }
}

/** Returns the size without the documentation, which the browser downloads page by page. */
function megabytes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('docs'))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
  return files.reduce((sum, path) => sum + gzipSync(readFileSync(path)).length, 0) / 1e6
}
