import { expect, it } from 'vitest'
import { isEcho, isFlood } from '../../drivers/link/question.ts'
import { toBytes } from '../../drivers/wire/charset.ts'
import { withWords } from '../support/verdict-rows.ts'

const MOST_BYTES = 16 * 1024 * 1024
const MOST_FRAMES = 200_000

it.each(
  withWords({ true: 'gives up', false: 'accepts' }, [
    ['the most bytes', MOST_BYTES, 0, false],
    ['one byte more', MOST_BYTES + 1, 0, true],
    ['the most frames', 0, MOST_FRAMES, false],
    ['one frame more', 0, MOST_FRAMES + 1, true],
  ]),
)('the link %s the answer: %s', (_result, _name, receivedBytes, count, expected) => {
  expect(isFlood({ receivedBytes, frames: new Array(count) })).toBe(expected)
})

it.each(
  withWords({ true: 'recognizes', false: 'does not conclude' }, [
    ['the whole request at once', ['[1ask]'], true],
    ['in pieces', ['[1', 'ask', ']'], true],
    ['with more bytes after it', ['[1ask](1'], true],
    ['without its end', ['[1ask'], false],
    ['after other bytes', ['x', '[1ask]'], false],
    ['changed on its way', ['[1aSk]'], false],
  ]),
)('the link %s that the request was echoed: %s', (_result, _name, pieces, expected) => {
  const exchange = { request: toBytes('[1ask]'), echoed: 0 }
  expect(pieces.map((piece) => isEcho(exchange, toBytes(piece))).at(-1)).toBe(expected)
})
