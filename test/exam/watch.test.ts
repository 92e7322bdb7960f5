import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensurePage } from '../../bin/commands/build-panel-page.ts'
import { type ExamPage, watchExam } from '../../bin/exam/exam-page.ts'
import type { ExamView } from '../../emulator/panel/contract.ts'
import { thousandths } from '../../scenarios/exam/job.ts'
import type { Till } from '../../scenarios/exam/till.ts'
import { axeFindings, type Browser, openBrowser, openPage } from '../page/browser.ts'
import { examine } from './examine.ts'
import { plainTill } from './plain-till.ts'

let browser: Browser
let watch: ExamPage
beforeAll(async () => {
  await ensurePage()
  browser = await openBrowser()
  watch = await watchExam(0, { till: 'prints again', family: 'A', depth: 'quick' })
})
afterAll(async () => {
  await watch.close()
  await browser.close()
})

const readView = async (): Promise<ExamView> => (await (await fetch(`${watch.url}/emulator/exam`)).json()) as ExamView

/**
 * A till in real time that prints its sale on the device directly, and again if it is asked again. The till pauses in
 * the case `at`.
 */
function stopping(at: string): Till & { readonly isThere: Promise<void>; goOn(): void } {
  const [there, on] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  return {
    name: 'prints again',
    way: 'lines',
    isThere: there.promise,
    goOn: () => on.resolve(),
    open: ({ emulator, caseId }) => ({
      async run({ items, again, id }) {
        const { device } = emulator
        device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
        for (const { plu, quantity } of items) device.sellArticle({ plu, quantity: thousandths(quantity), void: false })
        device.pay({ mode: 0 })
        device.closeFiscal()
        if (caseId === at) {
          there.resolve()
          await on.promise
        }
        return { claim: caseId === 'dayOver' && id === 'first' && !again ? 'failed' : 'printed' }
      },
      close: async () => undefined,
    }),
  }
}

const RESULT = {
  text: '<!doctype html><title>report</title><h1>The report of the exam</h1>',
  policy: "default-src 'none'",
}

