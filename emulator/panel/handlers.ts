import { countText } from '../../drivers/model/count-text.ts'
import { messageOf } from '../../drivers/model/errors.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import type { Emulator } from '../emulator.ts'
import { PlanError } from '../faults/fault-plan.ts'
import type { FiscalDevice, PaperDocument } from '../fiscal/api.ts'
import { priceTypeOf } from '../fiscal/articles.ts'
import type { TimelineEntry } from '../timeline.ts'
import { type ArticleForm, checkLimits, WrongCall } from './call-input.ts'
import type { Answer, CallName, ExamView, HandlerInput } from './contract.ts'
import { asCurl, requestAsCurl } from './document-export/curl.ts'
import { documentSteps, NoServiceCall, type ServiceCalls } from './document-export/document-steps.ts'
import { asScenario } from './document-export/scenario.ts'
import { asWireText } from './document-export/wire-text.ts'
import { sumsOf } from './document-sums.ts'
import { refusalText } from './refusal-texts.ts'
import type { RequestLog } from './request-log.ts'
import { printSample } from './sample-receipt.ts'
import type { Session } from './session-recorder.ts'
import { endReceipt, type PanelTill, printAgain, printReceipt, type Till, whyNotAgain } from './till.ts'
import { articleView, documentView, emulatorView, headView, registersView, timelineEntryView, zView } from './views.ts'

/** The handlers of the control API. A missing handler is a compile-time error. */
type Handlers = {
  readonly [Name in CallName]: (input: HandlerInput<Name>) => Answer<Name> | Promise<Answer<Name>>
}

export interface HandlerOptions {
  readonly serviceCalls: ServiceCalls
  readonly exam?: (() => ExamView) | undefined
  readonly till?: Till | undefined
  /** Returns the address of the REST service for this device; `undefined` if there is none yet. */
  readonly service?: (() => string | undefined) | undefined
  readonly hasDocs?: () => Promise<boolean>
}

export const createHandlers = (
  emulator: Emulator,
  session: Session,
  requests: RequestLog,
  { serviceCalls, exam, till, service, hasDocs }: HandlerOptions,
): Handlers => ({
  'GET /emulator': () => emulatorView(emulator),
  'GET /emulator/exam': () => exam?.() ?? null,
  'GET /emulator/session': () => session.view,
  'POST /emulator/session': () => session.begin(),
  'GET /emulator/session.yaml': () => session.scenario(),
  ...paperHandlers(emulator),
  ...documentExportHandlers(emulator, serviceCalls, service),
  ...requestHandlers(requests, service),
  'GET /emulator/service': async () => ({
    address: service?.() ?? null,
    hasDocs: (await hasDocs?.()) ?? false,
    ...requests.service,
  }),
  ...recordHandlers(emulator),
  ...manualActionHandlers(emulator),
  ...settingHandlers(emulator),
  ...tillHandlers(emulator, till && { serviceCalls, till }),
  ...faultHandlers(emulator),
})

function documentOf(device: FiscalDevice, id: number): PaperDocument {
  const document = device.document(id)
  if (document) return document
  throw new WrongCall(`there is no document ${id}`, 404)
}

function paperHandlers({ device }: Emulator) {
  const paperOf = (id: number) => documentOf(device, id)
  return {
    'GET /emulator/documents': ({ query: { content, search, ...which } }) =>
      content === 'none'
        ? device.documentHeads(omitUndefined({ ...which, search })).map(headView)
        : device.documents(which.after, which.limit).map(documentView),
    'GET /emulator/documents/{id}': ({ params }) => documentView(paperOf(params.id)),
    'GET /emulator/documents/{id}.txt': ({ params }) => `${paperOf(params.id).text.join('\n')}\n`,
    'GET /emulator/documents/{id}.svg': ({ params, query }) =>
      svgOf(paperOf(params.id), device.profile.lineWidth, query.lines),
    async 'GET /emulator/documents/{id}.png'({ params }) {
      const svg = await svgOf(paperOf(params.id), device.profile.lineWidth)
      const { paperPng } = await import('../print/png-paper.ts')
      return paperPng(svg)
    },
    'GET /emulator/documents/{id}/sums': ({ params }) => sumsOf(device, paperOf(params.id)),
    async 'GET /emulator/receipt'({ query: { lines = Number.POSITIVE_INFINITY } }) {
      const open = device.openPaper
      if (!open) return null
      const { paperSvg } = await import('../print/svg-paper.ts')
      const { number, operations, linesPrinted } = open
      return {
        number,
        svg: paperSvg(operations, device.profile.lineWidth, {
          title: `Open receipt ${number}`,
          linesPrinted: Math.min(lines, linesPrinted),
          ...(lines < linesPrinted && { isPast: true }),
        }),
      }
    },
  } satisfies Partial<Handlers>
}

/** The drawing code is loaded at the first request of a picture. */
async function svgOf(document: PaperDocument, lineWidth: number, lines?: number): Promise<string> {
  const { documentSvg } = await import('../print/document-svg.ts')
  return documentSvg(document, lineWidth, lines)
}

