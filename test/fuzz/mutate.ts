/** Random inputs derived from known inputs. The seed determines all of them. */

/** Returns a random integer from 0 to `below` - 1. */
export type Dice = (below: number) => number

export function diceOf(seed: number): Dice {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * below)
  }
}

/** Maximum size of an input, unless its target has another. */
export const LONGEST = 4096
const WORDS = [
  ...[
    '',
    '\0',
    ' ',
    '\n',
    '\r\n',
    '\t',
    '\u001b[2J',
    '\u2028',
    '\ufeff',
    '\ud800',
    'é',
    '٣',
    '0',
    '-0',
    '-1',
    '1e999',
    '0.005',
  ],
  ...[
    '99999999999999999999',
    '4294967296',
    'NaN',
    'null',
    'true',
    '{}',
    '[]',
    '""',
    '{"',
    '*a',
    '&a ',
    '<<: ',
    '---\n',
  ],
  ...['__proto__', 'constructor', 'toString', '../', '%00', '%s', '$name', '$$', '^', ';', ',', '.', '='],
].map((word) => Buffer.from(word))

type Change = (input: Buffer, dice: Dice, others: readonly CorpusEntry[]) => Buffer

const spliced = (input: Buffer, from: number, to: number, middle: Uint8Array): Buffer =>
  Buffer.concat([input.subarray(0, from), middle, input.subarray(to)])

/** Separators of lines, fields and elements, and of the messages in targets/messages.ts. */
const SEPARATORS = ['\n', '\t', ',', ';', '\x03', '\r\n']

const CHANGES: readonly Change[] = [
  (input, dice) => {
    const copy = Buffer.from(input)
    if (copy.length > 0) copy[dice(copy.length)] = dice(256)
    return copy
  },
  (input, dice) => {
    const copy = Buffer.from(input)
    const at = dice(copy.length)
    if (copy.length > 0) copy[at] = (copy[at] as number) ^ (1 << dice(8))
    return copy
  },
  (input, dice) => {
    const from = dice(input.length + 1)
    return spliced(input, from, Math.min(input.length, from + 1 + dice(8)), Buffer.alloc(0))
  },
  (input, dice) => {
    const at = dice(input.length + 1)
    return spliced(input, at, at, WORDS[dice(WORDS.length)] as Buffer)
  },
  (input, dice) => {
    const from = dice(input.length + 1)
    const piece = input.subarray(from, from + 1 + dice(32))
    return spliced(input, from, from, Buffer.concat(Array.from({ length: 1 + dice(16) }, () => piece)))
  },
  (input, dice, others) => {
    const other = others[dice(others.length)]?.input ?? input
    return Buffer.concat([input.subarray(0, dice(input.length + 1)), other.subarray(dice(other.length + 1))])
  },
  (input, dice) => {
    const between = SEPARATORS[dice(SEPARATORS.length)] as string
    const pieces = input.toString('latin1').split(between)
    const from = dice(pieces.length)
    const [piece = ''] = dice(2) === 0 ? pieces.splice(from, 1) : pieces.slice(from, from + 1)
    if (dice(2) === 0) pieces.splice(dice(pieces.length + 1), 0, piece)
    return Buffer.from(pieces.join(between), 'latin1')
  },
  (input, dice) => {
    const text = input.toString('latin1')
    const numbers = [...text.matchAll(/\d+/g)]
    const chosen = numbers[dice(numbers.length)]
    if (!chosen) return input
    const value = ['0', '1', '255', '65536', '2147483648', '9'.repeat(1 + dice(30)), String(dice(1000))][dice(7)] ?? ''
    return spliced(input, chosen.index, chosen.index + chosen[0].length, Buffer.from(value))
  },
]

export interface CorpusEntry {
  readonly input: Buffer
  readonly compared: readonly (readonly [string, string])[]
}

/** Replaces a text in the input by the text with which the program compared it. */
function compliant(input: Buffer, dice: Dice, compared: CorpusEntry['compared']): Buffer {
  const [left, right] = compared[dice(compared.length)] ?? ['', '']
  const [seen, wanted] = dice(2) === 0 ? [left, right] : [right, left]
  if (seen === '') return input
  const places: number[] = []
  for (let at = input.indexOf(seen); at >= 0 && places.length < 32; at = input.indexOf(seen, at + 1)) places.push(at)
  const at = places[dice(places.length)]
  return at === undefined ? input : spliced(input, at, at + seen.length, Buffer.from(wanted))
}

/** Number of newest inputs, from which half of the new inputs are derived, because they are the least explored. */
const NEWEST = 32

export function mutated(corpus: readonly CorpusEntry[], dice: Dice, longest = LONGEST): Buffer {
  const back = dice(2) === 0 ? Math.min(NEWEST, corpus.length) : corpus.length
  const some = Array.from({ length: 1 + dice(3) }, () => corpus[corpus.length - 1 - dice(back)])
  const chosen = some.reduce((best, one) => (one && best && one.input.length < best.input.length ? one : best))
  let input = chosen?.input ?? Buffer.alloc(0)
  for (let count = 1 + dice(4); count > 0; count--) {
    input =
      chosen && dice(4) === 0
        ? compliant(input, dice, chosen.compared)
        : (CHANGES[dice(CHANGES.length)] as Change)(input, dice, corpus)
  }
  return input.subarray(0, longest)
}
