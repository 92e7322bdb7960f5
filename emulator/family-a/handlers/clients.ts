import { type Context, done, type Handlers, refused } from '../context.ts'
import type { Client, Direction } from '../session.ts'

/** Maximum number of records in the client database (sheet 6.13, command 140). */
const CAPACITY = 1_000
const NAME_LENGTH = 36

type Answer = ReturnType<Handlers['clients']>

function* all({ session }: Context): Generator<Client> {
  for (let client = 1; client <= CAPACITY; client++) {
    const record = session.clients.get(client)
    if (record) yield record
  }
}

function find({ session }: Context, start: number, direction: Direction): Answer {
  const step = direction === 'up' ? 1 : -1
  for (let client = start; client >= 1 && client <= CAPACITY; client += step) {
    const record = session.clients.get(client)
    if (!record) continue
    session.clientCursor = { at: client, direction }
    return done(record)
  }
  session.clientCursor = undefined
  return refused('clientNotFound')
}

function free({ session }: Context, start: number, direction: Direction): Answer {
  const step = direction === 'up' ? 1 : -1
  for (let client = start; client >= 1 && client <= CAPACITY; client += step) {
    if (!session.clients.get(client)) return done({ form: 'number', client })
  }
  return refused('notFound')
}

export const clients = {
  clients(context, ask) {
    const { session } = context
    switch (ask.option) {
      case 'I':
        return done({
          form: 'capacity',
          capacity: CAPACITY,
          programmed: [...all(context)].length,
          nameLength: NAME_LENGTH,
        })
      case 'P': {
        const { option: _, ...values } = ask
        for (const other of all(context)) {
          if (other.client !== ask.client && other.taxNumber === ask.taxNumber) return refused('nameNotUnique')
        }
        session.clients.set(ask.client, { form: 'record', ...values })
        return done({ form: 'none' })
      }
      case 'D': {
        const [first, last] = ask.first === 'all' ? [1, CAPACITY] : [ask.first, ask.last ?? ask.first]
        for (let client = first; client <= last; client++) {
          if (session.clients.get(client)) session.clients.set(client, undefined)
        }
        return done({ form: 'none' })
      }
      case 'R': {
        const record = session.clients.get(ask.client)
        return record ? done(record) : refused('clientNotFound')
      }
      case 'F':
        return find(context, ask.client ?? 1, 'up')
      case 'L':
        return find(context, ask.client ?? CAPACITY, 'down')
      case 'N': {
        const cursor = session.clientCursor
        if (!cursor) return refused('clientNotFound')
        return find(context, cursor.at + (cursor.direction === 'up' ? 1 : -1), cursor.direction)
      }
      case 'T': {
        for (const record of all(context)) if (record.taxNumber === ask.taxNumber) return done(record)
        return refused('clientNotFound')
      }
      case 'X':
        return free(context, ask.client ?? 1, 'up')
      case 'x':
        return free(context, ask.client ?? CAPACITY, 'down')
    }
  },
} satisfies Partial<Handlers>
