/**
 * `serve --record FILE`: records the requests of clients as a scenario, with the answers as expectations and the paper
 * as a golden file. Each request is appended after its answer, so that a killed process leaves a valid file. If a person
 * replaces the device (reset, restored state), the recording goes on in another file, which begins with the new device.
 */

import { appendFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { RequestHandler } from 'express'
import type { Family } from '../../drivers/model/families.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import type { CallName, DocumentView } from '../../emulator/panel/contract.ts'
import {
  deviceActionStep,
  needsNoStep,
  replacesDevice,
} from '../../emulator/panel/document-export/device-action-steps.ts'
import { earlierKeys } from '../../emulator/panel/document-export/earlier-keys.ts'
import { omittedRequests } from '../../emulator/panel/document-export/omitted-requests.ts'
import { pauseStep } from '../../emulator/panel/document-export/pause-step.ts'
import { yamlOnOneLine } from '../../emulator/panel/document-export/yaml.ts'
import { PRIVATE_FOLDER } from '../../server/private-files.ts'
import { paperLines } from './checks/paper.ts'
import { comparable, createExclusively, goldenFolder, goldenPath } from './golden.ts'
import { isOfReader, isRecorded, keyUseOf, observeRequests, titleOf, wasAdmitted, whyNoStep } from './http-exchange.ts'
import { stepText } from './request-steps.ts'

export interface WatchedDevice {
  snapshot(): unknown
  isNew(): boolean
  clock(): string
  atRest(): boolean
  /** Steps that bring power, cable and fault rules of a new device to their state. */
  stateSteps(): readonly string[]
  /** Step with the remaining fault rules. */
  rulesStep(): string
  /** Calls back with the steps of each document that is printed at the device, without a request. */
  onEntered(listener: (steps: string) => void): void
  documents(after: number): readonly DocumentView[]
}

interface RecordOptions {
  readonly file: string
  readonly family: Family
  readonly profile: string | undefined
  /** Members of the configuration that influence a replay. */
  readonly config: Readonly<Record<string, unknown>>
  readonly device: WatchedDevice | undefined
  readonly schema: string | undefined
  readonly now?: () => number
  readonly body?: (text: string) => string
}

interface PartFiles {
  readonly scenario: string
  readonly paper?: string
  readonly snapshot?: string
}

export type RecordedFiles = readonly PartFiles[]

export interface Recorder {
  /** The files of the recording so far. Each replaced device has its own. */
  files(): RecordedFiles
  /** Must be the first handler of the service. */
  readonly observed: RequestHandler
  /** Records a call of the control API as a step if the call changes the device. */
  noteCall(name: CallName, body: unknown): void
}

interface Part {
  readonly files: PartFiles
  readonly golden: ReturnType<typeof startGolden> | undefined
  readonly remarkOf: ReturnType<typeof earlierKeys>
  readonly remarkOnOmitted: ReturnType<typeof omittedRequests>
}

/** Creates the files of a recording. `isChanged`: a new device must begin with a snapshot, too. */
function openPart(options: RecordOptions, isChanged = false): Part {
  const { file, device } = options
  if (existsSync(file))
    throw new RangeError(`${file} already exists and is not overwritten: name another file, or delete it`)
  const folder = dirname(resolve(file))
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER })
  // Paths in messages are relative if the path of the file is.
  const asGiven = (path: string) => (isAbsolute(file) ? path : relative('.', path))
  const golden = device && startGolden(options, folder)
  const needsSnapshot = device && (isChanged || !device.isNew())
  const snapshot = needsSnapshot ? writeSnapshotOrCleanUp(device, folder, file, golden?.path) : undefined
  createExclusively(file, head(options, folder, golden?.name, snapshot))
  const files = {
    scenario: file,
    ...omitUndefined({
      paper: golden && asGiven(golden.path),
      snapshot: snapshot && asGiven(join(folder, snapshot)),
    }),
  }
  return { files, golden, remarkOf: earlierKeys(), remarkOnOmitted: omittedRequests() }
}

