/** An exam to watch: the panel of the device whose case runs, and with it how far the exam has come. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { closeAtOnce, listenLocally } from '../../drivers/host/local-server.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import type { ExamView } from '../../emulator/panel/contract.ts'
import { createPanel, type Panel } from '../../emulator/panel/panel.ts'
import { type CaseResult, countsOf } from '../../scenarios/exam/exam.ts'

export interface Watch {
  /** `http://127.0.0.1:65402` */
  readonly url: string
  /** A case has a device; what is returned takes it from the page again. */
  opened(caseId: string, emulator: Emulator): () => void
  planned(cases: number): void
  ended(result: CaseResult): void
  close(): Promise<void>
}

/** Port 0: any free one. Rejects when the port is taken. */
export async function watchExam(port: number, facts: Pick<ExamView, 'till' | 'family' | 'depth'>): Promise<Watch> {
  const cases: CaseResult[] = []
  const devices: { readonly caseId: string; readonly panel: Panel }[] = []
  /** Between two devices a request waits for the next one. */
  const waiting: { readonly request: IncomingMessage; readonly response: ServerResponse }[] = []
  let planned: number | null = null

  const view = (caseId: string) => (): ExamView => ({
    ...facts,
    case: caseId,
    planned,
    counts: countsOf(cases),
    cases: cases.map(({ id, verdict, why }) => ({ id, verdict, why })),
  })
  const server = createServer((request, response) => {
    const present = devices.at(-1)
    if (present) present.panel.app(request, response)
    else waiting.push({ request, response })
  })
  const bound = await listenLocally(server, port)
  return {
    url: `http://127.0.0.1:${bound}`,
    opened(caseId, emulator) {
      const device = { caseId, panel: createPanel(emulator, { exam: view(caseId) }) }
      devices.push(device)
      for (const { request, response } of waiting.splice(0)) device.panel.app(request, response)
      return () => {
        devices.splice(devices.indexOf(device), 1)
        // Whoever watches it comes again, to the next one.
        device.panel.close()
      }
    },
    planned(count) {
      planned = count
    },
    ended: (result) => void cases.push(result),
    close: () => closeAtOnce(server),
  }
}
