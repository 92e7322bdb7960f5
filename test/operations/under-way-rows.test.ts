/** The row of a request in the journal: what is written when, what must be on the disk, and what may fail. */
import { describe, expect, it } from 'vitest'
import { type Reply, success } from '../../server/envelope.ts'
import type { Answers, Intent } from '../../server/operations/log/answers.ts'
import { NOT_BEGUN, type ProgressRecord } from '../../server/operations/operation.ts'
import { Tracked } from '../../server/operations/under-way.ts'
import { BEFORE } from './scripted-printer.ts'

const NAME = '/print-fiscal-receipt'
const FULL = new Error('the disk is full')
const PART = { job: 'job', index: 0, isLast: true }

interface Options {
  readonly key?: string
  readonly mayBegin?: (record: ProgressRecord) => void
}

function tracking({ key, mayBegin = () => undefined }: Options = {}) {
  const disk = { isFull: false }
  const story: string[] = []
  const notes: string[] = []
  const write = (what: string) => {
    story.push(what)
    if (disk.isFull) throw FULL
  }
  const answers: Pick<Answers, 'begin' | 'advance' | 'answer' | 'forget'> = {
    begin(intent, { stage }) {
      write(`begin ${stage}`)
      expect(intent).toBe(asked)
      return 5
    },
    advance: (id, { stage }, durable) => write(`advance ${id} ${stage}${durable ? ' durable' : ''}`),
    answer: (id, reply) => write(`answer ${id} ${reply.body}`),
    forget: (id) => write(`forget ${id}`),
  }
  const asked: Intent = { name: NAME, fingerprint: 'f', ...(key !== undefined && { key }) }
  const note = (line: string) => void notes.push(line)
  const mayOpen = ({ step, stage }: ProgressRecord) => {
    if (step?.does === 'open') story.push(`may open, ${stage}`)
  }
  const parts = { answers: answers as Answers, note, mayBegin, mayOpen, last: undefined }
  return { disk, story, notes, tracked: new Tracked(asked, parts) }
}

const REPLY: Reply = success('17')
const TWO = [
  { mode: 1, amount: 200 },
  { mode: 0, amount: 280 },
]
const BODY = '{"StatusCode":200,"Data":"17"}'
const NOTE = `${NAME}: its journal cannot be written. the disk is full`