function documentExportHandlers(emulator: Emulator, serviceCalls: ServiceCalls, service: HandlerOptions['service']) {
  const { device } = emulator
  return {
    'GET /emulator/documents/{id}.curl': ({ params }) =>
      exportOrRefuse(() => {
        const { steps, remarks } = documentSteps(device, documentOf(device, params.id))
        return asCurl(serviceCalls.of(steps), remarks, service?.())
      }),
    'GET /emulator/documents/{id}.yaml': ({ params }) =>
      exportOrRefuse(() => asScenario(emulator, documentOf(device, params.id), serviceCalls)),
    'GET /emulator/documents/{id}.wire': ({ params }) =>
      asWireText(
        emulator.framesOf(documentOf(device, params.id).id),
        emulator.timeline().filter((entry) => entry.is === 'fault'),
      ),
  } satisfies Partial<Handlers>
}

function requestHandlers(requests: RequestLog, service: HandlerOptions['service']) {
  return {
    'GET /emulator/requests': ({ query: { after, limit } }) => requests.list(after, limit),
    'GET /emulator/requests/{id}': ({ params }) => requests.view(params.id),
    'GET /emulator/requests/{id}.curl'({ params }) {
      const address = service?.()
      if (address === undefined) throw new WrongCall('no REST service runs on this device', 404)
      return requestAsCurl(requests.get(params.id), address, requests.service.needsKey)
    },
    'GET /emulator/requests/{id}.yaml': async ({ params }) => `${(await requests.get(params.id).step()).trimEnd()}\n`,
    'POST /emulator/requests/{id}/again': ({ params }) => requests.sendAgain(params.id),
  } satisfies Partial<Handlers>
}

function exportOrRefuse(write: () => string): string {
  try {
    return write()
  } catch (problem) {
    throw problem instanceof NoServiceCall ? new WrongCall(problem.message, 404) : problem
  }
}

function recordHandlers(emulator: Emulator) {
  const { memory, journal } = emulator.device
  return {
    'GET /emulator/z-reports': () => memory.zs(1, Number.MAX_SAFE_INTEGER).map(zView),
    'GET /emulator/z-reports/{id}'({ params }) {
      const z = memory.z(params.id)
      if (!z) throw new WrongCall(`there is no Z report ${params.id}`, 404)
      return zView(z)
    },
    'GET /emulator/journal': ({ query: { document, from, to, limit } }) =>
      document === undefined ? journal.read(from, to, limit) : journal.readDocument(document),
    'GET /emulator/frames': ({ query: { document, after } }) =>
      document === undefined ? emulator.frames(after) : emulator.framesOf(document),
    'GET /emulator/timeline': ({ query: { after, limit, ...which } }) =>
      emulator
        .timeline(after)
        .filter((entry) => isOf(entry, which))
        .slice(0, limit)
        .map(timelineEntryView),
    'GET /emulator/commands': () => emulator.wire.commands.map(({ name, code }) => ({ name, code })),
    'GET /emulator/lines': () => emulator.lines,
  } satisfies Partial<Handlers>
}

const isOf = (
  entry: TimelineEntry,
  { document, frame, is }: Pick<HandlerInput<'GET /emulator/timeline'>['query'], 'document' | 'frame' | 'is'>,
): boolean =>
  (document === undefined || (entry.is === 'line' && entry.document === document)) &&
  (frame === undefined || entry.frame === frame) &&
  (is === undefined || entry.is === is)

/** GET returns the state in the form that POST accepts; POST returns the new state. */
function manualActionHandlers(emulator: Emulator) {
  const { mechanism } = emulator.device
  const power = () => ({ on: emulator.power })
  const paper = () => ({ state: mechanism.paper })
  const cover = () => ({ open: mechanism.coverOpen })
  const display = () => ({ attached: emulator.device.display.attached })
  const room = () => ({ fiscalMemory: emulator.device.memory.remaining, journal: emulator.device.journal.remaining })
  const cable = () => ({ connected: emulator.cable })
  const pace = () => ({ realistic: emulator.times !== undefined })
  return {
    'GET /emulator/power': power,
    'POST /emulator/power'({ body }) {
      emulator.setPower(body.on)
      return power()
    },
    'GET /emulator/paper': paper,
    'POST /emulator/paper'({ body }) {
      emulator.setPaper(body.state)
      return paper()
    },
    'GET /emulator/cover': cover,
    'POST /emulator/cover'({ body }) {
      emulator.setCover(body.open)
      return cover()
    },
    'GET /emulator/display': display,
    'POST /emulator/display'({ body }) {
      emulator.device.display.setAttached(body.attached)
      return display()
    },
    'GET /emulator/room': room,
    'POST /emulator/room'({ body: { fiscalMemory, journal } }) {
      if (fiscalMemory !== undefined) emulator.device.memory.setRemaining(fiscalMemory ?? undefined)
      if (journal !== undefined) emulator.device.journal.setRemaining(journal ?? undefined)
      return room()
    },
    'GET /emulator/cable': cable,
    async 'POST /emulator/cable'({ body }) {
      await emulator.setCable(body.connected)
      return cable()
    },
    'GET /emulator/mechanism': pace,
    'POST /emulator/mechanism'({ body }) {
      emulator.setRealistic(body.realistic)
      return pace()
    },
    'POST /emulator/sample': () => printSample(emulator),
  } satisfies Partial<Handlers>
}

