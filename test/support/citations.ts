/**
 * The documents of the project and how comments cite them: "sheet A 6.4" (without the letter in the folder of a
 * family), "decisions 3", "specification 2.3", "legacy formats 3.1", "platform orders 5.2". The numbers are those of
 * headings, or of items in a numbered list under a heading: 6.3 may be the third item under heading 6.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const DOCUMENTS: Readonly<Record<string, string>> = {
  decisions: 'server/decisions.md',
  specification: 'server/specification.md',
  'legacy formats': 'server/legacy/formats.md',
  'platform orders': 'server/orders/mapping.md',
}

function documentsIn(root: string): Readonly<Record<string, string>> {
  const sheets = ['drivers', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder)).flatMap((name) => {
      const [, letter] = /^family-([a-z])$/.exec(name) ?? []
      const file = `${folder}/${name}/protocol.md`
      return letter && existsSync(join(root, file)) ? [[`sheet ${letter.toUpperCase()}`, file] as const] : []
    }),
  )
  return { ...Object.fromEntries(sheets), ...DOCUMENTS }
}

/** Matches a citation of a section of the same document. */
const OWN = /\bsections? (\d+(?:\.\d+)*a?\b(?:(?:,? and |, | to )\d+(?:\.\d+)*a?\b)*)/gi
const NUMBER = String.raw`\d+(?:\.\d+)*a?\b`
const CITATION = new RegExp(
  String.raw`\b(sheet(?: [A-Z]\b)?|decisions|specification|legacy formats|platform orders) (${NUMBER}(?:(?:,? and |,? or |, | to )${NUMBER})*)`,
  'gi',
)
/** Matches text that looks like a citation but names no document. */
const NAMELESS =
  /\bsections? \d[\d.]*|\b(?:sheet|decisions|specification|orders|formats),? sections? \d|\b(?:family-[a-z]|style) \d[\d.]*|\.\.\/(?:reference|spec)\S*/gi

const sectionsOf = (document: string, text: string): ReadonlySet<string> => {
  const sections = new Set<string>()
  let heading = ''
  for (const line of text.split('\n')) {
    const [, number] = /^#{2,4} (\d+(?:\.\d+)*a?)\.? /.exec(line) ?? []
    const [, item] = /^(\d+)\. /.exec(line) ?? []
    if (number !== undefined) heading = number
    if (number !== undefined) sections.add(number)
    else if (item !== undefined && heading !== '') sections.add(`${heading}.${item}`)
  }
  if (sections.size === 0) throw new Error(`${document} has no numbered heading`)
  return sections
}

export interface Citations {
  /**
   * Returns sentences about citations in `text` whose section does not exist. `family` is the family of the folder, if
   * any.
   */
  mistakes(text: string, family: string | undefined): string[]
  /**
   * Returns sentences about wrong citations inside the documents. A citation without a document refers to the document
   * itself.
   */
  mistakesInside(): string[]
  /** Throws for an unknown document. */
  has(document: string, section: string): boolean
}

export function readCitations(root: string): Citations {
  const files = documentsIn(root)
  const sections = new Map(
    Object.entries(files).map(([name, file]) => [name, sectionsOf(file, readFileSync(join(root, file), 'utf8'))]),
  )
  const has = (document: string, section: string): boolean => {
    const known = sections.get(document)
    if (!known) throw new Error(`no document ${document}`)
    return known.has(section)
  }
  const citations: Citations = {
    has,
    mistakesInside: () =>
      Object.entries(files).flatMap(([document, file]) => {
        const family = /^sheet (.)/.exec(document)?.[1]
        const wrong: string[] = []
        const rest = readFileSync(join(root, file), 'utf8').replace(OWN, (whole, numbers: string) => {
          for (const number of numbers.split(/,? and |, | to /)) {
            if (!has(document, number)) wrong.push(`"${whole}": there is no section ${number}`)
          }
          return ''
        })
        return [...wrong, ...citations.mistakes(rest, family)].map((mistake) => `${file}: ${mistake}`)
      }),
    mistakes(text, family) {
      const wrong: string[] = []
      const rest = text.replace(CITATION, (whole: string, words: string, numbers: string) => {
        const [, letter] = /^sheet ([a-z])$/i.exec(words) ?? []
        const sheet = letter?.toUpperCase() ?? family
        const isSheet = /^sheet/i.test(words)
        if (isSheet && sheet === undefined) wrong.push(`"${whole}": of which family? Write "sheet A ${numbers}"`)
        else {
          const document = isSheet ? `sheet ${sheet}` : words.toLowerCase()
          for (const number of numbers.split(/,? and |,? or |, | to /)) {
            if (!has(document, number)) wrong.push(`"${whole}": ${files[document]} has no section ${number}`)
          }
        }
        return ''
      })
      for (const [nameless] of rest.matchAll(NAMELESS)) {
        wrong.push(`"${nameless}": name the document, as in "sheet 6.4", "decisions 3" or "specification 2.3"`)
      }
      return wrong
    },
  }
  return citations
}

export function commentsOf(source: string): string[] {
  return [...source.matchAll(/\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n?)+|\/\/.*/gm)].map(([comment]) =>
    comment.replace(/^\s*(?:\/\*\*?|\*\/?|\/\/)|\*\/$/gm, ' ').replace(/\s+/g, ' '),
  )
}
