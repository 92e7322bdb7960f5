/**
 * The action for workflows (action.yml): its form by the rules of the published schema, and its steps as a runner
 * executes them.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { startProgram } from '../support/command.ts'

const root = join(import.meta.dirname, '..', '..')
const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action
interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required: boolean }>>
  readonly runs: { readonly steps: readonly Step[] }
}
interface Step {
  readonly id: string
  readonly run: string
  readonly env: Readonly<Record<string, string>>
  readonly 'working-directory'?: string
}

/** The rules for a composite action from the published schema (github-action.json of the schema store), rewritten. */
const text = { type: 'string', minLength: 1 }
const id = { pattern: '^[_a-zA-Z][a-zA-Z0-9_-]*$' }
const SCHEMA = {
  type: 'object',
  required: ['name', 'description', 'runs'],
  additionalProperties: false,
  properties: {
    name: text,
    author: text,
    description: text,
    branding: {
      type: 'object',
      additionalProperties: false,
      properties: {
        color: { enum: ['white', 'black', 'yellow', 'blue', 'green', 'orange', 'red', 'purple', 'gray-dark'] },
        icon: text,
      },
    },
    inputs: {
      type: 'object',
      propertyNames: id,
      additionalProperties: {
        type: 'object',
        required: ['description'],
        additionalProperties: false,
        properties: {
          description: text,
          deprecationMessage: text,
          required: { type: 'boolean' },
          default: { type: 'string' },
        },
      },
    },
    outputs: {
      type: 'object',
      propertyNames: id,
      additionalProperties: {
        type: 'object',
        required: ['description', 'value'],
        additionalProperties: false,
        properties: { description: text, value: text },
      },
    },
    runs: {
      type: 'object',
      required: ['using', 'steps'],
      additionalProperties: false,
      properties: {
        using: { const: 'composite' },
        steps: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            required: ['run', 'shell'],
            additionalProperties: false,
            properties: {
              name: text,
              id: { type: 'string', ...id },
              if: text,
              run: text,
              shell: text,
              'working-directory': text,
              'continue-on-error': { type: 'boolean' },
              env: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
            },
          },
        },
      },
    },
  },
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'action-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the steps in order with these inputs, as a runner does. Stops at the first step that fails. */
async function played(given: Readonly<Record<string, string>>) {
  const [place, temporary, outputs] = ['work', 'temp', 'outputs'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const one of [place, temporary]) mkdirSync(one, { recursive: true })
  writeFileSync(outputs, '')
  const filled = (value: string) =>
    value.replace(
      /\$\{\{ inputs\.([\w-]+) \}\}/g,
      (_all, name: string) => given[name] ?? action.inputs[name]?.default ?? '',
    )
  let out = ''
  for (const step of action.runs.steps) {
    const env = Object.fromEntries(Object.entries(step.env).map(([name, value]) => [name, filled(value)]))
    const ended = await startProgram('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
      cwd: join(place, filled(step['working-directory'] ?? '.')),
      env: {
        ...env,
        RUNNER_TEMP: temporary,
        GITHUB_ACTION_PATH: root,
        GITHUB_OUTPUT: outputs,
        PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      },
    }).ended
    out += ended.out + ended.err
    if (ended.status !== 0) return { status: ended.status, out, outputs: readFileSync(outputs, 'utf8') }
  }
  return { status: 0, out, outputs: readFileSync(outputs, 'utf8') }
}

const scenario = (name: string, plu: number) => {
  mkdirSync(join(folder, 'work', 'cases'), { recursive: true })
  const steps = `steps: [{ post /print-fiscal-receipt: { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: ${plu} } }] } }]`
  writeFileSync(join(folder, 'work', 'cases', `${name}.yaml`), `name: ${name}\nfamilies: [A]\n${steps}\n`)
}

describe('the GitHub action', () => {
  it('has the form that workflows read', () => {
    const check = new Ajv({ allowUnionTypes: true }).compile(SCHEMA)
    check(action)
    expect(check.errors).toBeNull()
    check({ ...action, runs: { using: 'composite', steps: [{ run: 'true' }] } })
    expect(check.errors).not.toBeNull()
  })

  it('gives inputs to its script as variables only, so that no input can be a command', () => {
    for (const { run } of action.runs.steps) expect(run).not.toContain('${{')
  })

  it('plays the files and passes; its output names the report', async () => {
    scenario('bread', 1)
    const { status, out, outputs } = await played({ files: 'cases/*.yaml', family: 'A', 'working-directory': '.' })
    expect({ status, out }).toEqual({ status: 0, out: expect.any(String) })
    expect(readFileSync(/^junit=(.*)$/m.exec(outputs)?.[1] ?? '', 'utf8')).toContain('tests="1"')
  })

  it('fails and annotates the line that failed', async () => {
    scenario('bread', 1)
    scenario('nothing', 99)
    const { status, out } = await played({
      files: 'bread.yaml\nnothing.yaml',
      'working-directory': 'cases',
      arguments: '--seed 7',
    })
    expect(status).toBe(1)
    expect(out).toMatch(/^::error .*file=.*nothing\.yaml,line=3/m)
    expect(out).not.toMatch(/^::error .*bread/m)
  })

  it('passes an input on literally, whatever it contains', async () => {
    const made = join(folder, 'made')
    const { status } = await played({
      files: `$(touch ${made}) \`touch ${made}\` ; touch ${made}`,
      arguments: `; touch ${made}`,
    })
    expect(status).not.toBe(0)
    expect(() => readFileSync(made)).toThrow()
  })
})
