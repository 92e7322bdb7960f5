/**
 * `serve --record FILE`: records the requests of clients as a scenario, with the answers as expectations and the paper
 * as a golden file. Each request is appended after its answer, so that a killed process leaves a valid file.
 */

import { appendFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { RequestHandler } from 'express'
import type { Family } from '../../drivers/model/families.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import type { CallName, DocumentView } from '../../emulator/panel/contract.ts'
import { deviceActionStep } from '../../emulator/panel/document-export/device-action-steps.ts'
import { earlierKeys } from '../../emulator/panel/document-export/earlier-keys.ts'
import { pauseStep } from '../../emulator/panel/document-export/pause-step.ts'
import { yamlOnOneLine } from '../../emulator/panel/document-export/yaml.ts'
import { PRIVATE_FOLDER } from '../../server/private-files.ts'
import { paperLines } from './checks/paper.ts'
import { comparable, createExclusively, goldenFolder, goldenPath } from './golden.ts'
import { isReadRequest, keyUseOf, observeRequests } from './http-exchange.ts'
import { stepText } from './request-steps.ts'

export interface WatchedDevice {
  readonly snapshot: () => unknown
  readonly isNew: boolean
  readonly clock: string
  atRest(): boolean
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

export interface Recorder {
  readonly files: { readonly scenario: string; readonly paper?: string; readonly snapshot?: string }
  readonly admitted: RequestHandler
  /** Records a call of the control API as a step if the call changes the device. */
  noteCall(name: CallName, body: unknown): void
}

export function createRecorder(options: RecordOptions): Recorder {
  const { file, device, now = () => performance.now(), body = (text: string) => text } = options
  if (existsSync(file))
    throw new RangeError(`${file} already exists and is not overwritten: name another file, or delete it`)
  const folder = dirname(resolve(file))
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER })
  // Paths in messages are relative if the path of the file is.
  const asGiven = (path: string) => (isAbsolute(file) ? path : relative('.', path))
  const golden = device && startGolden(options, folder)
  const snapshot = device && !device.isNew ? writeSnapshotOrCleanUp(device, folder, file, golden?.path) : undefined
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
  const remarkOf = earlierKeys()
  const isAtRest = () => device?.atRest() ?? true
  const admitted = observeRequests((exchange) => {
    if (!isReadRequest(exchange)) return
    // The service may still continue a request whose client has disconnected.
    const recorded = exchange.body === undefined ? exchange : { ...exchange, body: body(exchange.body) }
    const remark = remarkOf(keyUseOf(exchange))
    const text = remark === undefined ? stepText(recorded) : `${remark}\n`
    add(text, now() - exchange.tookMs, exchange.end !== 'gaveUp' && isAtRest())
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
