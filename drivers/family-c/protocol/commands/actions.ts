import { SHOWS_ONLY } from '../../../wire/command.ts'
import type { Layout } from '../../../wire/row.ts'
import { cells, readWhole, syntaxError, wholeText } from '../cells.ts'
import { command, printing } from '../command-facts.ts'
import type { Edition } from '../edition.ts'
import { number, row } from '../rows.ts'

export const DISPLAY_WIDTH = 20

export interface NonFiscalOpening {
  readonly operator: number
  readonly password: string
  /**
   * `journal`: `J` forces a journal entry. `print`: `0` prints each line at once, `1` at the end. The edition c4
   * accepts both options or none.
   */
  readonly journal?: '0' | 'J'
  readonly print?: '0' | '1'
}

/** Operators 1 to 20 (sheet 4.6), sent as `1`, `01` or with a leading blank. */
export const OPERATORS = { min: 1, max: 20 } as const

const nonFiscalOpening = (d: Edition): Layout<NonFiscalOpening> =>
  cells(d, {
    fields: { operator: 'number', password: 'text' },
    write: (v, w) => [
      String(v.operator),
      w.text(v.password, d.passwordWidth),
      ...(v.journal === undefined || d.name === 'cr' ? [] : [v.journal]),
      ...(v.print === undefined ? [] : [v.print]),
    ],
    read(r) {
      const operator = r.whole('operator', OPERATORS)
      const password = r.text('password', { max: 6 })
      const rest = r.remaining
      if (rest > 2) throw syntaxError('data', `${rest} options, at most 2 are allowed`)
      if (rest === 0) return { operator, password }
      const first = r.letter('option', ['0', '1', 'J'])
      // A single option is the print option in the edition cr and the journal option elsewhere. `1` can only be the
      // print option, `J` only the journal option.
      if (rest === 1) {
        return first === '1' || (d.name === 'cr' && first !== 'J')
          ? { operator, password, print: first as '0' | '1' }
          : { operator, password, journal: first as '0' | 'J' }
      }
      if (first === '1') throw syntaxError('journal', 'must be 0 or J')
      return { operator, password, journal: first, print: r.letter('print', ['0', '1']) }
    },
  })

export interface BarcodeAsk {
  readonly type: string
  readonly data: string
  readonly center?: boolean
}

const BARCODES: Readonly<Record<string, RegExp>> = {
  '0': /^\d{11,12}$/, '1': /^\d{11,12}$/, '2': /^\d{12,13}$/, '3': /^\d{7,8}$/, '4': /^[\dA-Z \-.$/+%*]{1,10}$/,
  '5': /^(\d\d){1,9}$/, '6': /^[\dA-Da-d\-$:/.+]{1,15}$/, H: /^[\x20-\x7e]{1,14}$/, I: /^[\x20-\x7e]{1,12}$/,
} // biome-ignore format: a table
const SAME_AS: Readonly<Record<string, string>> = { A: '0', B: '1', C: '2', D: '3', E: '4', F: '5', G: '6' }

const barcode: Layout<BarcodeAsk> = {
  fields: { type: 'choice', data: 'text' },
  write: (v) => `P;${v.type};${v.data.length};${v.data}${v.center === undefined ? '' : `;${v.center ? '1' : '0'}`}`,
  read(raw) {
    if (raw === 'E' || raw === 'D') return { type: raw, data: '' }
    if (/^F;.{12}$/.test(raw)) return { type: 'F', data: raw.slice(2) }
    const match = /^P;([0-6A-I]);(\d{1,2});(.*)$/.exec(raw)
    if (!match) throw syntaxError('barcode', 'is not P;type;length;data')
    const [, type = '', length = '', rest = ''] = match
    const data = rest.slice(0, readWhole('length', length))
    const tail = rest.slice(data.length)
    if (!/^(;[01])?$/.test(tail)) throw syntaxError('data', 'does not have the declared length')
    if (!BARCODES[SAME_AS[type] ?? type]?.test(data))
      throw syntaxError('data', `is not data of a barcode of type ${type}`)
    return { type, data, ...(tail === '' ? {} : { center: tail === ';1' }) }
  },
}

export const actionCommands = (d: Edition) =>
  [
    command('diagnostics', 0x22, '4.2', printing),
    command('activeLogo', 0x23, '4.2', printing, {
      changes: 'memory',
      request: cells<{ logo: string }>(d, {
        fields: { logo: 'choice' },
        write: (v) => [v.logo],
        read(r) {
          const logo = r.next('logo')
          if (!/^[0-9?]$/.test(logo)) throw syntaxError('logo', 'must be a digit or ?')
          return { logo }
        },
      }),
    }),
    command('displayClear', 0x24, '4.2', SHOWS_ONLY),
    command('displayUpper', 0x25, '4.2', SHOWS_ONLY, {
      request: wholeText('text', { width: DISPLAY_WIDTH }),
    }),
    command('displayLower', 0x26, '4.2', SHOWS_ONLY, {
      request: wholeText('text', { width: DISPLAY_WIDTH }),
    }),
    command('displayText', 0x27, '4.2', SHOWS_ONLY, {
      request: wholeText('text', { width: 2 * DISPLAY_WIDTH }),
    }),
    command('displayClock', 0x28, '4.2', SHOWS_ONLY),
    command('cut', 0x29, '4.2', SHOWS_ONLY, { prints: true }),
    command('drawer', 0x2a, '4.2', SHOWS_ONLY),
    command('feed', 0x2b, '4.2', SHOWS_ONLY, { prints: true }),
    command('printLogo', 0x6c, '4.2', SHOWS_ONLY, {
      prints: true,
      needs: ['clock'],
      request: row(d, [], { tail: [number('logo', { max: 99 })] }),
    }),
    command('barcode', 0x51, '4.4', printing, { allowedIn: 'outsideFiscal', request: barcode }),
    command('openNonFiscal', 0x2e, '4.5', printing, {
      needs: ['clock', 'journal'],
      operated: true,
      request: nonFiscalOpening(d),
      fiscal: true,
      limitMs: 15_000,
    }),
    command('closeNonFiscal', 0x2f, '4.5', printing, {
      allowedIn: 'inNonFiscal',
      fiscal: true,
      limitMs: 15_000,
    }),
    // Command 37h has two names. The open receipt decides which one applies.
    command('fiscalText', 0x37, '4.10', printing, {
      allowedIn: 'inReceipt',
      request: wholeText('text'),
      fiscal: true,
    }),
    command('nonFiscalText', 0x37, '4.10', printing, {
      allowedIn: 'inReceipt',
      claims: () => false,
      request: wholeText('text'),
      fiscal: true,
    }),
  ] as const
