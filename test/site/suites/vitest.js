/**
 * The part of Vitest that the suites use, in a worker of a browser. Runs the declared tests in order, with Vitest's own
 * `expect`.
 */
import * as chai from '#chai'
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  GLOBAL_EXPECT,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from '#expect'

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin)

export const expect = Object.assign((value, message) => chai.expect(value, message), chai.expect)
Object.assign(expect, globalThis[ASYMMETRIC_MATCHERS_OBJECT])
setState({ assertionCalls: 0, isExpectingAssertions: false, expectedAssertionsNumber: null }, expect)
globalThis[GLOBAL_EXPECT] = expect

const group = (name) => ({ name, children: [], beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] })
const root = group('')
let current = root

/** Replaces each `%s` of a title in order. */
const titled = (title, values) => {
  const left = [...values]
  return title.replace(/%[sjid]/g, () => String(left.shift()))
}
const each = (declare) => (cases) => (title, run) => {
  for (const one of cases) {
    const values = Array.isArray(one) ? one : [one]
    declare(titled(title, values), () => run(...values))
  }
}

export const describe = (name, declare) => {
  const own = group(name)
  current.children.push(own)
  const before = current
  current = own
  declare()
  current = before
}
describe.each = each(describe)

export const it = (name, run) => void current.children.push({ name, run })
it.each = each(it)

const hook = (kind) => (run) => void current[kind].push(run)
export const beforeAll = hook('beforeAll')
export const afterAll = hook('afterAll')
export const beforeEach = hook('beforeEach')
export const afterEach = hook('afterEach')

const finishing = []
export const onTestFinished = (run) => void finishing.push(run)

const SKIPPED = Symbol('skipped')
const skip = () => {
  throw SKIPPED
}

/** Runs all tests, or those whose position among them is chosen. Returns the failures. */
export async function runAll(isChosen) {
  const failures = []
  let count = 0
  let ran = 0
  const inOrder = async (all) => {
    for (const one of all) await one()
  }
  const test = async ({ name, run }, path, groups) => {
    if (!isChosen(count++)) return
    ran++
    try {
      await inOrder(groups.flatMap((one) => one.beforeEach))
      await run({ skip })
    } catch (problem) {
      if (problem !== SKIPPED) failures.push(`${[...path, name].join(' > ')}: ${problem?.message ?? problem}`)
    } finally {
      await inOrder(finishing.splice(0).reverse())
      await inOrder(groups.toReversed().flatMap((one) => one.afterEach))
    }
  }
  const whole = async (one, path, groups) => {
    try {
      await inOrder(one.beforeAll)
      for (const child of one.children) {
        if ('run' in child) await test(child, path, [...groups, one])
        else await whole(child, [...path, child.name], [...groups, one])
      }
      await inOrder(one.afterAll)
    } catch (problem) {
      failures.push(`${path.join(' > ')}: ${problem?.stack ?? problem}`)
    }
  }
  await whole(root, [], [])
  return { ran, failures }
}
