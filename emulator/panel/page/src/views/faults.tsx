import { useEffect, useRef, useState } from 'preact/hooks'
import { countText } from '../../../../../drivers/model/count-text.ts'
import { describeEffect, type Effect, type EffectName, effectsAt, rowOf } from '../../../../faults/effects.ts'
import { POINT_NAMES, POINTS, type Point } from '../../../../faults/points.ts'
import type { Rule } from '../../../../faults/rule.ts'
import { idInAddress } from '../address.ts'
import { call } from '../api.ts'
import { present, wholeProblem } from '../compose/problems.ts'
import { FAULT_DEMOS, howOften, ruleOf, yamlOf } from '../fault-demos.ts'
import { asSeparateWords, asTyped, dateAndTime } from '../labels-and-formats.ts'
import { rulesFollow } from '../live-updates.ts'
import { Card } from '../parts/basic-components.tsx'
import { startOnce } from '../parts/double-click.ts'
import { FaultDetails } from '../parts/fault-details.tsx'
import { waiting } from '../parts/fault-triggers.tsx'
import { Choice, Field, Form, useDraft } from '../parts/form.tsx'
import { Mistakes } from '../parts/print-result.ts'
import { NotStored, OfEarlierRun, useIsEarlier, useRun } from '../parts/run-ids.tsx'
import type { TriggeredFault } from '../parts/timeline-rows.ts'
import { navigate, useAddress } from '../route.ts'
import { deviceRead, say, startAction, useStore } from '../store.ts'
import { SpeedPresets } from './speed-presets.tsx'

export function FaultsView() {
  const commands = useCommands()
  const { query } = useAddress()
  const storyId = idInAddress(query['story'])
  const run = useRun() ?? ''
  const setOpenStory = (id?: number) =>
    navigate({ view: 'faults', query: id === undefined ? {} : { story: String(id), run } })
  const openHits = (id?: number) =>
    id === undefined ? say('These hits are no longer stored: only their number is known.') : setOpenStory(id)
  return (
    <div class="faults">
      <div class="column">
        <SpeedPresets />
        <Rules onHits={openHits} />
        <FaultTriggers openStory={storyId} onOpenStory={setOpenStory} />
        <Card title="A rule of your own">
          <OwnRule commands={commands} />
        </Card>
      </div>
      <Card title="Stories" class="stories">
        <ul>
          {FAULT_DEMOS.map((demo) => {
            const rule = ruleOf(demo, commands)
            return (
              <li key={demo.title}>
                <div>
                  <h3>{demo.title}</h3>
                  <p>{demo.text}</p>
                </div>
                <button
                  type="button"
                  disabled={!rule}
                  aria-label={`Add: ${demo.title}`}
                  onClick={() => rule && startOnce(`story ${demo.title}`, () => add(rule))}
                >
                  Add
                </button>
              </li>
            )
          })}
        </ul>
      </Card>
    </div>
  )
}

function useCommands(): readonly string[] {
  const [commands, setCommands] = useState<readonly string[]>([])
  const connection = useStore((state) => state.connection)
  useEffect(() => {
    if (connection !== 'live') return
    call('GET /emulator/commands').then(
      (list) => setCommands(list.map(({ name }) => name).toSorted()),
      () => undefined,
    )
  }, [connection])
  return commands
}

async function add(rule: Rule): Promise<string> {
  const [added] = [await call('POST /emulator/faults', { body: rule })].flat()
  rulesFollow()
  return waiting(added?.id)
}

const copy = (rule: Rule) =>
  startAction(async () => {
    await navigator.clipboard.writeText(`${yamlOf(rule)}\n`)
    return 'Copied as YAML.'
  })

