import type { Percent } from '../../drivers/model/money.ts'
import type { TaxCode } from '../../drivers/model/receipt.ts'
import { type Books, ZERO_COUNTED } from './books.ts'
import { NEW_OPERATOR_TOTALS } from './factory-state.ts'
import type { MemoryBook } from './memory.ts'
import type { Registers } from './types/device-parts.ts'
import { done, type Outcome, refuse } from './types/outcome.ts'
import type { ByTaxGroup, Department, OperatorRecord, OperatorTotals, RegisterTotals } from './types/registers.ts'

const NO_TOTALS: RegisterTotals = { sales: ZERO_COUNTED, reversals: ZERO_COUNTED }

export class RegisterBook implements Registers {
  readonly #books: Books
  readonly #memory: MemoryBook
  readonly #openReceipt: () => 'fiscalReceiptOpen' | 'nonFiscalReceiptOpen' | undefined

  constructor(
    books: Books,
    memory: MemoryBook,
    openReceipt: () => 'fiscalReceiptOpen' | 'nonFiscalReceiptOpen' | undefined,
  ) {
    this.#books = books
    this.#memory = memory
    this.#openReceipt = openReceipt
  }

  get #cells() {
    return this.#books.state.registers
  }

  get taxRates(): ByTaxGroup<Percent | null> {
    return this.#cells.taxRates
  }

  setTaxRates(rates: ByTaxGroup<Percent | null>): Outcome<{ changesLeft: number }> {
    const { state, profile } = this.#books
    const open = this.#openReceipt()
    if (open) return refuse(open)
    if (state.day.receipts > 0) return refuse('dayNotClosed')
    if (state.counters.taxRateChanges >= profile.taxRateChanges) return refuse('noChangesLeft')
    if (this.#books.points?.memoryFull?.(true)) return refuse('fiscalMemoryFull')
    return this.#books.operate('closing', () => {
      const taxRateChanges = state.counters.taxRateChanges + 1
      this.#books.points?.memoryWrite('taxRates')
      const fromZ = state.counters.lastZ + 1
      this.#memory.append({ kind: 'taxRates', at: this.#memory.recordTime, fromZ, rates: [...rates] as typeof rates })
      this.#books.change('registers', { taxRates: [...rates] as typeof rates })
      this.#books.change('counters', { taxRateChanges })
      this.#books.emit({ type: 'state' })
      return done({ changesLeft: profile.taxRateChanges - taxRateChanges })
    })
  }

  get header(): readonly string[] {
    return this.#cells.header
  }

  setHeader(index: number, text: string): void {
    if (index < 0 || index >= this.#cells.header.length) return
    this.#set({ header: this.#cells.header.with(index, text) })
  }

  writeHeader(lines: readonly string[]): Outcome {
    const { state } = this.#books
    if (state.day.receipts > 0) return refuse('dayNotClosed')
    if (this.#books.points?.memoryFull?.(true)) return refuse('fiscalMemoryFull')
    return this.#books.operate('closing', () => {
      this.#books.points?.memoryWrite('header')
      const fromZ = state.counters.lastZ + 1
      this.#memory.append({ kind: 'header', at: this.#memory.recordTime, fromZ, lines })
      this.#books.change('registers', { header: [...lines] })
      this.#books.emit({ type: 'state' })
      return done(undefined)
    })
  }

  get footer(): readonly string[] {
    return this.#cells.footer
  }

  setFooter(index: number, text: string): void {
    if (index < 0 || index >= this.#cells.footer.length) return
    this.#set({ footer: this.#cells.footer.with(index, text) })
  }

  operator(code: number): OperatorRecord | undefined {
    return this.#cells.operators[code]
  }

  setOperator(operator: OperatorRecord): void {
    this.#set({ operators: { ...this.#cells.operators, [operator.code]: operator } })
  }

  operatorTotals(code: number): OperatorTotals {
    return this.#books.state.totals.operators[code] ?? NEW_OPERATOR_TOTALS
  }

  get payments(): readonly { readonly mode: number; readonly name: string; readonly enabled: boolean }[] {
    return this.#books.profile.payments.map(({ mode, name }) => ({
      mode,
      ...(this.#cells.payments[mode] ?? { name, enabled: true }),
    }))
  }

  payment(mode: number): { readonly name: string; readonly enabled: boolean } | undefined {
    return this.#cells.payments[mode]
  }

  setPayment(mode: number, change: { readonly name?: string; readonly enabled?: boolean }): void {
    const old = this.#cells.payments[mode]
    if (old) this.#set({ payments: { ...this.#cells.payments, [mode]: { ...old, ...change } } })
  }

  department(number: number): Department {
    const groups = this.#books.profile.taxGroups
    const taxCode = (number >= 1 && number <= groups ? number : 1) as TaxCode
    return this.#cells.departments[number] ?? { number, name: `Department ${number}`, taxCode, price: 0, unit: 0 }
  }

  setDepartment(department: Department): void {
    this.#set({ departments: { ...this.#cells.departments, [department.number]: department } })
  }

  departmentTotals(number: number): RegisterTotals {
    return this.#books.state.totals.departments[number] ?? NO_TOTALS
  }

  groupTotals(number: number): RegisterTotals {
    return this.#books.state.totals.groups[number] ?? NO_TOTALS
  }

  get invoiceRange(): { readonly start: number; readonly end: number; readonly next: number } | null {
    return this.#cells.invoiceRange
  }

  /** If the start of the range is unchanged, the next number remains; otherwise the next number is the new start. */
  setInvoiceRange(range: { readonly start: number; readonly end: number }): void {
    const old = this.#cells.invoiceRange
    const next = old && old.start === range.start ? old.next : range.start
    this.#set({ invoiceRange: { ...range, next } })
  }

  get taxNumber(): string {
    return this.#books.state.device.taxNumber
  }

  setTaxNumber(text: string): void {
    this.#books.operate('ordinary', () => this.#books.change('device', { taxNumber: text }))
  }

  setSchool(on: boolean): void {
    this.#set({ school: on })
  }

  parameter(name: string): string | undefined {
    return this.#cells.parameters[name]
  }

  setParameter(name: string, value: string): void {
    this.#set({ parameters: { ...this.#cells.parameters, [name]: value } })
  }

  clearOperatorTotals(from: number, to: number): void {
    const otherOperators = Object.entries(this.#books.state.totals.operators).filter(
      ([code]) => +code < from || +code > to,
    )
    this.#books.operate('ordinary', () =>
      this.#books.change('totals', { operators: Object.fromEntries(otherOperators) }),
    )
  }

  clearDepartmentTotals(): void {
    this.#books.operate('ordinary', () => this.#books.change('totals', { departments: {} }))
  }

  #set(change: Partial<Books['state']['registers']>): void {
    this.#books.operate('ordinary', () => this.#books.change('registers', change))
  }
}
