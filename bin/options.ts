/** Options that several commands share, parsed strictly: an impossible value is wrong usage (exit status 2). */
import { InvalidArgumentError, Option } from 'commander'
import { describeFirstSpeeds, FAMILIES } from '../drivers/families.ts'
import { WAIT_MAX_MS, WAIT_MIN_MS, WAIT_NAMES, type Waits } from '../drivers/family.ts'
import type { Family } from '../drivers/model/families.ts'
import { ConfigError, DEFAULT_LISTEN, loadSettings, type Overrides, type Settings } from '../server/config.ts'
import { type DataFolder, DataFolderError, defaultDataFolder, openDataFolder } from '../server/data-folder.ts'
import { EXIT_ENVIRONMENT, EXIT_USAGE, Exit, writePrivately } from './exit.ts'

export function parseWholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new InvalidArgumentError(`Must be a whole number between ${min} and ${max}.`)
  }
}

const port = parseWholeNumber(0, 65_535)
export const baud = parseWholeNumber(300, 4_000_000)

/** Rejects an empty text, for example because of an unset shell variable. */
export function nonEmpty(text: string): string {
  if (text.trim() !== '') return text
  throw new InvalidArgumentError('Must not be empty.')
}

export function namedSwitch(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, name, value] = /^(\w+)=(.*)$/.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('Must have the form NAME=VALUE, with a NAME of letters and digits.')
  return { ...before, [name]: value }
}

export function namedWait(text: string, before: Waits = {}): Waits {
  const [, name, value] = /^(\w+)=(\d+)$/.exec(text) ?? []
  const waitName = WAIT_NAMES.find((one) => one === name)
  const ms = Number(value)
  if (waitName === undefined || !(ms >= WAIT_MIN_MS && ms <= WAIT_MAX_MS))
    throw new InvalidArgumentError(
      `Expected NAME=MS: ${WAIT_NAMES.join(', ')}, ${WAIT_MIN_MS} to ${WAIT_MAX_MS} milliseconds.`,
    )
  return { ...before, [waitName]: ms }
}

function family(text: string): Family {
  const match = FAMILIES.find((one) => one === text.toUpperCase())
  if (match) return match
  throw new InvalidArgumentError(`Must be one of ${FAMILIES.join(', ')}.`)
}

function families(text: string): readonly Family[] {
  const names = text
    .toUpperCase()
    .split(',')
    .map((one) => one.trim())
  const matches = FAMILIES.filter((family) => names.includes(family))
  if (matches.length === new Set(names).size) return matches
  throw new InvalidArgumentError(`Must be one or more of ${FAMILIES.join(', ')}, such as A or A,C.`)
}

export const familiesOption = (what: string) => new Option(`--family <${FAMILIES.join()}>`, what).argParser(families)
export const familyOption = (what = 'device family') =>
  new Option(`--family <${FAMILIES.join('|')}>`, what).argParser(family)
export const portOption = (flag: string, what: string) => fixedPortOption(flag, `${what}; 0 picks a free port`)
export const fixedPortOption = (flag: string, what: string) => new Option(`${flag} <N>`, what).argParser(port)
export const countOption = (flag: string, what: string) =>
  new Option(`${flag} <N>`, what).argParser(parseWholeNumber(1, 999_999_999))
/** Upper limit; more threads than cores only cost memory. */
const CORES_MAX = 1024
export const coresOption = (what: string) => new Option('--cores <N>', what).argParser(parseWholeNumber(1, CORES_MAX))
const SEED_MAX = 2_147_483_647
export const seedOption = (what = 'random seed') =>
  new Option('--seed <N>', what).argParser(parseWholeNumber(0, SEED_MAX)).default(0)
export const baudOption = (what = `serial line speed (default: ${describeFirstSpeeds()})`) =>
  new Option('--baud <N>', what).argParser(baud)
export const millisecondsOption = (flag: string, what: string) =>
  new Option(`${flag} <N>`, what).argParser(parseWholeNumber(0, 600_000))
const OWN_FOLDER = "that of the configuration, otherwise the user's data folder"
export const dataOption = (what = `data folder, or "memory" to store nothing on disk (default: ${OWN_FOLDER})`) =>
  new Option('--data <DIR>', what).argParser(nonEmpty)
export const fleetDataOption = () =>
  dataOption(`data folder, or "memory" to store nothing on disk (default: ${OWN_FOLDER}, or memory for a fleet)`)
export const configOption = () =>
  new Option(
    '--config <FILE>',
    'configuration file, .json or .yaml (default: fiscal-rig.yaml or fiscal-rig.json in the current folder, if present)',
  )
export const jsonOption = () => new Option('--json', 'print one line of JSON when ready')
function hostName(text: string, before: readonly string[] = []): readonly string[] {
  if (/^[\w.:-]+$/.test(text)) return [...before, text]
  throw new InvalidArgumentError('Expected a host name or address, without protocol, path and spaces.')
}

export const hostOption = (what: string) => new Option('--host <ADDR>', `${what} (default: loopback)`)
export const panelPortOption = (what: string) =>
  portOption('--panel-port', `${what} (default: ${DEFAULT_LISTEN.panelPort}, or a free port if it is in use)`)
export const panelHostOption = () =>
  new Option('--panel-host <ADDR>', "address of the emulated device's control panel (default: loopback)")
export const nameOption = () =>
  new Option('--name <HOST>', 'host name by which other machines call this one; may be repeated').argParser(hostName)
export const openOption = (what: string) => new Option('--open', what)

export const deviceNameOption = () =>
  new Option(
    '--device-name <NAME>',
    'name of the emulated device; lets one data folder hold several devices of the same profile',
  )
export const notFiscalisedOption = () =>
  new Option(
    '--not-fiscalised',
    'emulate a new device that was never fiscalised; it prints training slips or nothing, instead of fiscal receipts',
  )
export const serialOption = () =>
  new Option(
    '--serial <TEXT>',
    'serial number of a new emulated device (default: random; without a data folder, that of the profile)',
  ).argParser(nonEmpty)

/** Throws Exit with status 2 and one line per problem. */
export async function settingsFrom(file: string | undefined, overrides: Overrides): Promise<Settings> {
  try {
    return await loadSettings(file, overrides)
  } catch (error) {
    if (error instanceof ConfigError) throw new Exit(EXIT_USAGE, error.message)
    throw error
  }
}

/**
 * Opens and locks the data folder. Throws Exit with status 3 if the folder cannot be used, for example because another
 * process uses it.
 */
export function dataFolderOf(settings: Pick<Settings, 'data'>, command: string): DataFolder {
  writePrivately()
  try {
    return openDataFolder(settings.data ?? defaultDataFolder(), command)
  } catch (error) {
    if (error instanceof DataFolderError) throw new Exit(EXIT_ENVIRONMENT, error.message)
    throw error
  }
}
