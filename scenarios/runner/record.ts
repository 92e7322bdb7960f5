/**
 * `serve --record FILE`: what clients do becomes a scenario, with the answers as expectations and the paper as golden
 * file. Each request is added when it has been answered, so that a killed process leaves a file that can be played.
 */
import { appendFileSync, chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { RequestHandler, Response } from 'express'
import type { Family } from '../../drivers/model/families.ts'
import type { CallName, DocumentView } from '../../emulator/panel/contract.ts'
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../server/private-files.ts'
import { bodyMistakes } from './body.ts'
import { paperLines } from './checks/paper.ts'
import { comparable, goldenFolder, goldenPath } from './golden.ts'
import { isRequestKey } from './steps/requests.ts'

/** The emulated device, where there is one. */
export interface Watched {
  readonly snapshot: () => unknown
  readonly isNew: boolean
  /** Device local time. */
  readonly clock: string
  documents(after: number): readonly DocumentView[]
}

export interface RecordOptions {
  readonly file: string
  readonly family: Family
  readonly profile: string | undefined
  /** Members of the configuration that matter for playing. */
  readonly config: Readonly<Record<string, unknown>>
  readonly device: Watched | undefined
  /** Of the published schema, for the first line; undefined: none. */
  readonly schema: string | undefined
}

/** Who asked may not, or the body was not looked at: played without its credentials and its body it might print. */
const REFUSED_UNREAD: readonly number[] = [401, 403, 413, 415]

export interface Recorder {
  readonly admitted: RequestHandler
  /** A call of the control interface or of its page, carried out: what changes the device is a step. */
  hand(name: CallName, body: unknown): void
}

/** Throws when the file is there already: a recording is never overwritten. */
export function createRecorder(options: RecordOptions): Recorder {
  const { file } = options
  if (existsSync(file))
    throw new RangeError(`${file} already exists and is not overwritten: name another file, or delete it`)
  const folder = dirname(resolve(file))
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER })
  const golden = options.device && startGolden(options, folder)
  writeFileSync(file, head(options, folder, golden?.name), { mode: PRIVATE_FILE })
  const admitted: RequestHandler = (request, response, next) => {
    const answer = tap(response)
    response.on('finish', () => {
      if (REFUSED_UNREAD.includes(response.statusCode)) return
      const body: unknown = request.body
      const exchange: Exchange = {
        method: request.method.toLowerCase(),
        path: request.originalUrl.replace(/^\/api/i, ''),
        type: request.get('Content-Type'),
        key: request.get('Idempotency-Key'),
        hasSession: /-order\//.test(request.path),
        body: Buffer.isBuffer(body) && body.length > 0 ? body.toString('utf8') : undefined,
        status: response.statusCode,
        answer: answer(),
      }
      appendFileSync(file, stepText(exchange))
      golden?.update()
    })
    next()
  }
  return {
    admitted,
    hand(name, body) {
      const step = handStep(name, body)
      if (step === undefined) return
      appendFileSync(file, `  ${step}\n`)
      golden?.update()
    },
  }
}

/** Undefined: nothing is different afterwards. What no step can do again stands as a remark. */
function handStep(name: CallName, body: unknown): string | undefined {
  const members = (body ?? {}) as Readonly<Record<string, unknown>>
  switch (name) {
    case 'POST /emulator/paper':
      return `- paper: ${members['state']}`
    case 'POST /emulator/cover':
      return `- cover: ${members['open'] === true ? 'open' : 'closed'}`
    case 'POST /emulator/power':
      return `- power: ${members['on'] === true ? '"on"' : '"off"'}`
    case 'POST /emulator/cable':
      return `- cable: ${members['connected'] === true ? 'in' : 'out'}`
    case 'POST /emulator/clock':
      return `- clock: ${flow('advance' in members ? { advance: `${Number(members['advance']) / 1000}s` } : members)}`
    case 'POST /emulator/articles':
      return `- articles: ${flow(body)}`
    case 'POST /emulator/reset':
      return `- reset: ${flow(members)}`
    case 'POST /emulator/faults':
      return `- fault: ${flow(body)}`
    case 'DELETE /emulator/faults':
      return '- clearFaults: true'
    default:
      return name.startsWith('GET ') ? undefined : `# left out, no step does it: ${name}`
  }
}

/** The text that is sent, as it passes. */
function tap(response: Response): () => string {
  const parts: Buffer[] = []
  const { write, end } = response
  const take = (chunk: unknown, encoding: unknown) => {
    if (typeof chunk === 'string')
      parts.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'))
    else if (chunk instanceof Uint8Array) parts.push(Buffer.from(chunk))
  }
  response.write = ((...args: Parameters<typeof write>) => {
    take(args[0], args[1])
    return write.apply(response, args)
  }) as typeof write
  response.end = ((...args: Parameters<typeof end>) => {
    take(args[0], args[1])
    return end.apply(response, args)
  }) as typeof end
  return () => Buffer.concat(parts).toString('utf8')
}

// ---------------------------------------------------------------- the head of the file

