/**
 * The recipes for test suites in other languages (fixtures/clients/pytest, go, junit). Each starts `fiscal-rig emulate`
 * and uses its control API. A sound till passes their tests, and a till that mistakes a lost response for a failed sale
 * does not.
 */
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Ended, startProgram } from '../support/command.ts'
import { has, needing } from '../support/required-program.ts'

const root = join(import.meta.dirname, '..', '..')
/** Debian's own Python, which finds Debian's pytest. */
const PYTHON = '/usr/bin/python3'
const JARS = '/usr/share/java'
const JUNIT = /^(?:junit-(?:jupiter|platform)|opentest4j|apiguardian|picocli|univocity).*(?<!-[\d.]+)\.jar$/

let folder: string
/**
 * Path of an executable that starts the command. The path of the checkout may contain blanks, at which the recipes
 * split this text.
 */
let command: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'recipes-'))
  for (const recipe of ['pytest', 'python', 'go', 'junit']) {
    cpSync(join(root, 'fixtures', 'clients', recipe), join(folder, recipe), { recursive: true })
  }
  command = join(folder, 'fiscal-rig')
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'bin', 'fiscal-rig.ts')}' "$@"\n`)
  chmodSync(command, 0o755)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(recipe: string, pos: 'naive' | undefined, program: string, ...args: string[]): Promise<Ended> {
  const env = {
    FISCAL_RIG: command,
    POS: pos,
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONPATH: join(folder, 'python'),
    NODE_OPTIONS: undefined,
  }
  return startProgram(program, args, { cwd: join(folder, recipe), env }).ended
}

const outcome = ({ status, out }: Ended) => ({ status, out })

needing('python3-pytest', existsSync('/usr/lib/python3/dist-packages/pytest'))(
  'the recipe for pytest passes with a sound till, and fails with a naive one',
  async () => {
    // The environment has the effect of `pip install` in its folder.
    const args = ['-m', 'pytest', '-p', 'no:cacheprovider', '-p', 'pytest_fiscal_rig']
    const [sound, naive, none] = await Promise.all([
      run('pytest', undefined, PYTHON, ...args),
      run('pytest', 'naive', PYTHON, ...args, '-k', 'lost'),
      run('pytest', undefined, PYTHON, ...args, '--fiscal-rig', 'false'),
    ])
    expect(outcome(sound)).toEqual({ status: 0, out: expect.stringContaining('= 3 passed in') })
    expect(outcome(naive)).toEqual({ status: 1, out: expect.stringMatching(/= 1 failed, 2 deselected in/) })
    expect(naive.out).toContain('assert 2 == 1')
    expect(outcome(none)).toEqual({ status: 3, out: expect.stringContaining('false has not started a printer') })
    const metadata = readFileSync(join(folder, 'python', 'pyproject.toml'), 'utf8')
    expect(metadata).toContain('[project.entry-points.pytest11]\nfiscal_rig = "pytest_fiscal_rig"')
  },
)

needing('golang-go', has('go'))(
  'the recipe for go test passes with a sound till, and fails with a naive one',
  async () => {
    const args = ['test', '-count=1', '-vet=off']
    const [sound, naive] = await Promise.all([
      run('go', undefined, 'go', ...args),
      run('go', 'naive', 'go', ...args, '-run', 'Lost'),
    ])
    expect(outcome(sound)).toEqual({ status: 0, out: expect.stringMatching(/^ok\s/m) })
    expect(outcome(naive)).toEqual({ status: 1, out: expect.stringContaining('the customer has 2 receipts') })
  },
)

const hasJUnit = has('javac') && existsSync(join(JARS, 'junit-platform-console.jar'))
needing('junit5 with a Java compiler', hasJUnit)(
  'the recipe for JUnit 5 passes with a sound till, and fails with a naive one',
  async () => {
    const jars = readdirSync(JARS).filter((name) => JUNIT.test(name))
    const path = ['classes', ...jars.map((name) => join(JARS, name))].join(delimiter)
    const sources = readdirSync(join(folder, 'junit'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.java'))
      .map(String)
    const compiled = await run(
      'junit',
      undefined,
      'javac',
      '-Xlint:all,-path,-serial',
      '-Werror',
      '-d',
      'classes',
      '-cp',
      path,
      ...sources,
    )
    expect(compiled).toEqual({ status: 0, out: '', err: '' })
    const launch = ['-cp', path, 'org.junit.platform.console.ConsoleLauncher', '--disable-ansi-colors']
    const lost = 'pos.TillTest#theAnswerToTheClosingCommandIsLostAndTheCustomerStillHasOneReceipt'
    const [sound, naive] = await Promise.all([
      run('junit', undefined, 'java', ...launch, '--select-package', 'pos'),
      run('junit', 'naive', 'java', ...launch, '--select-method', lost),
    ])
    expect(outcome(sound)).toEqual({ status: 0, out: expect.stringMatching(/ 3 tests successful /) })
    expect(outcome(naive)).toEqual({ status: 1, out: expect.stringMatching(/ 1 tests failed /) })
    expect(naive.out).toContain('receipts of one sale ==> expected: <1> but was: <2>')
  },
)
