import { saveArticle } from './articles.ts'
import { type BookState, type Books, loadState, STATE_NAMES } from './books.ts'
import { factoryArticles, factoryState, fiscalisedAt, NEW_COUNTERS } from './factory-state.ts'
import { sealedRecord } from './memory.ts'
import type { Store } from './store.ts'
import type { MemoryRecord } from './types/day.ts'
import type { DeviceProfile, FactorySettings } from './types/profile.ts'

/** Returns `undefined` if the store is empty. Throws if the device in the store is of another family or profile. */
export function storedDevice(store: Store, profile: DeviceProfile): BookState | undefined {
  const state = loadState(store)
  if (!state.device) return undefined
  const { family, profile: name } = state.device
  if (family !== profile.family || name !== profile.profile) {
    throw new Error(
      `The store contains a device of family ${family}, profile ${name}, not ${profile.family}, ${profile.profile}. Choose another data folder or device name.`,
    )
  }
  return state
}

export function createNewDevice(
  store: Store,
  profile: DeviceProfile,
  settings: FactorySettings,
  now: number,
): BookState {
  const state = factoryState(profile, settings)
  const at = fiscalisedAt(new Date(now).toISOString().slice(0, 19))
  const { serialNumber, taxNumber } = profile
  if (state.device.fiscalised) {
    append(store, state, { kind: 'fiscalised', at, serialNumber, taxNumber })
    append(store, state, { kind: 'taxRates', at, fromZ: 1, rates: state.registers.taxRates })
  }
  for (const name of STATE_NAMES) store.saveState(name, state[name])
  for (const article of factoryArticles(profile)) saveArticle(store, article)
  store.commit('closing')
  return state
}

function append(store: Store, state: BookState, event: MemoryRecord): void {
  const { row, counters } = sealedRecord(state.counters, event)
  store.insert('fiscal_memory', row)
  state.counters = { ...state.counters, ...counters }
}

/** Replaces everything except fiscal memory, journal, and the counters that depend on them. */
export function recreateDevice(books: Books, dropped: number | undefined): void {
  const { store, state, settings, profile } = books
  const { fiscalReceipts, nonFiscal, invoices, lastReceipt, lastReceiptAt, papers } = NEW_COUNTERS
  const { taxRates } = state.registers
  store.renew(['paper', 'courses', 'state', 'articles', 'barcodes', 'open_document'])
  const factory = factoryState(profile, settings)
  // A clock before the last record of the fiscal memory would make the device refuse every Z report.
  const clockOffset = Math.max(factory.device.clockOffset, state.device.clockOffset)
  const next = {
    ...factory,
    device: { ...factory.device, clockOffset },
    counters: { ...state.counters, fiscalReceipts, nonFiscal, invoices, lastReceipt, lastReceiptAt, papers },
    registers: { ...factory.registers, taxRates },
  }
  const at = new Date(books.clockNow()).toISOString().slice(0, 19)
  append(store, next, { kind: 'tester', act: 'reset', at, ...(dropped !== undefined && { dropped }) })
  for (const name of STATE_NAMES) store.saveState(name, next[name])
  for (const article of factoryArticles(profile)) saveArticle(store, article)
  store.commit('closing')
}