/** Returns the name of the next file of a recording, such as `session-2.yaml`. */
function nextFile(file: string, parts: number): string {
  const ending = /\.ya?ml$/i.exec(file)?.[0] ?? ''
  const next = `${file.slice(0, file.length - ending.length)}-${parts + 1}${ending}`
  return existsSync(next) ? nextFile(file, parts + 1) : next
}

export function createRecorder(options: RecordOptions): Recorder {
  const { file, device, now = () => performance.now(), body = (text: string) => text } = options
  const parts = [openPart(options)]
  const part = () => parts.at(-1) as Part
  const isAtRest = () => device?.atRest() ?? true
  let lastAt = now()
  let wasAtRest = true
  const append = (text: string) => appendFileSync(part().files.scenario, text)
  const add = (text: string, beganAt: number, isRestored: boolean) => {
    const pause = pauseStep(beganAt - lastAt, wasAtRest)
    append(pause === undefined ? text : `  ${pause}\n${text}`)
    part().golden?.update()
    lastAt = now()
    wasAtRest = isRestored
  }
  const addNow = (step: string) => add(`${step}\n`, now(), isAtRest())
  const goOn = (isChanged: boolean) => {
    const next = nextFile(file, parts.length)
    append(`  # the device was replaced or changed; the recording goes on in ${basename(next)}\n`)
    parts.push(openPart({ ...options, file: next }, isChanged))
    for (const step of device?.stateSteps() ?? []) append(`${step}\n`)
    lastAt = now()
    wasAtRest = isAtRest()
  }
  const note = (remark: string | undefined) => {
    if (remark !== undefined) append(`${remark}\n`)
  }
  const tap = observeRequests((exchange, response) => {
    const isAdmitted = wasAdmitted(response)
    if (!isRecorded(exchange, isAdmitted)) return
    const why = whyNoStep(exchange, isAdmitted)
    if (why !== undefined) return note(part().remarkOnOmitted(titleOf(exchange), why))
    // The service may still continue a request whose client has disconnected.
    const recorded = exchange.body === undefined ? exchange : { ...exchange, body: body(exchange.body) }
    const remark = part().remarkOf(keyUseOf(exchange))
    if (remark !== undefined) return note(remark)
    add(stepText(recorded), now() - exchange.tookMs, exchange.end !== 'gaveUp' && isAtRest())
  }, now)
  device?.onEntered(addNow)
  return {
    files: () => parts.map(({ files }) => files),
    observed(request, response, next) {
      if (isOfReader(request.method, request.path)) next()
      else tap(request, response, next)
    },
    noteCall(name, callBody) {
      if (needsNoStep(name)) return
      if (replacesDevice(name)) return goOn(false)
      if (name === 'DELETE /emulator/faults/{id}') return addNow(device?.rulesStep() ?? '')
      const step = deviceActionStep(name, callBody)
      if (step === undefined) goOn(true)
      else addNow(`  ${step}`)
    },
  }
}

const nameOf = (file: string): string => basename(file).replace(/\.ya?ml$/i, '')

function head(
  options: RecordOptions,
  folder: string,
  golden: string | undefined,
  snapshot: string | undefined,
): string {
  const { file, family, profile, config, device, schema } = options
  const lines = [
    ...(device ? [`  clock: ${JSON.stringify(device.clock())}`] : []),
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
    // The user may have added rules that were never triggered.
    ...(golden === undefined ? [] : ['check:', `  paper: ${JSON.stringify(golden)}`, '  faults: any']),
    'steps:',
    '  - wait: 1ms # the recording begins',
    '',
  ].join('\n')
}

/** Removes the golden file if the snapshot cannot be written, because the recording cannot begin then. */
function writeSnapshotOrCleanUp(
  device: WatchedDevice,
  folder: string,
  file: string,
  created: string | undefined,
): string {
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
