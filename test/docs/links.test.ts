import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, matchesGlob, normalize } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { builtFiles, builtPages, readerPlaces } from './built-pages.ts'

let pages: ReadonlyMap<string, string>
let places: ReadonlySet<string>
beforeAll(async () => {
  pages = await builtPages()
  places = readerPlaces()
})

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, one]) => one as string)

function deadLinks(name: string, html: string, files: ReadonlySet<string>): string[] {
  return all(html, /\s(?:href|src)="([^"]*)"/g).flatMap((target) => {
    if (/^https?:\/\//.test(target)) return []
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? name : path.replace(/^\.\//, '')
    if (!files.has(file)) return [`${name}: there is no ${target}`]
    const isThere =
      anchor === undefined ||
      pages.get(file)?.includes(` id="${anchor}"`) ||
      (file === 'try-it.html' && places.has(anchor))
    return isThere ? [] : [`${name}: nothing has the name ${target}`]
  })
}

it('every link leads to an existing place', () => {
  expect(pages.size).toBeGreaterThan(5)
  const files = builtFiles()
  expect([...pages].flatMap(([name, html]) => deadLinks(name, html, files))).toEqual([])
})

it('a broken link is reported', () => {
  const html = '<a href="./nothing.html">a</a><a href="#nothing">b</a><img src="./nothing.png">'
  expect(deadLinks('index.html', html, builtFiles())).toHaveLength(3)
})

it('every anchor has a unique name on its page', () => {
  for (const [name, html] of pages) {
    const ids = all(html, /\sid="([^"]*)"/g)
    expect({ name, twice: ids.filter((id, at) => ids.indexOf(id) !== at) }).toEqual({ name, twice: [] })
  }
})

it('every page is in the sidebar of every page', () => {
  for (const [name, html] of pages) {
    const listed = new Set(all(html, /href="\.\/([\w-]+\.html)"/g))
    expect({ name, missing: [...pages.keys()].filter((one) => !listed.has(one)) }).toEqual({ name, missing: [] })
  }
})

const root = join(import.meta.dirname, '..', '..')
const { files: packed } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: readonly string[] }
const isPacked = (path: string): boolean =>
  path === 'README.md' ||
  path === 'LICENSE' ||
  packed.some((entry) => path.startsWith(`${entry}/`) || matchesGlob(path, entry))

it('every link of a Markdown file in the package leads to a file of the package, or to a page of /docs', () => {
  const texts = globSync(['*.md', 'server/docs/guide/*.md', 'drivers/*/protocol.md'], { cwd: root }).filter(isPacked)
  expect(texts.length).toBeGreaterThan(20)
  const dead = texts.flatMap((file) =>
    all(readFileSync(join(root, file), 'utf8'), /\]\((?!\w+:|#)([^)#\s]+)[^)]*\)/g).filter((target) => {
      const path = normalize(join(dirname(file), target))
      const isPage = file.startsWith('server/docs/guide/') && pages.has(basename(target).replace(/\.md$/, '.html'))
      return !isPage && !(isPacked(path) && existsSync(join(root, path)))
    }),
  )
  expect(dead).toEqual([])
})

it('SECURITY.md names tests that exist', () => {
  const named = all(readFileSync(join(root, 'SECURITY.md'), 'utf8'), /`(test\/[^`]+)`/g)
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
})
