/**
 * `fiscal-rig passport`: queries a real printer, compares its responses with an emulated one, and writes the
 * differences to a file.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { driverFamilies } from '../../drivers/families.ts'
import { isRawAddress } from '../../drivers/link/device-address.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import { countText } from '../../drivers/model/count-text.ts'
import { withPortAdvice } from '../../drivers/model/errors.ts'
import type { Family } from '../../drivers/model/families.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import type { Depth, OpenReceiptStatus, PrintBlocker } from '../../drivers/wire/questionnaire.ts'
import { emulatedFamilies } from '../../emulator/families.ts'
import type { Passport } from '../../emulator/passport/passport.ts'
import { openerFor, probe } from '../../scenarios/line/find-device.ts'
import { comparePassports } from '../../scenarios/passport/compare-passports.ts'
import type { Consent } from '../../scenarios/passport/consent-filter.ts'
import { dryRun } from '../../scenarios/passport/dry-run.ts'
import { LineFlooded, LineLost } from '../../scenarios/passport/line.ts'
import { recordPassport } from '../../scenarios/passport/passport.ts'
import { passportFileName, passportText } from '../../scenarios/passport/passport-format.ts'
import { passportHtml } from '../../scenarios/passport/report/html.ts'
import { passportPretty } from '../../scenarios/passport/report/pretty.ts'
import { CLEAR_LINE } from '../../scenarios/terminal.ts'
import type { Ledger } from '../docs/fidelity-page.ts'
import { assertWritable, EXIT_ENVIRONMENT, EXIT_FAILED, EXIT_USAGE, Exit, writeOutput } from '../exit.ts'
import { abortedOnSignal, io, type Output } from '../io.ts'
import { settingsFrom } from '../options.ts'
import { passportFrom } from '../passport-file.ts'
import type { PassportReporter } from '../reporters.ts'
import { say, writeLine } from '../terminal-output.ts'
import { packageRoot, rigVersion } from '../version.ts'

interface PassportOptions {
  readonly device?: string
  readonly family?: Family
  readonly profile?: string
  readonly baud?: number
  readonly depth: Depth
  readonly yes?: boolean
  readonly yesFiscal?: boolean
  readonly z?: boolean
  readonly password?: string
  readonly anonymous?: boolean
  readonly dryRun?: boolean
  readonly output?: string
  readonly reporter: PassportReporter
  readonly seed: number
  readonly config?: string
}

const EXIT_INTERRUPTED = 130

export async function passport(chosen: PassportOptions): Promise<void> {
  const options = withFamily(chosen)
  const settings = await settingsFrom(options.config, {})
  const password = options.password ?? settings.defaults.password
  checkProfile(options)
  if (options.z && options.depth !== 'fiscal')
    throw new Exit(EXIT_USAGE, '--z closes the day and requires --depth fiscal')
  if (options.dryRun) return list(options, password)
  const { device } = options
  if (device === undefined) throw new Exit(EXIT_USAGE, "error: required option '--device <DEVICE>' not specified")
  await assertConsent(options)
  if (options.output === '') throw new Exit(EXIT_USAGE, '--output: expected the name of a file')
  assertWritable(options.output ?? 'passport.yaml')
  const interrupt = abortedOnSignal()
  const search = await unlessAborted(interrupt, detect(options, device))
  if (search === undefined)
    throw new Exit(EXIT_INTERRUPTED, 'Interrupted before the device was found: nothing is written.')
  const { family, baud } = search
  let refused = false
  const mayGoOn = ({ isFiscal }: OpenReceiptStatus): boolean => {
    refused = options.depth === 'fiscal' && isFiscal && !options.yesFiscal
    return !refused
  }
  const progress = progressOn(io().err)
  try {
    const taken = await recordPassport({
      family,
      opener: openerFor(device, baud, driverFamilies.get(family)?.defaultTcpPort ?? 0),
      clock: systemClock,
      consent: consentOf(options),
      rig: rigVersion(),
      seed: options.seed,
      signal: interrupt,
      mayGoOn,
      progress: progress.show,
      ...omitUndefined({ profile: options.profile, password }),
      ...(options.anonymous && { anonymous: true }),
      ...(!isRawAddress(device) && { baud }),
    })
    progress.end()
    if (refused) throw new Exit(EXIT_USAGE, NEEDS_FISCAL)
    const { conversation } = taken
    if (conversation.isUnanswered && conversation.ended === 'flooded') throw new LineFlooded()
    if (conversation.isUnanswered && conversation.whyLost !== undefined) throw new LineLost(conversation.whyLost)
    if (conversation.isUnanswered && conversation.ended !== 'interrupted')
      throw new Exit(EXIT_ENVIRONMENT, `${device}: no device of family ${family} responds. ${adviceOnSilence(chosen)}`)
    const file = options.output ?? passportFileName(taken.passport)
    // The report is printed first, so that the results are not lost if the file cannot be written.
    say(reportOf(options.reporter, taken.passport, file))
    writeOutput(file, passportText(taken.passport), 'data')
    for (const line of remarks(taken)) writeLine(line)
    writeLine(`The passport is in ${file}.`)
    io().status = statusOf(conversation.ended)
  } catch (problem) {
    progress.end()
    if (problem instanceof LineFlooded)
      throw new Exit(
        EXIT_ENVIRONMENT,
        `${device}: ${problem.message}. The passport was not written. Switch the device off and on, and check --family and --baud.`,
      )
    if (problem instanceof LineLost)
      throw new Exit(
        EXIT_ENVIRONMENT,
        `The passport was not written: the connection to ${device} failed: ${withPortAdvice(problem.message)}`,
      )
    throw problem
  }
}

function statusOf(ended: TakePassportResult['conversation']['ended']): number {
  if (ended === undefined) return 0
  return ended === 'interrupted' ? EXIT_INTERRUPTED : EXIT_ENVIRONMENT
}

/** `--profile` implies the family that has this profile. */
function withFamily(options: PassportOptions): PassportOptions {
  if (options.profile === undefined || options.family !== undefined) return options
  const familyOfProfile = [...emulatedFamilies].find(([, { profiles }]) => profiles.includes(options.profile ?? ''))
  if (familyOfProfile) return { ...options, family: familyOfProfile[0] }
  const all = [...emulatedFamilies.values()].flatMap(({ profiles }) => profiles)
  throw new Exit(EXIT_USAGE, `--profile: expected one of ${all.join(', ')}`)
}

