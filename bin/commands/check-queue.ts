/** `fiscal-rig check --queue`: distributes a campaign to workers and collects the results. */

import { randomBytes } from 'node:crypto'
import { FAMILIES } from '../../drivers/families.ts'
import { countText } from '../../drivers/model/count-text.ts'
import { escapeControl } from '../../drivers/model/escape-control.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import {
  CHUNK,
  chunkAt,
  chunkCommand,
  PLACES_CHUNK,
  randomSeed,
  runsOf,
} from '../../scenarios/campaign/campaign-plan.ts'
import { duration, type Progress } from '../../scenarios/campaign/progress.ts'
import { type Campaign, isOpen } from '../../scenarios/campaign/queue/campaign-board.ts'
import { setAsideText } from '../../scenarios/campaign/queue/campaign-worker.ts'
import { distributeChunks, endsInMs } from '../../scenarios/campaign/queue/chunk-distributor.ts'
import { otherSettings, planOf, type Settings } from '../../scenarios/campaign/queue/settings.ts'
import { revision } from '../../scenarios/campaign/source-revision.ts'
import { EXIT_ENVIRONMENT, EXIT_FAILED, EXIT_USAGE, Exit, endOnSignal } from '../exit.ts'
import { io } from '../io.ts'
import { writeLine } from '../terminal-output.ts'
import { placesPlanOf } from './check-every.ts'
import { placesText, reportPlaces } from './check-every-report.ts'
import { type CheckOptions, RUNS } from './check-options.ts'
import { reportProgress, totalsOf } from './check-progress.ts'
import { report, skippedText } from './check-report.ts'
import { campaignName, connectToQueue, exitForQueueFailure, type QueueConnection } from './queue-connection.ts'

export async function checkOnQueue(address: string, options: CheckOptions): Promise<void> {
  const name = campaignName(options.campaign ?? newName())
  const place = await connectToQueue(address)
  try {
    const campaign = await openCampaign(name, options, place)
    await collectResults(campaign, options, place)
  } catch (error) {
    exitForQueueFailure(error)
  } finally {
    place.queue.redis.disconnect()
  }
}

const newName = (): string =>
  `check-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}-${randomBytes(2).toString('hex')}`

/** An existing campaign keeps its original settings. */
async function openCampaign(name: string, options: CheckOptions, { board }: QueueConnection): Promise<Campaign> {
  const settings = await settingsOf(options)
  const { runs, minutes, every } = settings
  const own = revision()
  if ((await board.campaign(name)) === undefined) {
    const hasEnd = runs !== undefined || minutes !== undefined || every !== undefined
    const chosen = { families: FAMILIES, seed: randomSeed(), chunk: CHUNK, bail: false }
    await board.create(name, own, { ...chosen, ...(!hasEnd && { runs: RUNS.simulated }), ...settings })
  }
  const campaign = await board.campaign(name)
  if (!campaign)
    throw new Exit(
      EXIT_ENVIRONMENT,
      `Campaign ${name} was deleted from the queue while this command was starting. Run the command again.`,
    )
  const differingSettings = otherSettings(settings, campaign.settings)
  if (differingSettings.length > 0) {
    const otherTexts = differingSettings
      .map((one) => `${one} ${settingText(campaign.settings[one as keyof Settings])}`)
      .join(', ')
    throw new Exit(
      EXIT_USAGE,
      `error: campaign ${name} has other settings: ${otherTexts}; use the same ones, or choose another name with --campaign`,
    )
  }
  if (campaign.revision !== own)
    writeLine(
      `Campaign ${name} was created with revision ${campaign.revision}; this checkout has ${own}. Only workers with revision ${campaign.revision} run its chunks. To reproduce a violation, check out ${campaign.revision}.`,
    )
  return campaign
}

async function settingsOf(options: CheckOptions): Promise<Partial<Settings>> {
  const { family: families, profile, seed, runs, minutes, chunk, length, bail } = options
  if (!options.every) return omitUndefined({ families, profile, seed, runs, minutes, chunk, length, bail })
  const every = await placesPlanOf(options)
  return { families: [...new Set(every.devices.map((one) => one.family))], seed: 1, chunk: PLACES_CHUNK, every }
}

