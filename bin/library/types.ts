/**
 * What `fiscal-rig` gives to other people's tests (server/docs/guide/testing-with-the-library.md). Amounts, prices and quantities are
 * decimal text ("12.50", "1.500"), times are the device's own wall clock without a zone ("2026-03-01T08:00:00"), and
 * whatever is refused is refused with a sentence.
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

/** The devices of each family. */
export interface Profiles {
  /** The first is the usual one. */
  readonly A: 'bg' | 'ro'
  /** The first is the usual one. */
  readonly B: 'b8' | 'b5'
  /** The first is the usual one. */
  readonly C: 'c4' | 'c6' | 'cr'
}

export type FamilyName = keyof Profiles

/** A device to start: `{ family: 'A', profile: 'ro' }`. */
export type PrinterOptions = { readonly [Name in FamilyName]: PrinterOptionsOf<Name> }[FamilyName]

/** A device of one family to start. Everything but the family may be left out. */
export interface PrinterOptionsOf<Name extends FamilyName> {
  /** `A`, `B` or `C`. */
  readonly family: Name
  /** The device of that family: `bg` or `ro` (A), `b8` or `b5` (B), `c4`, `c6` or `cr` (C); the first without. */
  readonly profile?: Profiles[Name]
  /** Imitate particular firmware: `{ zeroPayment: 'refuse' }`; a wrong name is answered with the names there are. */
  readonly switches?: Readonly<Record<string, string>>
  /**
   * The file of a passport (`fiscal-rig passport`): the device is the one that was asked there. Switches of these options
   * win over those of the passport.
   */
  readonly passport?: string
  /**
   * Date and time at which the device's clock begins: `2026-03-01T08:00:00`. It then stands still but for
   * `advance` and for the time that commands take. Without it the device has the time of this computer.
   */
  readonly clock?: string
  /** Of everything random in the faults: a whole number, 0 without. */
  readonly seed?: number
  /** Fault rules that hold from the start. */
  readonly faults?: readonly Rule[]
  /** Programmed in addition to the factory's own articles, or in place of those with the same number. */
  readonly articles?: readonly ArticleOptions[]
  /** In percent by the letter of the tax group: `{ A: '20', B: '9' }`; null switches a group off. */
  readonly taxRates?: Readonly<Record<string, string | number | null>>
  /** False: a device that was never fiscalised, such as many have on the desk. */
  readonly fiscalised?: boolean
  /** A folder in which the device is found again, or `memory` (the default), which keeps nothing. */
  readonly data?: string
  /** Print as slowly as a real device, with its busy answers. Without it commands take no time. */
  readonly realistic?: boolean
  /** True speed of the lines in baud, 8N1; without it bytes pass as fast as they can, whatever speed a program sets. */
  readonly baud?: number
}

/** An article (PLU) to program. */
export interface ArticleOptions {
  /** Its number: 1 and up. */
  readonly plu: number
  /** Printed on the receipt. */
  readonly name: string
  /** 1 to 8, standing for the tax groups A to H. */
  readonly taxCode: number
  /** Decimal text or a number with at most two decimals: `'1.20'`. */
  readonly price: string | number
  /** 0 (the default): none. */
  readonly department?: number
}

/** A fiscal receipt that was closed or cancelled. */
export interface Receipt {
  /** The device's number of the document. */
  readonly number: number
  /** `reversal`: it takes an earlier one back. */
  readonly kind: 'fiscal' | 'invoice' | 'reversal'
  /** What it came to, after all discounts and surcharges. */
  readonly total: string
  /** Sales in their order. What takes a sale back is a row of its own with a negative amount. */
  readonly rows: readonly ReceiptRow[]
  /** In the order of the payments, as they were handed over: change is not taken off. */
  readonly payments: readonly ReceiptPayment[]
  /** When it was closed. */
  readonly at: string
  /** It was ended without a sale: nothing of it is in the sums of the day. */
  readonly cancelled: boolean
}

export interface ReceiptRow {
  /** Name on the receipt. */
  readonly name: string
  /** Of one unit. */
  readonly price: string
  /** With three decimals: `'2.000'`. */
  readonly quantity: string
  /** After the discount or surcharge of the row. */
  readonly amount: string
  /** 1 to 8, standing for the tax groups A to H. */
  readonly taxCode: number
}

export interface ReceiptPayment {
  /** 0 is cash on every family. */
  readonly paymentMode: number
  /** Amount handed over. */
  readonly amount: string
}

/** A fault rule at work. */
export interface Fault {
  /** How often it has struck. */
  readonly hits: number
  /** It strikes no more; twice is fine. */
  remove(): void
}

/** What a listener is told, by the name of the event. */
export interface PrinterEvents {
  /** A document has left the printer. */
  document: DocumentView
  /** A frame, or a single byte, has passed on a line in either direction. */
  frame: FrameView
  /** The lines that the customer display shows now. */
  display: readonly string[]
  /** A fault rule has struck. */
  fault: HitView
}

