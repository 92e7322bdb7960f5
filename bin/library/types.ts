/**
 * The types of `fiscal-rig` for tests of other projects (server/docs/guide/testing-with-the-library.md). Amounts,
 * prices and quantities are decimal text ("12.50", "1.500"); times are the device's wall clock without a zone
 * ("2026-03-01T08:00:00").
 */
import type { SerialPortStream } from '@serialport/stream'
import type {
  DayView,
  DocumentView,
  FrameDirection,
  FrameView,
  HitView,
  JournalLineView,
  PaperState,
  Rule,
  Snapshot,
  ZView,
} from './views.ts'

export type {
  DayView,
  DocumentView,
  FrameDirection,
  FrameView,
  HitView,
  JournalLineView,
  PaperState,
  Rule,
  Snapshot,
  ZView,
}

/** The profiles of each family. */
export interface Profiles {
  /** The first one is the default. */
  readonly A: 'bg' | 'ro'
  /** The first one is the default. */
  readonly B: 'b8' | 'b5'
  /** The first one is the default. */
  readonly C: 'c4' | 'c6' | 'cr'
}

export type FamilyName = keyof Profiles

/** A device to start: `{ family: 'A', profile: 'ro' }`. */
export type PrinterOptions = { readonly [Name in FamilyName]: PrinterOptionsOf<Name> }[FamilyName]

/** A device of one family to start. Only the family is required. */
export interface PrinterOptionsOf<Name extends FamilyName> {
  /** `A`, `B` or `C`. */
  readonly family: Name
  /** The device of that family: `bg` or `ro` (A), `b8` or `b5` (B), `c4`, `c6` or `cr` (C); default: the first one. */
  readonly profile?: Profiles[Name]
  /**
   * Imitates particular firmware: `{ zeroPayment: 'refuse' }`. The error about an unknown name lists the valid names.
   */
  readonly switches?: Readonly<Record<string, string>>
  /**
   * File of a passport (`fiscal-rig passport`): the printer emulates the device that the passport describes. `switches`
   * override those of the passport.
   */
  readonly passport?: string
  /**
   * Start time of the device's clock: `2026-03-01T08:00:00`. The clock then advances only by `advance` and by the
   * duration of commands. Without it, the device has the time of this computer.
   */
  readonly clock?: string
  /** Seed of random decisions of faults: a whole number (default: 0). */
  readonly seed?: number
  /** Fault rules that are active from the start. */
  readonly faults?: readonly Rule[]
  /** Articles in addition to the factory's, or in place of those with the same number. */
  readonly articles?: readonly ArticleOptions[]
  /** Rates in percent by the letter of the tax group: `{ A: '20', B: '9' }`. `null` switches a group off. */
  readonly taxRates?: Readonly<Record<string, string | number | null>>
  /** `false` for a device that was never fiscalised, like many development devices. */
  readonly fiscalised?: boolean
  /** Folder that stores the device, or `memory` (default) to store nothing. */
  readonly data?: string
  /** Prints at the speed of a real device, with busy responses. Without it, commands take no time. */
  readonly realistic?: boolean
  /** Speed of the lines in baud, 8N1. Without it, bytes pass as fast as possible, at any speed that a program sets. */
  readonly baud?: number
}

/** An article (PLU) to program. */
export interface ArticleOptions {
  /** Number of the article, from 1. */
  readonly plu: number
  /** Name on the receipt. */
  readonly name: string
  /** Tax code 1 to 8, for the tax groups A to H. */
  readonly taxCode: number
  /** Decimal text or a number with at most two decimals: `'1.20'`. */
  readonly price: string | number
  /** Number of the department; 0 (default) for none. */
  readonly department?: number
}

