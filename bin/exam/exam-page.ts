import { createServer } from 'node:http'
import { closeAtOnce, listenLocally } from '../../drivers/host/local-server.ts'
import { NO_EMBED_HEADERS, whyNotLocal } from '../../drivers/host/request-origin.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import type { ExamView } from '../../emulator/panel/contract.ts'
import { controlsOf } from '../../emulator/panel/controls.ts'
import { examControls } from '../../emulator/panel/exam-controls.ts'
import { createControlsPanel } from '../../emulator/panel/panel.ts'
import { type CaseResult, countsOf } from '../../scenarios/exam/exam.ts'
import type { HtmlPage } from '../../scenarios/report/page.ts'
import { serviceCalls } from '../../server/service-calls.ts'

export interface ExamPage {
  readonly url: string
  /** Shows the device of a case. The returned function removes the device from the page. */
  opened(caseId: string, emulator: Emulator): () => void
  planned(cases: number): void
  ended(result: CaseResult): void
  finished(sentences: readonly string[], report: HtmlPage): void
  whenUnwatched(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

const REPORT = '/exam/report.html'

/** Port 0 picks a free port. Rejects if the port is in use. */
export async function watchExam(port: number, facts: Pick<ExamView, 'till' | 'family' | 'depth'>): Promise<ExamPage> {
  const cases: CaseResult[] = []
  let planned: number | null = null
  let end: ExamView['ended'] = null
  let report: HtmlPage | undefined
  const controls = examControls((caseId) => ({
    ...facts,
    case: caseId,
    planned,
    counts: countsOf(cases),
    cases: cases.map(({ id, verdict, why }) => ({ id, verdict, why })),
    ended: end,
  }))
  const panel = createControlsPanel(controls)
  const server = createServer((request, response) => {
    if (request.url !== REPORT || !report || whyNotLocal(request.headers) !== undefined)
      return panel.app(request, response)
    response.writeHead(200, {
      ...NO_EMBED_HEADERS,
      'Content-Security-Policy': report.policy,
      'Content-Type': 'text/html; charset=utf-8',
    })
    response.end(report.text)
  })
  const bound = await listenLocally(server, port)
  return {
    url: `http://127.0.0.1:${bound}`,
    opened: (caseId, emulator) => controls.opened(controlsOf(emulator, { serviceCalls }), caseId),
    planned(count) {
      planned = count
      controls.changed()
    },
    ended(result) {
      cases.push(result)
      controls.changed()
    },
    finished(sentences, page) {
      report = page
      end = { sentences, report: REPORT }
      controls.changed()
    },
    whenUnwatched: panel.whenUnwatched,
    async close() {
      panel.close()
      await closeAtOnce(server)
    },
  }
}
