import { messageOf } from '../../../drivers/model/errors.ts'
import type { PlayResult } from './play-in-browser.ts'
import express, { type App } from './replacements/express.ts'
import type { Handler } from './replacements/http-messages.ts'
import { KINDS, type Kind, type Tab } from './tab.ts'

export interface SiteView extends Kind {
  readonly kinds: readonly Kind[]
  /** Reason why nothing is stored; `null` if everything is stored. */
  readonly trouble: string | null
}

export type PlayedView = Pick<PlayResult, 'name' | 'status' | 'reasons'>

const BODY_MAX_BYTES = 2 * 1024 * 1024

export function siteApp(tab: Tab, onChosen: () => void): App {
  const app = express()
  const view = (): SiteView => ({ ...tab.kind, kinds: KINDS, trouble: tab.trouble ?? null })
  const choose: Handler = async (request, response) => {
    const { family, profile } = JSON.parse(String(request.body)) as Partial<Kind>
    const kind = KINDS.find((one) => one.family === family && one.profile === profile)
    if (!kind)
      return response.status(404).json({ error: `There is no device of family ${family} with profile ${profile}.` })
    await tab.choose(kind)
    onChosen()
    return response.json(view())
  }
  app.use(express.text({ limit: BODY_MAX_BYTES }))
  const show: Handler = (_request, response) => response.json(view())
  app.get('/site', show)
  app.post('/site/kind', choose)
  const playLink: Handler = async (request, response) => {
    try {
      const { play } = await import('./play-in-browser.ts')
      const { name, status, reasons, running } = await play(String(request.body))
      await tab.show(running)
      return response.json({ name, status, reasons })
    } catch (problem) {
      return response.status(400).json({ error: `The scenario of the link cannot be played: ${messageOf(problem)}` })
    }
  }
  app.post('/site/play', playLink)
  return app
}
