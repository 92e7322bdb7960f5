/** What the commands of a campaign on many machines have in common: the way to the queue. */
import { ADDRESS_FORM, type QueueAddress, queueAddress } from '../../scenarios/campaign/queue/address.ts'
import { Board } from '../../scenarios/campaign/queue/board.ts'
import { CampaignGone } from '../../scenarios/campaign/queue/chunk-distributor.ts'
import { type Queue, QueueUnreachable, reachQueue } from '../../scenarios/campaign/queue/connection.ts'
import { QueueDataError } from '../../scenarios/campaign/queue/schema.ts'
import { isCampaignName } from '../../scenarios/campaign/queue/settings.ts'
import { EXIT_ENVIRONMENT, EXIT_USAGE, Exit } from '../exit.ts'
import { tell } from '../say.ts'

export interface Reached {
  readonly address: QueueAddress
  readonly queue: Queue
  readonly board: Board
}

/** Exit status 2 for an address that cannot be one, 3 for a queue that cannot be used. */
export async function reached(text: string): Promise<Reached> {
  const address = addressIn(text)
  const queue = await reachQueue(address, tell).catch(letDown)
  return { address, queue, board: new Board(queue) }
}

/** Behind everything that is asked of the queue: where it lets the command down, that is exit status 3. */
export function letDown(error: unknown): never {
  if (error instanceof QueueUnreachable || error instanceof CampaignGone)
    throw new Exit(EXIT_ENVIRONMENT, error.message)
  if (error instanceof QueueDataError)
    throw new Exit(
      EXIT_ENVIRONMENT,
      `The queue has a campaign that cannot be read: ${error.message}. Begin one by another name.`,
    )
  throw error
}

/** The address may hold a password: it is not repeated. */
function addressIn(text: string): QueueAddress {
  try {
    return queueAddress(text)
  } catch {
    throw new Exit(EXIT_USAGE, `error: --queue: expected ${ADDRESS_FORM}`)
  }
}

export function campaignName(name: string): string {
  if (isCampaignName(name)) return name
  throw new Exit(EXIT_USAGE, 'error: the name of a campaign has 1 to 64 letters, digits, dots, hyphens and underscores')
}
