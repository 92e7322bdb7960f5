import { codePage } from '../../../../drivers/wire/charset.ts'
import { catalogue, type RequestOf, type ResponseOf } from '../../../../drivers/wire/command.ts'
import { commands } from './commands.ts'

export const commandsD = catalogue(commands)
export const page = codePage('windows-1251')

export type Commands = (typeof commandsD)['byName']
export type CommandName = keyof Commands
export type Requests = { readonly [Name in CommandName]: RequestOf<Commands[Name]> }
export type Responses = { readonly [Name in CommandName]: ResponseOf<Commands[Name]> }
