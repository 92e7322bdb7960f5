/** Lines of a receipt's electronic journal that show an element printed twice, or a void receipt. */
import { describe, expect, it } from 'vitest'
import { refused } from '../../drivers/model/errors.ts'
import type { DocumentFacts, FiscalPrinter } from '../../drivers/model/printer.ts'
import { isVoided, readElements, unconfirmedBy } from '../../server/operations/journal-lines.ts'
import type { Entry, UnconfirmedElement } from '../../server/operations/operation.ts'
import { reconcile } from '../../server/operations/run.ts'
import { withWords } from '../support/verdict-rows.ts'
import { receipt, slip, text } from './entries.ts'
import {
  allPaid,
  BEFORE,
  FISCAL,
  NO_ANSWER,
  positionOf,
  REFUSED,
  type Script,
  scriptedPrinter,
} from './scripted-printer.ts'

const unconfirmedText = (words: string, texts: readonly string[]) =>
  unconfirmedBy(text(words), { steps: texts.map((one) => text(one)) }) as UnconfirmedElement

const READING = { asked: 'not duplicated', twice: 'duplicated', unconfirmed: 'unconfirmed' }
const DUPLICATED = { true: 'duplicated', false: 'not duplicated' }

describe('a requested text in the electronic journal', () => {
  const stand = (unconfirmed: readonly UnconfirmedElement[], lines: readonly string[]) =>
    readElements(lines, unconfirmed)
  const LONG = 'Vă mulțumim că ați cumpărat de la noi și vă mai așteptăm'

  it.each(
    withWords({ twice: 'recognized', asked: 'not recognized' }, [
      ['without its diacritics', 'Mulțumim', 'Multumim', 'twice'],
      ['with its diacritics', 'Mulțumim', 'Mulțumim', 'twice'],
      ['with marks', 'Mulțumim', '#Multumim            #', 'twice'],
      ['with marks of its own', '#5#', '#5#', 'twice'],
      ['with marks of its own, between blanks', '#5#', '  #5#  ', 'twice'],
      ['with marks around marks of its own', '#5#', '##5##', 'twice'],
      ['cut, without its diacritics', LONG, '#Va multumim ca ati cumpar#', 'twice'],
      ['as signs that the page lacks', '咖啡', '??', 'twice'],
      ['too short to be distinguished from another text', LONG, 'Va multumim', 'asked'],
      ['as another text', 'Multumim', 'Mulțumim', 'asked'],
      ['as another text of the same length', 'Café', 'Cave', 'asked'],
    ] as const),
  )('is %s if it is printed %s', (_result, _, text, line, stands) => {
    const unconfirmed = [unconfirmedText(text, [text])]
    expect(stand(unconfirmed, ['BREAD', line, 'POWER LOSS', line, 'TOTAL'])).toBe(stands)
    expect(stand(unconfirmed, ['BREAD', line, 'TOTAL'])).toBe('asked')
  })

  const LOST = 'POWER LOSS'
  it.each(
    withWords(READING, [
      ['twice', [LOST, LOST], 'twice'],
      ['three times', [LOST, LOST, LOST], 'twice'],
      ['twice, at two positions of the line', [`  ${LOST}`, LOST], 'twice'],
      ['twice, with other lines in between', [LOST, 'MILK', LOST], 'asked'],
    ] as const),
  )(
    'is reported as %s if the loss of power is printed between two copies of the text: %s',
    (_result, _, between, stands) => {
      const lines = ['BREAD', 'Thank you', ...between, 'Thank you', 'TOTAL']
      expect(stand([unconfirmedText('Thank you', ['Thank you'])], lines)).toBe(stands)
      const rules = lines.map((line) => (line === 'Thank you' ? '-'.repeat(10) : line))
      const rule = { is: 'separatingLine', text: '', times: 1 } as const
      expect(stand([rule], rules)).toBe(stands === 'asked' ? 'asked' : 'unconfirmed')
    },
  )

  it('may be spelled in several ways with the same letters, which are counted together', () => {
    const texts = ['Cafe\u0301', 'Café ']
    const unconfirmed = [unconfirmedText(texts[0] as string, texts)]
    expect(stand(unconfirmed, ['Cafe', 'Cafe'])).toBe('asked')
    expect(stand(unconfirmed, ['Cafe', 'Cafe', 'Cafe'])).toBe('twice')
  })

  const [SHORT, WHOLE] = ['Thank you for shopping', 'Thank you for shopping at Joe']
  const [ONE, OTHER] = ['The Great Long Avenue of Liberty 1', 'The Great Long Avenue of Liberty 2']
  const CUT = '#The Great Long Avenue of#'
  it.each(
    withWords(READING, [
      ['one text is the beginning of the other', [SHORT, WHOLE], [SHORT, WHOLE], 'asked'],
      [
        'one text is the beginning of the other, and the shorter text appears twice',
        [SHORT, WHOLE],
        [SHORT, SHORT, WHOLE],
        'twice',
      ],
      [
        'one text is the beginning of the other, and the longer text appears twice',
        [SHORT, WHOLE],
        [SHORT, WHOLE, WHOLE],
        'twice',
      ],
      ['both texts are cut to the same letters', [ONE, OTHER], [CUT, CUT], 'asked'],
      ['both texts are cut to the same letters, and one appears twice', [ONE, OTHER], [CUT, CUT, CUT], 'twice'],
      ['the other text is cut to the first, its beginning', [SHORT, WHOLE], [SHORT, SHORT], 'asked'],
      ['both texts lack their diacritics', ['Café', 'Cafe'], ['Cafe', 'Cafe'], 'asked'],
      ['both texts lack their diacritics, and one appears twice', ['Café', 'Cafe'], ['Cafe', 'Cafe', 'Cafe'], 'twice'],
      ['one text has no diacritics', ['Café', 'Cafe'], ['Café', 'Cafe'], 'asked'],
      [
        'one text has no diacritics, and is requested twice',
        ['Café', 'Cafe', 'Cafe'],
        ['Café', 'Cafe', 'Cafe'],
        'asked',
      ],
      ['three texts share their first letter', ['?b', 'жb', 'яb'], ['?b', '?b', '?b'], 'asked'],
      ['another line begins like the text', [WHOLE], [SHORT, WHOLE], 'asked'],
    ] as const),
  )('is reported as %s next to a similar printed line: %s', (_result, _, texts, printed, stands) => {
    for (const text of texts)
      expect(stand([unconfirmedText(text, texts)], ['BREAD', ...printed, 'TOTAL']), text).toBe(stands)
  })

  it('is reported as duplicated although another text is missing', () => {
    expect(stand([unconfirmedText('ONE', ['ONE', 'TWO'])], ['BREAD', 'ONE', 'ONE', 'TOTAL'])).toBe('twice')
  })

  const DASHES = '-'.repeat(42)
  it('is not mistaken for a duplicated line of the device that looks like it', () => {
    const own = '-'.repeat(22)
    expect(stand([unconfirmedText(DASHES, [DASHES])], [own, 'TOTAL', own, '-'.repeat(20)])).toBe('asked')
  })

  it.each(
    withWords(READING, [
      ['below a line of the device', DASHES, ['#-----------------   #'], 'asked'],
      ['of which the device prints less than its own line', DASHES, ['-'.repeat(20)], 'asked'],
      ['that appears twice', DASHES, ['-'.repeat(20), '-'.repeat(20)], 'unconfirmed'],
      ['of another sign', '='.repeat(42), ['#=================   #', '#=================   #'], 'unconfirmed'],
      ['that begins with blanks', `  ${'-'.repeat(18)}`, ['-'.repeat(18), '-'.repeat(18)], 'unconfirmed'],
    ] as const),
  )('that looks like a separating line is reported as %s: a text %s', (_result, _, text, printed, stands) => {
    const rules = ['-'.repeat(22), '='.repeat(22)]
    expect(stand([unconfirmedText(text, [text])], [...rules, ...printed, 'TOTAL', ...rules])).toBe(stands)
  })

  it.each(
    withWords({ unconfirmed: 'recognized', asked: 'not recognized' }, [
      ['- - - - - - - - - -', 'unconfirmed'],
      ['#- - - - - - - - - - - - - -   #', 'unconfirmed'],
      ['----------', 'unconfirmed'],
      ['- - - -', 'asked'],
      ['- = - = - = - = - = -', 'asked'],
    ] as const),
  )('is %s as a separating line: %s', (_result, line, stands) => {
    expect(stand([{ is: 'separatingLine', text: '', times: 1 }], [line, line])).toBe(stands)
  })
})

