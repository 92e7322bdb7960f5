/**
 * The row of a request in the operation log: when it is written, which writes must reach the disk, and which writes may
 * fail.
 */
import { describe, expect, it } from 'vitest'
import type { Step } from '../../drivers/model/steps.ts'
import { type Reply, success } from '../../server/envelope.ts'
import type { Answers, Intent } from '../../server/operations/log/answers.ts'
import type { Entry } from '../../server/operations/operation.ts'
import { UnderWay } from '../../server/operations/under-way.ts'
import { receiptSteps, slipSteps } from './entries.ts'
import { BEFORE, placeIn } from './scripted-printer.ts'

const NAME = '/print-fiscal-receipt'
const FULL = new Error('the disk is full')
const PART = { job: 'job', index: 0, isLast: true }

interface Options {
  readonly key?: string
  readonly mayBegin?: (entry: Entry) => void
}

function tracking({ key, mayBegin = () => undefined }: Options = {}) {
  const disk = { isFull: false }
  const log: string[] = []
  const notes: string[] = []
  const write = (what: string) => {
    log.push(what)
    if (disk.isFull) throw FULL
  }
  const place = (entry: Entry): string => entry.is ?? (entry.steps.length > 0 ? placeIn(entry, entry.at) : 'nothing')
  const answers: Pick<Answers, 'begin' | 'advance' | 'answer' | 'forget'> = {
    begin(intent, entry) {
      write(`begin ${place(entry)}`)
      expect(intent).toBe(ownIntent)
      return 5
    },
    advance: (id, entry, durable) => write(`advance ${id} ${place(entry)}${durable ? ' durable' : ''}`),
    answer: (id, reply) => write(`answer ${id} ${reply.body}`),
    forget: (id) => write(`forget ${id}`),
  }
  const ownIntent: Intent = { name: NAME, fingerprint: 'f', ...(key !== undefined && { key }) }
  const note = (line: string) => void notes.push(line)
  return { disk, story: log, notes, progress: new UnderWay(ownIntent, { answers: answers as Answers, note, mayBegin }) }
}

const REPLY: Reply = success('17')
const TWO = [
  { mode: 1, amount: 200 },
  { mode: 0, amount: 280 },
] as const
const BODY = '{"StatusCode":200,"Data":"17"}'
const NOTE = `${NAME}: its progress cannot be stored in the operation log. the disk is full`

const RECEIPT: Pick<Entry, 'steps' | 'before'> = {
  steps: receiptSteps({ payments: [TWO[0], { ...TWO[1], textsBefore: [{ text: 'SECOND' }] }] }),
  before: BEFORE,
}
const [FILLING, PAYING, CLOSING] = [1, 3, 6]
const CANCELS = { ...RECEIPT, steps: receiptSteps({ cancels: true }) }
const SLIP = { ...RECEIPT, steps: slipSteps() }
const command = (step: Step) => ({ steps: [step], before: BEFORE })
const CANCEL = command({ does: 'cancel' })