describe('a complete receipt', () => {
  it('is on the disk before what prints or pays, and before what takes it back', () => {
    const { story, tracked } = tracking()
    const { progress } = tracked
    progress.begin('fiscalReceipt', { before: BEFORE })
    expect(story).toEqual([])
    progress.reach('opening')
    progress.reach('filling', { document: 17 })
    progress.reach('paying', { settlement: { total: 480, payments: TWO, begun: 1 } })
    progress.reach('paying', { settlement: { total: 480, payments: TWO, begun: 2 } })
    progress.reach('paying', { settlement: { total: 480, payments: TWO, begun: 2, textsPrinted: true } })
    progress.reach('closing')
    progress.closed('17')
    expect(story).toEqual([
      'begin opening',
      'advance 5 filling',
      'advance 5 paying durable',
      'advance 5 paying',
      'advance 5 paying',
      'advance 5 closing durable',
    ])
  })

  it('that is not fiscal is on the disk before its end', () => {
    const { disk, story, tracked } = tracking()
    const { progress } = tracked
    progress.begin('nonFiscalReceipt')
    progress.reach('opening')
    progress.reach('filling', { document: 17 })
    disk.isFull = true
    expect(() => progress.reach('closing')).toThrow(FULL)
    disk.isFull = false
    progress.reach('closing')
    expect(story.at(-1)).toBe('advance 5 closing durable')
  })

  it('that is taken back is on the disk before that, once', () => {
    const { story, tracked } = tracking()
    const { progress } = tracked
    progress.begin('nonFiscalReceipt')
    progress.reach('opening')
    progress.reach('cancelling')
    progress.reach('cancelling', { document: 17 })
    expect(story.slice(1)).toEqual(['advance 5 cancelling durable', 'advance 5 cancelling'])
  })

  it.each([
    ['nothing is paid', 'fiscalReceipt', 'paying', {}],
    ['its own end is a cancel', 'fiscalReceipt', 'closing', { cancels: true }],
    ['it is not fiscal', 'nonFiscalReceipt', 'closing', {}],
  ] as const)('is taken back, not taken for printed, where the disk does not take its last step: %s', (_, undertaking, last, more) => {
    const { disk, notes, story, tracked } = tracking()
    const { progress } = tracked
    progress.begin(undertaking, more)
    progress.reach('opening')
    progress.reach('filling', { document: 17 })
    disk.isFull = true
    expect(() => progress.reach(last)).toThrow(FULL)
    expect(progress.record).toMatchObject({ stage: 'cancelling', document: 17 })
    expect(story.slice(-2)).toEqual([`advance 5 ${last} durable`, 'advance 5 cancelling durable'])
    expect(notes).toEqual([NOTE])
  }) // biome-ignore format: one line

  it('goes on to its end where the disk does not take that a further payment is begun', () => {
    const { disk, notes, story, tracked } = tracking()
    const { progress } = tracked
    progress.begin('fiscalReceipt')
    progress.reach('opening')
    progress.reach('paying', { settlement: { total: 480, payments: [], begun: 1 } })
    disk.isFull = true
    progress.reach('paying', { settlement: { total: 480, payments: [], begun: 2 } })
    expect([story.at(-1), notes]).toEqual(['advance 5 paying', [NOTE]])
  })

  it.each(['opening', 'filling'] as const)('does not go on where the disk does not take that it is %s', (stage) => {
    const { disk, notes, tracked } = tracking()
    const { progress } = tracked
    progress.begin('fiscalReceipt')
    if (stage !== 'opening') progress.reach('opening')
    disk.isFull = true
    expect(() => progress.reach(stage)).toThrow(FULL)
    expect(notes).toEqual([])
  }) // biome-ignore format: one line

  it.each(['closing', 'cancelling'] as const)('goes on to its end where the disk does not take that it is %s', (stage) => {
    const { disk, notes, tracked } = tracking()
    const { progress } = tracked
    progress.begin('fiscalReceipt')
    progress.reach('opening')
    disk.isFull = true
    progress.reach(stage)
    expect(progress.record.stage).toBe(stage)
    expect(notes).toEqual([NOTE])
  }) // biome-ignore format: one line

  it('that may not begin is not written', () => {
    const refuses = (record: ProgressRecord) => {
      expect(record).toStrictEqual({ undertaking: 'fiscalReceipt', stage: 'before', before: BEFORE })
      throw new Error('it may not')
    }
    const { story, tracked } = tracking({ mayBegin: refuses })
    expect(() => tracked.progress.begin('fiscalReceipt', { before: BEFORE })).toThrow('it may not')
    expect(story).toEqual([])
  })
})

describe('a single command', () => {
  it('without a key has no row', () => {
    const { story, tracked } = tracking()
    tracked.progress.begin('step', { step: { does: 'sale' } })
    tracked.progress.reach('filling')
    tracked.ended(REPLY)
    tracked.leftNothing()
    expect(story).toEqual([])
    expect(tracked.leftOpen().id).toBeUndefined()
  })

  it.each([undefined, 'k'])('that opens a receipt says so before it is sent, key: %s', (key) => {
    const { story, tracked } = tracking({ ...(key !== undefined && { key }) })
    tracked.progress.begin('step', { step: { does: 'open' } })
    expect(story).toEqual([])
    tracked.progress.reach('filling')
    expect(story[0]).toBe('may open, filling')
  })

  it('with a key has one, which need not be on the disk again', () => {
    const { disk, notes, story, tracked } = tracking({ key: 'k' })
    tracked.progress.begin('step', { step: { does: 'sale' } })
    tracked.progress.reach('filling')
    disk.isFull = true
    tracked.progress.reach('filling', { document: 17 })
    tracked.progress.reach('paying')
    expect(story).toEqual(['begin filling', 'advance 5 filling', 'advance 5 paying'])
    expect(notes).toEqual([NOTE, NOTE])
  })
})

