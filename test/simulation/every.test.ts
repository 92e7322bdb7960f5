/**
 * The injection points of `check --every` are complete and always the same. The judge knows which program has begun,
 * changed and ended each document.
 */
import { describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import { simulate } from '../../drivers/model/clock.ts'
import { type Emulator, profilesOf } from '../../emulator/emulator.ts'
import {
  caseAt,
  type Device,
  describePoint,
  EVENTS,
  FRAME_OUTCOMES,
  framesOf,
  type InjectionPoint,
  type InjectionPoints,
  injectionPointsOf,
  OUTSIDE_ACTIONS,
  pairsOf,
} from '../../scenarios/simulation/every/injection-points.ts'
import { type Operation, STEP_OPERATIONS } from '../../scenarios/simulation/every/operations.ts'
import { allInjectionPoints, tryPoints } from '../../scenarios/simulation/every/try-points.ts'
import { memoryIdOf } from '../../scenarios/simulation/memory-id.ts'
import { Run } from '../../scenarios/simulation/run.ts'
import { describeStep, type OtherMemory, type Step } from '../../scenarios/simulation/steps.ts'
import { World } from '../../scenarios/simulation/world.ts'
import { UNNOTICED, OUTSIDE_ACTIONS as WORLD_ACTIONS, FRAME_OUTCOMES as WORLD_OUTCOMES } from '../operations/events.ts'
import { isDeep, rotating } from '../support/slice.ts'
import { believesItself } from './deliberate-errors.ts'
import { isKnown } from './known-violations.ts'

const named = (name: string): Operation => STEP_OPERATIONS.find((one) => one.name === name) as Operation
const X = named('x key true')
const RECEIPT = named('receipt rows 1 paying "nothing said" key false')

const listOf = (places: InjectionPoints): readonly InjectionPoint[] =>
  Array.from({ length: places.length }, (_nothing, index) => places.at(index) as InjectionPoint)

describe.each(FAMILIES)('the injection points of family %s', (family) => {
  it('are each frame with each outcome and each outside event, without a restart, with a restart, and with a power failure', async () => {
    const frames = await framesOf({ family }, X)
    expect(frames.map(({ write }) => write)).toEqual(frames.map((_frame, index) => index + 1))
    expect(frames.length).toBeGreaterThan(3)
    const expected = frames.flatMap(({ write, isCommand }) =>
      FRAME_OUTCOMES.filter(({ onlyCommands: ofCommands }) => isCommand || !ofCommands).flatMap(
        ({ name: fate, kills }) =>
          OUTSIDE_ACTIONS.flatMap(({ name: deed }) =>
            ['', 'a restart, and then ', 'a power failure of the computer, and then ']
              .slice(kills ? 1 : 0)
              .map((restart) => `${X.name}: frame ${write} ${fate}; ${deed}; ${restart}the retry`),
          ),
      ),
    )
    const places = listOf(await injectionPointsOf({ family }, [X]))
    expect(places.map(describePoint)).toEqual(expected)
    expect(new Set(expected).size).toBe(expected.length)
  })

  it('are always the same, in the same order', async () => {
    const [first, second] = [
      listOf(await injectionPointsOf({ family }, [X])),
      listOf(await injectionPointsOf({ family }, [X])),
    ]
    expect(second.map(describePoint)).toEqual(first.map(describePoint))
  })

  it('reveal a driver that treats a lost answer to a close as a success, but no defect of the real driver', async () => {
    const list = listOf(await injectionPointsOf({ family }, [RECEIPT])).filter(
      ({ outcome, action, restart }) =>
        outcome.name === 'is lost on a silent line' && action.name === 'no other acts' && restart === 'none',
    )
    const places = { length: list.length, at: (index: number) => list[index] }
    const order = { family, first: 0, step: 1, runs: places.length }
    const broken = await tryPoints(order, undefined, { places, breakPrinter: believesItself })
    expect(broken.failures.length).toBeGreaterThan(0)
    expect(broken.failures.map(({ why }) => why).join('\n')).toContain('it is not on paper, and the answer was 200')
    const sound = await tryPoints(order, undefined, { places })
    expect([sound.runs, sound.failures]).toEqual([places.length, []])
  })
})

const OPENING: Step = { do: 'open', key: true }

async function sendersAfter(family: (typeof FAMILIES)[number], steps: readonly Step[]): Promise<readonly unknown[]> {
  const world = new World({ family, seed: 1 })
  try {
    const run = new Run(world)
    for (const step of steps) await run.perform(step)
    const memory = memoryIdOf(world.emulator)
    return [world.attribution.begunBy(memory, 1), world.attribution.endedBy(memory, 1)]
  } finally {
    await world.close()
  }
}

describe.each(FAMILIES)('document 1 of family %s', (family) => {
  it.each<[string, readonly Step[], readonly unknown[]]>([
    ['the service that has opened it', [OPENING], ['service', undefined]],
    [
      'the other program, if the opening of the service was never sent',
      [{ do: 'cut', write: 1, loses: 'frame' }, { do: 'otherProgram', deed: 'opens', write: 1 }, OPENING],
      ['other program', undefined],
    ],
    [
      'the service, and its end of the other program',
      [OPENING, { do: 'otherProgram', deed: 'cancels what is open' }],
      ['service', 'other program'],
    ],
    [
      'the other program, and its end of the service',
      [{ do: 'otherProgram', deed: 'opens' }, { do: 'cancel' }],
      ['other program', 'service'],
    ],
    ['a person at the device', [{ do: 'hand', what: 'Z report' }], ['hand', 'hand']],
  ])('belongs to %s', async (_whose, steps, senders) => {
    expect(await sendersAfter(family, steps)).toEqual(senders)
  })
})

describe.each(FAMILIES)('another memory under the numbers of a device of family %s', (family) => {
  it.each<[string, OtherMemory, readonly unknown[]]>([
    ['new', 'new', [0, undefined, undefined]],
    ['equally long', 'as many documents', [1, 'other program', 'other program']],
  ])('has separate documents if it is %s', async (_what, memory, expected) => {
    const world = new World({ family, seed: 1 })
    try {
      const run = new Run(world)
      await run.perform(OPENING)
      await run.perform({ do: 'replaceDevice', memory })
      const [before, now] = world.devices.map((one) => ({ numbers: numbersOf(one), memory: memoryIdOf(one) }))
      if (!before || !now) throw new Error('two devices were expected')
      expect(now.numbers).toEqual(before.numbers)
      const sendersOf = (id: string) => [world.attribution.begunBy(id, 1), world.attribution.endedBy(id, 1)]
      expect(sendersOf(before.memory)).toEqual(['service', undefined])
      expect([world.emulator.device.counters.lastDocument, ...sendersOf(now.memory)]).toEqual(expected)
    } finally {
      await world.close()
    }
  })
})

describe.each(FAMILIES)('the electronic journal of family %s', (family) => {
  it('is not read until the fault ends', async () => {
    const world = new World({ family, seed: 1 })
    try {
      const run = new Run(world)
      await run.perform({ do: 'receipt', rows: 1, paying: 'nothing said', key: false })
      await run.perform({ do: 'x' })
      const { lastDocument } = world.emulator.device.counters
      const read = () => simulate(world.clock, world.printer.documentOf?.(lastDocument) ?? Promise.resolve(undefined))
      expect(await read()).toMatchObject({ kind: 'x' })
      await run.perform({ do: 'hand', what: 'electronic journal unreadable' })
      expect(await read()).toBeUndefined()
      await run.perform({ do: 'hand', what: 'the trouble ends' })
      expect(await read()).toMatchObject({ kind: 'x' })
    } finally {
      await world.close()
    }
  })

  it.each(profilesOf(family))(
    'leaves the number of the last receipt unknown while it cannot be read: %s',
    async (profile) => {
      const world = new World({ family, profile, seed: 1 })
      try {
        const run = new Run(world)
        await run.perform({ do: 'receipt', rows: 1, paying: 'nothing said', key: false })
        await run.perform({ do: 'x' })
        await run.perform({ do: 'hand', what: 'electronic journal unreadable' })
        const { printer, clock } = world
        const { lastReceipt } = await simulate(clock, printer.evidence({ thorough: true }))
        expect([1, null]).toContain(lastReceipt)
        expect(['1', '']).toContain(await simulate(clock, printer.lastReceipt?.() ?? Promise.reject()))
      } finally {
        await world.close()
      }
    },
  )

  it('cannot be read until the end, or until the answer has arrived', async () => {
    const places = listOf(await injectionPointsOf({ family }, [X]))
    const stepsOf = (deed: string) => {
      const place = places.find(
        (one) => one.action.name === deed && one.outcome.name === 'arrives' && one.restart === 'of the service',
      )
      return place && caseAt({ family }, place).steps.map(describeStep).slice(-4)
    }
    const unreadable = 'by hand: electronic journal unreadable'
    const [ends, restart, retry] = [
      'by hand: the trouble ends',
      'the service is started again',
      'send the last request with a key again',
    ]
    expect(stepsOf('the electronic journal cannot be read')).toEqual([ends, unreadable, restart, retry])
    expect(stepsOf('the electronic journal cannot be read until the answer has arrived')?.slice(1)).toEqual([
      ends,
      restart,
      retry,
    ])
  })
})

const numbersOf = ({ profile: { serialNumber, fiscalMemoryNumber } }: Emulator) => [serialNumber, fiscalMemoryNumber]

describe('the events of the injection points', () => {
  const namesOf = (all: readonly { readonly name: string }[]): readonly string[] => all.map(({ name }) => name)

  it('have the names of the table of worlds, except events that only one of the two can have', () => {
    const [here, inWorlds] = [
      namesOf([...FRAME_OUTCOMES, ...OUTSIDE_ACTIONS]),
      namesOf([...WORLD_OUTCOMES, ...UNNOTICED, ...WORLD_ACTIONS]),
    ]
    expect(here.filter((name) => !inWorlds.includes(name))).toEqual([
      'no other acts',
      'another program opens a fiscal receipt and sells',
      'another program pays and closes what is open',
      'the electronic journal cannot be read until the answer has arrived',
      'another device takes its place until the answer has arrived',
      'the memory of the device is replaced by another one with the same number of documents',
    ])
  })
})

/**
 * A family has some hundred thousand places and some hundred million pairs. Each change of the sources selects another
 * part.
 */
const SLICE = { of: 17_000, deepOf: 60 }
const DRAWN = 180_000

/** A further edition runs a smaller part, and only in the deep suite. */
const EDITION_SLICE = { of: 6000, deepOf: 240 }
const EDITIONS = FAMILIES.flatMap((family) =>
  profilesOf(family)
    .slice(1)
    .map((profile) => ({ family, profile })),
)

async function wrongAt(device: Device, name: string, pairs: boolean, size: typeof SLICE): Promise<readonly string[]> {
  const all = await allInjectionPoints(device, pairs)
  const stride = Math.max(1, Math.floor(all.length / DRAWN))
  const salt = [device.family, ...(device.profile === undefined ? [] : [device.profile]), name].join(' ')
  const drawn = rotating(Math.floor(all.length / stride), { ...size, salt })
  const list = drawn.map((index, nth) => all.at(index * stride + (nth % stride)) ?? all.at(0))
  const places = { length: list.length, at: (index: number) => list[index] }
  const { runs, failures } = await tryPoints({ ...device, first: 0, step: 1, runs: places.length }, undefined, {
    places,
  })
  expect(runs).toBeGreaterThan(10)
  return failures.filter((one) => !isKnown(one)).map(({ place, why }) => `${place.name}: ${why}`)
}

const KINDS: readonly (readonly [string, boolean])[] = [
  ['single injection points', false],
  ['pairs', true],
]

describe.each(FAMILIES)('injection points and pairs of family %s', (family) => {
  it.each(KINDS)('satisfy every promise: %s', { timeout: 900_000 }, async (name, pairs) => {
    expect(await wrongAt({ family }, name, pairs, SLICE)).toEqual([])
  })
})

describe.runIf(isDeep).each(EDITIONS)('injection points and pairs of edition $profile of family $family', (edition) => {
  it.each(KINDS)('satisfy every promise: %s', { timeout: 900_000 }, async (name, pairs) => {
    expect(await wrongAt(edition, name, pairs, EDITION_SLICE)).toEqual([])
  })
})

/** The stride is coprime to the numbers of events, so that the sampled pairs include each event. */
const STRIDE = isDeep ? 7 : 29

describe.each(FAMILIES)('the pairs of family %s', (family) => {
  it('are each event at each frame, and each event after it, in the request or in its retry', async () => {
    const frames = await framesOf({ family }, X)
    const pairs = await pairsOf({ family }, [X])
    const seen = new Set<string>()
    const firsts = new Set<string>()
    const seconds = new Set<string>()
    for (let index = 0; index < pairs.length; index += STRIDE) {
      const place = pairs.at(index)
      if (!place?.second) throw new Error(`pair ${index} has no second event`)
      const { frame, outcome, action, second } = place
      if (second.during === 'request') expect(second.frame.write).toBeGreaterThan(frame.write)
      firsts.add(`${frame.write} ${outcome.name} ${action.name}`)
      seconds.add(`${second.during} ${second.outcome.name} ${second.action.name}`)
      seen.add(`${describePoint(place)} ${place.restart}`)
    }
    expect(firsts.size).toBe(frames.length * EVENTS.length)
    expect(seconds.size).toBe(2 * EVENTS.length)
    expect(pairs.at(pairs.length)).toBeUndefined()
    expect(seen.size).toBeGreaterThan(pairs.length / STRIDE / 2)
  })
})
