import type { ReceiptPhase } from '../../drivers/model/receipt.ts'
import type { Probe } from '../../drivers/wire/probe.ts'
import type { Hindrance, Reading, Standing, Way } from '../../drivers/wire/questionnaire.ts'
import type { Conversation, Talk } from './conversation.ts'
import { learntFrom } from './learning.ts'
import { closingProbe, planOf, stepProbe, WIDEST, waysOf } from './plan.ts'
import { Away, Ended, Voice } from './voice.ts'

/** The conversation with a device: all probes of a depth, state by state, and back to where it stood. */

/** How often what changes nothing is asked. */
const TRIES = 3
const LEAVING_TURNS = 3
/** Ways are gone as often while the device leaves them on the way. */
const WALKS = 4

/** Rejects only for mistakes of ours: what a device does ends the conversation and stands in it. */
export async function converse(talk: Talk): Promise<Conversation> {
  const { q, consent } = talk
  const voice = new Voice(talk)
  const widest: Partial<Record<'nonFiscal' | 'selling', number>> = {}
  const plan = planOf(q, talk.others, consent).map(({ probe }) => probe)
  const probed = new Set<string>()
  let standing: Standing = { receipt: 'none', isFiscal: true }
  /** As the device has told; undefined: nothing was asked that takes it. */
  let closures: number | undefined
  let hindrances: readonly Hindrance[] = []

  const ways = waysOf(q, consent.depth)
  const total = plan.length + ways.flatMap(({ steps }) => steps).length + (consent.z ? 1 : 0)
  const ask = ({ id }: Probe): void => {
    probed.add(id)
    talk.progress?.(probed.size, total)
  }

  /** The receipt that stands open is somebody else's. */
  const isForeign = (): boolean => standing.receipt !== 'none'
  const isWhere = ({ receipt }: Standing): boolean =>
    receipt === (voice.state === 'idle' ? 'none' : voice.state === 'nonFiscal' ? 'nonFiscal' : 'fiscal')

  /** False: the device is in another state behind it. */
  async function askProbe(probe: Probe): Promise<boolean> {
    ask(probe)
    while (true) {
      try {
        return await askOnce(probe)
      } catch (problem) {
        if (!(problem instanceof Away)) throw problem
        if (isForeign() || isWhere(await voice.stand())) continue
        probed.delete(probe.id)
        return false
      }
    }
  }

  async function askOnce(probe: Probe): Promise<boolean> {
    if (probe.reads) {
      await voice.readsToItsEnd(probe, probe.reads)
      return true
    }
    const tries = probe.isHarmless && !probe.goesOn ? TRIES : 1
    if (probe.closure) closures ??= learntFrom(q, { exchanges: voice.exchanges, widest }).history.closures
    for (let attempt = 0; attempt < tries; attempt++) await voice.asks(probe, attempt, closures)
    return probe.isHarmless || isWhere(await voice.stand())
  }

  async function askAll(probes: readonly Probe[]): Promise<boolean> {
    for (const probe of probes) if (!probed.has(probe.id) && !(await askProbe(probe))) return false
    return true
  }

  /** Closes or cancels what stands open. */
  async function leave(ends: Way['ends']): Promise<void> {
    for (let turn = 0; turn < LEAVING_TURNS; turn++) {
      try {
        if ((await voice.stand()).receipt === 'none') break
        await end(ends)
      } catch (problem) {
        if (!(problem instanceof Away)) throw problem
      }
    }
    voice.state = 'idle'
  }

  async function end(ends: Way['ends']): Promise<void> {
    for (const asks of ends) {
      let isDone = true
      for (const ask of asks) isDone = (await voice.does(ask)) && isDone
      if (isDone) return
    }
  }

  const inState = (of: ReceiptPhase): readonly Probe[] => plan.filter((probe) => probe.state === of)
  const allEnds = q.ways.flatMap(({ ends }) => ends)

  async function measureWidth(of: 'nonFiscal' | 'selling'): Promise<void> {
    const ask = q.widest?.[of]
    if (!ask || widest[of] !== undefined) return
    let [low, high] = [0, WIDEST]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (await voice.does(ask(middle))) low = middle
      else high = middle - 1
    }
    widest[of] = low
  }

  /** Asks again and again while a probe of a state leads out of it. */
  async function walk(way: Way): Promise<void> {
    for (let turn = 0; turn < WALKS; turn++) {
      try {
        if (await walkOnce(way)) return
      } catch (problem) {
        if (!(problem instanceof Away)) throw problem
        await leave(way.ends)
      }
    }
  }

  async function walkOnce(way: Way): Promise<boolean> {
    for (const [at, [name, data, then]] of way.steps.entries()) {
      const probe = stepProbe(q, way, at, voice.state)
      const isDone = await voice.does([name, data], probed.has(probe.id) ? undefined : probe)
      ask(probe)
      if (!isDone) break
      if (then === undefined) continue
      voice.state = then
      if (!(await askAll(inState(then)))) {
        await leave(way.ends)
        return false
      }
      if (then === 'nonFiscal' || then === 'selling') await measureWidth(then)
    }
    await leave(way.ends)
    return true
  }

  async function all(): Promise<void> {
    // The first number may be that of the last command of somebody else: then an old answer comes.
    await voice.greet()
    standing = await voice.stand()
    if (talk.mayGoOn && !talk.mayGoOn(standing)) return
    hindrances = await voice.looks()
    if (isForeign()) voice.state = standing.receipt === 'nonFiscal' ? 'nonFiscal' : 'selling'
    const idle = inState('idle')
    const harmless = idle.filter(({ depth }) => depth === 'look')
    const links = harmless.filter(({ command }) => command === 'link')
    await askAll(harmless.filter((one) => !links.includes(one)))
    // It shows whether a person has been there; what follows does not.
    await voice.stand()
    await askAll(links)
    if (isForeign()) return
    const others = idle.filter(({ depth }) => depth !== 'look')
    while (!(await askAll(others))) await leave(allEnds)
    for (const way of ways) await walk(way)
    // What can only be asked once something was printed is asked again.
    if (consent.depth !== 'look') for (const reads of q.readings) await readAgain(reads)
    if (consent.z) {
      const closing = closingProbe(q)
      ask(closing)
      await voice.does(q.closing, closing).catch(unlessAway)
    }
  }

  async function readAgain(reads: Reading): Promise<void> {
    const probe = plan.find((one) => one.reads === reads)
    if (probe) await voice.readsToItsEnd({ ...probe, id: `${probe.id}.printed` }, reads).catch(unlessAway)
  }

  let ended: Conversation['ended']
  try {
    await all()
  } catch (problem) {
    if (!(problem instanceof Ended)) throw problem
    ended = problem.why
    voice.closes()
    if ((ended === 'interrupted' || ended === 'hindered') && voice.hasChanged) await leave(allEnds).catch(unlessEnded)
  }
  const { exchanges } = voice
  const isSilent = exchanges.every(({ heard, requests }) =>
    requests.every((frame, at) => heard[at] === undefined || voice.saidBy(frame, heard[at]) === undefined),
  )
  const leftOut = plan.filter(({ id }) => !probed.has(id)).map(({ id }) => id)
  const isComplete = ended === undefined
  return { exchanges, standing, hindrances, leftOut, isComplete, isSilent, ...(ended && { ended }), widest }
}

/** What was said to nobody is not said again: it may have been carried out. */
function unlessAway(problem: unknown): void {
  if (!(problem instanceof Away)) throw problem
}

function unlessEnded(problem: unknown): void {
  if (!(problem instanceof Ended)) throw problem
}
