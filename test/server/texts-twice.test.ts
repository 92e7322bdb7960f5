/** What leaves no sum on a receipt, carried out twice by a device that was without power behind it: never 200. */
import { describe, expect, it } from 'vitest'
import { JournalReader } from '../../scenarios/simulation/journal.ts'
import { doubtfulText, elementsStand } from '../../server/recovery/doubtful.ts'
import type { Doubtful } from '../../server/recovery/progress.ts'
import { type KillableService, startKillableService } from '../support/killable-service.ts'
import { receipt, scriptedPrinter } from './scripted-printer.ts'

describe('on the paper of a device', () => {
  const sale = { Type: 1, PluSale: { PluNumber: 1, Quantity: 2 } }
  const slipText = (Message: string) => ({ Type: 0, Text: { Message } })
  const fiscal = (item: object) => ({ ReceiptItems: [sale, item, sale] })
  const slip = (item: object) => ({ ReceiptItems: [slipText('First'), item, slipText('Last')] })

  /** The power is cut behind the command of the only such line, and comes back while the link still writes. */
  async function cutBehind(rig: KillableService, skip: number, path: string, body: object) {
    rig.emulator.faults.add({ at: 'command.after', skip, times: 1, do: 'powerCut' })
    const reply = await rig.post(path, body)
    const isOver = rig.emulator.faults.list().some(({ hits }) => hits === 0)
    rig.emulator.faults.clear()
    return isOver ? undefined : reply
  }

  interface Doubled {
    readonly answer: string
    /** By the reader of the journal that the simulation judges by. */
    readonly isSeen: boolean | undefined
  }

  /** All such cuts behind which the paper has more lines than it should have. */
  async function doubled(device: string, path: string, body: object): Promise<readonly Doubled[]> {
    const [family, profile] = device.split(' ') as ['A' | 'B', string | undefined]
    const start = () => startKillableService(family, { powerReturnsAfterMs: 300, ...(profile && { profile }) })
    const linesOn = ({ emulator }: KillableService): number => {
      const { powerLoss } = emulator.profile.paper.words
      return (
        emulator.device
          .documents()
          .at(-1)
          ?.text.filter((line) => line.trim() !== powerLoss).length ?? 0
      )
    }
    const calm = start()
    expect(await calm.post(path, body)).toMatchObject({ StatusCode: 200 })
    const whole = linesOn(calm)
    await calm.close()
    const found: Doubled[] = []
    for (let skip = 0; ; skip++) {
      const rig = start()
      const reply = await cutBehind(rig, skip, path, body)
      if (reply && linesOn(rig) > whole) {
        const isSeen = new JournalReader(rig.emulator).documents().at(-1)?.hasDoubledLine
        found.push({ answer: `${reply.StatusCode} ${reply.Message}`, isSeen })
      }
      await rig.close()
      if (!reply) return found
    }
  }

  const TEXTS = ['Mulțumim, șef!', 'Dvořák', 'Thanks 🙂', 'Cafe\u0301', '#5#', '\u0301\u0301']
  const devices = ['A bg', 'A ro', 'B']
  it.each(devices.flatMap((device) => TEXTS.map((text) => [device, text] as const)))('%s: %s', async (device, text) => {
    const line = { Type: 2, Text: { Message: text } }
    const onReceipt = await doubled(device, '/print-fiscal-receipt', fiscal(line))
    expect(onReceipt.map(({ answer }) => answer)).toEqual([
      expect.stringMatching(/^\d+ Completed as receipt \d+: .*twice/),
    ])
    const onSlip = await doubled(device, '/print-non-fiscal-receipt', slip(slipText(text)))
    expect(onSlip.length).toBeGreaterThan(0)
    expect(onSlip.filter(({ answer }) => !/twice/.test(answer))).toEqual([])
  })

  it.each(devices)('%s: a dashed line', async (device) => {
    const onReceipt = await doubled(device, '/print-fiscal-receipt', fiscal({ Type: 4, SeparatingLineType: 4 }))
    expect(onReceipt).toEqual([{ answer: expect.stringMatching(/^\d+ Completed as receipt \d+:/), isSeen: true }])
  })
})

