import { catalogueOf } from '../../drivers/family-b/protocol/index.ts'
import { codePage } from '../../drivers/wire/charset.ts'
import type { AnyCommand } from '../../drivers/wire/command.ts'

export const page = codePage('cp1251')

export function commandOf(code: number): AnyCommand {
  const found = catalogueOf('b8').find(code, '')
  if (!found) throw new Error(`no command ${code}`)
  return found
}
