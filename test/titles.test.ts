import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasVerb } from './support/title-verbs.ts'
import { titlesIn } from './support/titles.ts'

const root = join(import.meta.dirname, '..')
/** The number does not count the values of rows. */
const WORDS_MAX = 45

const AUXILIARY = '(?:is|are|was|were|has|have|does|do|did|can|cannot|may|might|must|will)'
/** These turns leave open who or what is meant. Each turn has its replacement. */
const UNCLEAR: readonly (readonly [turn: RegExp, instead: string])[] = [
  [new RegExp(`(?:^|[:;] )(?:it|they|this|that|those|these|both|each|none) ${AUXILIARY}\\b`, 'i'), 'the noun'],
  [new RegExp(`(?:^|> )(?:it|they|this|those|these|both|none) ${AUXILIARY}\\b`, 'i'), 'the noun'],
  [/\b(?:ones|another one|the other one|that one|this one|the one|no one)\b/i, 'the noun'],
  [/\bnone of (?:it|them)\b|\bas such\b|\bboth ways\b|\bof ours\b|\bour own\b/i, 'the noun'],
  [/\b(?:nobody|somebody|anybody|something)\b/i, 'the role, or the thing'],
  [/\b(?:alike|once more|anew|half-way|so many|told|heard|struck)\b/i, 'equally, again, reported, received, triggered'],
  [/(?:^| )([a-z]+) \1(?: |$)/, 'the word only once'],
  [
    /\b(?:accepted|read|executed|printed) or (?:refused|omitted)\b|\bor not(?:$|:)/i,
    'the result of the row (`withResult`, `withWords`)',
  ],
  [/\bcorrectly\b|\bis right\b|\bthe (?:right|expected) (?:verdict|outcome|result)\b/i, 'the result'],
  [/\b(?:works|does its work)\b(?! two days)/i, 'what is done'],
]

const titles = globSync('test/**/*.{test,deep,suite}.ts', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .sort()
  .flatMap((file) =>
    titlesIn(readFileSync(join(root, file), 'utf8')).map(({ line, joined }) => ({
      place: `${file}:${line}`,
      joined,
    })),
  )
const found = (isWrong: (joined: string) => boolean): readonly string[] =>
  titles.filter(({ joined }) => isWrong(joined)).map(({ place, joined }) => `${place}: ${joined}`)

describe('the title of a test, joined with its describe blocks,', () => {
  it.each(UNCLEAR)('does not contain %s, but %s', (turn) => {
    expect(found((joined) => turn.test(joined))).toEqual([])
  })

  it('contains a verb, unless a part of it is or begins with a value', () => {
    const isValue = (part: string) => /^(?:%[a-z]|\{\})(?!\w)|^\$\w+$/.test(part)
    expect(found((joined) => !joined.split(' > ').some(isValue) && !hasVerb(joined))).toEqual([])
  })

  it(`has at most ${WORDS_MAX} words`, () => {
    expect(found((joined) => joined.split(/\s+/).length > WORDS_MAX)).toEqual([])
  })
})
