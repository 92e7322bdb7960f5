import { startPrinter } from 'fiscal-rig'
import { matchers } from 'fiscal-rig/matchers'
import { expect, test } from 'vitest'
import 'fiscal-rig/matchers/vitest'

expect.extend(matchers)

test('types', async () => {
  const printer = await startPrinter({ family: 'A' })
  expect(printer).toHavePrinted({ total: '1.20' })
  expect(printer).not.toShow('one', 'two')
  // @ts-expect-error a count is a number
  expect(printer).toHaveReceipts('one')
  // @ts-expect-error there is no such matcher
  expect(printer).toHavePrintd({ total: '1.20' })
})
