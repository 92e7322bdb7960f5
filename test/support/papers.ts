/**
 * The documents of the project and how comments cite them: "sheet A 6.4" (without the letter in the folder of a
 * family), "decisions 3", "specification 2.3", "legacy formats 3.1", "platform orders 5.2". The numbers are those of
 * headings, or of items in a numbered list under a heading: 6.3 may be the third item under heading 6.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PAPERS: Readonly<Record<string, string>> = {
  decisions: 'server/decisions.md',
  specification: 'server/specification.md',
  'legacy formats': 'server/legacy/formats.md',
  'platform orders': 'server/orders/mapping.md',
}

/** Returns the files of the documents, with the protocol specification of each family in `drivers/` and `test/`. */
function papersIn(root: string): Readonly<Record<string, string>> {
  const sheets = ['drivers', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder)).flatMap((name) => {
      const [, letter] = /^family-([a-z])$/.exec(name) ?? []
      const file = `${folder}/${name}/protocol.md`
      return letter && existsSync(join(root, file)) ? [[`sheet ${letter.toUpperCase()}`, file] as const] : []
    }),
  )
  return { ...Object.fromEntries(sheets), ...PAPERS }
}

/** A citation of a section of the document itself. */
const OWN = /\bsections? (\d+(?:\.\d+)*a?\b(?:(?:,? and |, | to )\d+(?:\.\d+)*a?\b)*)/gi
const NUMBER = String.raw`\d+(?:\.\d+)*a?\b`
const CITATION = new RegExp(
  String.raw`\b(sheet(?: [A-Z]\b)?|decisions|specification|legacy formats|platform orders) (${NUMBER}(?:(?:,? and |,? or |, | to )${NUMBER})*)`,
  'gi',
)
/** Text that looks like a citation but names no document. */
const NAMELESS =
  /\bsections? \d[\d.]*|\b(?:sheet|decisions|specification|orders|formats),? sections? \d|\b(?:family-[a-z]|style) \d[\d.]*|\.\.\/(?:reference|spec)\S*/gi

const sectionsOf = (paper: string, text: string): ReadonlySet<string> => {
  const sections = new Set<string>()
  let heading = ''
  for (const line of text.split('\n')) {
    const [, number] = /^#{2,4} (\d+(?:\.\d+)*a?)\.? /.exec(line) ?? []
    const [, item] = /^(\d+)\. /.exec(line) ?? []
    if (number !== undefined) heading = number
    if (number !== undefined) sections.add(number)
    else if (item !== undefined && heading !== '') sections.add(`${heading}.${item}`)
  }
  if (sections.size === 0) throw new Error(`${paper} has no numbered heading`)
  return sections
}

export interface Papers {
  /**
   * Returns sentences about citations in `text` whose section does not exist. `family`: the family of the folder, if
   * any.
   */
  mistakes(text: string, family: string | undefined): string[]
  /**
   * Returns sentences about wrong citations inside the documents, where a section without a document is one of the same
   * document.
   */
  mistakesInside(): string[]
  /** Returns whether the document has that section; throws for an unknown document. */
  has(paper: string, section: string): boolean
}

export function readPapers(root: string): Papers {
  const files = papersIn(root)
  const sections = new Map(
    Object.entries(files).map(([name, file]) => [name, sectionsOf(file, readFileSync(join(root, file), 'utf8'))]),
  )
  const has = (paper: string, section: string): boolean => {
    const known = sections.get(paper)
    if (!known) throw new Error(`no paper ${paper}`)
    return known.has(section)
  }
  const papers: Papers = {
    has,
    mistakesInside: () =>
      Object.entries(files).flatMap(([paper, file]) => {
        const family = /^sheet (.)/.exec(paper)?.[1]
        const wrong: string[] = []
        const rest = readFileSync(join(root, file), 'utf8').replace(OWN, (whole, numbers: string) => {
          for (const number of numbers.split(/,? and |, | to /)) {
            if (!has(paper, number)) wrong.push(`"${whole}": there is no section ${number}`)
          }
          return ''
        })
        return [...wrong, ...papers.mistakes(rest, family)].map((mistake) => `${file}: ${mistake}`)
      }),
    mistakes(text, family) {
      const wrong: string[] = []
      const rest = text.replace(CITATION, (whole: string, words: string, numbers: string) => {
        const [, letter] = /^sheet ([a-z])$/i.exec(words) ?? []
        const sheet = letter?.toUpperCase() ?? family
        const isSheet = /^sheet/i.test(words)
        if (isSheet && sheet === undefined) wrong.push(`"${whole}": of which family? Write "sheet A ${numbers}"`)
        else {
          const paper = isSheet ? `sheet ${sheet}` : words.toLowerCase()
          for (const number of numbers.split(/,? and |,? or |, | to /)) {
            if (!has(paper, number)) wrong.push(`"${whole}": ${files[paper]} has no section ${number}`)
          }
        }
        return ''
      })
      for (const [nameless] of rest.matchAll(NAMELESS)) {
        wrong.push(`"${nameless}": name the paper, as in "sheet 6.4", "decisions 3" or "specification 2.3"`)
      }
      return wrong
    },
  }
  return papers
}

/** Returns the comments of a source, each as one line of text. */
export function commentsOf(source: string): string[] {
  return [...source.matchAll(/\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n?)+|\/\/.*/gm)].map(([comment]) =>
    comment.replace(/^\s*(?:\/\*\*?|\*\/?|\/\/)|\*\/$/gm, ' ').replace(/\s+/g, ' '),
  )
}