function checkProfile({ family, profile }: PassportOptions): void {
  if (profile === undefined || family === undefined) return
  const profiles = emulatedFamilies.get(family)?.profiles ?? []
  if (!profiles.includes(profile)) throw new Exit(EXIT_USAGE, `--profile: family ${family} has ${profiles.join(', ')}`)
}

const consentOf = ({ depth, z }: PassportOptions): Consent => ({ depth, z: z === true })

const NEEDS_FISCAL =
  '--depth fiscal prints fiscal receipts: confirm with --yes-fiscal. Only queries were sent. (In training mode and on a device that is not fiscalised --yes is enough.)'

async function assertConsent({ depth, yes, yesFiscal }: PassportOptions): Promise<void> {
  if (depth === 'read' || yesFiscal || yes) return
  if (depth === 'fiscal')
    throw new Exit(EXIT_USAGE, '--depth fiscal prints fiscal receipts: confirm with --yes-fiscal. Nothing was sent.')
  if (io().input.isTTY) {
    if (await isAgreed('The device will print a service receipt and an X report. Continue? [y/N] ')) return
    throw new Exit(
      EXIT_USAGE,
      'You did not agree to printing. Nothing was sent. To send queries only, use --depth read.',
    )
  }
  throw new Exit(EXIT_USAGE, '--depth print prints on the device: confirm with --yes. Nothing was sent.')
}

async function isAgreed(question: string): Promise<boolean> {
  const terminal = createInterface({ input: io().input, output: io().err })
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim())
  } finally {
    terminal.close()
  }
}

/** Returns family and speed. Only the missing ones are detected, in the same way as in `doctor`. */
async function detect({ family, baud }: PassportOptions, device: string): Promise<{ family: Family; baud: number }> {
  if (family !== undefined && (baud !== undefined || isRawAddress(device)))
    return { family, baud: baud ?? driverFamilies.get(family)?.bauds[0] ?? 0 }
  writeLine(`Looking for the device on ${device} ...`)
  const how = { ...omitUndefined({ baud }), ...(family !== undefined && { family }) }
  const first = await probe(device, how)
  // The device may have been busy or starting at the first attempt.
  const port = 'silent' in first ? await probe(device, how) : first
  if ('family' in port) return port
  if ('closed' in port) throw new Exit(EXIT_ENVIRONMENT, `${device} cannot be opened: ${withPortAdvice(port.closed)}`)
  throw new Exit(
    EXIT_ENVIRONMENT,
    `${device}: no response. Check that the printer is on, connected and in PC mode. To try another speed, use --baud N.`,
  )
}

