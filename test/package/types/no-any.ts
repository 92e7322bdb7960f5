/** No member of the library has type any, at any depth: `AnyIn` must be `never`. */
import type {
  BindingPort,
  PortOpenOptions,
  Printer,
  PrinterOptions,
  PrinterSerialPort,
  Rule,
  Service,
  ServiceOptions,
  startPrinter,
  startService,
} from 'fiscal-rig'
import type { matchers } from 'fiscal-rig/matchers'

type Levels = readonly [never, 0, 1, 2, 3, 4, 5, 6]
type Less<Level extends number> = Levels[Level]

/** Types of Node and of serialport, which contain any. */
type OfOthers = Uint8Array | NodeJS.EventEmitter | (abstract new (...args: never[]) => unknown)

/** A member that no other type has. In a tuple, this check finds unresolved types as well. */
type OnlyAny = { readonly isOnlyInAny: true }

/** The names of the members that lead to any, down to this number of levels, or `never` if there is none. */
type AnyIn<Type, Name, Level extends number = 7> = [Level] extends [never]
  ? never
  : [Type] extends [never]
    ? never
    : [Type] extends [OnlyAny]
      ? Name
      : Type extends OfOthers
        ? never
        : Type extends (...args: infer Given) => infer Returned
          ? AnyIn<Given, Name, Less<Level>> | AnyIn<Returned, Name, Less<Level>>
          : Type extends readonly (infer Item)[]
            ? AnyIn<Item, Name, Less<Level>>
            : Type extends Promise<infer Value>
              ? AnyIn<Value, Name, Less<Level>>
              : Type extends object
                ? {
                    [Key in keyof Type]-?: AnyIn<Type[Key], `${Name & string}.${Key & string}`, Less<Level>>
                  }[keyof Type]
                : never

type NoAny<Name extends never> = Name

export type Checked = [
  NoAny<AnyIn<typeof startPrinter, 'startPrinter'>>,
  NoAny<AnyIn<typeof startService, 'startService'>>,
  NoAny<AnyIn<typeof matchers, 'matchers'>>,
  NoAny<AnyIn<Printer, 'printer'>>,
  NoAny<AnyIn<PrinterOptions, 'options'>>,
  NoAny<AnyIn<Rule, 'rule'>>,
  NoAny<AnyIn<Service, 'service'>>,
  NoAny<AnyIn<ServiceOptions, 'serviceOptions'>>,
  NoAny<AnyIn<BindingPort, 'port'>>,
  NoAny<AnyIn<PortOpenOptions, 'portOptions'>>,
  NoAny<AnyIn<ConstructorParameters<PrinterSerialPort>, 'SerialPort'>>,
  NoAny<AnyIn<Pick<PrinterSerialPort, 'binding' | 'list'>, 'SerialPort'>>,
]

// @ts-expect-error the check finds any three levels down
export type Noticed = NoAny<AnyIn<{ a: () => readonly { b: ReturnType<typeof JSON.parse> }[] }, 'noticed'>>
