import type { MessagePort } from 'node:worker_threads'
import { messageOf } from '../../drivers/model/errors.ts'
import { WrongCall } from '../panel/call-input.ts'
import type { GroupMessage, Question, Reply } from './messages.ts'
import { createGroup, type ServiceOf } from './printer-group.ts'

export function runThread(port: MessagePort, serviceOf: ServiceOf): void {
  const say = (message: Reply | GroupMessage) => port.postMessage(message)
  const group = createGroup(say, serviceOf)

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

  // Sends the state in memory to the main thread and releases the ports before the thread ends.
  process.on('uncaughtException', (error) => {
    void group.ask('news', undefined)
    say({ news: 'dying', why: (error instanceof Error && error.stack) || String(error), books: group.books() })
    void group.ask('end', undefined).then(() => process.exit(1))
  })
}
