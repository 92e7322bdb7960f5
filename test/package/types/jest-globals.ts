/** The matchers in Jest with the `expect` of `@jest/globals`. */
import { expect, test } from '@jest/globals'
import { startPrinter } from 'fiscal-rig'
import { matchers } from 'fiscal-rig/matchers'
import 'fiscal-rig/matchers/jest'

expect.extend(matchers)

test('types', async () => {
  const printer = await startPrinter({ family: 'A' })
  expect(printer).toHavePrinted({ total: '1.20' })
  expect(printer).not.toShow('one', 'two')
  await expect(Promise.resolve(printer)).resolves.toHavePrintedNothing()
  // @ts-expect-error a count is a number
  expect(printer).toHaveReceipts('one')
  // @ts-expect-error there is no such matcher
  expect(printer).toHavePrintd({ total: '1.20' })
})