describe('the control panel of an exam', () => {
  it('shows the case, the verdicts so far and the paper of its device, and continues with the next device', async () => {
    const till = stopping('noiseBefore')
    const running = examine(
      till,
      { family: 'A' },
      {
        only: ['dayOver', 'paperMiddle', 'noiseBefore'],
        opened: watch.opened,
        baselineEnded(baseline, _map, planned) {
          watch.planned(planned + 1)
          watch.ended(baseline)
        },
        ended: watch.ended,
      },
    )
    await till.isThere
    expect(await readView()).toMatchObject({
      ...{ till: 'prints again', family: 'A', depth: 'quick', case: 'noiseBefore', planned: 4 },
      counts: { passed: 2, duplicated: 1 },
      cases: [
        { id: 'baseline', verdict: 'passed' },
        { id: 'paperMiddle', verdict: 'passed' },
        { id: 'dayOver', verdict: 'duplicated' },
      ],
    })
    const { page, troubles } = await openPage(browser, { width: 390, height: 844 })
    await page.goto(`${watch.url}/#exam`)
    await page.getByText('noiseBefore').waitFor()
    await page.getByText('3 of 4').waitFor()
    await page.getByText('dayOver: The device printed "first" twice').waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(troubles).toEqual([])
    for (const view of ['compose', 'requests', 'faults', 'setup']) {
      await page.goto(`${watch.url}/#${view}`)
      await page.getByText('An exam is running on this device, and no other client may act on it').waitFor()
      expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
    }
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('link', { name: 'Paper', exact: true }).last().click()
    await page.getByText('Bread').first().waitFor()
    await page.close()
    till.goOn()
    expect((await running).cases.map(({ id }) => id)).toEqual([
      ...['baseline', 'paperMiddle', 'dayOver', 'noiseBefore'],
    ])
  })

  it('waits between two devices until the next one is ready', async () => {
    const waiting = readView()
    await examine(plainTill(), { family: 'A' }, { only: ['paperFirst'], opened: watch.opened })
    expect(await waiting).toMatchObject({ till: 'prints again' })
  })
  it('stays connected over all cases, offers no manual actions, and shows the result and the report at the end', async () => {
    const own = await watchExam(0, { till: 'plain', family: 'A', depth: 'quick' })
    const { page, troubles } = await openPage(browser, { width: 1440, height: 900 })
    try {
      await page.goto(`${own.url}/#exam`)
      await page.evaluate(`(() => {
        window.connections = new Set()
        const note = () => window.connections.add(document.querySelector('.connection').textContent)
        new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true })
      })()`)
      const end = await examine(
        plainTill(),
        { family: 'A' },
        { only: ['paperFirst', 'coverFirst', 'noiseBefore', 'dayOver'], opened: own.opened, ended: own.ended },
      )
      await page.getByText('live', { exact: true }).waitFor()
      expect(await page.getByRole('button', { name: 'Print a sample receipt' }).count()).toBe(0)
      expect(await page.getByRole('group', { name: 'Paper' }).count()).toBe(0)
      const hand = await fetch(`${own.url}/emulator/paper`, { method: 'POST', body: '{"state": "out"}' })
      expect(hand.status).toBe(400)
      own.finished(['This till passed.'], RESULT)
      await page.getByText('This till passed.').waitFor()
      expect(await page.evaluate('[...window.connections].filter((text) => /no connection/.test(text))')).toEqual([])
      expect(end.cases.length).toBeGreaterThan(2)
      expect(await axeFindings(page)).toEqual([])
      await page.getByRole('link', { name: 'The report, with the log of each case' }).click()
      await page.getByRole('heading', { name: 'The report of the exam' }).waitFor()
      expect(troubles).toEqual([])
    } finally {
      await page.close()
      await own.close()
    }
  })

  it('shows the result to a browser that was still reading when the exam ended', async () => {
    const own = await watchExam(0, { till: 'plain', family: 'A', depth: 'quick' })
    const { page } = await openPage(browser, { width: 1440, height: 900 })
    try {
      const isReading = page.waitForRequest(/\/emulator\/z-reports$/)
      await page.goto(`${own.url}/#exam`)
      await isReading
      own.finished(['This till passed.'], RESULT)
      await page.getByText('This till passed.').waitFor()
      await page.getByText('live', { exact: true }).waitFor()
    } finally {
      await page.close()
      await own.close()
    }
  })

  it('gives each document an address that leads to no document of another case', async () => {
    const own = await watchExam(0, { till: 'prints again', family: 'A', depth: 'quick' })
    const { page, troubles } = await openPage(browser, { width: 1440, height: 900 })
    const stopAt = async (caseId: string) => {
      const till = stopping(caseId)
      const running = examine(till, { family: 'A' }, { only: [caseId], opened: own.opened, ended: own.ended })
      await till.isThere
      return async () => {
        till.goOn()
        await running
      }
    }
    try {
      const end = await stopAt('noiseBefore')
      await page.goto(`${own.url}/#/documents/1`)
      await page.waitForURL(/documents\/1\?at=\d{14}-\w+$/)
      const address = page.url()
      await page.reload()
      await page.getByRole('heading', { name: /^Fiscal receipt / }).waitFor()
      expect(page.url()).toBe(address)
      await page.goto(`${own.url}/#/timeline`)
      await page.getByRole('group', { name: 'Lanes' }).waitFor()
      expect(await page.getByRole('button', { name: 'Start a new session' }).count()).toBe(0)
      await page.goto(address)
      await page.getByRole('heading', { name: /^Fiscal receipt / }).waitFor()
      await end()
      const endNext = await stopAt('dayOver')
      await page.getByText('The device no longer has this document').waitFor()
      await page.reload()
      await page.getByText('Document 1 was printed before the device was replaced, and is no longer stored.').waitFor()
      await page.locator('.document-row').first().click()
      await page.waitForURL((url) => /documents\/\d+\?at=/.test(url.href) && url.href !== address)
      await page.getByRole('heading', { name: /^Fiscal receipt / }).waitFor()
      await endNext()
      expect(troubles).toEqual([])
    } finally {
      await page.close()
      await own.close()
    }
  })

  it('says in every view that the exam is over, in a tab from before its end and in a new one', async () => {
    const own = await watchExam(0, { till: 'plain', family: 'A', depth: 'quick' })
    const { page, troubles } = await openPage(browser, { width: 1440, height: 900 })
    const assertOver = async () => {
      for (const view of ['paper', 'compose', 'documents', 'day', 'requests', 'wire', 'timeline', 'faults', 'setup']) {
        await page.goto(`${own.url}/#/${view}`)
        const main = page.getByRole('main')
        await main.getByText('The exam is over. Its devices no longer exist.').waitFor()
        expect(await main.getByRole('link', { name: 'the report' }).getAttribute('href')).toBe('/exam/report.html')
      }
      expect(await page.getByText(/has been printed|is running on this device/).count()).toBe(0)
      await page.getByRole('main').getByRole('link', { name: 'Exam', exact: true }).click()
      await page.getByText('This till passed.').waitFor()
    }
    try {
      await page.goto(`${own.url}/#/paper`)
      await examine(plainTill(), { family: 'A' }, { only: ['paperFirst'], opened: own.opened, ended: own.ended })
      own.finished(['This till passed.'], RESULT)
      await assertOver()
      await page.reload()
      await assertOver()
      await page.goto(`${own.url}/#/day`)
      await page.getByText('The exam is over. Its devices no longer exist.').waitFor()
      expect(await axeFindings(page)).toEqual([])
      // A refusal of a read is no error of the page.
      expect(troubles).toEqual([])
    } finally {
      await page.close()
      await own.close()
    }
  })

  it('runs until no browser shows it', async () => {
    const own = await watchExam(0, { till: 'plain', family: 'A', depth: 'quick' })
    own.finished(['This till passed.'], RESULT)
    await own.whenUnwatched(new AbortController().signal)
    const { page } = await openPage(browser, { width: 390, height: 844 })
    await page.goto(`${own.url}/#exam`)
    await page.getByText('This till passed.').waitFor()
    let isLeft = false
    const left = own.whenUnwatched(new AbortController().signal).then(() => {
      isLeft = true
    })
    await page.reload()
    await page.getByText('This till passed.').waitFor()
    expect(isLeft).toBe(false)
    await page.close()
    await left
    await own.close()
  })
})
