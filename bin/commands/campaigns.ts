import { escapeControl } from '../../drivers/model/escape-control.ts'
import { repeatCommand, runsOf } from '../../scenarios/campaign/campaign-plan.ts'
import { progressLine } from '../../scenarios/campaign/progress.ts'
import {
  type Board,
  type Campaign,
  isUnreadable,
  type UnreadableCampaign,
} from '../../scenarios/campaign/queue/campaign-board.ts'
import { planOf } from '../../scenarios/campaign/queue/settings.ts'
import { failureText } from '../../scenarios/simulation/check.ts'
import { EXIT_USAGE, Exit } from '../exit.ts'
import { say } from '../terminal-output.ts'
import { placesText } from './check-every-report.ts'
import { progressOf, setAsideLines } from './check-queue.ts'
import { campaignName, connectToQueue, exitForQueueFailure } from './queue-connection.ts'

interface CampaignsOptions {
  readonly queue: string
  readonly json?: boolean
}

export async function campaigns(name: string | undefined, { queue: text, json }: CampaignsOptions): Promise<void> {
  const only = name === undefined ? undefined : campaignName(name)
  const { queue, board } = await connectToQueue(text)
  try {
    const all = only === undefined ? await board.campaigns() : [await campaignOf(board, only)]
    if (json) say(`${JSON.stringify(await Promise.all(all.map((one) => jsonOf(board, one))))}\n`)
    else if (all.length === 0) say('The queue has no campaigns.\n')
    else for (const one of all) say(await textOf(board, one, only !== undefined))
  } catch (error) {
    exitForQueueFailure(error)
  } finally {
    queue.redis.disconnect()
  }
}

async function campaignOf(board: Board, name: string): Promise<Campaign> {
  const campaign = await board.campaign(name)
  if (campaign) return campaign
  throw new Exit(EXIT_USAGE, `error: the queue has no campaign ${name}; to list all campaigns, omit the name`)
}

async function jsonOf(board: Board, campaign: Campaign | UnreadableCampaign): Promise<object> {
  if (isUnreadable(campaign)) return campaign
  const { name, revision, state, settings, setAside } = campaign
  const { runs, requests, hits, violations } = progressOf(campaign, 0)
  const workers = await board.workers(campaign)
  const planned = runsOf(planOf(settings)) ?? null
  return { name, revision, state, runs: planned, runsDone: runs, requests, hits, violations, setAside, workers }
}

async function textOf(board: Board, campaign: Campaign | UnreadableCampaign, isWhole: boolean): Promise<string> {
  if (isUnreadable(campaign)) return `${escapeControl(campaign.name)}: cannot be read: ${campaign.problem}\n`
  const { name, revision, state, settings, sums, trouble } = campaign
  const what = settings.every ? placesText(settings.every) : `seed ${settings.seed}`
  const workers = await board.workers(campaign)
  const violations = isWhole ? sums.violations() : []
  const lines = [
    `${name}: ${state}, ${progressLine(progressOf(campaign, 0))}, ${what}, revision ${revision}`,
    ...(trouble === undefined ? [] : [`  ${trouble}`]),
    ...setAsideLines(campaign).map((line) => `  ${line}`),
    ...workers.map((worker) => `  ${worker.name}: ${worker.runsPerSecond} runs/s`),
  ].map(escapeControl)
  const texts = violations.map((one) => failureText(one, repeatCommand(one, settings.length)))
  return `${[...lines, ...texts].join('\n')}\n`
}
