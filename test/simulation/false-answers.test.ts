/**
 * The judge detects responses that contradict the state of the device. Each response here is a falsified true response.
 */
import { describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import { simulate } from '../../drivers/model/clock.ts'
import type { Family } from '../../drivers/model/families.ts'
import { Client, type Reply } from '../../scenarios/simulation/client.ts'
import { Judge } from '../../scenarios/simulation/judge.ts'
import { passwordOf } from '../../scenarios/simulation/sent-requests.ts'
import type { RequestStep, SingleStep } from '../../scenarios/simulation/steps.ts'
import { World } from '../../scenarios/simulation/world.ts'

const RECEIPT: RequestStep = { do: 'receipt', rows: 1, paying: 'nothing said', key: false }
const steps = (...all: SingleStep['do'][]): readonly RequestStep[] => all.map((one) => ({ do: one }))
const data = (more: object) => (reply: Reply) => ({ ...reply, data: { ...(reply.data as object), ...more } })
const done = (reply: Reply): Reply => ({ ...reply, status: 200, data: '', message: '' })
const failed = (reply: Reply): Reply => ({ ...reply, status: 424, message: 'The device did not answer.' })

/** A row contains the earlier steps, the request, the falsification of its response, and the expected complaint. */
const LIES: readonly (readonly [readonly RequestStep[], RequestStep, (reply: Reply) => Reply, RegExp])[] = [
  [steps('openSlip'), { do: 'closeSlip' }, failed, /closeSlip was answered 424/],
  [steps('open'), { do: 'sale' }, failed, /sale was answered 424/],
  [[RECEIPT], { do: 'z' }, failed, /z was answered 424/],
  [[], { do: 'cancel' }, failed, /nothing/],
  [steps('open', 'sale'), { do: 'close' }, done, /a receipt is open/],
  [steps('open', 'sale', 'payRest'), { do: 'close' }, (reply) => ({ ...reply, data: '7' }), /and receipt 1 was closed/],
  [steps('open', 'sale'), { do: 'status' }, data({ IsOpen: false }), /a receipt is open, the answer says false/],
  [steps('open', 'sale'), { do: 'status' }, data({ Total: 1 }), /the total is 120/],
  [
    steps('open', 'sale', 'payCard'),
    { do: 'status' },
    data({ Remaining: 1.2 }),
    /the rest is 1\d\d, but the answer says 1.2/,
  ],
  [steps('open', 'sale'), { do: 'status' }, data({ Kind: 'NonFiscal' }), /the kind is fiscal/],
  [steps('openSlip'), { do: 'status' }, data({ Kind: 'Fiscal' }), /the kind is nonFiscal/],
  [[RECEIPT, RECEIPT], { do: 'copy' }, data({ ReceiptNumber: '1' }), /it is a copy of 2/],
  [
    steps('open', 'sale'),
    { do: 'open' },
    (reply) => ({
      ...reply,
      message:
        'Receipt 1, opened by another program, is still open. Close or cancel it in that program, or call cancel-fiscal-receipt.',
    }),
    /another program/,
  ],
]

async function messageAfter(family: Family, ...[before, step, falsify]: (typeof LIES)[number]): Promise<string> {
  const world = new World({ family })
  const judge = new Judge(world)
  let isLast = false
  const client = new Client({
    password: passwordOf(family),
    clock: world.clock,
    send: async ({ path, body, key }) => {
      const reply = await world.send(path, body, key)
      return isLast ? falsify(reply) : reply
    },
    asks: (numbered) => judge.asks(numbered),
    onReply: (...exchange) => judge.onReply(...exchange),
  })
  try {
    for (const one of before) await simulate(world.clock, client.send(one))
    isLast = true
    await simulate(world.clock, client.send(step))
    return 'nothing'
  } catch (problem) {
    return problem instanceof Error ? problem.message : String(problem)
  } finally {
    await world.close()
  }
}

describe.each(FAMILIES)('on family %s', (family) => {
  it.each(LIES.map((lie, index) => [`${index}: ${lie[1].do}, ${lie[3].source}`, lie] as const))(
    'the judge of the simulation detects a false answer, and says why (case and step: %s)',
    async (_, lie) => {
      expect(await messageAfter(family, ...lie)).toMatch(lie[3])
    },
  )
})