/** A fiscal receipt that was closed or cancelled. */
export interface Receipt {
  /** The device's number of the document. */
  readonly number: number
  /** A `reversal` reverses an earlier receipt. */
  readonly kind: 'fiscal' | 'invoice' | 'reversal'
  /** Total after all discounts and surcharges. */
  readonly total: string
  /** Sales in their order. A void is a separate row with a negative amount. */
  readonly rows: readonly ReceiptRow[]
  /** Payments in their order, with the tendered amounts: change is not subtracted. */
  readonly payments: readonly ReceiptPayment[]
  /** Time of the close. */
  readonly at: string
  /** `true` for a cancelled receipt, which the sums of the day do not include. */
  readonly cancelled: boolean
}

export interface ReceiptRow {
  /** Name on the receipt. */
  readonly name: string
  /** Price of one unit. */
  readonly price: string
  /** Quantity with three decimals: `'2.000'`. */
  readonly quantity: string
  /** Amount after the discount or surcharge of the row. */
  readonly amount: string
  /** Tax code 1 to 8, for the tax groups A to H. */
  readonly taxCode: number
}

export interface ReceiptPayment {
  /** Payment mode; 0 is cash on every family. */
  readonly paymentMode: number
  /** Tendered amount. */
  readonly amount: string
}

/** An active fault rule. */
export interface Fault {
  /** Number of times that the rule was triggered. */
  readonly hits: number
  /** Removes the rule; may be called twice. */
  remove(): void
}

/** Arguments of a listener, by the name of the event. */
export interface PrinterEvents {
  /** A document was printed. */
  document: DocumentView
  /** A frame, or a single byte, was transmitted on a line in either direction. */
  frame: FrameView
  /** The lines that the customer display shows now. */
  display: readonly string[]
  /** A fault rule was triggered. */
  fault: HitView
}

/** A serialport binding (`@serialport/bindings-interface`) of one device. */
export interface PrinterBinding {
  /** Returns the port of this device only. */
  list(): Promise<PortInfo[]>
  /** Opens the port. Rejects for any path but that of the device, and if the port is open already. */
  open(options: PortOpenOptions): Promise<BindingPort>
}

export interface PortOpenOptions {
  /** Must be `printer.path`. */
  path: string
  /** Speed in bits per second; has an effect only on a device with `baud`. */
  baudRate: number
  /** Data bits; all families use 8. */
  dataBits?: 5 | 6 | 7 | 8
  /** Excludes other programs (default: true). */
  lock?: boolean
  /** Stop bits; all families use 1. */
  stopBits?: 1 | 1.5 | 2
  /** Parity; all families use none. */
  parity?: string
  /** Hardware flow control; not used. */
  rtscts?: boolean
  /** Software flow control of written data; not used. */
  xon?: boolean
  /** Software flow control of read data; not used. */
  xoff?: boolean
  /** Continues the output after any byte; not used. */
  xany?: boolean
  /** Drops DTR when the port is closed; not used. */
  hupcl?: boolean
}

export interface PortInfo {
  /** Path to open. */
  path: string
  /** Unknown for an emulated port. */
  manufacturer: string | undefined
  /** Serial number of the device. */
  serialNumber: string | undefined
  /** Unknown for an emulated port. */
  pnpId: string | undefined
  /** Unknown for an emulated port. */
  locationId: string | undefined
  /** Unknown for an emulated port. */
  productId: string | undefined
  /** Unknown for an emulated port. */
  vendorId: string | undefined
}

