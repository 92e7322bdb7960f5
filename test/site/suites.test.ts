/** The suites of frames and of REST run in a worker of Chromium: the same files, with Vitest's own `expect`. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { build, type Plugin } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { browserModules } from '../../bin/site/browser-modules.ts'
import { closeAtOnce, listenLocally } from '../../drivers/host/local-server.ts'
import { type Browser, openBrowser, openPage } from '../page/browser.ts'

const sources = join(import.meta.dirname, 'suites')
const root = join(import.meta.dirname, '..', '..')
/** `npm test` runs one in 20 tests in the worker, by rotation. */
const OF = process.env['RIG_SUITE'] === 'deep' ? 1 : 20
const FIXTURE = join(root, 'test', 'support', 'fixture.ts')

function suiteModules(): Plugin {
  const vitest = createRequire(createRequire(import.meta.url).resolve('vitest/package.json'))
  const places: Readonly<Record<string, string>> = {
    vitest: join(sources, 'vitest.js'),
    '#vitest': join(sources, 'vitest.js'),
    supertest: join(sources, 'supertest.js'),
    '#expect': vitest.resolve('@vitest/expect'),
    '#chai': createRequire(vitest.resolve('@vitest/expect')).resolve('chai'),
  }
  const families = ['a', 'b', 'c']
  const files = [
    ...families.flatMap((name) => [`frames/family-${name}.json`, `frames/collected-${name}.json`]),
    'provenance.json',
  ]
  return {
    name: 'suite-modules',
    enforce: 'pre',
    resolveId: (source) => places[source],
    load: (id) =>
      id === FIXTURE
        ? `const all = {${files.map((name) => `${JSON.stringify(name)}: ${readFileSync(join(root, 'fixtures', name), 'utf8')}`)}}
export const fixture = (path) => structuredClone(all[path])`
        : undefined,
  }
}

let browser: Browser
let folder: string
let server: ReturnType<typeof createServer>
let address: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'suites-'))
  const plugins = () => [suiteModules(), browserModules()]
  await build({
    ...{ configFile: false, root: sources, base: './', logLevel: 'error', plugins: plugins() },
    worker: { format: 'es', plugins },
    build: { outDir: folder, emptyOutDir: true, target: 'es2023', modulePreload: false, reportCompressedSize: false },
  })
  const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' }
  server = createServer(({ url = '/' }, response) => {
    const path = join(folder, url === '/' ? 'index.html' : url)
    response.writeHead(200, { 'Content-Type': types[extname(path)] ?? 'text/plain' }).end(readFileSync(path))
  })
  address = `http://127.0.0.1:${await listenLocally(server, 0)}/`
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await closeAtOnce(server)
  rmSync(folder, { recursive: true, force: true })
})

it('the frames of all families and the REST suite of each family pass in the worker', async () => {
  const { page } = await openPage(browser, { width: 800, height: 600 })
  await page.goto(address)
  const slice = Number.parseInt(process.env['SLICE'] ?? '0', 16) % OF
  const result = await page.evaluate<{ ran: number; failures: string[] }>(`runSuites({ of: ${OF}, slice: ${slice} })`)
  expect(result.failures).toEqual([])
  expect(result.ran).toBeGreaterThan(1_000 / OF)
})