/** A serialport binding (`@serialport/bindings-interface`) of one device. */
export interface PrinterBinding {
  /** The port of this device, and no other. */
  list(): Promise<PortInfo[]>
  /** Rejects for any path but the device's own, and for a port that is open already. */
  open(options: PortOpenOptions): Promise<BindingPort>
}

export interface PortOpenOptions {
  /** Same as `printer.binding`, or `printer.path`. */
  path: string
  /** Bits a second; means something on a device with a `baud` of its own. */
  baudRate: number
  /** Data bits; all families use 8. */
  dataBits?: 5 | 6 | 7 | 8
  /** Nobody else may open the port; true without. */
  lock?: boolean
  /** Stop bits; all families use 1. */
  stopBits?: 1 | 1.5 | 2
  /** Parity; all families use none. */
  parity?: string
  /** Hardware flow control; not used. */
  rtscts?: boolean
  /** Software flow control of what is written; not used. */
  xon?: boolean
  /** Software flow control of what is read; not used. */
  xoff?: boolean
  /** Any byte lets the output go on; not used. */
  xany?: boolean
  /** Drops DTR when the port is closed; not used. */
  hupcl?: boolean
}

export interface PortInfo {
  /** Path to open. */
  path: string
  /** Not known of an emulated port. */
  manufacturer: string | undefined
  /** Serial number of the device. */
  serialNumber: string | undefined
  /** Not known of an emulated port. */
  pnpId: string | undefined
  /** Not known of an emulated port. */
  locationId: string | undefined
  /** Not known of an emulated port. */
  productId: string | undefined
  /** Not known of an emulated port. */
  vendorId: string | undefined
}

/** An open port of the binding, as `@serialport/stream` uses it. */
export interface BindingPort {
  /** False once it was closed, or the cable was pulled. */
  readonly isOpen: boolean
  /** Options given at opening. */
  readonly openOptions: Required<PortOpenOptions>
  /** Gives the port back; reads that wait reject. */
  close(): Promise<void>
  /** Waits for at least one byte of the device. */
  read(buffer: Buffer, offset: number, length: number): Promise<{ buffer: Buffer; bytesRead: number }>
  /** Hands bytes to the device. */
  write(buffer: Buffer): Promise<void>
  /** Changes the speed; has an effect only on a device with `baud`. */
  update(options: { baudRate: number }): Promise<void>
  /** Control lines; nothing is connected to them. */
  set(options: { brk?: boolean; cts?: boolean; dsr?: boolean; dtr?: boolean; rts?: boolean }): Promise<void>
  /** Control lines; nothing is connected to them. */
  get(): Promise<{ cts: boolean; dsr: boolean; dcd: boolean }>
  /** The speed that was set last. */
  getBaudRate(): Promise<{ baudRate: number }>
  /** Throws away what was received and not read. */
  flush(): Promise<void>
  /** Resolves when everything that was written has been handed over. */
  drain(): Promise<void>
}

// biome-ignore lint/suspicious/noTsIgnore: a project without serialport has an error here, this checkout has none
/** @ts-ignore The package serialport is optional: without it this type is any. */
type ClassOfSerialport = typeof import('serialport').SerialPort

/**
 * serialport's own class on the binding of one device: what a program takes in place of `SerialPort`. In a project that
 * has the package `serialport`, its type is `typeof SerialPort`; elsewhere it is `PrinterSerialPort`.
 */
export type SerialPortClass = [ClassOfSerialport] extends [NoClass] ? PrinterSerialPort : ClassOfSerialport
/** Only any has this member. In a tuple, because a condition on an unresolved type is unresolved itself. */
type NoClass = { readonly isMissing: true }

/** The class `printer.SerialPort`, described without the package `serialport`. */
export interface PrinterSerialPort {
  /** Opens the port of the printer, at once unless `autoOpen` is false. */
  new (options: SerialPortOptions, openCallback?: (problem: Error | null) => void): SerialPortStream
  /** Prototype, for `instanceof` and for subclasses. */
  readonly prototype: SerialPortStream
  /** The port of this device, and no other. */
  list(): Promise<PortInfo[]>
  /** Same as `printer.binding`, or `printer.path`. */
  readonly binding: PrinterBinding
}

/** As serialport's own, without `binding`. */
export interface SerialPortOptions extends PortOpenOptions {
  /** Opens the port at once; true without. */
  autoOpen?: boolean
  /** Of the buffers, in bytes. */
  highWaterMark?: number
  /** The stream ends when the port is closed. */
  endOnClose?: boolean
}

/** An emulated fiscal printer in this process. After `close` every call throws, and every promise rejects. */
export interface Printer extends AsyncDisposable {
  /** `A`, `B` or `C`. */
  readonly family: FamilyName
  /** Its device of that family, such as `bg`. */
  readonly profile: string
  /** Serial number that the device reports. */
  readonly serialNumber: string

