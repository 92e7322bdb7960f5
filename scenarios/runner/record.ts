/**
 * `serve --record FILE`: records the clients' requests as a scenario, with the answers as expectations and the paper as
 * golden file. Each request is added when it has been answered, so that a killed process leaves a file that can be
 * played.
 */

import { appendFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { RequestHandler } from 'express'
import type { Family } from '../../drivers/model/families.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import type { CallName, DocumentView } from '../../emulator/panel/contract.ts'
import { deviceActionStep } from '../../emulator/panel/document-export/device-action-steps.ts'
import { pauseStep } from '../../emulator/panel/document-export/pauses.ts'
import { yamlOnOneLine } from '../../emulator/panel/document-export/yaml.ts'
import { PRIVATE_FOLDER } from '../../server/private-files.ts'
import { paperLines } from './checks/paper.ts'
import { comparable, createExclusively, goldenFolder, goldenPath } from './golden.ts'
import { isReadRequest, observeRequests } from './http-exchange.ts'
import { stepText } from './request-steps.ts'

/** The emulated device, if there is one. */
export interface WatchedDevice {
  readonly snapshot: () => unknown
  readonly isNew: boolean
  /** Device local time. */
  readonly clock: string
  /** Returns true if the device is idle and no bytes are on their way from or to it. */
  atRest(): boolean
  documents(after: number): readonly DocumentView[]
}

interface RecordOptions {
  readonly file: string
  readonly family: Family
  readonly profile: string | undefined
  /** Members of the configuration that affect playing. */
  readonly config: Readonly<Record<string, unknown>>
  readonly device: WatchedDevice | undefined
  /** Path of the published schema, for the first line of the file. */
  readonly schema: string | undefined
  /** Ms from any origin. */
  readonly now?: () => number
  /** Returns the body of a request without secrets, for the recording. */
  readonly body?: (text: string) => string
}

export interface Recorder {
  /** The files that the recorder writes; the golden paper only if the device is emulated. */
  readonly files: { readonly scenario: string; readonly paper?: string; readonly snapshot?: string }
  readonly admitted: RequestHandler
  /** Records a call of the control API, also from the control panel: calls that change the device become steps. */
  noteCall(name: CallName, body: unknown): void
}

/** Throws if the file exists: a recording is never overwritten. */
export function createRecorder(options: RecordOptions): Recorder {
  const { file, device, now = () => performance.now(), body = (text: string) => text } = options
  if (existsSync(file))
    throw new RangeError(`${file} already exists and is not overwritten: name another file, or delete it`)
  const folder = dirname(resolve(file))
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER })
  // Relative to the folder from which the file itself is named.
  const asGiven = (path: string) => (isAbsolute(file) ? path : relative('.', path))
  const golden = device && startGolden(options, folder)
  const snapshot = device && !device.isNew ? snapshotBeside(device, folder, file, golden?.path) : undefined
  createExclusively(file, head(options, folder, golden?.name, snapshot))
  let lastAt = now()
  let wasAtRest = true
  const add = (text: string, beganAt: number, isAtRest: boolean) => {
    const pause = pauseStep(beganAt - lastAt, wasAtRest)
    appendFileSync(file, pause === undefined ? text : `  ${pause}\n${text}`)
    golden?.update()
    lastAt = now()
    wasAtRest = isAtRest
  }
  const isAtRest = () => device?.atRest() ?? true
  const admitted = observeRequests((exchange) => {
    if (!isReadRequest(exchange)) return
    // The service may continue a request that its client gave up, even if the device is idle at the moment.
    const recorded = exchange.body === undefined ? exchange : { ...exchange, body: body(exchange.body) }
    add(stepText(recorded), now() - exchange.tookMs, exchange.end !== 'gaveUp' && isAtRest())
  }, now)
  return {
    files: {
      scenario: file,
      ...omitUndefined({
        paper: golden && asGiven(golden.path),
        snapshot: snapshot && asGiven(join(folder, snapshot)),
      }),
    },
    admitted,
    noteCall(name, body) {
      const step = deviceActionStep(name, body)
      if (step !== undefined) add(`  ${step}\n`, now(), isAtRest())
    },
  }
}

// ---------------------------------------------------------------- the head of the file

const nameOf = (file: string): string => basename(file).replace(/\.ya?ml$/i, '')

function head(
  options: RecordOptions,
  folder: string,
  golden: string | undefined,
  snapshot: string | undefined,
): string {
  const { file, family, profile, config, device, schema } = options
  const lines = [
    ...(device ? [`  clock: ${JSON.stringify(device.clock)}`] : []),
    ...(snapshot === undefined ? [] : [`  snapshot: ${JSON.stringify(snapshot)}`]),
    ...(Object.keys(config).length > 0 ? [`  config: ${yamlOnOneLine(config)}`] : []),
  ]
  const first =
    schema === undefined ? [] : [`# yaml-language-server: $schema=${relative(folder, schema).replaceAll('\\', '/')}`]
  return [
    ...first,
    `name: ${JSON.stringify(nameOf(file))}`,
    `families: [${family}]`,
    ...(profile === undefined ? [] : [`profile: ${JSON.stringify(profile)}`]),
    'tags: [recorded]',
    ...(lines.length > 0 ? ['given:', ...lines] : []),
    // Rules that triggered nothing were the user's choice.
    ...(golden === undefined ? [] : ['check:', `  paper: ${JSON.stringify(golden)}`, '  faults: any']),
    'steps:',
    '  - wait: 1ms # the recording begins',
    '',
  ].join('\n')
}

/** Removes the created golden file if the recording cannot begin. */
function snapshotBeside(device: WatchedDevice, folder: string, file: string, created: string | undefined): string {
  try {
    return writeSnapshot(device, folder, nameOf(file))
  } catch (error) {
    if (created !== undefined) rmSync(created)
    throw error
  }
}

function writeSnapshot(device: WatchedDevice, folder: string, name: string): string {
  const file = `${name}.snapshot.json`
  createExclusively(join(folder, file), `${JSON.stringify(device.snapshot())}\n`)
  return file
}

function startGolden({ file, family, device }: RecordOptions, folder: string) {
  const name = `${nameOf(file)}.txt`
  const path = goldenPath(goldenFolder(folder), family, name)
  let last = device?.documents(0).at(-1)?.id ?? 0
  mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER })
  createExclusively(path, '')
  return {
    name,
    path,
    update() {
      const documents = device?.documents(last) ?? []
      last = documents.at(-1)?.id ?? last
      if (documents.length > 0) appendFileSync(path, `${comparable(paperLines(documents)).join('\n')}\n`)
    },
  }
}
