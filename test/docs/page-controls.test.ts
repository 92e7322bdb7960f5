import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pages } from '../../bin/docs/site.ts'
import { type Printer, type Service, startPrinter, startService } from '../../bin/library.ts'
import { type Browser, openBrowser, openPage } from '../page/browser.ts'
import { slice } from '../support/slice.ts'
import { builtPages } from './built-pages.ts'

let browser: Browser
let printer: Printer
let service: Service
let docs: string
beforeAll(async () => {
  await builtPages()
  printer = await startPrinter({ family: 'A' })
  service = await startService({ printer })
  docs = service.url.replace(/\/api$/, '/docs')
  browser = await openBrowser()
}, 300_000)
afterAll(async () => {
  await browser.close()
  await printer.close()
})

async function onPage(path: string, act: (page: Page) => Promise<void>): Promise<void> {
  const { page, troubles } = await openPage(browser, { width: 1440, height: 900 })
  try {
    await page.goto(`${docs}/${path}`)
    await act(page)
  } finally {
    await page.close()
  }
  expect(troubles).toEqual([])
}

it('the list "On this page" follows the reading position', async () => {
  await onPage('rest.html', async (page) => {
    const isInSight = () =>
      page.evaluate(`(() => {
        const list = document.querySelector('.contents').getBoundingClientRect()
        const link = document.querySelector('.contents [aria-current]')?.getBoundingClientRect()
        return link !== undefined && link.top >= list.top && link.bottom <= list.bottom
      })()`)
    for (const part of [0.5, 0.9]) {
      await page.evaluate(`scrollTo(0, document.body.scrollHeight * ${part})`)
      await expect.poll(isInSight).toBe(true)
    }
  })
})

describe('the search of the documentation', () => {
  it.each([
    ['retry', /Never twice|Troubleshooting|never twice/i],
    ['cyrillic', /Troubleshooting/],
    ['port busy', /Troubleshooting/],
    ['password', /Troubleshooting/],
    ['reprint', /Never twice|Troubleshooting/i],
    ['paper out', /The paper runs out/],
  ])('for "%s" lists a guide first, before protocol specifications and changelog', async (words, first) => {
    await onPage('index.html', async (page) => {
      await page.keyboard.press('/')
      await page.getByRole('searchbox').fill(words)
      await page.locator('#found li').first().waitFor()
      const found = await page.locator('#found li').allInnerTexts()
      expect(found[0]).toMatch(first)
      expect(found.slice(0, 3).filter((text) => /Sheet of family|Changelog/.test(text))).toEqual([])
    })
  })
})

it.each(['rest', 'control'])(
  'every operation on the page %s has an example of its call and of its answer',
  async (name) => {
    const text = (await pages()).find((page) => page.name === name)?.markdown ?? ''
    const sections = text
      .split(/^### /m)
      .slice(1)
      .filter((section) => /^`(?:GET|POST|PUT|DELETE) /.test(section))
    expect(sections.length).toBeGreaterThan(25)
    const lacking = sections
      .filter(
        (section) => !section.includes('curl -s') || !(section.includes('An answer:') || section.includes('image/png')),
      )
      .map((section) => section.split('\n')[0])
    expect(lacking).toEqual([])
    const bodies = sections.filter((section) => /\*\*Body\*\*: (?!may)/.test(section) && !/-d ['@]/.test(section))
    expect(bodies.map((section) => section.split('\n')[0])).toEqual([])
  },
)

it('examples are available in other languages, and the choice is stored', async () => {
  await onPage('rest.html', async (page) => {
    const first = page.getByRole('group', { name: 'Language of the example' }).first()
    await first.waitFor()
    const codes = () => page.locator('.languages + .code').allInnerTexts()
    for (const [name, sign] of [
      ['Python', 'requests.'],
      ['C#', 'new HttpClient()'],
      ['PHP', 'stream_context_create'],
      ['JavaScript', 'await fetch('],
    ] as const) {
      await first.getByRole('button', { name }).click()
      const all = await codes()
      expect(all.length).toBeGreaterThan(20)
      expect(all.filter((text) => !text.includes(sign))).toEqual([])
    }
    await page.reload()
    await page.getByRole('button', { name: 'JavaScript', pressed: true }).first().waitFor()
    const code = (await codes()).find((text) => text.includes('/print-fiscal-receipt')) ?? ''
    const run = code
      .replace(/\bCopy\s*$/, '')
      .replace('console.log(response.status, await response.text())', 'return response.status')
    expect(await page.evaluate(`(async () => { ${run} })()`)).toBe(200)
  })
})

it('each link of the reference leads to its operation on Try it', async () => {
  let links: readonly string[] = []
  await onPage('rest.html', async (page) => {
    links = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('main a[href*="try-it"]')].flatMap((one) => one.hash || [])`,
    )
  })
  expect(links.length).toBeGreaterThan(25)
  const [first = '', ...others] = slice(links, { of: 8, salt: 'try it' })
  await onPage(`try-it.html${first}`, async (page) => {
    for (const link of [first, ...others]) {
      // The first link has loaded the API reader, and each further link only changes the anchor.
      if (link !== first) await page.evaluate(`location.hash = ${JSON.stringify(link)}`)
      const [, , name] = link.split('/')
      await page.locator(`#reader .opblock.is-open[id$="-${name}"]`).waitFor()
      const isThere = () =>
        page.evaluate<boolean>(`(() => {
          const open = document.querySelector('#reader .opblock.is-open[id$="-${name}"]')
          const isAtEnd = scrollY + innerHeight >= document.body.scrollHeight - 2
          return Math.abs(open.getBoundingClientRect().top) < 200 || isAtEnd
        })()`)
      await expect.poll(isThere).toBe(true)
    }
  })
}, 300_000)

it('an operation on Try it fits the width of a phone, and says that it needs a body', async () => {
  await onPage('try-it.html', async (page) => {
    await page.setViewportSize({ width: 390, height: 844 })
    const block = page.locator('#reader .opblock').filter({ hasText: '/print-bar-code' })
    await block.locator('.opblock-summary-control').click()
    await block.locator('textarea').fill('')
    await block.locator('.execute').click()
    await block.locator('textarea.invalid').waitFor()
    const said = `getComputedStyle(document.querySelector('.body-param:has(.invalid)'), '::after').content`
    expect(await page.evaluate(said)).toBe('"This request needs a body: nothing was sent."')
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  })
})
