import { FAMILIES } from '../../drivers/families.ts'
import { EFFECT_NAMES, type EffectName, effectsAt, rowOf } from '../../emulator/faults/effects.ts'
import { planSchemaText } from '../../emulator/faults/fault-plan.ts'
import { POINT_NAMES, POINTS } from '../../emulator/faults/points.ts'
import { FAULT_DEMOS, ruleOf } from '../../emulator/panel/page/src/fault-demos.ts'
import { commandsOf } from '../../scenarios/runner/family-facts.ts'
import { blocks, code, oneLine, table } from './table.ts'

interface RuleSchema {
  readonly items: {
    readonly required: readonly string[]
    readonly properties: Readonly<
      Record<string, { readonly description?: string; readonly minimum?: number; readonly maximum?: number }>
    >
  }
}

/** Returns an effect in the notation of a rule, for example `drop` or `{flip: BIT}`. */
function formOf(name: EffectName): string {
  const { takes } = rowOf(name)
  return takes ? `{${name}: ${takes.sign}}` : name
}

function valueRange(name: EffectName): string {
  const { takes } = rowOf(name)
  if (!takes) return ''
  const limits = 'pattern' in takes ? takes.expected.replace(/^expected /, '') : `${takes.min} to ${takes.max}`
  return `${takes.label}: ${limits}`
}

const WORDS: Readonly<Record<string, string>> = {
  at: 'Where it is triggered: one of the points.',
  do: 'What happens there: one of the effects.',
}

function members(): string[][] {
  const { items } = JSON.parse(planSchemaText()) as RuleSchema
  return Object.entries(items.properties).map(([name, { description, minimum, maximum }]) => [
    code(name),
    description ?? WORDS[name] ?? '',
    minimum === undefined ? '' : `${minimum} to ${maximum}`,
    items.required.includes(name) ? 'yes' : '',
  ])
}

const INTRODUCTION = `A fault rule says where a fault is injected, at which command, how often, and what happens. The same rule works everywhere:
in a [scenario](./scenarios.md) (\`fault:\`), over the [control API](./control.md) (\`POST /emulator/faults\`), in
[the library](./library.md) (\`printer.fault(rule)\`), in a file for \`emulate --faults FILE\`, and on the control panel
under *Faults*. Rules are independent: several may be triggered at once. An invalid rule is refused with a list of its
mistakes.`

const EXAMPLE = `\`\`\`json
{ "at": "link.toHost", "on": "closeFiscal", "times": 1, "do": "drop" }
\`\`\`

The next answer to the close command is lost. The receipt is booked and printed, but the program never receives the answer.`

export function faultsText(): string {
  const points = POINT_NAMES.map((point) => [
    code(point),
    `${POINTS[point].words}`,
    effectsAt(point).map(code).join(', '),
  ])
  const effects = EFFECT_NAMES.map((name) => [
    code(formOf(name)),
    rowOf(name).words((rowOf(name).takes?.sign ?? undefined) as never),
    valueRange(name),
  ])
  const names = FAMILIES.map((family) => [...commandsOf(family)].sort())
  const demos = FAULT_DEMOS.map((demo) => {
    const rules = FAMILIES.map((family, index) => ({ family, rule: ruleOf(demo, names[index] ?? []) }))
    const first = rules.find(({ rule }) => rule)?.rule
    const missing = rules.filter(({ rule }) => !rule).map(({ family }) => family)
    return blocks(
      `### ${demo.title}`,
      missing.length === 0 ? demo.text : `${demo.text} Not on family ${missing.join(' and ')}.`,
      `\`\`\`json\n${oneLine(JSON.stringify(first, null, 1))}\n\`\`\``,
    )
  })
  return blocks(
    INTRODUCTION,
    EXAMPLE,
    '## Members of a rule',
    table(['member', 'meaning', 'limits', 'required'], members()),
    '## Points',
    'The injection points of the device.',
    table(['`at`', 'where', 'possible effects'], points),
    '## Effects',
    table(['`do`', 'what happens', 'values'], effects),
    '## Presets',
    'Faults that happen in shops. The control panel offers them as presets.',
    ...demos,
    '## Commands',
    'The names for `on`. A command with the same meaning has the same name in every family; `unknown` is a frame that is not a command of the family.',
    ...FAMILIES.map((family, index) => blocks(`### Family ${family}`, (names[index] ?? []).map(code).join(', '))),
  )
}
