import type { z } from 'zod'
import type { Emulator } from '../emulator.ts'
import { PlanError } from '../faults/plan.ts'
import type { PaperDocument } from '../fiscal/api.ts'
import { priceTypeOf } from '../fiscal/articles.ts'
import {
  articlesForm,
  cableForm,
  checked,
  clockForm,
  coverForm,
  paperForm,
  powerForm,
  resetForm,
  WrongCall,
  wholeParameter,
} from './forms.ts'
import { pageRoutes } from './page-routes.ts'
import { because } from './reasons.ts'
import { articleView, documentView, emulatorView, zView } from './views.ts'

/** The calls of the control interface, each once: path, methods, and what they answer (decisions 6 and 8). */

export interface Call {
  readonly parameters: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  /** JSON whose numbers are still text; undefined without a body. */
  readonly body: unknown
  /** The same as plain JSON, for documents that we wrote ourselves. */
  readonly plainBody: () => unknown
}

/** What a call answers: JSON, plain text, or a picture. */
export type Reply =
  | { readonly json: unknown }
  | { readonly text: string }
  | { readonly type: 'image/svg+xml' | 'image/png'; readonly content: string | Buffer }

export type Handler = (call: Call) => Reply | Promise<Reply>
export type Method = 'get' | 'post' | 'put' | 'delete'

export interface Route {
  readonly path: string
  readonly methods: Readonly<Partial<Record<Method, Handler>>>
}

const json = (value: unknown): Reply => ({ json: value })

export function panelRoutes(emulator: Emulator): readonly Route[] {
  return [
    { path: '/emulator', methods: { get: () => json(emulatorView(emulator)) } },
    ...paperRoutes(emulator),
    ...handRoutes(emulator),
    ...settingRoutes(emulator),
    ...faultRoutes(emulator),
    ...pageRoutes(emulator),
  ]
}

/** Rules of trouble on command (emulator/faults/plan.ts). */
function faultRoutes({ faults }: Emulator): Route[] {
  const numberIn = (parameters: Call['parameters']): number => {
    const id = wholeParameter('the number of the rule', parameters['id']) as number
    if (!faults.get(id)) throw new WrongCall(`there is no fault rule ${id}`, 404)
    return id
  }
  return [
    {
      path: '/emulator/faults',
      methods: {
        get: () => json(faults.list()),
        post: ({ body, plainBody }) => {
          if (body === undefined) throw new WrongCall('expected a rule: {at, on, skip, times, do}')
          const given = plainBody()
          try {
            return json(Array.isArray(given) ? faults.addAll(given) : faults.add(given))
          } catch (problem) {
            if (problem instanceof PlanError) throw new WrongCall(problem.message.replaceAll('\n', '; '))
            throw problem
          }
        },
        delete: () => {
          faults.clear()
          return json(faults.list())
        },
      },
    },
    {
      path: '/emulator/faults/:id',
      methods: {
        get: ({ parameters }) => json(faults.get(numberIn(parameters))),
        delete: ({ parameters }) => {
          faults.remove(numberIn(parameters))
          return json(faults.list())
        },
      },
    },
  ]
}

// ---------------------------------------------------------------- what is on paper, in the memory, on the wire

function paperRoutes(emulator: Emulator): Route[] {
  const { device } = emulator
  return [
    {
      path: '/emulator/documents',
      methods: {
        get: ({ query }) => {
          const after = wholeParameter('after', query['after'])
          if (query['content'] === 'none') {
            return json(device.documentHeads({ ...(after && { after }), search: searchIn(query) }))
          }
          return json(device.documents(after, wholeParameter('limit', query['limit'])).map(documentView))
        },
      },
    },
    {
      path: '/emulator/documents/:file',
      methods: {
        get: ({ parameters }) => {
          const match = /^(\d{1,15})(?:\.(txt|svg|png))?$/.exec(parameters['file'] ?? '')
          const document = match ? device.document(Number(match[1])) : undefined
          if (!match || !document) throw new WrongCall(`there is no document ${parameters['file']}`, 404)
          switch (match[2]) {
            case 'txt':
              return { text: `${document.text.join('\n')}\n` }
            case 'svg':
            case 'png':
              return picture(document, device.profile.lineWidth, match[2])
            default:
              return json(documentView(document))
          }
        },
      },
    },
    {
      path: '/emulator/z-reports',
      methods: { get: () => json(device.memory.zs(1, Number.MAX_SAFE_INTEGER).map(zView)) },
    },
    {
      path: '/emulator/z-reports/:number',
      methods: {
        get: ({ parameters }) => {
          const text = parameters['number'] ?? ''
          const z = /^\d{1,9}$/.test(text) ? device.memory.z(Number(text)) : undefined
          if (!z) throw new WrongCall(`there is no Z report ${text}`, 404)
          return json(zView(z))
        },
      },
    },
    {
      path: '/emulator/journal',
      methods: {
        get: ({ query }) => {
          const document = wholeParameter('document', query['document'])
          if (document !== undefined) return json(device.journal.readDocument(document))
          return json(device.journal.read(wholeParameter('from', query['from']), wholeParameter('to', query['to'])))
        },
      },
    },
    {
      path: '/emulator/frames',
      methods: {
        get: ({ query }) => {
          const document = wholeParameter('document', query['document'])
          if (document !== undefined) return json(emulator.framesOf(document))
          return json(emulator.frames(wholeParameter('after', query['after'])))
        },
      },
    },
  ]
}