function list(options: PassportOptions, password: string | undefined): void {
  const { family, profile } = options
  if (family === undefined) throw new Exit(EXIT_USAGE, '--dry-run queries no device and requires --family')
  say(dryRun({ family, consent: consentOf(options), ...omitUndefined({ profile, password }) }))
}

const unlessAborted = <T>(signal: AbortSignal, work: Promise<T>): Promise<T | undefined> =>
  Promise.race([
    work,
    new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true })),
  ])

function progressOn(stream: Output) {
  let quartersPrinted = 0
  return {
    show(done: number, total: number) {
      if (stream.isTTY) stream.write(`${CLEAR_LINE}${done} of ${total} commands`)
      else if (Math.floor((4 * done) / total) > quartersPrinted) {
        quartersPrinted = Math.floor((4 * done) / total)
        writeLine(`${done} of ${total} commands`)
      }
    },
    end() {
      if (stream.isTTY) stream.write(CLEAR_LINE)
    },
  }
}

/** Returns the advice if no device of the family that was chosen, or detected before, responds. */
function adviceOnSilence({ family, profile }: Pick<PassportOptions, 'family' | 'profile'>): string {
  if (family !== undefined) return 'Omit --family to detect the family.'
  if (profile !== undefined) return 'Omit --profile to detect the family.'
  return 'Check that the printer is on, connected and in PC mode.'
}

type TakePassportResult = Awaited<ReturnType<typeof recordPassport>>

const BLOCKER_TEXTS: Readonly<Record<PrintBlocker, string>> = {
  paperOut: 'the paper is out',
  coverOpen: 'the cover is open',
}

function remarks({ conversation, passport, varying }: TakePassportResult): readonly string[] {
  const { initialReceipt, printBlockers, unsentProbes, ended } = conversation
  const hasPrinted = passport.depth !== 'read'
  const blockers = printBlockers.map((blocker) => BLOCKER_TEXTS[blocker]).join(' and ')
  return [
    ...(initialReceipt.receipt === 'none'
      ? []
      : ['A receipt of another program is open: only queries were sent, and the receipt was not changed.']),
    ...(ended === 'interrupted'
      ? ['Interrupted: the passport is not complete. Receipts that this command had opened were closed or cancelled.']
      : []),
    ...(ended === 'silent'
      ? [
          'The device stopped responding: the passport is not complete. Check the device, and record the passport again.',
        ]
      : []),
    ...(ended === 'hindered'
      ? ['Paper or cover changed during the recording: insert a roll, close the cover, and record the passport again.']
      : []),
    ...(printBlockers.length > 0
      ? [
          hasPrinted
            ? `${blockers}, so the device refused printing commands. Insert a roll, close the cover, and record the passport again.`
            : `${blockers}.`,
        ]
      : []),
    ...(ended === 'flooded'
      ? [
          'The device does not stop sending, so the passport is not complete. Switch the device off and on, and record the passport again.',
        ]
      : []),
    ...(ended === 'lost'
      ? ['The connection was lost: the passport is not complete. Check the cable, and record the passport again.']
      : []),
    ...(varying.length > 0
      ? [`Different at each query, and therefore compared only by form: ${varying.join(', ')}`]
      : []),
    ...(unsentProbes.length > 0 && passport.complete
      ? [
          `Skipped: ${countText(unsentProbes.length, 'query', 'queries')} whose required state the device did not enter.`,
        ]
      : []),
  ]
}

function reportOf(reporter: PassportReporter, taken: Passport, file: string): string {
  switch (reporter) {
    case 'pretty':
      return passportPretty(taken, io().out.isTTY === true)
    case 'json':
      return `${JSON.stringify({ file, ...taken })}\n`
    case 'html':
      return passportHtml(taken, new Date(), provenanceOf())
  }
}

/**
 * Returns a lookup of the provenance of facts in the protocol specifications. The lookup finds nothing in the package,
 * which does not contain `fixtures/provenance.json`.
 */
function provenanceOf(): (family: string, command: string) => string | undefined {
  const file = join(packageRoot ?? '', 'fixtures', 'provenance.json')
  if (!existsSync(file)) return () => undefined
  const ledger = JSON.parse(readFileSync(file, 'utf8')) as Ledger
  return (family, command) => ledger[family]?.[command]?.response.provenance
}

export function compare(oneFile: string, otherFile: string): void {
  const different = comparePassports(passportFrom(oneFile), passportFrom(otherFile))
  if (different.length === 0) {
    say('The passports are equal.\n')
    return
  }
  say(different.map(({ path, one, other }) => `${path}: ${one}, ${other}\n`).join(''))
  io().status = EXIT_FAILED
}
