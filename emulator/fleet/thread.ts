/** The program of a worker thread that runs a group of printers. Its other side is worker.ts. */
import { enableCompileCache } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { messageOf } from '../../drivers/model/errors.ts'
import type { News, Question, Reply } from './messages.ts'

enableCompileCache()
const [{ createGroup }, { WrongCall }] = await Promise.all([import('./group.ts'), import('../panel/forms.ts')])

const port = parentPort
if (!port) throw new Error('this is the program of a worker thread')
const say = (message: Reply | News) => port.postMessage(message)
const group = createGroup(say)

port.on('message', ({ id, question, ask }: Question) => {
  group.ask(question, ask).then(
    (answer) => say({ answerTo: id, answer }),
    (problem: unknown) =>
      say({
        answerTo: id,
        problem: messageOf(problem),
        ...(problem instanceof WrongCall && { status: problem.status }),
      }),
  )
})

/** What is kept in memory only is saved before the thread ends, and the ports are given back. */
process.on('uncaughtException', (error) => {
  void group.ask('news', undefined)
  say({ news: 'dying', why: (error instanceof Error && error.stack) || String(error), books: group.books() })
  void group.ask('end', undefined).then(() => process.exit(1))
})
