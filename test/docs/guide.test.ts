import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { anchorOf, type Page, readPage, readPages, root } from './pages.ts'

const SECTIONS = ['First hour', 'Guides', 'Reference', 'Wire', 'Help']
const pages = readPages()
const [readme, ...guide] = pages as readonly [Page, ...Page[]]

it('the README is the first page of the guide', () => {
  expect(readme.text.split('\n').length).toBeLessThanOrEqual(250)
})

it.each(guide.map((page) => [page.path, page] as const))('%s says its title, section and order', (_path, page) => {
  expect(SECTIONS).toContain(page.matter['section'])
  expect(page.matter['order']).toMatch(/^\d+$/)
  expect(page.headings[0]).toBe(page.matter['title'])
})

it('no two pages of a section have the same position', () => {
  const places = guide.map(({ matter }) => `${matter['section']} ${matter['order']}`)
  expect(new Set(places).size).toBe(places.length)
})

it('every example of a command with its own panel port, next to another command, has its own data folder', () => {
  const commands = pages.flatMap(({ path, fences }) =>
    fences
      .filter(({ language }) => language === 'sh')
      .flatMap(({ content }) => content.split('\n'))
      .filter((line) => /^npx fiscal-rig (?:serve|emulate)\b.*--panel-port /.test(line))
      .map((line) => ({ path, line, hasData: line.includes(' --data ') })),
  )
  expect(commands.length).toBeGreaterThan(2)
  expect(commands.filter(({ hasData }) => !hasData)).toEqual([])
})

it('every link of the README leads to an existing file, and to a heading of it', () => {
  const wrong = readme.links
    .filter(({ to }) => !/^https?:/.test(to))
    .filter(({ to }) => {
      const [file = '', anchor] = to.split('#')
      const path = file === '' ? readme.path : file
      if (!existsSync(join(root, path))) return true
      return anchor !== undefined && !readPage(path).headings.map(anchorOf).includes(anchor)
    })
    .map(({ line, to }) => `${readme.path}:${line}: ${to}`)
  expect(wrong).toEqual([])
})
