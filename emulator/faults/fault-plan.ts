/**
 * Fault plans: lists of rules (decisions 6 and 8). Rules are independent, and several can be triggered at the same
 * time. A driver must survive the following faults with a loss of time only: a frame or byte that is lost, duplicated,
 * damaged, split or late in either direction (exception: family C executes a duplicated command twice, sheet C 2.4),
 * noise, a long busy time, a refused frame, a port that is lost and returns, and a power cut after which the device
 * returns. All other faults (a device that does not return, paper out, cover open, memory full) must fail with a named
 * error, balanced books and no effect on the next request.
 */
import { effectName, effectsAt, rowOf } from './effects.ts'
import { ON_LINE, type Rule, ruleForm } from './rule.ts'
import { schemas } from './schemas.ts'

let form: ReturnType<typeof ruleForm> | undefined
function formOfRules() {
  form ??= ruleForm(schemas())
  return form
}

interface PlanProblem {
  /** Location in the plan, such as `[2].do`; empty for the whole plan. */
  readonly path: string
  readonly message: string
}

export class PlanError extends RangeError {
  readonly problems: readonly PlanProblem[]

  constructor(problems: readonly PlanProblem[]) {
    super(problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('\n'))
    this.name = 'PlanError'
    this.problems = problems
  }
}

export function checkRule(value: unknown, commands: ReadonlySet<string>, place = ''): readonly PlanProblem[] {
  const result = formOfRules().safeParse(value)
  if (!result.success) {
    const found = result.error.issues.map(({ path, message }) => ({ path: placeOf(place, path), message }))
    // A number that is both too large and not whole has two issues with the same message.
    return [...new Map(found.map((problem) => [`${problem.path} ${problem.message}`, problem])).values()]
  }
  const rule = result.data
  const problems: PlanProblem[] = []
  const wrong = (member: string, message: string) => problems.push({ path: placeOf(place, [member]), message })
  const name = effectName(rule.do)
  const possible = effectsAt(rule.at)
  if (!possible.includes(name))
    wrong('do', `${name} cannot happen at ${rule.at}; possible there: ${possible.join(', ')}`)
  if (rule.on !== undefined && rule.on !== 'unknown' && !commands.has(rule.on))
    wrong('on', unknownName(rule.on, commands))
  const onLine = rule.at === 'link.toDevice' || rule.at === 'link.toHost'
  const alone = (member: 'after' | 'byte', what: string) => {
    if (rule[member] === undefined || (onLine && ON_LINE[member].includes(name))) return
    wrong(member, `only ${ON_LINE[member].join(', ').replace(/, (?=\w+$)/, ' and ')} on a line can ${what}`)
  }
  alone('after', 'come after some bytes')
  alone('byte', 'touch a single byte')
  if (rule.byte !== undefined && rule.after !== undefined)
    wrong('byte', 'after and byte exclude each other: use one of them')
  if (rule.containing !== undefined && (rowOf(name).effectHandlers.full || rule.at.startsWith('command.'))) {
    wrong('containing', 'nothing here has content: only frames, printed lines and kinds of write have')
  }
  return problems
}

/** Throws PlanError, which lists the problems of all rules. */
export function readPlan(value: unknown, commands: ReadonlySet<string>): readonly Rule[] {
  if (!Array.isArray(value)) throw new PlanError([{ path: '', message: 'expected a list of rules' }])
  const problems = value.flatMap((rule, index) => checkRule(rule, commands, `[${index}]`))
  if (problems.length > 0) throw new PlanError(problems)
  return value as Rule[]
}

/**
 * Returns the JSON Schema of a plan, for editors. The schema accepts every effect at every point; only `checkRule`
 * knows which combinations are possible.
 */
export const planSchemaText = (): string => {
  const { array, toJSONSchema } = schemas()
  const schema = toJSONSchema(array(formOfRules()).describe('Fault rules of an emulated fiscal printer.'))
  return `${JSON.stringify(schema, null, 2)}\n`
}

const placeOf = (place: string, path: readonly PropertyKey[]): string =>
  path.reduce<string>((so, step) => (so === '' ? String(step) : `${so}.${String(step)}`), place)

function unknownName(name: string, commands: ReadonlySet<string>): string {
  const word = name.toLowerCase()
  const near = [...commands].filter((one) => {
    const lowerCase = one.toLowerCase()
    return lowerCase.includes(word) || word.includes(lowerCase) || lowerCase.slice(0, 4) === word.slice(0, 4)
  })
  const hint = near.length > 0 ? `; did you mean ${near.slice(0, 4).join(', ')}?` : '; see emulate --list-commands'
  return `${JSON.stringify(name)} is no command of this family${hint}`
}