/** `onHits` is called with the id of the newest fault of a rule, or `undefined` if none is stored. */
function Rules({ onHits }: { readonly onHits: (strike: number | undefined) => void }) {
  const rules = useStore((state) => state.rules)
  const triggeredFaults = useStore((state) => state.triggeredFaults)
  const remove = (id?: number) =>
    startAction(async () => {
      await (id === undefined
        ? call('DELETE /emulator/faults')
        : call('DELETE /emulator/faults/{id}', { params: { id } }))
      rulesFollow()
      return id === undefined ? 'All rules are cleared.' : `Rule ${id} is cleared.`
    })
  return (
    <Card
      title="Active rules"
      class="rules"
      action={
        rules.length > 0 ? (
          <button type="button" class="quiet" onClick={() => remove()}>
            Clear all
          </button>
        ) : null
      }
    >
      {rules.length === 0 ? (
        <p class="empty">No fault rule is active. Add one of the demo faults or your own rule.</p>
      ) : (
        <ul class="rule-list">
          {rules.map((rule) => (
            <li key={rule.id}>
              <span class="rule-number">{rule.id}</span>
              <div>
                <p>
                  <strong>{describeEffect(rule.do)}</strong> {POINTS[rule.at].words}
                  {rule.on === undefined ? '' : `, ${asSeparateWords(rule.on)}`}
                </p>
                <p class="soft">{howOften(rule, rule.hits)}</p>
              </div>
              {rule.hits === 0 ? (
                <span class="hits">0 hits</span>
              ) : (
                <button
                  type="button"
                  class="hits struck"
                  title="What it did"
                  onClick={() => onHits(triggeredFaults.findLast((fault) => fault.rule === rule.id)?.id)}
                >
                  {countText(rule.hits, 'hit')}
                </button>
              )}
              <button
                type="button"
                class="quiet"
                aria-label={`Copy rule ${rule.id} as YAML`}
                onClick={() => copy(rule)}
              >
                YAML
              </button>
              <button type="button" class="quiet" aria-label={`Clear rule ${rule.id}`} onClick={() => remove(rule.id)}>
                Clear
              </button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

interface Draft {
  readonly at: Point
  readonly on: string
  readonly effect: EffectName
  readonly value: string
  readonly skip: string
  readonly times: string
  readonly probability: string
}

const EMPTY: Draft = { at: 'link.toHost', on: '', effect: 'drop', value: '', skip: '', times: '1', probability: '' }

function ruleFrom(draft: Draft): Rule {
  const whole = (name: 'skip' | 'times' | 'probability') =>
    draft[name].trim() === '' ? {} : { [name]: Number(draft[name]) }
  const { takes } = rowOf(draft.effect)
  const value = takes && ('pattern' in takes ? draft.value : Number(draft.value))
  return {
    at: draft.at,
    ...(draft.on === '' ? {} : { on: draft.on }),
    ...whole('skip'),
    ...whole('times'),
    ...whole('probability'),
    do: (value === undefined ? draft.effect : { [draft.effect]: value }) as Effect,
  }
}

/** Replaces names of the rule in a message by those of the form: `do.flip: expected ...` is about the field `value`. */
const inFormNames = (message: string): string =>
  message.replaceAll(/\bdo\.\w+: /g, 'value: ').replaceAll(/\bdo: /g, 'effect: ')

const valueProblem = (value: string): string | undefined =>
  /^-?\d{1,15}$/.test(value.trim()) ? undefined : `"${value.slice(0, 40)}" is not a whole number of at most 15 digits.`

function probabilityProblem(text: string): string | undefined {
  if (text === '') return undefined
  const wanted = 'Enter a number above 0, at most 1.'
  if (!/^-?\d*\.?\d+$/.test(text)) return `"${text.slice(0, 40)}" is not a number. ${wanted}`
  if (Number(text) === 0) return `With 0, this rule would never be triggered. ${wanted}`
  return Number(text) > 0 && Number(text) <= 1 ? undefined : wanted
}

async function addOwn(draft: Draft, commands: readonly string[]): Promise<string> {
  const { on } = draft
  if (on !== '' && on !== 'unknown' && commands.length > 0 && !commands.includes(on)) {
    const near = commands.filter((name) => name.toLowerCase().startsWith(on.toLowerCase().slice(0, 4))).slice(0, 4)
    const hint = near.length > 0 ? `Did you mean ${near.join(', ')}?` : 'The field offers the commands.'
    throw new Error(`on: "${on.slice(0, 40)}" is not a command of this device. ${hint}`)
  }
  const { takes } = rowOf(draft.effect)
  const problems = present([
    ['value', takes && !('pattern' in takes) ? valueProblem(draft.value) : undefined],
    ['skip', draft.skip.trim() === '' ? undefined : wholeProblem(draft.skip, 0)],
    ['times', draft.times.trim() === '' ? undefined : wholeProblem(draft.times, 1)],
    ['probability', probabilityProblem(draft.probability.trim())],
  ])
  if (problems.length > 0) throw new Mistakes(problems)
  return add(ruleFrom(draft)).catch((problem: unknown) => {
    throw new Error(inFormNames(problem instanceof Error ? problem.message : String(problem)))
  })
}

const POINT_OPTIONS = POINT_NAMES.map((at) => [at, POINTS[at].words] as const)
const effectChoicesAt = (point: Point) =>
  effectsAt(point).map(
    (name) => [name, rowOf(name).takes ? asSeparateWords(name).replace(' ms', '') : describeEffect(name)] as const,
  )

function OwnRule({ commands }: { commands: readonly string[] }) {
  const { draft, setDraft, field } = useDraft(EMPTY)
  const { takes } = rowOf(draft.effect)
  const move = (at: Point) => {
    const [first = draft.effect, ...others] = effectsAt(at)
    setDraft({ ...draft, at, effect: others.includes(draft.effect) ? draft.effect : first })
  }
  return (
    <Form onSubmit={() => addOwn(draft, commands)}>
      <Choice label="Where" options={POINT_OPTIONS} {...field('at')} onText={move} />
      <Field
        label="Command (any, if empty)"
        list="command-names"
        spellcheck={false}
        autocomplete="off"
        {...field('on')}
      />
      <datalist id="command-names">
        {commands.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Choice label="What happens" options={effectChoicesAt(draft.at)} {...field('effect')} />
      {takes ? (
        <Field label={takes.label} required inputMode={'pattern' in takes ? 'text' : 'numeric'} {...field('value')} />
      ) : null}
      <Field label="Skip first" width="short" inputMode="numeric" {...field('skip')} />
      <Field label="Times (empty: always)" width="short" inputMode="numeric" {...field('times')} />
      <Field label="Probability (0 to 1)" width="short" inputMode="decimal" {...field('probability')} />
      <button type="submit" class="primary">
        Add rule
      </button>
    </Form>
  )
}

const SHOWN_FIRST = 5
const SHOWN_MOST = 30

interface OpenFault {
  /** Run and id of the fault, because faults of other runs have the same ids. */
  readonly of: string
  readonly fault: TriggeredFault
}

/**
 * Returns the fault whose details are open. A fault that was read stays open. `isGone` is true if the device does not
 * store it.
 */
function useOpenFault(id: number | undefined) {
  const triggeredFaults = useStore((state) => state.triggeredFaults)
  const isRead = useStore((state) => deviceRead(state) !== undefined)
  const { query } = useAddress()
  const run = useRun()
  const isEarlier = useIsEarlier(id !== undefined)
  const of = `${query['run'] ?? run} ${id}`
  const last = useRef<OpenFault>(undefined)
  const stored = isEarlier || id === undefined ? undefined : triggeredFaults.find((fault) => fault.id === id)
  if (stored) last.current = { of, fault: stored }
  const open = last.current?.of === of ? last.current : undefined
  return { open, isGone: isRead && id !== undefined && !stored, isEarlier }
}

/** `asked` is the id in the address. */
function whyMissing(asked: string, isEarlier: boolean): string {
  if (isEarlier) return 'This fault is of an earlier run of the emulator, and is no longer stored.'
  return Number.isNaN(idInAddress(asked))
    ? `There is no triggered fault ${asTyped(asked)}. This list contains the stored ones.`
    : `Fault ${asTyped(asked)} is not stored: it was never triggered, the device was reset, or too much has happened since.`
}

function whyGone(isEarlier: boolean): string {
  return isEarlier
    ? 'This fault is of the run before the emulator was restarted. It is no longer stored, and is shown as it was read.'
    : 'This fault is no longer stored, and is shown as it was read.'
}

function FaultTriggers({
  openStory,
  onOpenStory,
}: {
  readonly openStory: number | undefined
  readonly onOpenStory: (id?: number) => void
}) {
  const triggeredFaults = useStore((state) => state.triggeredFaults)
  const { query } = useAddress()
  const wasTriggered = useStore((state) => state.rules.some(({ hits }) => hits > 0))
  const run = useRun()
  const { open, isGone, isEarlier } = useOpenFault(openStory)
  const [isLong, setLong] = useState(false)
  const last = triggeredFaults.slice(-SHOWN_MOST).toReversed()
  const isTold = last.findIndex(({ id }) => id === openStory) >= SHOWN_FIRST
  const first = isLong || isTold ? last : last.slice(0, SHOWN_FIRST)
  const isListed = !isGone && first.some(({ id }) => id === openStory)
  const visibleFaults = first.map((fault) => ({ of: `${run} ${fault.id}`, fault }))
  const rows = open && !isListed ? [open, ...visibleFaults] : visibleFaults
  return (
    <Card title="Triggered faults" action={rows.length > 1 ? <p class="order">newest first</p> : null}>
      {isGone && !open ? <NotStored words={whyMissing(query['story'] ?? '', isEarlier)} /> : null}
      {rows.length === 0 ? (
        <p class="empty">
          {wasTriggered && !isGone
            ? 'It is no longer stored: the device was reset, or too much has happened since.'
            : 'No fault has been triggered since the emulator was started or the device was reset.'}
        </p>
      ) : (
        <ul class="rule-list">
          {rows.map(({ of, fault }) => (
            <FaultRow
              key={of}
              fault={fault}
              isOpen={of === open?.of}
              why={isGone && of === open?.of ? whyGone(isEarlier) : undefined}
              onOpen={onOpenStory}
            />
          ))}
        </ul>
      )}
      {last.length > visibleFaults.length ? (
        <button type="button" class="quiet" onClick={() => setLong(true)}>
          {`Show ${last.length - visibleFaults.length} more`}
        </button>
      ) : null}
    </Card>
  )
}

function FaultRow(props: {
  readonly fault: TriggeredFault
  readonly isOpen: boolean
  readonly why: string | undefined
  readonly onOpen: (id?: number) => void
}) {
  const { fault, isOpen, why, onOpen } = props
  const dimmed = why === undefined ? '' : ' dimmed'
  return (
    <OfEarlierRun.Provider value={why !== undefined}>
      <li class={`${isOpen ? 'told' : ''}${dimmed}`}>
        <span class="rule-number">{fault.rule ?? ''}</span>
        <div>
          <p>
            <strong>{describeEffect(fault.what)}</strong> {POINTS[fault.point].words}
          </p>
          <p class="soft">
            {dateAndTime(fault.time)}
            {fault.on === undefined ? '' : `, ${asSeparateWords(fault.on)}`}
          </p>
        </div>
        <button
          type="button"
          class="quiet"
          aria-expanded={isOpen}
          aria-label={`Details of ${dateAndTime(fault.time)}, ${describeEffect(fault.what)}`}
          onClick={() => onOpen(isOpen ? undefined : fault.id)}
        >
          Details
        </button>
      </li>
      {isOpen ? (
        <li class={`story${dimmed}`}>
          {why === undefined ? null : <NotStored words={why} />}
          <FaultDetails entryId={fault.id} />
        </li>
      ) : null}
    </OfEarlierRun.Provider>
  )
}
