/** Browser replacements of Node modules have the same results, byte for byte. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteBuffer } from '../../bin/site/browser/replacements/buffer.ts'
import * as browser from '../../bin/site/browser/replacements/digest.ts'
import {
  basename,
  dirname,
  extname,
  isAbsolute,
  join,
  relative,
  resolve,
} from '../../bin/site/browser/replacements/path.ts'
import * as node from '../../drivers/host/digest.ts'

describe('the digests in the browser', () => {
  const lengths = [0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 128, 1_000, 70_000]
  it.each(lengths)('equal those of Node for texts of %i letters, of one and of two bytes each', (length) => {
    for (const text of ['a'.repeat(length), 'é'.repeat(length)]) {
      expect(browser.sha256(text)).toBe(node.sha256(text))
      expect(browser.sha1(text)).toBe(node.sha1(text))
    }
  })

  it('equal those of Node for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(browser.sha256(text)).toBe(node.sha256(text))
        expect(browser.sha1(text)).toBe(node.sha1(text))
      }),
    )
  })

  it('can be compared', () => {
    expect(browser.isSameDigest('ab', 'ab')).toBe(true)
    expect(browser.isSameDigest('ab', 'ac')).toBe(false)
    expect(browser.isSameDigest('ab', 'abc')).toBe(false)
  })

  it('come with random names in the form of UUIDs', () => {
    expect(browser.randomUUID()).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  })
})

describe('the byte buffers in the browser', () => {
  const encodings = ['latin1', 'hex', 'base64', 'base64url', 'utf8'] as const
  it.each(encodings)('write bytes as %s and read them again as Node does', (encoding) => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string({ unit: 'binary' }), (bytes, text) => {
        expect(ByteBuffer.from(bytes).toString(encoding)).toBe(Buffer.from(bytes).toString(encoding))
        const written = encoding === 'hex' ? Buffer.from(text).toString('hex') : text
        expect([...ByteBuffer.from(written, encoding)]).toEqual([...Buffer.from(written, encoding)])
      }),
    )
  })

  it('are sliced, joined, compared and searched as in Node', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array()), fc.uint8Array({ maxLength: 3 }), (parts, part) => {
        const [own, nodes] = [ByteBuffer.concat(parts), Buffer.concat(parts)]
        expect([...own]).toEqual([...nodes])
        expect(own.equals(nodes)).toBe(true)
        expect(Math.sign(ByteBuffer.compare(own, part))).toBe(Buffer.compare(nodes, part))
        expect(own.indexOf(part)).toBe(nodes.indexOf(part))
        expect(ByteBuffer.isBuffer(own.subarray(1))).toBe(true)
      }),
    )
  })
})

it('paths in the browser are joined as on any system with slashes', () => {
  expect([join('a', '..', 'b', 'c.yaml'), resolve('/a', 'b'), relative('/a/b', '/a/c')]).toEqual([
    'b/c.yaml',
    '/a/b',
    '../c',
  ])
  expect([dirname('/a/b.yaml'), basename('/a/b.yaml'), basename('/a/b.yaml', '.yaml')]).toEqual(['/a', 'b.yaml', 'b'])
  expect([extname('/a/b.yaml'), extname('/a/.b'), isAbsolute('/a'), isAbsolute('a')]).toEqual([
    '.yaml',
    '',
    true,
    false,
  ])
})
