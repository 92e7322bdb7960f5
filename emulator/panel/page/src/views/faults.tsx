import { useEffect, useState } from 'preact/hooks'
import { EFFECT_NAMES, type Effect, type EffectName, effectInWords, rowOf } from '../../../../faults/effects.ts'
import type { Rule } from '../../../../faults/plan.ts'
import { POINT_NAMES, POINTS, type Point } from '../../../../faults/points.ts'
import { call } from '../api.ts'
import { rulesFollow } from '../live.ts'
import { Card } from '../parts/small.tsx'
import { act, useStore } from '../store.ts'
import { howOften, ruleOf, STORIES } from '../stories.ts'
import { spaced } from '../words.ts'

/** Trouble on command: stories ready made, rules of one's own, and what has struck. */
export function FaultsView() {
  const commands = useCommands()
  return (
    <div class="faults">
      <div class="column">
        <Rules />
        <Card title="A rule of your own">
          <OwnRule commands={commands} />
        </Card>
        <Hits />
      </div>
      <Card title="Stories" class="stories">
        <ul>
          {STORIES.map((story) => {
            const rule = ruleOf(story, commands)
            return (
              <li key={story.title}>
                <div>
                  <h3>{story.title}</h3>
                  <p>{story.text}</p>
                </div>
                <button
                  type="button"
                  disabled={!rule}
                  aria-label={`Add: ${story.title}`}
                  onClick={() => rule && add(rule)}
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

const add = (rule: Rule) =>
  act(async () => {
    const [added] = [await call('POST /emulator/faults', { body: rule })].flat()
    rulesFollow()
    return `Rule ${added?.id} waits for its moment.`
  })

function Rules() {
  const rules = useStore((state) => state.rules)
  const remove = (id?: number) =>
    act(async () => {
      await (id === undefined
        ? call('DELETE /emulator/faults')
        : call('DELETE /emulator/faults/{id}', { params: { id } }))
      rulesFollow()
      return id === undefined ? 'All rules are cleared.' : `Rule ${id} is cleared.`
    })
  return (
    <Card
      title="Rules at work"
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
        <p class="empty">The device works without trouble. Add a story or a rule of your own.</p>
      ) : (
        <ul class="rule-list">
          {rules.map((rule) => (
            <li key={rule.id}>
              <span class="rule-number">{rule.id}</span>
              <div>
                <p>
                  <strong>{effectInWords(rule.do)}</strong> {POINTS[rule.at].words}
                  {rule.on === undefined ? '' : `, ${spaced(rule.on)}`}
                </p>
                <p class="soft">{howOften(rule)}</p>
              </div>
              <span class={rule.hits > 0 ? 'hits struck' : 'hits'}>
                {rule.hits === 1 ? '1 hit' : `${rule.hits} hits`}
              </span>
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
  const whole = (name: 'skip' | 'times' | 'probability') => (draft[name] === '' ? {} : { [name]: Number(draft[name]) })
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

function OwnRule({ commands }: { commands: readonly string[] }) {
  const [draft, setDraft] = useState(EMPTY)
  const set = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const { takes } = rowOf(draft.effect)
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        add(ruleFrom(draft))
      }}
    >
      <label class="field">
        <span>Where</span>
        <select value={draft.at} onChange={(event) => set({ at: event.currentTarget.value as Point })}>
          {POINT_NAMES.map((at) => (
            <option key={at} value={at}>
              {POINTS[at].words}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>Command (any, if empty)</span>
        <input
          list="command-names"
          value={draft.on}
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => set({ on: event.currentTarget.value })}
        />
        <datalist id="command-names">
          {commands.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
      <label class="field">
        <span>What happens</span>
        <select value={draft.effect} onChange={(event) => set({ effect: event.currentTarget.value as EffectName })}>
          {EFFECT_NAMES.map((name) => (
            <option key={name} value={name}>
              {rowOf(name).takes ? spaced(name).replace(' ms', '') : effectInWords(name)}
            </option>
          ))}
        </select>
      </label>
      {takes ? (
        <label class="field">
          <span>{takes.label}</span>
          <input
            required
            value={draft.value}
            inputMode={'pattern' in takes ? 'text' : 'numeric'}
            onInput={(event) => set({ value: event.currentTarget.value })}
          />
        </label>
      ) : null}
      <label class="field short">
        <span>Skip first</span>
        <input type="number" min={0} value={draft.skip} onInput={(event) => set({ skip: event.currentTarget.value })} />
      </label>
      <label class="field short">
        <span>Times (or always)</span>
        <input
          type="number"
          min={1}
          value={draft.times}
          onInput={(event) => set({ times: event.currentTarget.value })}
        />
      </label>
      <label class="field short">
        <span>Probability (0 to 1)</span>
        <input
          type="number"
          min={0}
          max={1}
          step="any"
          value={draft.probability}
          onInput={(event) => set({ probability: event.currentTarget.value })}
        />
      </label>
      <button type="submit" class="primary">
        Add rule
      </button>
    </form>
  )
}

const HITS_SHOWN = 30

function Hits() {
  const hits = useStore((state) => state.hits)
  const shown = hits.slice(-HITS_SHOWN).toReversed()
  return (
    <Card title="What has struck" class="hits-card">
      {shown.length === 0 ? (
        <p class="empty">Nothing since this page was opened.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Rule</th>
              <th scope="col">What</th>
              <th scope="col">Command</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((hit) => (
              <tr key={hit.id}>
                <td class="at">{hit.time}</td>
                <td class="num">{hit.rule ?? ''}</td>
                <td>
                  {effectInWords(hit.what)} {POINTS[hit.at].words}
                </td>
                <td>{hit.on === undefined ? '' : spaced(hit.on)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}