describe('a part of a job', () => {
  it('does not go on where the disk does not take where it is', () => {
    const { disk, notes, story, tracked } = tracking({ key: 'k' })
    tracked.progress.atPart(PART)
    tracked.progress.begin('document', { kind: 'x' })
    tracked.progress.reach('opening')
    tracked.progress.reach('filling')
    disk.isFull = true
    expect(() => tracked.progress.reach('closing')).toThrow(FULL)
    expect(story).toEqual(['begin opening', 'advance 5 filling durable', 'advance 5 closing durable'])
    expect(notes).toEqual([])
  })

  it('that is a receipt is on the disk before its rows, as any receipt', () => {
    const { story, tracked } = tracking({ key: 'k' })
    tracked.progress.atPart(PART)
    tracked.progress.begin('fiscalReceipt')
    tracked.progress.reach('opening')
    tracked.progress.reach('filling')
    tracked.progress.reach('closing')
    expect(story).toEqual(['begin opening', 'advance 5 filling durable', 'advance 5 closing durable'])
  })
})

describe('the end of a request', () => {
  it('without a key leaves nothing', () => {
    const { story, tracked } = tracking()
    tracked.progress.begin('fiscalReceipt')
    tracked.progress.reach('opening')
    tracked.ended(REPLY)
    expect(story).toEqual(['begin opening', 'forget 5'])
  })

  it('with a key keeps its answer in its row', () => {
    const { story, tracked } = tracking({ key: 'k' })
    tracked.progress.begin('fiscalReceipt')
    tracked.progress.reach('opening')
    tracked.ended(REPLY)
    expect(story).toEqual(['begin opening', `answer 5 ${BODY}`])
  })

  it('with a key keeps its answer also where it had no row', () => {
    const { story, tracked } = tracking({ key: 'k' })
    tracked.ended(REPLY)
    expect(story).toEqual(['begin before', `answer 5 ${BODY}`])
  })

  it.each([
    ['its answer', { key: 'k' }, `answer 5 ${BODY}`],
    ['that it is over', {}, 'forget 5'],
  ])('is the same where the disk does not take %s', (_, options, last) => {
    const { disk, notes, story, tracked } = tracking(options)
    tracked.progress.begin('fiscalReceipt')
    tracked.progress.reach('opening')
    disk.isFull = true
    tracked.ended(REPLY)
    expect([story.at(-1), notes]).toEqual([last, [NOTE]])
  })
})

describe('what is left open', () => {
  it('is its row and how far it has come', () => {
    const { tracked } = tracking({ key: 'k' })
    tracked.progress.begin('fiscalReceipt', { before: BEFORE })
    tracked.progress.reach('opening')
    const record = { undertaking: 'fiscalReceipt', stage: 'opening', before: BEFORE }
    expect(tracked.leftOpen()).toStrictEqual({ id: 5, name: NAME, key: 'k', record })
  })

  it('is a step, where nothing was told before it failed', () => {
    const { tracked } = tracking()
    const record = { ...NOT_BEGUN, stage: 'filling' }
    expect(tracked.leftOpen()).toStrictEqual({ id: undefined, name: NAME, key: undefined, record })
    tracked.progress.begin('closeFiscal', { before: BEFORE, document: 17 })
    expect(tracked.leftOpen().record).toStrictEqual({
      ...{ undertaking: 'closeFiscal', stage: 'filling', before: BEFORE, document: 17 },
    })
  })
})
