import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { plainText, render } from '../../bin/docs/markdown.ts'
import { EXIT_ENVIRONMENT, Exit, endWith } from '../../bin/exit.ts'
import { startPrinter, startService } from '../../bin/library.ts'
import { headingsOf, helpFor } from '../../drivers/host/troubleshooting-links.ts'
import { openDataFolder } from '../../server/data-folder.ts'
import { builtPages } from './built-pages.ts'

let pages: ReadonlyMap<string, string>
let folder: string
beforeAll(async () => {
  pages = await builtPages()
  folder = mkdtempSync(join(tmpdir(), 'help-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function isThere(address: string | undefined): boolean {
  const [page = '', id] = (address ?? '').split('/').at(-1)?.split('#') ?? []
  const html = pages.get(page)
  return html !== undefined && (id === undefined || html.includes(` id="${id}"`))
}

describe('help on the terminal', () => {
  it('a message that ends a command is followed by the address of its heading', () => {
    const data = openDataFolder(folder, 'serve')
    const held = (() => {
      try {
        openDataFolder(folder, 'emulate')
      } catch (problem) {
        return problem instanceof Error ? problem.message : ''
      }
    })()
    data.release()
    expect(held).toContain('is in use by process')
    const lines: string[] = []
    const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(String(text)) > 0)
    const status = process.exitCode
    endWith(new Exit(EXIT_ENVIRONMENT, held ?? ''))
    write.mockRestore()
    process.exitCode = status
    expect(lines).toEqual([
      `${held}\n`,
      expect.stringMatching(/^More: file:\/\/.*\/troubleshooting\.html#data-folder--is-in-use-by--stop-that-process/),
    ])
    expect(isThere(lines[1]?.trim())).toBe(true)
  })

  it('a message without a heading is printed without an address', () => {
    expect(helpFor('error: unknown option --famly')).toBeUndefined()
  })

  it('a message leads to the longest heading that fits', () => {
    expect(helpFor('Port 80 cannot be opened: permission denied. Choose another with --port.')).not.toEqual(
      helpFor(
        'Port 80 of the panel cannot be opened: it is taken. Choose another with --panel-port (0: any free one).',
      ),
    )
  })
})

it('a message that matches only a short heading has no address, and keeps its punctuation', () => {
  const { headings } = render('### "x" ... is `not` there `<now>`', () => undefined)
  const message = plainText(headings[0]?.html ?? '', '')
  expect(
    headingsOf([
      { id: 'a', message },
      { id: 'b', message: 'short' },
    ]),
  ).toEqual([{ id: 'a', parts: ['"x"', 'is not there <now>'], letters: 21 }])
})

it('an answer that refuses contains the link of its page', async () => {
  await using printer = await startPrinter({ family: 'A' })
  const { url } = await startService({ printer })
  const linkOf = async (path: string, init: RequestInit = {}) =>
    (await fetch(`${url}${path}`, init)).headers.get('Link') ?? ''
  printer.setPaper('out')
  const links = [
    await linkOf('/report-x', { method: 'POST' }),
    await linkOf('/close-fiscal-receipt', { method: 'POST' }),
    await linkOf('/payment', { method: 'POST', body: '{}' }),
    await linkOf('/no-such-thing'),
  ]
  expect(links).toEqual([
    '</docs/outcomes.html>; rel="help"',
    '</docs/refusals.html>; rel="help"',
    expect.stringContaining('/docs/troubleshooting.html#content-type--is-not-supported'),
    expect.stringContaining('/docs/troubleshooting.html#no-endpoint'),
  ])
  expect(links.map((link) => isThere(/<(.*)>/.exec(link)?.[1]))).toEqual([true, true, true, true])
  expect(await linkOf('/get-local-api-address')).toBe('')
})
