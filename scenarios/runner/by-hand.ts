/** What a person does to a device that nobody else can touch, in words for the terminal. */
import type { CallInput, CallName } from '../../emulator/panel/contract.ts'
import { shown } from './match.ts'

type Post = Extract<CallName, `POST ${string}`>
type Body<Name extends Post> = CallInput<Name> extends { readonly body?: infer Given } ? NonNullable<Given> : never

const WORDS: { readonly [Name in Post]?: (body: Body<Name>) => string } = {
  'POST /emulator/paper': ({ state }) =>
    ({ ok: 'put the paper in', low: 'put in a roll that is near its end', out: 'take the paper out' })[state],
  'POST /emulator/cover': ({ open }) => (open ? 'open the cover' : 'close the cover'),
  'POST /emulator/power': ({ on }) => `switch the device ${on ? 'on' : 'off'}`,
  'POST /emulator/cable': ({ connected }) => (connected ? 'put the cable back' : 'pull the cable out'),
  'POST /emulator/clock': (change) =>
    'set' in change ? `set the device's clock to ${change.set}` : `set the device's clock ${change.advance} ahead`,
  'POST /emulator/articles': (articles) =>
    `program ${articles
      .map(({ plu, name, taxCode, price }) => `article ${plu} ${shown(name)}, tax group ${taxCode}, price ${price}`)
      .join('; ')}`,
}

/** `take the paper out`; undefined: no hand can do it. */
export const handWords = <Name extends Post>(name: Name, body: unknown): string | undefined =>
  (WORDS[name] as ((body: unknown) => string) | undefined)?.(body)
