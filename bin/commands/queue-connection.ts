import { ADDRESS_FORM, type QueueAddress, queueAddress } from '../../scenarios/campaign/queue/address.ts'
import { Board } from '../../scenarios/campaign/queue/campaign-board.ts'
import { CampaignGone } from '../../scenarios/campaign/queue/chunk-distributor.ts'
import { type Queue, QueueUnreachable, reachQueue } from '../../scenarios/campaign/queue/connection.ts'
import { QueueDataError } from '../../scenarios/campaign/queue/schema.ts'
import { isCampaignName } from '../../scenarios/campaign/queue/settings.ts'
import { EXIT_ENVIRONMENT, EXIT_USAGE, Exit } from '../exit.ts'
import { writeLine } from '../terminal-output.ts'

export interface QueueConnection {
  readonly address: QueueAddress
  readonly queue: Queue
  readonly board: Board
}

/** Throws Exit with status 2 for an impossible address, and with status 3 for a queue that cannot be used. */
export async function connectToQueue(text: string): Promise<QueueConnection> {
  const address = addressIn(text)
  const queue = await reachQueue(address, writeLine).catch(exitForQueueFailure)
  return { address, queue, board: new Board(queue) }
}

/** Throws Exit with status 3 for failures of the queue, and other errors unchanged. */
export function exitForQueueFailure(error: unknown): never {
  if (error instanceof QueueUnreachable || error instanceof CampaignGone)
    throw new Exit(EXIT_ENVIRONMENT, error.message)
  if (error instanceof QueueDataError)
    throw new Exit(
      EXIT_ENVIRONMENT,
      `The queue has a campaign that cannot be read: ${error.message}. Start a campaign with another name.`,
    )
  throw error
}

/** The error does not repeat the address, which may contain a password. */
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
