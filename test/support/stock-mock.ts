/** The package does not export the types of its mock binding to a strict module resolution. */
import { createRequire } from 'node:module'
import type { Binding, BindingOptions, BindingPort } from '../../drivers/link/port.ts'

export interface StockMockPort extends BindingPort {
  emitData(data: Buffer | string): void
}

export interface StockMock extends Binding {
  reset(): void
  createPort(path: string, options?: { echo?: boolean; record?: boolean }): void
  list(): Promise<{ path: string }[]>
  open(options: BindingOptions): Promise<StockMockPort>
}

export const { MockBinding } = createRequire(import.meta.url)('@serialport/binding-mock') as { MockBinding: StockMock }