describe('a line of text whose command was retransmitted', () => {
  const THANKS: UnconfirmedElement = { is: 'text', text: 'Thank you', times: 1 }
  const LONG = 'Thank you for your visit'

  it.each(
    withWords(DUPLICATED, [
      ['once', ['Thank you'], false],
      ['not at all', ['Goodbye', 'Goodbye'], false],
      ['twice', ['Tea', 'Thank you', 'Thank you'], true],
      ['twice, and the loss of power between', ['Thank you', 'POWER WAS LOST', 'Thank you'], true],
      ['twice, far from each other', ['Thank you', 'Tea', 'Milk', 'Thank you'], false],
      ['twice between blanks', ['  Thank you', 'Thank you  '], true],
      ['twice between marks with blanks around them', [' #Thank you# ', '  #Thank you#'], true],
      ['twice between marks', ['#Thank you       #', '#     Thank you  #'], true],
      ['again after another mark', ['Thank you', '*#Thank you#'], false],
      ['again before another mark', ['Thank you', '#Thank you#*'], false],
      ['again as a part of another line', ['Thank you', 'Thank you, Ann'], false],
    ]),
  )('is reported as %s if it is in the journal %s', (_result, _, lines, expected) => {
    expect(readElements(lines, [THANKS]) === 'twice').toBe(expected)
  })

  it.each(
    withWords(DUPLICATED, [
      ['marks only at the end of the line', 'xThank you', ['xThank you', 'x#Thank you#'], false],
      ['marks only at the beginning of the line', 'Thank youx', ['Thank youx', '#Thank you#x'], false],
      ['blanks that belong to the text', ' Thank you ', ['Thank you', 'Thank you'], true],
      ['only its first 16 letters', LONG, ['Thank you for yo', 'Thank you for yo'], true],
      [
        'only its first 15 letters, with which another line may begin',
        LONG,
        ['Thank you for y', 'Thank you for y'],
        false,
      ],
      ['another end after 16 letters', LONG, ['Thank you for your call', 'Thank you for your call'], false],
    ]),
  )('is reported as %s if it is printed twice with %s', (_result, _, text, lines, expected) => {
    expect(readElements(lines, [{ is: 'text', text, times: 1 }]) === 'twice').toBe(expected)
  })

  it.each(
    withWords(DUPLICATED, [
      ['two equal lines are requested, and two are in the journal', 2, false],
      ['two equal lines are requested, and three are in the journal', 3, true],
    ]),
  )('is reported as %s if %s', (_result, _, count, expected) => {
    const lines = Array.from({ length: count }, () => 'Thank you')
    expect(readElements(lines, [{ ...THANKS, times: 2 }]) === 'twice').toBe(expected)
  })

  it.each(
    withWords(READING, [
      ['no line is missing', ['Thank you', 'Tea', 'Thank you'], 'asked'],
      ['one line is missing', ['Thank you', 'Tea'], 'unconfirmed'],
      [
        'one line appears twice, far from the other',
        ['Thank you', 'Thank you', 'Tea', 'Milk', 'Sugar', 'Thank you'],
        'twice',
      ],
    ]),
  )(
    'is reported as %s if two equal lines are requested, the answer to one is lost, and %s',
    (_result, _, lines, expected) => {
      const unanswered = { ...THANKS, times: 2, mayBeMissing: true } as const
      expect(readElements(lines, [unanswered])).toBe(expected)
    },
  )

  const RULE = '-'.repeat(32)
  const DROP = '*** VOLTAGE DROP ***'
  const of = (is: UnconfirmedElement['is'], text = ''): UnconfirmedElement => ({ is, text, times: 1 })
  const QR = '0123456789abcdef'
  it.each(withWords(READING, [
    ['a barcode once', of('barcode', '12345670'), ['|| EAN-8 12345670 ||'], 'asked'],
    ['a barcode twice', of('barcode', '12345670'), ['|| EAN-8 12345670 ||', '|| EAN-8 12345670 ||'], 'unconfirmed'],
    ['a barcode not at all', of('barcode', '12345670'), ['Tea'], 'asked'],
    ['a broken barcode twice', of('barcode', QR), ['|| QR ||', '|| 0123456789ab ||', '|| cdef ||', '|| QR ||', '|| 0123456789ab ||', '|| cdef ||'], 'unconfirmed'],
    ['a separating line once', of('separatingLine'), [RULE, 'Tea 1.20 A', RULE], 'asked'],
    ['a separating line twice', of('separatingLine'), ['Tea 1.20 A', RULE, RULE], 'unconfirmed'],
    ['a separating line twice, and the loss of power between', of('separatingLine'), [`#${RULE} #`, DROP, `#${RULE} #`], 'unconfirmed'],
    ['the lines around a sum', of('separatingLine'), [RULE, 'TOTAL 2.40', RULE], 'asked'],
    ['a separating line twice, between blanks', of('separatingLine'), [`  ${RULE}`, `${RULE}  `], 'unconfirmed'],
    ['a subtotal twice, between blanks', of('subtotal'), ['  SUBTOTAL 2.40 ', 'SUBTOTAL 2.40  '], 'unconfirmed'],
    ['two different lines', of('separatingLine'), [RULE, '='.repeat(32)], 'asked'],
    ['too few signs', of('separatingLine'), ['---', '---'], 'asked'],
    ['a subtotal once', of('subtotal'), ['SUBTOTAL 2.40', 'TOTAL 2.40'], 'asked'],
    ['a subtotal twice', of('subtotal'), ['SUBTOTAL 2.40', 'SUBTOTAL 2.40'], 'unconfirmed'],
    ['a subtotal twice, and the loss of power between', of('subtotal'), ['SUBTOTAL 2.40', DROP, 'SUBTOTAL 2.40'], 'unconfirmed'],
    ['two equal sales', of('subtotal'), ['Tea 1.20 A', 'Tea 1.20 A', 'SUBTOTAL 2.40'], 'asked'],
    ['a sum twice, far from each other', of('subtotal'), ['SUBTOTAL 2.40', 'Tea', 'Milk', 'SUBTOTAL 2.40'], 'asked'],
  ] as const))('is distinguished from other elements, which are reported as %s: %s', (_result, _, element, lines, expected) => {
    expect(readElements(lines, [element])).toBe(expected)
  }) // biome-ignore format: a table

  it('is reported as duplicated although another line may be missing, but not if another element is unconfirmed', () => {
    const unanswered = { ...of('text', 'Bye'), mayBeMissing: true } as const
    expect(readElements(['Thank you', 'Thank you'], [unanswered, THANKS])).toBe('twice')
    expect(readElements([RULE, RULE, 'Thank you'], [of('separatingLine'), THANKS])).toBe('unconfirmed')
    expect(readElements(['Thank you'], [unanswered, THANKS])).toBe('unconfirmed')
  })

  it('is reported as duplicated among several unconfirmed lines', () => {
    const lines = ['Hello', 'Thank you', 'Thank you']
    expect(readElements(lines, [{ is: 'text', text: 'Hello', times: 1 }, THANKS])).toBe('twice')
  })

  it('is counted without the blanks around it', () => {
    expect(unconfirmedText('Thank you ', ['Thank you', 'Goodbye', ' Thank you'])).toEqual({
      is: 'text',
      text: 'Thank you ',
      times: 2,
      others: ['Goodbye'],
    })
  })
})

