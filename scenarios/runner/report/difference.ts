import { diffArrays } from 'diff'
import { countText } from '../../../drivers/model/count-text.ts'

interface Part {
  readonly text: string
  readonly isChanged: boolean
}

export interface DiffLine {
  readonly kind: 'gone' | 'new' | 'same'
  readonly parts: readonly Part[]
}

/**
 * Parses lines that begin with `- ` (expected), `+ ` (printed) or two blanks, and compares the words of changed lines.
 */
export function differenceOf(lines: readonly string[]): DiffLine[] {
  const diffLines: DiffLine[] = lines.map((line) => ({
    kind: kindOf(line),
    parts: [{ text: line.slice(2), isChanged: false }],
  }))
  for (let at = 0; at < diffLines.length; at++) {
    const missingLines = runAt(diffLines, at, 'gone')
    const fresh = runAt(diffLines, at + missingLines, 'new')
    if (missingLines > 0 && missingLines === fresh)
      for (let n = at; n < at + missingLines; n++) compare(diffLines, n, n + missingLines)
    if (missingLines > 0) at += missingLines + fresh - 1
  }
  return diffLines
}

const kindOf = (line: string): DiffLine['kind'] =>
  line.startsWith('-') ? 'gone' : line.startsWith('+') ? 'new' : 'same'

function runAt(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): number {
  let count = 0
  while (lines[from + count]?.kind === kind) count++
  return count
}

const textOf = (line: DiffLine | undefined): string => line?.parts.map(({ text }) => text).join('') ?? ''

const wordsOf = (line: DiffLine | undefined): string[] => textOf(line).split(/(\s+)/)

function compare(lines: DiffLine[], missingLines: number, fresh: number): void {
  const parts = diffArrays(wordsOf(lines[missingLines]), wordsOf(lines[fresh]))
  // Lines that share only blanks are different lines.
  if (!parts.some(({ added, removed, value }) => !added && !removed && value.join('').trim() !== '')) return
  const side = (without: 'added' | 'removed'): Part[] =>
    parts
      .filter((part) => !part[without])
      .flatMap(({ value, added, removed }) =>
        value.map((text) => ({ text, isChanged: (added || removed) && text.trim() !== '' })),
      )
  lines[missingLines] = { kind: 'gone', parts: side('added') }
  lines[fresh] = { kind: 'new', parts: side('removed') }
}

const CONTEXT = 2

export function withoutEqualLines(lines: readonly string[]): string[] {
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some((line) => /^[-+]/.test(line))
  const near: string[] = []
  let pending = 0
  const flushPending = () => {
    if (pending > 0) near.push(`  ... ${countText(pending, 'line')} alike`)
    pending = 0
  }
  for (const [at, line] of lines.entries()) {
    if (!isNear(at)) {
      pending++
      continue
    }
    flushPending()
    near.push(line)
  }
  flushPending()
  return near
}
