import { saveArticle } from './articles.ts'
import { type BookState, type Books, loadState, STATE_NAMES } from './books.ts'
import { factoryArticles, factoryState, fiscalisedAt, NEW_COUNTERS } from './factory.ts'
import { appendEvent } from './memory.ts'
import type { Store } from './store.ts'
import type { DeviceProfile, FactorySettings } from './types/profile.ts'

/** Where devices are made: a new one into an empty store, or the one that a store holds. */

/** The device that the store holds, if any. Throws when it is of another family or profile. */
export function existing(store: Store, profile: DeviceProfile): BookState | undefined {
  const state = loadState(store)
  if (!state.device) return undefined
  const { family, profile: name } = state.device
  if (family !== profile.family || name !== profile.profile) {
    throw new Error(
      `The store holds a device of family ${family}, profile ${name}, not ${profile.family}, ${profile.profile}.`,
    )
  }
  return state
}

/** The state of a new device goes into the store together with its first fiscal memory records. */
export function manufacture(store: Store, profile: DeviceProfile, settings: FactorySettings, now: number): BookState {
  const state = factoryState(profile, settings)
  const at = fiscalisedAt(new Date(now).toISOString().slice(0, 19))
  for (const name of STATE_NAMES) store.saveState(name, state[name])
  for (const article of factoryArticles(profile)) saveArticle(store, article)
  const { serialNumber, taxNumber } = profile
  if (state.device.fiscalised) {
    appendEvent(store, { kind: 'fiscalised', at, serialNumber, taxNumber })
    appendEvent(store, { kind: 'taxRates', at, fromZ: 1, rates: state.registers.taxRates })
  }
  store.commit('closing')
  return state
}

/** A new device around what is kept: everything but fiscal memory, journal and the numbers that they fix. */
export function manufactureAround(books: Books): void {
  const { store, state, settings, profile } = books
  const { lastDocument, lastZ, lastZAt, taxRateChanges, journalLines, chain, kinds, ramResets } = state.counters
  const kept = { lastDocument, lastZ, lastZAt, taxRateChanges, journalLines, chain, kinds, ramResets }
  const { taxRates } = state.registers
  store.renew(['paper', 'courses', 'state', 'articles', 'barcodes', 'open_document'])
  const factory = factoryState(profile, settings)
  const next = {
    ...factory,
    counters: { ...NEW_COUNTERS, ...kept },
    registers: { ...factory.registers, taxRates },
  }
  for (const name of STATE_NAMES) store.saveState(name, next[name])
  for (const article of factoryArticles(profile)) saveArticle(store, article)
  store.commit('closing')
}
