import { type Field, FieldError, int, optional } from '../../../wire/field.ts'
import { command, onReceipt, printing } from '../command-facts.ts'
import type { Edition } from '../edition.ts'
import { blank, document, numbered, only, words, yesNo } from '../fields.ts'
import { tabs } from '../layouts.ts'

const SLOW_MS = 60_000

/** Maximum on the widest printers. The device also limits the text to its column count minus two. */
const lineText = words('text', { max: 62 })
const alignment = numbered('alignment', { left: '0', center: '1', right: '2' })
const style = [
  lineText,
  blank(yesNo('bold')),
  blank(yesNo('italic')),
  blank(numbered('height', { normal: '0', double: '1', half: '2' })),
  blank(yesNo('underline')),
  blank(alignment),
] as const

/** Text that is sent unchanged, because it may contain two-byte codes that begin with 0Bh (sheet 2.8). */
const rotated: Field<'text', string> = {
  name: 'text',
  unit: 'text',
  optional: false,
  write: (value) => value,
  read(raw) {
    if (raw.length > 128) throw new FieldError('text', 'value', `${raw.length} bytes; expected 128`)
    return raw
  },
}

export const textCommands = (d: Edition) =>
  [
    command('openNonFiscal', 38, '6.2', printing, {
      request: tabs([optional(yesNo('noHeader'))], 0),
      response: tabs([document()]),
      fiscal: true,
      limitMs: SLOW_MS,
    }),
    command('nonFiscalText', 42, '6.2', onReceipt, {
      allowedIn: 'inNonFiscal',
      request: tabs(style, 1),
    }),
    command('closeNonFiscal', 39, '6.2', onReceipt, {
      allowedIn: 'inNonFiscal',
      response: tabs([document()]),
      limitMs: SLOW_MS,
    }),
    /**
     * Command 54 documents the height as a flag; only some devices accept half height (sheet 6.4). Known scripts of the
     * edition ro send an additional empty field (sheet 9.1).
     */
    command('fiscalText', 54, '6.4', onReceipt, {
      allowedIn: 'inFiscal',
      request: tabs([...style, ...only(d, 'ro', blank(words('more', { max: 0 })))], 1),
    }),
    command('barcode', 84, '6.10', onReceipt, {
      request: tabs(
        [int('type', { min: 1, max: 7 }), words('data', { max: 400 }), optional(int('size', { min: 3, max: 10 }))],
        2,
      ),
    }),
    command('separatingLine', 92, '6.10', onReceipt, {
      request: tabs([numbered('style', { dashes: '1', dashed: '2', equals: '3', nothingDue: '4' })]),
    }),
    command('rotatedText', 122, '6.10', printing, { request: tabs([rotated]), fiscal: true }),
  ] as const
