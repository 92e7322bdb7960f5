import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { WrongCall } from '../panel/forms.ts'
import type { GroupMessage, Question, QuestionName, Questions, Reply } from './messages.ts'

/** A worker thread that runs a group of printers, from outside. */
export interface GroupWorker {
  /** Rejects with WrongCall for what the control interface refuses, also when the thread dies before it answers. */
  ask<Name extends QuestionName>(question: Name, ask: Questions[Name]['ask']): Promise<Questions[Name]['answer']>
  /** Asks it to end its printers, and waits until the thread is gone. */
  end(): Promise<void>
}

/** What a thread runs: it calls `runThread` (thread.ts). */
export interface ThreadProgram {
  readonly file: string
  /** Goes to it as its `workerData`. */
  readonly data: unknown
}

export interface WorkerSeams {
  /** A thread that runs this program. */
  readonly spawn?: (program: ThreadProgram) => Worker
  readonly tell: (news: GroupMessage) => void
  /** It has ended by itself. */
  readonly died: (why: string) => void
}

const dead = () => new WrongCall('the thread of the printer has died', 404)

interface Waiting {
  readonly resolve: (answer: never) => void
  readonly reject: (problem: Error) => void
}

/** Memory before speed: what many devices have dropped would else be a third of what a thousand of them take. */
const YOUNG_MIB = 4
const threadFor = ({ file, data }: ThreadProgram): Worker => {
  setFlagsFromString('--heap-growing-percent=100')
  return new Worker(file, { workerData: data, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB } })
}

export function startWorker(program: ThreadProgram, { spawn = threadFor, tell, died }: WorkerSeams): GroupWorker {
  const worker = spawn(program)
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let isEnding = false
  let isGone = false
  let why = 'it ended without a word'
  const gone = new Promise<void>((done) => {
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
      await gone
    },
  }
}
