import type { TaxCode } from '../../drivers/model/receipt.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import { documentView, emulatorView, zView } from '../../emulator/panel/views.ts'
import { commandForNumber } from './commands.ts'
import { agreeAtTheEnd } from './end-checks.ts'
import { traitsOf } from './family-traits.ts'
import { ARTICLES, Model } from './model.ts'
import type { RecordedSubject } from './subject.ts'

/** Throws an Error with the first disagreement between device and model. Each number in `draws` selects a call. */
export async function playCalls(
  emulator: Emulator,
  subject: RecordedSubject,
  draws: readonly number[],
): Promise<Model> {
  const traits = traitsOf(emulator.profile.family)
  if (!traits) throw new RangeError(`there is no model of family ${emulator.profile.family}`)
  const model = new Model(traits)
  for (const draw of draws) await commandForNumber(draw).run(model, subject)
  await agreeAtTheEnd(model, subject)
  return model
}

export const describeCalls = (draws: readonly number[]): string =>
  draws.map((draw) => String(commandForNumber(draw)).replaceAll('\n', ' ')).join(', then ')

/** Programs the articles of the model. The device must be in its factory state. */
export function programArticles({ profile, device }: Emulator): void {
  const knownArticle = device.articles.get(1)
  if (!knownArticle) throw new Error('a new device has articles')
  const { turnover: _turnover, sold: _sold, ...pattern } = knownArticle
  for (const { plu, name, group, price } of ARTICLES) {
    const taxCode = (group + 1) as TaxCode
    const department = traitsOf(profile.family)?.departmentOf(taxCode) ?? 0
    const texts = { barcodes: ['', '', '', ''], unit: 0 }
    const article = { ...pattern, ...texts, barcodes: [], plu, name, taxCode, price: Number(price), department }
    const outcome = device.articles.program(article)
    if (!outcome.ok) throw new Error(`article ${plu}: ${JSON.stringify(outcome.refusal)}`)
  }
}

/** Returns a view of the control API (decisions 6 and 8). */
export function viewOf(emulator: Emulator, path: string): unknown {
  if (path === '') return emulatorView(emulator)
  if (path === '/documents') return emulator.device.documents().map(documentView)
  if (path === '/z-reports') return emulator.device.memory.zs(1, 9_999).map(zView)
  if (path === '/journal') return emulator.device.journal.read()
  throw new RangeError(`no view ${path}`)
}
