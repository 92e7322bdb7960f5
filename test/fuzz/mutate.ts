/** Random inputs made of known ones: everything that is random comes from the seed. */

/** 0 to `below` - 1. */
export type Dice = (below: number) => number

/** mulberry32. */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * below)
  }
}

const BYTES_MAX = 4096
/** What programs stumble over, whatever they read. */
const WORDS = [
  ...[
    '',
    '\0',
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

type Change = (input: Buffer, dice: Dice, others: readonly Buffer[]) => Buffer

const spliced = (input: Buffer, from: number, to: number, middle: Uint8Array): Buffer =>
  Buffer.concat([input.subarray(0, from), middle, input.subarray(to)])

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
    const other = others[dice(others.length)] ?? input
    return Buffer.concat([input.subarray(0, dice(input.length + 1)), other.subarray(dice(other.length + 1))])
  },
  // A number in place of a number.
  (input, dice) => {
    const text = input.toString('latin1')
    const numbers = [...text.matchAll(/\d+/g)]
    const chosen = numbers[dice(numbers.length)]
    if (!chosen) return input
    const value = ['0', '1', '255', '65536', '2147483648', '9'.repeat(1 + dice(30)), String(dice(1000))][dice(7)] ?? ''
    return spliced(input, chosen.index, chosen.index + chosen[0].length, Buffer.from(value))
  },
]

/** One to four changes of one of these. */
export function mutated(corpus: readonly Buffer[], dice: Dice): Buffer {
  let input = corpus[dice(corpus.length)] ?? Buffer.alloc(0)
  for (let count = 1 + dice(4); count > 0; count--) {
    input = (CHANGES[dice(CHANGES.length)] as Change)(input, dice, corpus)
  }
  return input.subarray(0, BYTES_MAX)
}