describe('an element of a request', () => {
  const QR = { does: 'print', element: { is: 'barcode', barcode: { type: 4, data: '123' } }, on: 'fiscal' } as const
  const RULE = { does: 'print', element: { is: 'separatingLine', style: 1 }, on: 'fiscal' } as const
  const subtotal = (print: boolean, off?: number) => ({
    does: 'subtotal' as const,
    subtotal: { print, display: false, ...(off && { adjustment: { kind: 'discount' as const, amount: off } }) },
  })
  it.each(
    withWords(([, , unconfirmed]) => (unconfirmed ? 'is unconfirmed' : 'needs no confirmation'), [
      ['a barcode, as often as the request has it', QR, { is: 'barcode', text: '123', times: 2 }],
      ['a separating line', RULE, { is: 'separatingLine', text: '', times: 1 }],
      ['a subtotal that is printed', subtotal(true), { is: 'subtotal', text: '', times: 1 }],
      ['a subtotal that is only shown on the display', subtotal(false), undefined],
      ['a subtotal with an adjustment, which the sum shows', subtotal(true, 100), undefined],
      ['a payment', { does: 'pay', payment: { mode: 0 } }, undefined],
    ] as const),
  )('%s after its retransmission: %s', (_result, _, step, unconfirmed) => {
    expect(unconfirmedBy(step, { steps: [QR, RULE, QR] })).toEqual(unconfirmed)
  })
})