  /** A serialport binding on which `path` is this device, and nothing else is. */
  readonly binding: PrinterBinding
  /** Path for `binding` and `SerialPort`; not a file. */
  readonly path: string
  /** serialport's own class over `binding`: what a program takes in place of `SerialPort`. */
  readonly SerialPort: SerialPortClass
  /** Opens a TCP port that speaks the device's wire; 0: any free one. Rejects when the port is taken. */
  listen(options: { readonly port: number; readonly host?: string }): Promise<{ host: string; port: number }>
  /**
   * Makes a pseudo terminal that programs open like a serial port (needs `socat`), with a link to it at this path, which
   * comes back whole. Rejects when socat is missing, or when something that is no link is at the path.
   */
  link(path: string): Promise<string>

  /** The fiscal receipts in the journal, cancelled ones too, oldest first. */
  receipts(): readonly Receipt[]
  /** Everything that was printed, oldest first. */
  documents(): readonly DocumentView[]
  /** The lines of a document by its `id`, as printed. Throws when there is no such document. */
  paper(id: number): string
  /** The same as a picture. */
  paper(id: number, as: 'png'): Promise<Uint8Array>
  /** Renders the paper as SVG. */
  paper(id: number, as: 'svg'): Promise<string>
  /** The lines of the customer display, each as wide as it. */
  readonly display: readonly string[]
  /** The sums since the last Z report. */
  readonly day: DayView
  /** The lines of the electronic journal, oldest first. */
  journal(): readonly JournalLineView[]
  /** The Z reports in the fiscal memory, oldest first. */
  zReports(): readonly ZView[]
  /** The last frames of both directions with their meaning, oldest first: at most 2,000. */
  frames(): readonly FrameView[]

  /** Trouble on command, from now on. Throws for a rule that cannot be, with everything that is wrong with it. */
  fault(rule: Rule): Fault
  /** A roll is put in (`ok`), nearly used up (`low`) or taken out. What waited for paper is printed then. */
  setPaper(state: PaperState): void
  /** Opens or closes the cover; nothing is printed while it is open. */
  setCover(open: boolean): void
  /** Switches the device off or on. What it was printing is finished when it is on again. */
  setPower(on: boolean): void
  /** All lines at once. The promise is fulfilled when pseudo terminals are gone or back too. */
  setCable(connected: boolean): Promise<void>
  /** Moves the device's clock on by an ISO 8601 duration: `PT24H`. Throws when the device does not take the time. */
  advance(duration: string): void
  /** The whole state as one JSON document. */
  snapshot(): Snapshot
  /** Takes the state of this or another printer of the same family and profile. Throws, and changes nothing, else. */
  restore(state: Snapshot): void
  /**
   * A new, fiscalised device with the articles, tax rates and fault rules of the start, switched on and with paper. Its
   * clock goes on.
   */
  reset(): void

  /**
   * The next document that is printed from now on. Rejects with what is open instead when nothing was printed within so
   * many milliseconds of real time (5,000 without), and when the printer is closed.
   */
  nextDocument(options?: { readonly within?: number }): Promise<DocumentView>
  /** Calls the listener from now on, after what has happened is done; what is returned ends it. */
  on<Name extends keyof PrinterEvents>(event: Name, listener: (what: PrinterEvents[Name]) => void): () => void
  /** Ends ports, services over it and everything else; twice is fine. */
  close(): Promise<void>
}

export interface ServiceOptions {
  /** Of `startPrinter`. */
  readonly printer: Printer
  /** Of HTTP; 0 (the default): any free one. */
  readonly port?: number
  /** An HTTPS port too, with a certificate made for the life of this service. */
  readonly https?: boolean
  /** Of HTTPS; 0 (the default): any free one. */
  readonly httpsPort?: number
  /** How long the service waits for its device; without, as the protocol of the family says. */
  readonly device?: DeviceWaits
}

/** Times of a driver in milliseconds, 10 to 600,000. Short ones keep a test of a silent device short. */
export interface DeviceWaits {
  /** Time from the end of a command to the first byte of an answer. */
  readonly firstAnswerMs?: number
  /** Between the bytes of an answer, and between two words of a device that says that it works. */
  readonly gapMs?: number
  /** The whole of one command, with all that it prints. */
  readonly documentMs?: number
}

/** The REST service over a printer, on loopback. Nothing of it outlives `close`. */
export interface Service extends AsyncDisposable {
  /** With `/api`: `http://127.0.0.1:40123/api`. */
  readonly url: string
  /** With `/api`; undefined without HTTPS. */
  readonly https: string | undefined
  /** PEM of the authority that made the certificate; undefined without HTTPS. */
  readonly ca: string | undefined
  /** Ends the requests under way; twice is fine. The printer stays. */
  close(): Promise<void>
}