describe('a complete receipt', () => {
  it('is on the disk before it prints, before it pays, and before it is cancelled', () => {
    const { story, progress } = tracking()
    progress.begin(RECEIPT)
    progress.reach(FILLING, { document: 17 })
    progress.reach(PAYING, { total: 480 })
    progress.reach(4)
    progress.reach(5)
    progress.reach(CLOSING)
    progress.closed('17')
    expect(story).toEqual([
      'begin open',
      'advance 5 sell',
      'advance 5 pay 1 durable',
      'advance 5 print',
      'advance 5 pay 2',
      'advance 5 close durable',
    ])
  })

  it('that is not fiscal is on the disk before its end', () => {
    const { disk, story, progress } = tracking()
    progress.begin(SLIP)
    progress.reach(FILLING, { document: 17 })
    disk.isFull = true
    expect(() => progress.reach(2)).toThrow(FULL)
    disk.isFull = false
    progress.reach(2)
    expect(story.at(-1)).toBe('advance 5 closeNonFiscal durable')
  })

  it('with one payment is flushed with the number of its opening', () => {
    const { story, progress } = tracking()
    progress.begin({ ...RECEIPT, steps: receiptSteps({ payments: [{ mode: 0, amount: 480 }] }) })
    progress.reach(FILLING, { document: 17 })
    progress.reach(PAYING, { total: 480 })
    progress.reach(PAYING + 1)
    expect(story).toEqual(['begin open', 'advance 5 sell durable', 'advance 5 pay 1', 'advance 5 close durable'])
  })

  it('that is cancelled is on the disk before that, once', () => {
    const { story, progress } = tracking()
    progress.begin(SLIP)
    progress.takeBack()
    progress.takeBack({ document: 17 })
    expect(story.slice(1)).toEqual(['advance 5 cancelling durable', 'advance 5 cancelling'])
  })

  it.each([
    ['nothing is paid', RECEIPT, PAYING, 'pay 1 durable'],
    ['its request ends with a cancel', CANCELS, 3, 'cancel durable'],
    ['the receipt is not fiscal', SLIP, 2, 'closeNonFiscal durable'],
  ] as const)('is cancelled, not treated as printed, if the disk refuses its last record: %s', (_, begun, at, last) => {
    const { disk, notes, story, progress } = tracking()
    progress.begin(begun)
    progress.reach(FILLING, { document: 17 })
    disk.isFull = true
    expect(() => progress.reach(at)).toThrow(FULL)
    expect(progress.entry).toMatchObject({ is: 'cancelling', document: 17 })
    expect(story.slice(-2)).toEqual([`advance 5 ${last}`, 'advance 5 cancelling durable'])
    expect(notes).toEqual([NOTE])
  }) // biome-ignore format: one line

  it('continues to its end if the disk refuses the record of a further payment', () => {
    const { disk, notes, story, progress } = tracking()
    progress.begin(RECEIPT)
    progress.reach(PAYING)
    disk.isFull = true
    progress.reach(5)
    expect([story.at(-1), notes]).toEqual(['advance 5 pay 2', [NOTE]])
  })

  it('does not begin if the disk refuses its first record', () => {
    const { disk, notes, progress } = tracking()
    disk.isFull = true
    expect(() => progress.begin(RECEIPT)).toThrow(FULL)
    expect(notes).toEqual([])
  })

  it('does not continue if the disk refuses the record that its rows are complete', () => {
    const { disk, notes, progress } = tracking()
    progress.begin(RECEIPT)
    disk.isFull = true
    expect(() => progress.reach(FILLING)).toThrow(FULL)
    expect(notes).toEqual([])
  })

  it.each<[string, (progress: UnderWay) => void]>([
    ['closed', (progress) => progress.reach(CLOSING)],
    ['cancelled', (progress) => progress.takeBack()],
  ])('continues to its end if the disk refuses the record that it is to be %s', (_, ends) => {
    const { disk, notes, progress } = tracking()
    progress.begin(RECEIPT)
    disk.isFull = true
    ends(progress)
    expect([progress.entry.at === CLOSING, progress.entry.is === 'cancelling']).toContain(true)
    expect(notes).toEqual([NOTE])
  })

  it('that is refused before its beginning is not written', () => {
    const refuses = (entry: Entry) => {
      expect(entry).toStrictEqual({ ...RECEIPT, at: 0 })
      throw new Error('it may not')
    }
    const { story, progress } = tracking({ mayBegin: refuses })
    expect(() => progress.begin(RECEIPT)).toThrow('it may not')
    expect(story).toEqual([])
  })
})