const NUMBER = (number: number): Partial<Entry> => ({
  ...{ document: number, before: { ...BEFORE, lastDocument: number - 1, lastReceipt: number - 1 } },
})
const scriptOf = (number: number, facts: DocumentFacts, more: Partial<FiscalPrinter>): Script => ({
  ...{ says: [{ lastDocument: number, lastReceipt: number }], documents: { [number]: facts }, more },
})
const settledBy = (script: Script, entry: Entry) => reconcile(scriptedPrinter(script), positionOf(entry, []))

describe('a closed receipt whose line of text was retransmitted', () => {
  const THANKS: UnconfirmedElement = { is: 'text', text: 'Thank you', times: 1 }
  const TWICE = async () => ['Thank you', 'Thank you']
  const saying = (says: readonly string[] | undefined | Error): Partial<FiscalPrinter> => ({
    async linesOf() {
      if (says instanceof Error) throw says
      return says
    },
  })
  const stands = async (
    more: Partial<FiscalPrinter>,
    number = 17,
    unconfirmed: readonly UnconfirmedElement[] = [THANKS],
  ) => {
    const entry = receipt('closing', { ...NUMBER(number), unconfirmed })
    const settled = await settledBy(scriptOf(number, FISCAL, more), entry)
    return settled.became === 'closed' ? settled.as : settled
  }

  it('is not reported as duplicated if nothing was retransmitted, so that nothing is queried', async () => {
    expect(await stands(saying(new TypeError('asked')), 17, [])).toBe('asked')
  })

  it.each<[string, () => Promise<unknown>]>([
    ['the device does not report its lines', () => stands({})],
    [
      'it has no number',
      async () => {
        const closeFiscal = async () => ({ receiptNumber: '', raw: '', retransmitted: false })
        const entry = receipt('closing', { document: 17, unconfirmed: [THANKS] })
        const settled = await settledBy({ says: [allPaid], more: { closeFiscal, linesOf: TWICE } }, entry)
        return settled.became === 'closed' ? settled.as : settled
      },
    ],
  ])('is reported as perhaps duplicated if %s', async (_, found) => {
    expect(await found()).toBe('unconfirmed')
  })

  it.each([
    ['the device has none', undefined],
    ['the device is silent', NO_ANSWER],
    ['the device refuses', refused('1', 'no', 'not now')],
  ] as const)('is reported as perhaps duplicated if the journal cannot be read: %s', async (_, says) => {
    expect(await stands(saying(says))).toBe('unconfirmed')
  })

  it.each([1, 17])('is searched in its own document, also in the first document of the device: %i', async (number) => {
    const linesOf = async (asked: number) => (asked === number ? TWICE() : [])
    expect(await stands({ linesOf }, number)).toBe('twice')
  })

  it('does not hide a bug in the service', async () => {
    const mistake = new TypeError('no such thing')
    await expect(stands(saying(mistake))).rejects.toBe(mistake)
  })
})

