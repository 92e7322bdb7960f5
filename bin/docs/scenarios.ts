import { FAMILIES } from '../../drivers/families.ts'
import { FAMILY_NAMES, familyFacts, Z_NAMES } from '../../scenarios/runner/family-facts.ts'
import { MATCHERS } from '../../scenarios/runner/match.ts'
import { NEEDS } from '../../scenarios/runner/need-names.ts'
import { scenarioSchemaText } from '../../scenarios/runner/schema.ts'
import { MODIFIERS } from '../../scenarios/runner/steps/modifiers.ts'
import { endpoints } from '../../server/endpoints/index.ts'
import { answerTable, lookupIn, memberTable, resolveSchema, rowsOf, type Schema } from './schema-table.ts'
import { blocks, code, table } from './table.ts'

const document = JSON.parse(scenarioSchemaText()) as { readonly anyOf: readonly [Schema, Schema] }
const lookup = lookupIn(document)
const [scenario] = document.anyOf
const propertiesOf = (schema: Schema | undefined) => resolveSchema(schema ?? {}, lookup).properties ?? {}
const stepProperties = propertiesOf(resolveSchema(scenario.properties?.['steps'] ?? {}, lookup).items)

const isRequest = (key: string): boolean => key.includes(' ')

/** The actions of a step, and the keys that are allowed next to them. */
export const STEP_KEYS: readonly string[] = Object.keys(stepProperties).filter((key) => !isRequest(key))
export const CHECK_KEYS: readonly string[] = Object.keys(propertiesOf(scenario.properties?.['check']))

const pick = (keys: readonly string[]): Schema => ({
  properties: Object.fromEntries(keys.map((key) => [key, stepProperties[key] ?? {}])),
})

const optionalTable = (schema: Schema, isClosed: (path: string) => boolean = () => false): string =>
  answerTable(rowsOf(schema, lookup, isClosed).filter(({ path }) => !IS_MATCHER.test(path)))

const HAS_A_PLACE = /(?:^|\.)(?:steps|check|until|config|fault)$/
const IS_MATCHER = /\.(?:oneOf|not|present)(?:\[\]|\.|$)/

const INTRODUCTION = `A scenario is a YAML file. It contains requests, manual actions on the device, clock changes and faults, in order, and checks of
the result. [Writing scenarios](./writing-scenarios.md) shows how to write one. This page lists everything; it is generated from
the schema with which files are checked. With this first line, an editor completes and checks the file, too:

\`\`\`yaml
# yaml-language-server: $schema=node_modules/fiscal-rig/scenarios/scenario.schema.json
name: two of article 1, paid in cash
steps:
  - post /print-fiscal-receipt: { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1, Quantity: 2 } }] }
check: { receipts: 1, books: balanced }
\`\`\``

const REQUESTS = `A request is a key \`METHOD /PATH\` with the body as its value; without a value, the request has no body. Without \`expect\`, the
answer must be 200. Paths that are not listed here are requested with \`get\`, \`post\`, \`put\`, \`delete\` or \`patch\`.`

export function scenariosText(): string {
  const facts = FAMILIES.map((family) => familyFacts(family))
  const kinds = STEP_KEYS.filter((key) => !Object.hasOwn(MODIFIERS, key))
  return blocks(
    INTRODUCTION,
    '## The file',
    memberTable(rowsOf(scenario, lookup, (path) => HAS_A_PLACE.test(path))),
    'One file can contain several scenarios, separated by a line `---`. A file with `steps` alone is for `include`, one with `shared` alone for `shared`.',
    '## Requests',
    REQUESTS,
    [...endpoints.map(({ method, path }) => `${method} ${path}`), 'post /Receipt', 'get /openapi.json']
      .map((key) => `- ${code(key)}`)
      .join('\n'),
    'Their bodies are described in the [REST interface](./rest.md).',
    '## Steps',
    'Each step is one of these, or a request.',
    optionalTable(pick(kinds), (path) => HAS_A_PLACE.test(path)),
    'The members of a fault rule are those of [Fault rules](./faults.md).',
    '## Members of any step',
    optionalTable(pick(STEP_KEYS.filter((key) => Object.hasOwn(MODIFIERS, key)))),
    '## Checks',
    'In `check` of the scenario, of a step, and in `wait: { until: ... }`.',
    optionalTable({ properties: propertiesOf(scenario.properties?.['check']) }),
    '## Matchers',
    'A matcher can replace an expected value. In an object, only the given members are compared; in a list, all elements in order.',
    table(
      ['matcher', 'matches'],
      Object.entries(MATCHERS).map(([name, words]) => [code(name), words]),
    ),
    '## Names',
    `\`$NAME\` is replaced by a value. The value comes from \`let\`, from the row of \`examples\`, from an argument of shared steps, from \`keep\`, or from the list below.
${Z_NAMES.map((name) => code(`$${name}`)).join(', ')} are the numbers of the Z reports that the scenario prints.`,
    table(
      ['name', ...FAMILIES.map((family) => `family ${family}`)],
      FAMILY_NAMES.map((name) => [code(`$${name}`), ...facts.map((one) => code(JSON.stringify(one[name])))]),
    ),
    '## Needs',
    'Requirements of a scenario on its target. Most of them follow from its steps and checks. If a target does not meet them, the scenario is reported as not run, with the reason.',
    table(
      ['need', 'meaning'],
      Object.entries(NEEDS).map(([name, words]) => [code(name), words]),
    ),
  )
}