function head(options: RecordOptions, folder: string, golden: string | undefined): string {
  const { file, family, profile, config, device, schema } = options
  const name = basename(file).replace(/\.ya?ml$/i, '')
  const lines = [
    ...(device ? [`  clock: ${JSON.stringify(device.clock)}`] : []),
    ...(device && !device.isNew ? [`  snapshot: ${JSON.stringify(writeSnapshot(device, folder, name))}`] : []),
    ...(Object.keys(config).length > 0 ? [`  config: ${flow(config)}`] : []),
  ]
  const first =
    schema === undefined ? [] : [`# yaml-language-server: $schema=${relative(folder, schema).replaceAll('\\', '/')}`]
  return [
    ...first,
    `name: ${JSON.stringify(name)}`,
    `families: [${family}]`,
    ...(profile === undefined ? [] : [`profile: ${JSON.stringify(profile)}`]),
    'tags: [recorded]',
    ...(lines.length > 0 ? ['given:', ...lines] : []),
    // Rules that struck nothing were the person's business.
    ...(golden === undefined ? [] : ['check:', `  paper: ${JSON.stringify(golden)}`, '  faults: any']),
    'steps:',
    '  - wait: 1ms # the recording begins',
    '',
  ].join('\n')
}

function writeSnapshot(device: Watched, folder: string, name: string): string {
  const file = `${name}.snapshot.json`
  writeFileSync(join(folder, file), `${JSON.stringify(device.snapshot())}\n`, { mode: PRIVATE_FILE })
  chmodSync(join(folder, file), PRIVATE_FILE)
  return file
}

function startGolden({ file, family, device }: RecordOptions, folder: string) {
  const name = `${basename(file).replace(/\.ya?ml$/i, '')}.txt`
  const path = goldenPath(goldenFolder(folder), family, name)
  let last = device?.documents(0).at(-1)?.id ?? 0
  mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER })
  writeFileSync(path, '', { mode: PRIVATE_FILE })
  chmodSync(path, PRIVATE_FILE)
  return {
    name,
    update() {
      const documents = device?.documents(last) ?? []
      last = documents.at(-1)?.id ?? last
      if (documents.length > 0) appendFileSync(path, `${comparable(paperLines(documents)).join('\n')}\n`)
    },
  }
}

// ---------------------------------------------------------------- one request

interface Exchange {
  readonly method: string
  readonly path: string
  readonly type: string | undefined
  readonly key: string | undefined
  readonly hasSession: boolean
  readonly body: string | undefined
  readonly status: number
  readonly answer: string
}

/** JSON is YAML; a dollar sign would begin a name, so it is doubled. */
const flow = (value: unknown): string => JSON.stringify(value).replaceAll('$', () => '$$')

function stepText(exchange: Exchange): string {
  const { method, path, hasSession } = exchange
  if (hasSession) return `  # left out, it needs the platform: ${method} ${path}\n`
  return [...requestLines(exchange), ...modifierLines(exchange), ''].join('\n')
}

function requestLines({ method, path, body }: Exchange): string[] {
  const key = `${method} ${path}`
  const json = body === undefined ? null : parsed(body)
  const isPlain = isRequestKey(key) && !path.includes('$') && json !== undefined && bodyMistakes(key, json).length === 0
  if (isPlain) return [`  - ${key}:${json === null ? '' : ` ${flow(json)}`}`]
  const sent =
    body === undefined ? [] : [json === undefined ? `    raw: ${JSON.stringify(body)}` : `    body: ${flow(json)}`]
  return [`  - ${method}: ${JSON.stringify(path.replaceAll('$', () => '$$'))}`, ...sent]
}

function modifierLines({ key, type, body, status, answer, path }: Exchange): string[] {
  const isStrange = body !== undefined && !/^application\/json\b/i.test(type ?? '')
  return [
    ...(key === undefined ? [] : [`    key: ${flow(key)}`]),
    ...(isStrange ? [`    headers: ${flow({ 'Content-Type': type ?? '' })}`] : []),
    `    expect: ${flow(expectationOf(parsed(answer), status, path))}`,
  ]
}

function expectationOf(answer: unknown, status: number, path: string): object {
  if (typeof answer !== 'object' || answer === null) return { status }
  const members = answer as Readonly<Record<string, unknown>>
  if ('ReceiptStatus' in members) return lasting(members) as object
  if (!('StatusCode' in members)) return { status, StatusCode: { present: false } }
  if (/-api-address/i.test(path) && status === 200) return { StatusCode: 200, Data: { matches: '^https?://.+/api$' } }
  return lasting(members) as object
}

const MOMENT = /\d{4}-\d{2}-\d{2}|\d{2}[-./]\d{2}[-./](?:\d{4}|\d{2})|\d{2}:\d{2}(?::\d{2})?/

/** A text with a date or a time becomes a pattern: it will be another one when it is played. */
function lasting(value: unknown): unknown {
  if (typeof value === 'string') return MOMENT.test(value) ? { matches: patternOf(value) } : value
  if (Array.isArray(value)) return value.map(lasting)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, lasting(member)]))
}

function patternOf(text: string): string {
  const parts = text.split(new RegExp(`(${MOMENT.source})`))
  const escaped = parts.map((part, index) =>
    index % 2 === 0
      ? part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
      : part.replace(/[./]/g, '\\$&').replace(/\d/g, '\\d'),
  )
  return `^${escaped.join('')}$`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