/** An open port of the binding, as `@serialport/stream` uses it. */
export interface BindingPort {
  /** `false` after the port was closed or the cable was disconnected. */
  readonly isOpen: boolean
  /** Options of the call that opened the port. */
  readonly openOptions: Required<PortOpenOptions>
  /** Releases the port; pending reads reject. */
  close(): Promise<void>
  /** Waits for at least one byte of the device. */
  read(buffer: Buffer, offset: number, length: number): Promise<{ buffer: Buffer; bytesRead: number }>
  /** Sends bytes to the device. */
  write(buffer: Buffer): Promise<void>
  /** Changes the speed; has an effect only on a device with `baud`. */
  update(options: { baudRate: number }): Promise<void>
  /** Sets the control lines, which are not connected. */
  set(options: { brk?: boolean; cts?: boolean; dsr?: boolean; dtr?: boolean; rts?: boolean }): Promise<void>
  /** Returns the control lines, which are not connected. */
  get(): Promise<{ cts: boolean; dsr: boolean; dcd: boolean }>
  /** Returns the speed that was set last. */
  getBaudRate(): Promise<{ baudRate: number }>
  /** Discards unread received bytes. */
  flush(): Promise<void>
  /** Resolves when all written bytes have been sent. */
  drain(): Promise<void>
}

// biome-ignore lint/suspicious/noTsIgnore: a project without serialport has an error here, this checkout has none
/** @ts-ignore The package serialport is optional: without it this type is any. */
type ClassOfSerialport = typeof import('serialport').SerialPort

/**
 * serialport's own class on the binding of one device, which a program uses in place of `SerialPort`. In a project that
 * has the package `serialport`, its type is `typeof SerialPort`; elsewhere it is `PrinterSerialPort`.
 */
export type SerialPortClass = [ClassOfSerialport] extends [NoClass] ? PrinterSerialPort : ClassOfSerialport
/**
 * A member that only `any` has. The condition uses a tuple, because a condition on an unresolved type is unresolved
 * itself.
 */
type NoClass = { readonly isMissing: true }

/** The class `printer.SerialPort`, described without the package `serialport`. */
export interface PrinterSerialPort {
  /** Opens the port of the printer; immediately, unless `autoOpen` is false. */
  new (options: SerialPortOptions, openCallback?: (problem: Error | null) => void): SerialPortStream
  /** Prototype, for `instanceof` and for subclasses. */
  readonly prototype: SerialPortStream
  /** Returns the port of this device only. */
  list(): Promise<PortInfo[]>
  /** The binding of the printer: `printer.binding`. */
  readonly binding: PrinterBinding
}

/** Options of serialport, without `binding`. */
export interface SerialPortOptions extends PortOpenOptions {
  /** Opens the port immediately (default: true). */
  autoOpen?: boolean
  /** Size of the buffers, in bytes. */
  highWaterMark?: number
  /** The stream ends when the port is closed. */
  endOnClose?: boolean
}

/** An emulated fiscal printer in this process. After `close` every call throws, and every promise rejects. */
export interface Printer extends AsyncDisposable {
  /** `A`, `B` or `C`. */
  readonly family: FamilyName
  /** Profile of the device, for example `bg`. */
  readonly profile: string
  /** Serial number that the device reports. */
  readonly serialNumber: string

  /** A serialport binding on which `path` is this device; every other path is refused. */
  readonly binding: PrinterBinding
  /** Path for `binding` and `SerialPort`; not a file. */
  readonly path: string
  /** serialport's own class with `binding`, which a program uses in place of `SerialPort`. */
  readonly SerialPort: SerialPortClass
  /** Opens a TCP port with the device's wire protocol; port 0 picks a free one. Rejects if the port is in use. */
  listen(options: { readonly port: number; readonly host?: string }): Promise<{ host: string; port: number }>
  /**
   * Creates a pseudo-terminal that programs open like a serial port (requires `socat`), and a link to it at this path.
   * Resolves to the absolute path. Rejects if socat is missing, or if something other than a link exists at the path.
   */
  link(path: string): Promise<string>