const settingText = (value: Settings[keyof Settings]): string => {
  if (value === undefined) return 'unset'
  return typeof value === 'object' && 'devices' in value ? placesText(value) : String(value)
}

async function collectResults(
  campaign: Campaign,
  options: CheckOptions,
  { queue, board, address }: QueueConnection,
): Promise<void> {
  const { name, settings } = campaign
  const state = describeState(campaign)
  writeLine(`campaign ${name} on ${address.publicAddress}, revision ${campaign.revision}: ${state}`)
  const stop = new AbortController()
  void endOnSignal().then(() => stop.abort())
  const endsIn = await endsInMs(queue, campaign)
  const began = performance.now()
  const runsBefore = progressOf(campaign, 0).runs
  let now = campaign
  const reportedChunks = new Set<number>()
  const reporter = reportProgress(() => {
    const tookMs = performance.now() - began
    return { ...progressOf(now, tookMs), runsBefore, endsInMs: endsIn && endsIn - tookMs }
  })
  const onCampaign = (next: Campaign): void => {
    now = next
    for (const { chunk, case: one, why, place } of next.sums.violations()) {
      // `--every` finds many violations, which the report lists by kind.
      if (place) continue
      if (!reportedChunks.has(chunk)) reporter.line(escapeControl(`violation on family ${one.family}: ${why}`))
      reportedChunks.add(chunk)
    }
  }
  const ended = await distributeChunks({ queue, board, campaign, signal: stop.signal, onCampaign }).finally(() =>
    reporter.end(),
  )
  if (ended.state === 'failed') throw new Exit(EXIT_FAILED, escapeControl(`campaign ${name}: ${ended.trouble}`))
  if (isOpen(ended)) {
    writeLine(
      `This command was stopped, but campaign ${name} is not complete. To continue it, run this command with --campaign ${name}.`,
    )
    return
  }
  const { runs, violations } = progressOf(ended, 0)
  const without = skippedText(planOf(settings), ended.sums.violations())
  const last = `campaign ${name} ${ended.state}: ${countText(runs, 'run')}, ${countText(violations, 'violation')}${without}, in ${duration(performance.now() - began)}, seed ${settings.seed}`
  if (settings.every) {
    const took = `campaign ${name} ${ended.state}, in ${duration(performance.now() - began)}`
    reportPlaces(ended.sums.families(), { ...options, path: undefined, every: settings.every, took })
  } else
    report(
      ended.sums.families(),
      { ...options, ...omitUndefined({ length: settings.length }), target: undefined },
      last,
    )
  const unseen = setAsideLines(ended)
  for (const line of unseen) writeLine(line)
  if (ended.violationsNotRead > 0)
    writeLine(`Not listed: ${countText(ended.violationsNotRead, 'more violation')} in the queue`)
  if (unseen.length > 0) io().status = EXIT_FAILED
}

/** Returns a line for each chunk that workers have given up, with the command that runs this chunk alone. */
export const setAsideLines = ({ settings, setAside }: Campaign): readonly string[] =>
  setAside.flatMap((index) => {
    const chunk = chunkAt(planOf(settings), index)
    if (!chunk) return []
    return [`${setAsideText(chunk)}; the command that runs this chunk alone: ${chunkCommand(chunk)}`]
  })

function describeState(campaign: Campaign): string {
  if (!isOpen(campaign)) return `${campaign.state}; no more chunks will be run; the totals follow`
  return campaign.state === 'over'
    ? 'its --minutes have passed; waiting for the chunks that are still running'
    : 'workers may fetch its chunks'
}

export function progressOf({ sums, settings }: Campaign, tookMs: number): Progress {
  return {
    ...totalsOf(sums.families()),
    violations: sums.violations().length,
    total: runsOf(planOf(settings)),
    tookMs,
  }
}
