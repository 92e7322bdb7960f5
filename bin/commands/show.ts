/** `fiscal-rig show`: serves the trace of a run as a report page with every step of every scenario. */
import { createServer } from 'node:http'
import { ForeignFileError, readForeignFile } from '../../drivers/host/foreign-file.ts'
import { closeAtOnce, listenLocally } from '../../drivers/host/local-server.ts'
import { NO_EMBED_HEADERS, whyNotLocal } from '../../drivers/host/request-origin.ts'
import { messageOf } from '../../drivers/model/errors.ts'
import type { HtmlPage } from '../../scenarios/report/page.ts'
import { reportPage } from '../../scenarios/runner/report/html.ts'
import { readTrace, TRACE_MAX_BYTES } from '../../scenarios/runner/report/trace.ts'
import { EXIT_ENVIRONMENT, EXIT_USAGE, Exit, StartedParts, untilSignal, writeOutput } from '../exit.ts'
import { say } from '../terminal-output.ts'

interface ShowCommandOptions {
  readonly output?: string
  readonly port?: number
  readonly json?: boolean
}

export async function show(file: string, options: ShowCommandOptions): Promise<void> {
  const page = pageOf(file)
  // The page is private, because it contains data of a device, as the trace does.
  if (options.output !== undefined) return writeOutput(options.output, page.text, 'data')
  const started = new StartedParts()
  const url = await openPage(page, options.port ?? 0, started)
  say(options.json ? `${JSON.stringify({ url, pid: process.pid })}\n` : `${url}\nEnd with Ctrl+C.\n`)
  await untilSignal(started)
}

function pageOf(file: string): HtmlPage {
  try {
    const { at, ...trace } = readTrace(file, readForeignFile(file, { maxBytes: TRACE_MAX_BYTES }))
    return reportPage({ ...trace, at: new Date(at) })
  } catch (error) {
    if (error instanceof RangeError) throw new Exit(EXIT_USAGE, error.message)
    if (error instanceof ForeignFileError) throw new Exit(EXIT_USAGE, `${file} cannot be read: ${error.why}`)
    throw error
  }
}

async function openPage(page: HtmlPage, port: number, started: StartedParts): Promise<string> {
  const server = createServer((request, response) => {
    const refusal = whyNotLocal(request.headers)
    const isPage = request.url === '/'
    response.writeHead(refusal === undefined ? (isPage ? 200 : 404) : 403, {
      ...NO_EMBED_HEADERS,
      ...(refusal === undefined && isPage && { 'Content-Security-Policy': page.policy }),
      'Content-Type': refusal === undefined && isPage ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8',
    })
    response.end(refusal ?? (isPage ? page.text : 'No page here. The report is at /.'))
  })
  try {
    const bound = await listenLocally(server, port)
    started.add(() => closeAtOnce(server))
    return `http://127.0.0.1:${bound}`
  } catch (error) {
    throw new Exit(EXIT_ENVIRONMENT, `Port ${port} cannot be opened: ${messageOf(error)}. Choose another with --port.`)
  }
}