const searchIn = (query: Call['query']): string => (typeof query['search'] === 'string' ? query['search'] : '')

/** The drawing library is loaded by the first who asks for a picture. */
async function picture(document: PaperDocument, lineWidth: number, form: 'svg' | 'png'): Promise<Reply> {
  const { paperSvg } = await import('../print/svg-paper.ts')
  const { kind, number, operations, text } = document
  const svg = paperSvg(operations, lineWidth, { title: `Document ${number}, ${kind}`, printed: text.length })
  if (form === 'svg') return { type: 'image/svg+xml', content: svg }
  const { paperPng } = await import('../print/png-paper.ts')
  return { type: 'image/png', content: await paperPng(svg) }
}

// ---------------------------------------------------------------- what a hand would do

interface Hand<Form> {
  readonly path: string
  readonly form: z.ZodType<Form>
  readonly example: string
  readonly now: () => Form
  readonly act: (form: Form) => void | Promise<void>
}

/** GET tells the present state in the form that POST takes; POST answers with the state that it has brought about. */
function hand<Form>({ path, form, example, now, act }: Hand<Form>): Route {
  return {
    path,
    methods: {
      get: () => json(now()),
      post: async ({ body }) => {
        await act(checked(form, body, `the body (${example})`))
        return json(now())
      },
    },
  }
}

function handRoutes(emulator: Emulator): Route[] {
  const { mechanism } = emulator.device
  return [
    hand({
      path: '/emulator/power',
      form: powerForm,
      example: '{"on": false}',
      now: () => ({ on: emulator.power }),
      act: ({ on }) => emulator.setPower(on),
    }),
    hand({
      path: '/emulator/paper',
      form: paperForm,
      example: '{"state": "out"}',
      now: () => ({ state: mechanism.paper }),
      act: ({ state }) => emulator.setPaper(state),
    }),
    hand({
      path: '/emulator/cover',
      form: coverForm,
      example: '{"open": true}',
      now: () => ({ open: mechanism.coverOpen }),
      act: ({ open }) => emulator.setCover(open),
    }),
    hand({
      path: '/emulator/cable',
      form: cableForm,
      example: '{"connected": false}',
      now: () => ({ connected: emulator.cable }),
      act: ({ connected }) => emulator.setCable(connected),
    }),
  ]
}

// ---------------------------------------------------------------- clock, articles, the whole device

function settingRoutes(emulator: Emulator): Route[] {
  const { device } = emulator
  const clock = () => json({ clock: device.localTime() })
  return [
    {
      path: '/emulator/clock',
      methods: {
        get: clock,
        post: ({ body }) => {
          const form = checked(clockForm, body, 'the body')
          const time = 'set' in form ? form.set : device.localTime(device.now() + form.advance)
          const outcome = emulator.setClock(time)
          if (!outcome.ok) throw new WrongCall(`the clock cannot be set to ${time}: ${because(outcome.refusal)}`)
          return clock()
        },
      },
    },
    {
      path: '/emulator/articles',
      methods: {
        get: () => json([...device.articles.all()].map(articleView)),
        post: ({ body }) => {
          const articles = checked(articlesForm(device.profile), body, 'the body')
          articles.forEach((article, index) => {
            const known = device.articles.get(article.plu)
            const outcome = device.articles.program({
              group: known?.group ?? 1,
              priceType: priceTypeOf(article.plu, device.profile, known),
              stock: known?.stock ?? null,
              barcodes: known?.barcodes ?? [],
              unit: known?.unit ?? 0,
              ...article,
            })
            if (outcome.ok) return
            const before = index === 0 ? 'nothing was programmed' : `${index} before it were programmed`
            throw new WrongCall(`[${index}]: ${because(outcome.refusal)}; ${before}`)
          })
          return json(articles.flatMap(({ plu }) => device.articles.get(plu) ?? []).map(articleView))
        },
      },
    },
    {
      path: '/emulator/reset',
      methods: {
        post: ({ body }) => {
          const form = checked(resetForm, body, 'the body')
          emulator.reset(form?.keep ? { keep: form.keep } : {})
          return json(emulatorView(emulator))
        },
      },
    },
    {
      path: '/emulator/snapshot',
      methods: {
        get: () => json(device.snapshot()),
        put: ({ plainBody }) => {
          try {
            emulator.restore(plainBody())
          } catch (problem) {
            throw new WrongCall(problem instanceof Error ? problem.message : String(problem))
          }
          return json(emulatorView(emulator))
        },
      },
    },
  ]
}