describe('a single command', () => {
  it('without a key has no log record', () => {
    const { story, progress } = tracking()
    progress.begin(CANCEL)
    progress.ended(REPLY)
    progress.noteNothingRemains()
    expect(story).toEqual([])
    expect(progress.id).toBeUndefined()
  })

  it.each([['without a key', undefined] as const, ['with a key', 'k'] as const])(
    'is announced before it is written and sent, so that it may be refused, %s',
    (_, key) => {
      const { story, progress } = tracking({
        ...(key !== undefined && { key }),
        mayBegin: ({ steps: [step] }) => void story.push(`may begin ${step?.does}`),
      })
      progress.begin(command({ does: 'open' }))
      expect(story[0]).toBe('may begin open')
    },
  )

  it('with a key has a log record, which need not be flushed again', () => {
    const { disk, notes, story, progress } = tracking({ key: 'k' })
    progress.begin(CANCEL)
    disk.isFull = true
    progress.note({ document: 17 })
    progress.note({ document: 18 })
    expect(story).toEqual(['begin cancel', 'advance 5 cancel', 'advance 5 cancel'])
    expect(notes).toEqual([NOTE, NOTE])
  })
})

describe('a part of a job', () => {
  it('does not continue if the disk refuses the record of its position', () => {
    const { disk, notes, story, progress } = tracking({ key: 'k' })
    progress.atPart(PART)
    progress.begin(command({ does: 'document', kind: 'x' }))
    progress.note({ document: 17 })
    disk.isFull = true
    expect(() => progress.note({ document: 18 })).toThrow(FULL)
    expect(story).toEqual(['begin document', 'advance 5 document durable', 'advance 5 document durable'])
    expect(notes).toEqual([])
  })

  it('that is a receipt is on the disk before its rows, and then handled as any receipt', () => {
    const { story, progress } = tracking({ key: 'k' })
    progress.atPart(PART)
    progress.begin(SLIP)
    progress.reach(FILLING)
    progress.reach(2)
    expect(story).toEqual(['begin openNonFiscal', 'advance 5 print durable', 'advance 5 closeNonFiscal durable'])
  })

  it('that is the second part of a request does not begin if the disk refuses its record', () => {
    const { disk, story, progress } = tracking({ key: 'k' })
    progress.atPart(PART)
    progress.begin(SLIP)
    progress.closed()
    progress.atPart({ ...PART, index: 1 })
    disk.isFull = true
    expect(() => progress.begin(SLIP)).toThrow(FULL)
    expect(story.at(-1)).toBe('advance 5 openNonFiscal durable')
  })
})

describe('the end of a request', () => {
  it('leaves no record without a key', () => {
    const { story, progress } = tracking()
    progress.begin(RECEIPT)
    progress.ended(REPLY)
    expect(story).toEqual(['begin open', 'forget 5'])
  })

  it('stores the answer in the log record with a key', () => {
    const { story, progress } = tracking({ key: 'k' })
    progress.begin(RECEIPT)
    progress.ended(REPLY)
    expect(story).toEqual(['begin open', `answer 5 ${BODY}`])
  })

  it('stores the answer with a key even without an earlier record', () => {
    const { story, progress } = tracking({ key: 'k' })
    progress.ended(REPLY)
    expect(story).toEqual(['begin nothing', `answer 5 ${BODY}`])
  })

  it.each([
    ['the record of its answer', { key: 'k' }, `answer 5 ${BODY}`],
    ['the record of its end', {}, 'forget 5'],
  ])('is the same if the disk refuses %s', (_, options, last) => {
    const { disk, notes, story, progress } = tracking(options)
    progress.begin(RECEIPT)
    disk.isFull = true
    progress.ended(REPLY)
    expect([story.at(-1), notes]).toEqual([last, [NOTE]])
  })
})

describe('an operation that is left open', () => {
  it('has its log record and its progress', () => {
    const { progress } = tracking({ key: 'k' })
    progress.begin(RECEIPT)
    expect([progress.id, progress.intent?.key]).toEqual([5, 'k'])
    expect(progress.entry).toStrictEqual({ ...RECEIPT, at: 0 })
  })
})