const LAST_TIME = '9999-12-31 23:59:59'

export function settingHandlers(emulator: Emulator) {
  const { device } = emulator
  const clock = () => ({ clock: device.localTime() })
  return {
    'GET /emulator/clock': clock,
    'POST /emulator/clock'({ body }) {
      if ('lost' in body) {
        device.loseClock()
        return clock()
      }
      const time = 'set' in body ? body.set : device.localTime(device.now() + body.advance)
      const shown = time.replace('T', ' ')
      // A time after the year 9999 is written with a sign and six digits.
      if (time.startsWith('+')) throw new WrongCall(`the clock cannot be set to a time after ${LAST_TIME}`)
      const outcome = emulator.setClock(time)
      if (!outcome.ok) {
        const { earliestClock } = device
        const isBehind = outcome.refusal === 'clockBehind' && earliestClock !== undefined
        const earliest = isBehind ? `, ${earliestClock.replace('T', ' ')}` : ''
        throw new WrongCall(`the clock cannot be set to ${shown}: ${refusalText(outcome.refusal)}${earliest}`)
      }
      return clock()
    },
    'GET /emulator/articles': () => [...device.articles.all()].map(articleView),
    'POST /emulator/articles'({ body }) {
      checkLimits(body, device.profile)
      body.forEach((article, index) => {
        const problem = programArticle(emulator, article)
        if (problem === undefined) return
        const before = index === 0 ? 'nothing was programmed' : `programmed before it: ${countText(index, 'article')}`
        throw new WrongCall(`PLU ${article.plu}: ${problem}; ${before}`)
      })
      return body.flatMap(({ plu }) => device.articles.get(plu) ?? []).map(articleView)
    },
    'GET /emulator/fiscalised': () => ({ fiscalised: device.fiscalised }),
    'POST /emulator/fiscalised'({ body }) {
      const outcome = emulator.setFiscalised(body.fiscalised)
      if (!outcome.ok) throw new WrongCall(`the device cannot be fiscalised: ${refusalText(outcome.refusal)}`)
      return { fiscalised: device.fiscalised }
    },
    'POST /emulator/reset'({ body }) {
      emulator.reset(body?.keep ? { keep: body.keep } : {})
      return emulatorView(emulator)
    },
    'GET /emulator/snapshot': () => device.snapshot(),
    'PUT /emulator/snapshot'({ body }) {
      try {
        emulator.restore(body)
      } catch (problem) {
        throw new WrongCall(messageOf(problem))
      }
      return emulatorView(emulator)
    },
  } satisfies Partial<Handlers>
}

/** Returns the device's reason to refuse the article; `undefined` if the article was programmed. */
function programArticle({ device: { articles, profile } }: Emulator, form: ArticleForm): string | undefined {
  const present = articles.get(form.plu)
  const outcome = articles.program({
    group: present?.group ?? 1,
    priceType: priceTypeOf(form.plu, profile, present),
    stock: present?.stock ?? null,
    barcodes: present?.barcodes ?? [],
    unit: present?.unit ?? 0,
    ...form,
    department: form.department ?? 0,
  })
  return outcome.ok ? undefined : refusalText(outcome.refusal)
}

function tillHandlers({ device }: Emulator, till: PanelTill | undefined) {
  return {
    'GET /emulator/registers': () => ({ ...registersView(device), composes: till !== undefined }),
    'POST /emulator/receipts': ({ body }) => printReceipt(device, till, body),
    'POST /emulator/receipt': ({ body: { end } }) => endReceipt(device, till, end),
    'GET /emulator/documents/{id}/again': ({ params: { id } }) => ({
      refusal: whyNotAgain(device, till, documentOf(device, id)),
    }),
    'POST /emulator/documents/{id}/again': ({ params: { id } }) => printAgain(device, till, documentOf(device, id)),
  } satisfies Partial<Handlers>
}

function faultHandlers({ faults }: Emulator) {
  const ruleOf = (id: number) => {
    const rule = faults.get(id)
    if (rule) return rule
    throw new WrongCall(`there is no fault rule ${id}`, 404)
  }
  return {
    'GET /emulator/faults': () => faults.list(),
    'POST /emulator/faults'({ body }) {
      try {
        return Array.isArray(body) ? faults.addAll(body) : faults.add(body)
      } catch (problem) {
        if (problem instanceof PlanError) throw new WrongCall(problem.message.replaceAll('\n', '; '))
        throw problem
      }
    },
    'DELETE /emulator/faults'() {
      faults.clear()
      return faults.list()
    },
    'GET /emulator/faults/{id}': ({ params }) => ruleOf(params.id),
    'DELETE /emulator/faults/{id}'({ params }) {
      faults.remove(ruleOf(params.id).id)
      return faults.list()
    },
  } satisfies Partial<Handlers>
}