describe('in the lines of a journal', () => {
  const stand = (doubtful: readonly Doubtful[], lines: readonly string[]) =>
    elementsStand(scriptedPrinter({ says: [], lines: { 17: lines } }), receipt('done', { doubtful }), 17)
  const LONG = 'Vă mulțumim că ați cumpărat de la noi și vă mai așteptăm'

  it.each([
    ['without its diacritics', 'Mulțumim', 'Multumim', 'twice'],
    ['with them', 'Mulțumim', 'Mulțumim', 'twice'],
    ['with marks', 'Mulțumim', '#Multumim            #', 'twice'],
    ['with marks of its own', '#5#', '#5#', 'twice'],
    ['with both', '#5#', '##5##', 'twice'],
    ['cut, without its diacritics', LONG, '#Va multumim ca ati cumpar#', 'twice'],
    ['as signs that the page lacks', '咖啡', '??', 'twice'],
    ['less than can be told from another one', LONG, 'Va multumim', 'asked'],
    ['another one', 'Multumim', 'Mulțumim', 'asked'],
    ['another one of the same length', 'Café', 'Cave', 'asked'],
  ] as const)('%s', async (_, text, line, stands) => {
    const doubtful = [doubtfulText(text, [text])]
    expect(await stand(doubtful, ['BREAD', line, 'POWER LOSS', line, 'TOTAL'])).toBe(stands)
    expect(await stand(doubtful, ['BREAD', line, 'TOTAL'])).toBe('asked')
  })

  const LOST = 'POWER LOSS'
  it.each([
    ['twice', [LOST, LOST], 'twice'],
    ['three times', [LOST, LOST, LOST], 'twice'],
    ['and other lines in between', [LOST, 'MILK', LOST], 'asked'],
  ] as const)('without power %s', async (_, between, stands) => {
    const lines = ['BREAD', 'Thank you', ...between, 'Thank you', 'TOTAL']
    expect(await stand([doubtfulText('Thank you', ['Thank you'])], lines)).toBe(stands)
    const rules = lines.map((line) => (line === 'Thank you' ? '-'.repeat(10) : line))
    const rule = { is: 'separatingLine', text: '', times: 1 } as const
    expect(await stand([rule], rules)).toBe(stands === 'asked' ? 'asked' : 'inDoubt')
  })

  it('a text is one text, however its letters are written', async () => {
    const texts = ['Cafe\u0301', 'Café ']
    const doubtful = [doubtfulText(texts[0] as string, texts)]
    expect(await stand(doubtful, ['Cafe', 'Cafe'])).toBe('asked')
    expect(await stand(doubtful, ['Cafe', 'Cafe', 'Cafe'])).toBe('twice')
  })

  const [SHORT, WHOLE] = ['Thank you for shopping', 'Thank you for shopping at Joe']
  const [ONE, OTHER] = ['The Great Long Avenue of Liberty 1', 'The Great Long Avenue of Liberty 2']
  const CUT = '#The Great Long Avenue of#'
  it.each([
    ['one the beginning of the other', [SHORT, WHOLE], [SHORT, WHOLE], 'asked'],
    ['and the shorter twice', [SHORT, WHOLE], [SHORT, SHORT, WHOLE], 'twice'],
    ['and the longer twice', [SHORT, WHOLE], [SHORT, WHOLE, WHOLE], 'twice'],
    ['both cut to the same', [ONE, OTHER], [CUT, CUT], 'asked'],
    ['both cut to the same, and one of them twice', [ONE, OTHER], [CUT, CUT, CUT], 'twice'],
    ['one the beginning of the other, cut to it', [SHORT, WHOLE], [SHORT, SHORT], 'asked'],
    ['both without their diacritics', ['Café', 'Cafe'], ['Cafe', 'Cafe'], 'asked'],
    ['both without their diacritics, one of them twice', ['Café', 'Cafe'], ['Cafe', 'Cafe', 'Cafe'], 'twice'],
    ['one of them without', ['Café', 'Cafe'], ['Café', 'Cafe'], 'asked'],
    ['three that the first has in common', ['?b', 'жb', 'яb'], ['?b', '?b', '?b'], 'asked'],
    ['another line begins like the text', [WHOLE], [SHORT, WHOLE], 'asked'],
  ] as const)('different texts that are printed alike: %s', async (_, texts, printed, stands) => {
    for (const text of texts)
      expect(await stand([doubtfulText(text, texts)], ['BREAD', ...printed, 'TOTAL']), text).toBe(stands)
  })

  const DASHES = '-'.repeat(42)
  it.each([
    ['below a line of the device', DASHES, ['#-----------------   #'], 'asked'],
    ['of which the device prints less than its own line', DASHES, ['-'.repeat(20)], 'asked'],
    ['that stands there twice', DASHES, ['-'.repeat(20), '-'.repeat(20)], 'inDoubt'],
    ['of another sign', '='.repeat(42), ['#=================   #', '#=================   #'], 'inDoubt'],
  ] as const)('a text that looks like a separating line %s', async (_, text, printed, stands) => {
    const rules = ['-'.repeat(22), '='.repeat(22)]
    expect(await stand([doubtfulText(text, [text])], [...rules, ...printed, 'TOTAL', ...rules])).toBe(stands)
  })

  it.each([
    ['- - - - - - - - - -', 'inDoubt'],
    ['#- - - - - - - - - - - - - -   #', 'inDoubt'],
    ['----------', 'inDoubt'],
    ['- - - -', 'asked'],
    ['- = - = - = - = - = -', 'asked'],
  ] as const)('a separating line %s', async (line, stands) => {
    expect(await stand([{ is: 'separatingLine', text: '', times: 1 }], [line, line])).toBe(stands)
  })
})
