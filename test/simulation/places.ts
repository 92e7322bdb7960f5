/** At how many places of its requests the trouble of a case can strike. */
import type { Family } from '../../drivers/model/families.ts'
import { Run } from '../../scenarios/simulation/run.ts'
import type { Step } from '../../scenarios/simulation/steps.ts'
import { World } from '../../scenarios/simulation/world.ts'

interface Places {
  /** That come to the device, acknowledgements among them. */
  readonly frames: number
  readonly commands: number
}

/**
 * Of the last steps, when nothing is the matter. A run whose trouble waits for a later one is a run without trouble, the
 * same each time.
 */
export async function placesOf(family: Family, before: readonly Step[], during: readonly Step[]): Promise<Places> {
  const world = new World({ family })
  try {
    const run = new Run(world)
    for (const step of before) await run.perform(step)
    let [frames, commands] = [0, 0]
    world.onEvent = (event) => {
      if (event.type !== 'frame' || event.entry.direction !== 'toDevice') return
      frames++
      // An acknowledgement is one byte.
      if (event.entry.bytes.length > 1) commands++
    }
    for (const step of during) await run.perform(step)
    return { frames, commands }
  } finally {
    await world.close()
  }
}

/** From the first to the last, and one behind it: there nothing strikes. */
export const upTo = (first: number, last: number): readonly number[] =>
  Array.from({ length: last + 2 - first }, (_, index) => first + index)
