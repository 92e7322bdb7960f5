import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { WrongCall } from '../panel/call-input.ts'
import type { GroupMessage, Question, QuestionName, Questions, Reply } from './messages.ts'

export interface GroupWorker {
  /** Rejects with WrongCall if the control API refuses the request, or if the thread dies before it answers. */
  ask<Name extends QuestionName>(question: Name, ask: Questions[Name]['ask']): Promise<Questions[Name]['answer']>
  end(): Promise<void>
}

/** The file must call `runThread` (run-thread.ts). */
export interface ThreadProgram {
  readonly file: string
  readonly data: unknown
}

export interface WorkerHooks {
  readonly spawn?: (program: ThreadProgram) => Worker
  readonly onMessage: (news: GroupMessage) => void
  readonly died: (why: string) => void
}

const dead = () => new WrongCall('the thread of the printer has died', 404)

interface PendingAnswer {
  readonly resolve: (answer: never) => void
  readonly reject: (problem: Error) => void
}

/**
 * Size of the young generation in MiB. A small size saves memory: otherwise, garbage would be a third of the memory of
 * a thousand devices.
 */
const YOUNG_MIB = 4
const threadFor = ({ file, data }: ThreadProgram): Worker => {
  setFlagsFromString('--heap-growing-percent=100')
  return new Worker(file, { workerData: data, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB } })
}

export function startWorker(
  program: ThreadProgram,
  { spawn = threadFor, onMessage: tell, died }: WorkerHooks,
): GroupWorker {
  const worker = spawn(program)
  const waiting = new Map<number, PendingAnswer>()
  let lastId = 0
  let isEnding = false
  let isGone = false
  let why = 'it ended without a message'
  const exited = new Promise<void>((done) => {
    worker.once('exit', () => {
      isGone = true
      for (const { reject } of waiting.values()) reject(dead())
      waiting.clear()
      done()
      if (!isEnding) died(why)
    })
  })
  worker.on('error', (error) => {
    why = (error instanceof Error && error.stack) || String(error)
  })
  worker.on('message', (message: Reply | GroupMessage) => {
    if ('news' in message) {
      if (message.news === 'dying') ({ why } = message)
      tell(message)
      return
    }
    const one = waiting.get(message.answerTo)
    waiting.delete(message.answerTo)
    if ('answer' in message) one?.resolve(message.answer as never)
    else {
      const { problem, status } = message
      one?.reject(status === undefined ? new Error(problem) : new WrongCall(problem, status))
    }
  })
  const ask: GroupWorker['ask'] = (question, value) =>
    new Promise((resolve, reject) => {
      if (isGone) throw dead()
      const id = ++lastId
      waiting.set(id, { resolve, reject })
      worker.postMessage({ id, question, ask: value } satisfies Question)
    })
  return {
    ask,
    async end() {
      isEnding = true
      await ask('end', undefined).catch(() => undefined)
      await worker.terminate()
      await exited
    },
  }
}