  /** Returns the fiscal receipts in the journal, including cancelled ones, oldest first. */
  receipts(): readonly Receipt[]
  /** Returns all printed documents, oldest first. */
  documents(): readonly DocumentView[]
  /** Returns the lines of a document by its `id`, as printed. Throws if there is no such document. */
  paper(id: number): string
  /** Renders the paper as PNG. */
  paper(id: number, as: 'png'): Promise<Uint8Array>
  /** Renders the paper as SVG. */
  paper(id: number, as: 'svg'): Promise<string>
  /** The lines of the customer display, padded to its width. */
  readonly display: readonly string[]
  /** The sums since the last Z report. */
  readonly day: DayView
  /** Returns the lines of the electronic journal, oldest first. */
  journal(): readonly JournalLineView[]
  /** Returns the Z reports in the fiscal memory, oldest first. */
  zReports(): readonly ZView[]
  /** Returns the last frames of both directions with their meaning, oldest first: at most 2,000. */
  frames(): readonly FrameView[]

  /** Adds a fault rule. Throws for an impossible rule, with all its mistakes. */
  fault(rule: Rule): Fault
  /**
   * Loads a roll (`ok`), makes the roll nearly empty (`low`) or removes it (`out`). With paper, the device prints what
   * has waited for paper.
   */
  setPaper(state: PaperState): void
  /** Opens or closes the cover; nothing is printed while it is open. */
  setCover(open: boolean): void
  /** Switches the device off or on. An interrupted print is completed after the device is on again. */
  setPower(on: boolean): void
  /** Connects or disconnects all lines. Resolves after pseudo-terminals have been removed or created. */
  setCable(connected: boolean): Promise<void>
  /**
   * Moves the device's clock forward by an ISO 8601 duration: `PT24H`. Throws if the device does not accept the time.
   */
  advance(duration: string): void
  /** Returns the whole state as one JSON document. */
  snapshot(): Snapshot
  /**
   * Restores the state of this or another printer of the same family and profile. Otherwise throws, and changes
   * nothing.
   */
  restore(state: Snapshot): void
  /**
   * Resets to a new, fiscalised device with the articles, tax rates and fault rules of the start, switched on and with
   * paper. Its clock continues.
   */
  reset(): void

  /**
   * Resolves to the next document that is printed. Rejects, with the open receipt and the obstacles, if nothing is
   * printed within this number of milliseconds of real time (default: 5,000) or if the printer is closed.
   */
  nextDocument(options?: { readonly within?: number }): Promise<DocumentView>
  /**
   * Registers a listener, which is called after each event is complete. Returns a function that removes the listener.
   */
  on<Name extends keyof PrinterEvents>(event: Name, listener: (what: PrinterEvents[Name]) => void): () => void
  /** Closes the printer with its ports and services; may be called twice. */
  close(): Promise<void>
}

export interface ServiceOptions {
  /** Printer from `startPrinter`. */
  readonly printer: Printer
  /** HTTP port; 0 (default) picks a free port. */
  readonly port?: number
  /** Opens an HTTPS port as well, with a certificate for the lifetime of this service. */
  readonly https?: boolean
  /** HTTPS port; 0 (default) picks a free port. */
  readonly httpsPort?: number
  /** Time limits of the driver; default: those of the family's protocol. */
  readonly device?: DeviceWaits
}

/** Time limits of a driver in ms, 10 to 600,000. Short limits shorten tests with a silent device. */
export interface DeviceWaits {
  /** Time from the end of a command to the first byte of an answer. */
  readonly firstAnswerMs?: number
  /** Time between the bytes of an answer, and between two busy bytes of a device. */
  readonly gapMs?: number
  /** Time of a whole command, including printing. */
  readonly documentMs?: number
}

/** The REST service over a printer, on loopback. Nothing of it remains after `close`. */
export interface Service extends AsyncDisposable {
  /** Address with `/api`: `http://127.0.0.1:40123/api`. */
  readonly url: string
  /** HTTPS address with `/api`; `undefined` without HTTPS. */
  readonly https: string | undefined
  /** Certificate (PEM) of the authority that signed the service's certificate; `undefined` without HTTPS. */
  readonly ca: string | undefined
  /** Completes the pending requests; may be called twice. The printer stays open. */
  close(): Promise<void>
}
