/** What the site itself asks the worker: `/site` and below. */

import type { Handler } from './instead/exchange.ts'
import express, { type App } from './instead/express.ts'
import { KINDS, type Kind, type Tab } from './tab.ts'

export interface SiteView extends Kind {
  readonly kinds: readonly Kind[]
  /** Why nothing is kept; null: everything is. */
  readonly trouble: string | null
}

const BODY_MAX_BYTES = 1024 * 1024

export function siteApp(tab: Tab): App {
  const app = express()
  const view = (): SiteView => ({ ...tab.kind, kinds: KINDS, trouble: tab.kept.trouble ?? null })
  const choose: Handler = async (request, response) => {
    const { family, profile } = JSON.parse(String(request.body)) as Partial<Kind>
    const kind = KINDS.find((one) => one.family === family && one.profile === profile)
    if (!kind)
      return response.status(404).json({ error: `There is no device of family ${family} with profile ${profile}.` })
    await tab.choose(kind)
    return response.json(view())
  }
  app.use(express.text({ limit: BODY_MAX_BYTES }))
  const show: Handler = (_request, response) => response.json(view())
  app.get('/site', show)
  app.post('/site/kind', choose)
  return app
}
