import { question, SHOWS_ONLY } from '../../../wire/command.ts'
import { int } from '../../../wire/field.ts'
import { row } from '../../../wire/row.ts'
import { command } from '../command-facts.ts'
import { COMMAS, longText, rawData, wholeText } from './rows.ts'

const lineText = row(COMMAS, [int('line', { min: 1, max: 4 }), longText('text')])

export const displayCommands = [
  command('displayClear', 33, '10.1', SHOWS_ONLY),
  command('displayUpper', 47, '10.1', SHOWS_ONLY, { request: wholeText }),
  command('displayLower', 35, '10.1', SHOWS_ONLY, { request: wholeText }),
  command('displayText', 46, '10.1', SHOWS_ONLY, {
    request: {
      fields: lineText.fields,
      write: lineText.write,
      // The text may contain commas.
      read(raw, page) {
        const comma = raw.indexOf(',')
        if (comma < 0) return lineText.read(raw, page)
        return { ...lineText.read(`${raw.slice(0, comma)},x`, page), text: page.decode(raw.slice(comma + 1)) }
      },
    },
  }),
  command('displayClock', 63, '10.1', SHOWS_ONLY),
  /** Raw bytes. Control byte c is sent as 10h, c + 40h. */
  command('displayRaw', 100, '10.1', SHOWS_ONLY, {
    request: {
      fields: { bytes: 'bytes' },
      write: ({ bytes }: { readonly bytes: string }) =>
        bytes.replace(/[\x00-\x1f]/g, (byte) => `\x10${String.fromCharCode(byte.charCodeAt(0) + 0x40)}`),
      read: (raw) => ({
        bytes: raw.replace(/\x10([\x40-\x5f])/g, (_, byte: string) => String.fromCharCode(byte.charCodeAt(0) - 0x40)),
      }),
    },
  }),
  command('displayConversion', 132, '10.1', question, { changes: 'memory', request: rawData }),
  command('displaySetUp', 133, '10.1', question, { changes: 'memory', request: rawData }),
] as const
