/** The reference of scenario files, from their schema. */
import { FAMILIES } from '../../drivers/families.ts'
import { FAMILY_NAMES, familyFacts, Z_NAMES } from '../../scenarios/runner/family-facts.ts'
import { MATCHERS } from '../../scenarios/runner/match.ts'
import { NEEDS } from '../../scenarios/runner/need-names.ts'
import { scenarioSchemaText } from '../../scenarios/runner/schema.ts'
import { MODIFIERS } from '../../scenarios/runner/steps/modifiers.ts'
import { endpoints } from '../../server/endpoints/index.ts'
import { answerTable, lookupIn, memberTable, resolved, rowsOf, type Schema } from './schema-table.ts'
import { blocks, code, table } from './table.ts'

const document = JSON.parse(scenarioSchemaText()) as { readonly anyOf: readonly [Schema, Schema] }
const lookup = lookupIn(document)
const [scenario] = document.anyOf
const propertiesOf = (schema: Schema | undefined) => resolved(schema ?? {}, lookup).properties ?? {}
const stepProperties = propertiesOf(resolved(scenario.properties?.['steps'] ?? {}, lookup).items)

/** Returns whether a key is a request: `post /report-z`. */
const isRequest = (key: string): boolean => key.includes(' ')

/** All actions of a step, and the keys allowed next to them. */
export const STEP_KEYS: readonly string[] = Object.keys(stepProperties).filter((key) => !isRequest(key))
export const CHECK_KEYS: readonly string[] = Object.keys(propertiesOf(scenario.properties?.['check']))

const pick = (keys: readonly string[]): Schema => ({
  properties: Object.fromEntries(keys.map((key) => [key, stepProperties[key] ?? {}])),
})

/** Returns a table in which all members are optional. */
const optionalTable = (schema: Schema, isClosed: (path: string) => boolean = () => false): string =>
  answerTable(rowsOf(schema, lookup, isClosed).filter(({ path }) => !IS_MATCHER.test(path)))

const HAS_A_PLACE = /(?:^|\.)(?:steps|check|until|config|fault)$/
/** Matchers, which the page describes once. */
const IS_MATCHER = /\.(?:oneOf|not|present)(?:\[\]|\.|$)/

const INTRODUCTION = `A scenario is a YAML file: requests, manual actions on the device, the clock and faults in their order, and checks of the result.
[Writing scenarios](./writing-scenarios.md) shows how one begins; this page has everything there is, made of the schema that
files are checked with. With this first line an editor completes and checks the file too:

\`\`\`yaml
# yaml-language-server: $schema=node_modules/fiscal-rig/scenarios/scenario.schema.json
name: two of article 1, paid in cash
steps:
  - post /print-fiscal-receipt: { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1, Quantity: 2 } }] }
check: { receipts: 1, books: balanced }
\`\`\``

const REQUESTS = `A request is a key of its own, \`METHOD /PATH\`, followed by the body; without one, the request has no body. Without \`expect\` the
answer must be 200. A path that is not listed here is asked for by \`get\`, \`post\`, \`put\`, \`delete\` or \`patch\`.`

export function scenariosText(): string {
  const facts = FAMILIES.map((family) => familyFacts(family))
  const kinds = STEP_KEYS.filter((key) => !Object.hasOwn(MODIFIERS, key))
  return blocks(
    INTRODUCTION,
    '## The file',
    memberTable(rowsOf(scenario, lookup, (path) => HAS_A_PLACE.test(path))),
    'Several scenarios may stand in one file, apart by a line `---`. A file with `steps` alone is for `include`, one with `shared` alone for `shared`.',
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
    'In place of a value that is expected. Of an object only the members that are named are looked at; of a list all of its elements, in order.',
    table(
      ['matcher', 'is fulfilled by'],
      Object.entries(MATCHERS).map(([name, words]) => [code(name), words]),
    ),
    '## Names',
    `\`$NAME\` stands for a value: one of \`let\`, of the row of \`examples\`, an argument of shared steps, kept by \`keep\`, or one that every family has.
${Z_NAMES.map((name) => code(`$${name}`)).join(', ')} are the numbers of the Z reports that the scenario makes.`,
    table(
      ['name', ...FAMILIES.map((family) => `family ${family}`)],
      FAMILY_NAMES.map((name) => [code(`$${name}`), ...facts.map((one) => code(JSON.stringify(one[name])))]),
    ),
    '## Needs',
    'What a target must have for a scenario to be played there. Most follow from its steps and checks; a scenario that a target does not support is reported as not run, with the reason.',
    table(
      ['need', 'is'],
      Object.entries(NEEDS).map(([name, words]) => [code(name), words]),
    ),
  )
}
