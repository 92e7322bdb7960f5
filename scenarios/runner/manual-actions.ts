import { formatMoney } from '../../drivers/model/money.ts'
import { durationMs } from '../../drivers/model/time-text.ts'
import type { CallInput, CallName } from '../../emulator/panel/contract.ts'
import { formatValue, hundredths } from './match.ts'

type Post = Extract<CallName, `POST ${string}`>
type Body<Name extends Post> = CallInput<Name> extends { readonly body?: infer Given } ? NonNullable<Given> : never

function span(duration: string): string {
  const seconds = Math.round((durationMs(duration) ?? 0) / 1000)
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const
  return parts.flatMap(([count, unit]) => (count > 0 ? [`${count} ${unit}`] : [])).join(' ') || '0 s'
}

const amount = (price: unknown): string => {
  const value = hundredths(price)
  return value === undefined ? String(price) : formatMoney(value)
}

const WORDS: { readonly [Name in Post]?: (body: Body<Name>) => string } = {
  'POST /emulator/paper': ({ state }) =>
    ({ ok: 'put the paper in', low: 'put in a roll that is near its end', out: 'take the paper out' })[state],
  'POST /emulator/cover': ({ open }) => (open ? 'open the cover' : 'close the cover'),
  'POST /emulator/power': ({ on }) => `switch the device ${on ? 'on' : 'off'}`,
  'POST /emulator/cable': ({ connected }) => (connected ? 'put the cable back' : 'pull the cable out'),
  'POST /emulator/clock'(change) {
    if ('lost' in change) return "let the device's clock be lost"
    return 'set' in change
      ? `set the device's clock to ${change.set}`
      : `set the device's clock ${span(change.advance)} ahead`
  },
  'POST /emulator/articles': (articles) =>
    `program ${articles
      .map(
        ({ plu, name, taxCode, price }) =>
          `article ${plu} ${formatValue(name)}, tax group ${taxCode}, price ${amount(price)}`,
      )
      .join('; ')}`,
}

/** Returns an instruction such as `take the paper out`, or `undefined` if a person cannot perform the call. */
export const manualActionText = <Name extends Post>(name: Name, body: unknown): string | undefined =>
  (WORDS[name] as ((body: unknown) => string) | undefined)?.(body)