describe('a non-fiscal receipt that a printed line makes void', () => {
  const LINE = 'THIS DOCUMENT IS VOID'
  it.each([
    ['has the line', ['Hello', 'VOID'], 'VOID', [], true],
    ['has the line between blanks', ['Hello', '    VOID  '], 'VOID', [], true],
    ['has the line between marks', ['#Hello   #', '#VOID    #'], 'VOID', [], true],
    ['has the line between marks and blanks', ['TEA', '#   ANULAT   #'], 'ANULAT', [], true],
    ['has no line', ['Hello'], 'VOID', [], false],
    ['has other lines', ['Hello', 'VOIDED'], 'VOID', [], false],
    ['has the beginning of the line', ['Hello', 'THIS DOCUMENT IS'], LINE, [], false],
    ['has the line of the request', [LINE, 'Hello'], LINE, [LINE, 'Hello'], false],
    ['has the line of the request, and another line', [LINE, 'Hello', LINE], LINE, ['Hello', ` ${LINE}`], true],
  ])('is recognized as void only if the line is certain: the receipt %s', (_, lines, voidLine, texts, expected) => {
    expect(isVoided(lines, voidLine, texts)).toBe(expected)
  })

  const voidLine = 'ANULAT'
  const linesOf = async () => ['ANULAT']
  const settledSlip = (more: Partial<FiscalPrinter>, number = 17) =>
    settledBy(scriptOf(number, { kind: 'nonFiscal', total: null }, more), slip('closing', NUMBER(number)))
  const isVoid = async (more: Partial<FiscalPrinter>, number = 17) =>
    (await settledSlip(more, number)).became === 'undecided'

  it.each([1, 17])(
    'is identified by its own document, also by the first document of the device: %i',
    async (number) => {
      expect(await isVoid({ voidLine, linesOf }, number)).toBe(true)
    },
  )

  it('is not recognized on a device that prints no such line', async () => {
    expect(await isVoid({ linesOf })).toBe(false)
  })

  it('is queried again before the next request if the device did not answer', async () => {
    const silent = () => Promise.reject(NO_ANSWER)
    await expect(isVoid({ voidLine, linesOf: silent, lastDocument: silent })).rejects.toBe(NO_ANSWER)
  })

  it.each<[string, Partial<FiscalPrinter>['linesOf']]>([
    ['has no query for its lines', undefined],
    ['reports no lines', async () => undefined],
    ['refuses to report its lines', () => Promise.reject(REFUSED)],
    ['answers all queries except those for its lines', () => Promise.reject(NO_ANSWER)],
  ])('remains unknown if the device %s', async (_, query) => {
    expect(await settledSlip({ voidLine, ...(query && { linesOf: query }) })).toEqual({
      became: 'undecided',
      why: 'the electronic journal does not show whether receipt 17 was cancelled. Check its paper.',
    })
  })
})
