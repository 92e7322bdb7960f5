import type { Commands } from '../../../drivers/family-a/protocol/index.ts'
import type { ResponseOf } from '../../../drivers/wire/command.ts'
import { type Context, fail, type Handlers, ok, type Result } from '../context.ts'

/** The base of clients, sheet 6.13 (140): 1000 records, kept as parameters of the device. */
const CAPACITY = 1_000
const NAME_LENGTH = 36

type Record140 = Extract<ResponseOf<Commands['clients']>, { form: 'record' }>
type Answer = Result<ResponseOf<Commands['clients']>>

const keyOf = (client: number): string => `client.${client}`

function read({ device }: Context, client: number): Record140 | undefined {
  const kept = device.registers.parameter(keyOf(client))
  return kept ? (JSON.parse(kept) as Record140) : undefined
}

function* all(context: Context): Generator<Record140> {
  for (let client = 1; client <= CAPACITY; client++) {
    const found = read(context, client)
    if (found) yield found
  }
}

function find(context: Context, start: number, direction: 'up' | 'down'): Answer {
  const step = direction === 'up' ? 1 : -1
  for (let client = start; client >= 1 && client <= CAPACITY; client += step) {
    const found = read(context, client)
    if (!found) continue
    context.wire.clientCursor = { at: client, direction }
    return ok(found)
  }
  context.wire.clientCursor = undefined
  return fail('clientNotFound')
}

function free(context: Context, start: number, direction: 'up' | 'down'): Answer {
  const step = direction === 'up' ? 1 : -1
  for (let client = start; client >= 1 && client <= CAPACITY; client += step) {
    if (!read(context, client)) return ok({ form: 'number', client })
  }
  return fail('notFound')
}

export const clients: Handlers<'clients'> = {
  clients(context, ask) {
    const { registers } = context.device
    switch (ask.option) {
      case 'I':
        return ok({
          form: 'capacity',
          capacity: CAPACITY,
          programmed: [...all(context)].length,
          nameLength: NAME_LENGTH,
        })
      case 'P': {
        const { option: _, ...values } = ask
        for (const other of all(context)) {
          if (other.client !== ask.client && other.taxNumber === ask.taxNumber) return fail('nameNotUnique')
        }
        registers.setParameter(keyOf(ask.client), JSON.stringify({ form: 'record', ...values }))
        return ok({ form: 'none' })
      }
      case 'D': {
        const [first, last] = ask.first === 'all' ? [1, CAPACITY] : [ask.first, ask.last ?? ask.first]
        for (let client = first; client <= last; client++) {
          if (read(context, client)) registers.setParameter(keyOf(client), '')
        }
        return ok({ form: 'none' })
      }
      case 'R': {
        const found = read(context, ask.client)
        return found ? ok(found) : fail('clientNotFound')
      }
      case 'F':
        return find(context, ask.client ?? 1, 'up')
      case 'L':
        return find(context, ask.client ?? CAPACITY, 'down')
      case 'N': {
        const cursor = context.wire.clientCursor
        if (!cursor) return fail('clientNotFound')
        return find(context, cursor.at + (cursor.direction === 'up' ? 1 : -1), cursor.direction)
      }
      case 'T': {
        for (const found of all(context)) if (found.taxNumber === ask.taxNumber) return ok(found)
        return fail('clientNotFound')
      }
      case 'X':
        return free(context, ask.client ?? 1, 'up')
      case 'x':
        return free(context, ask.client ?? CAPACITY, 'down')
    }
  },
}
