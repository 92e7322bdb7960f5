/**
 * The configuration (decisions 7): a JSON or YAML file, checked as a whole. Options of the command line take
 * precedence. Each problem is one line: `FILE: path: expected ...`.
 */
import { existsSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import type { z } from 'zod'
import { ForeignFileError, HAND_WRITTEN_MAX_BYTES, readForeignFile } from '../drivers/host/foreign-file.ts'
import { LOOPBACK } from '../drivers/host/server-access.ts'
import { FAMILIES, type Waits } from '../drivers/index.ts'
import type { Family } from '../drivers/model/families.ts'
import type { Percent } from '../drivers/model/money.ts'
import { omitUndefined } from '../drivers/model/omit-undefined.ts'
import { type ConfigFile, configFile, configFileOf, type PlatformConfig, type Secret } from './config-schema.ts'
import { pathText, type ServiceFacts } from './endpoint.ts'

export interface Settings {
  readonly family: Family
  /** True if the file or the command line names the family. Otherwise `family` is the first one. */
  readonly isFamilyNamed: boolean
  readonly device: string
  readonly waits: Waits
  readonly profile: string | undefined
  readonly baud: number | undefined
  /** An absolute path, `memory`, or `undefined` for the user's default folder. */
  readonly data: string | undefined
  readonly listen: {
    readonly host: string
    readonly httpPort: number
    readonly httpsPort: number
    readonly panelPort: number
    readonly panelHost: string
    /** True if the service opens the HTTPS port. Without `tls`, it also creates the certificate. */
    readonly https: boolean
    /** True if clients on other machines may print without an API key. */
    readonly open: boolean
    readonly hosts: readonly string[]
    readonly origins: readonly string[]
  }
  readonly tls: { readonly certificate: string; readonly key: string } | undefined
  readonly apiKey: string | undefined
  readonly defaults: ServiceFacts['defaults']
  readonly operators: Readonly<Record<string, { readonly password: string }>>
  readonly payments: Readonly<Record<number, string>> | undefined
  /** Tax rates of the emulated device by letter, in hundredths of a percent. */
  readonly taxRates: Readonly<Record<string, Percent>> | undefined
  readonly legacy: { readonly plu: readonly { name?: string; taxCode?: number; plu: number }[] }
  readonly platform:
    | (Omit<PlatformConfig, PlatformSecretName> & { readonly [K in PlatformSecretName]?: string })
    | undefined
  /** Sources of secrets by their path in the file. A secret whose text is in the file has none. */
  readonly references: ReadonlyMap<string, SecretReference>
}

type SecretReference = Exclude<Secret, string>

type PlatformSecretName = 'clientId' | 'clientSecret' | 'previousClientSecret'

/** Options of the command line. `undefined` means the value of the file. */
export interface Overrides {
  readonly family?: Family | undefined
  readonly device?: string | undefined
  readonly profile?: string | undefined
  readonly baud?: number | undefined
  readonly data?: string | undefined
  readonly host?: string | undefined
  readonly httpPort?: number | undefined
  readonly httpsPort?: number | undefined
  readonly panelPort?: number | undefined
  readonly panelHost?: string | undefined
  readonly name?: readonly string[] | undefined
  readonly https?: boolean | undefined
  readonly open?: boolean | undefined
}

const LINES_MAX = 50

/** The message has one line per problem, at most `LINES_MAX`; `lines` has all. */
export class ConfigError extends Error {
  readonly lines: readonly string[]
  constructor(lines: readonly string[]) {
    const rest = lines.length - LINES_MAX
    super([...lines.slice(0, LINES_MAX), ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n'))
    this.lines = lines
  }
}

export const DEFAULT_LISTEN = {
  host: LOOPBACK,
  httpPort: 65400,
  httpsPort: 65401,
  panelPort: 65402,
  panelHost: LOOPBACK,
} as const
const DEFAULT_FILES = ['fiscal-rig.yaml', 'fiscal-rig.json']

/**
 * Loads the settings. Without `file` (the value of `--config`), uses the first default file in the folder, if any.
 * `families`: the allowed families, the default one first. Throws ConfigError.
 */
export async function loadSettings(
  file: string | undefined,
  overrides: Overrides = {},
  folder: string = process.cwd(),
  families: readonly Family[] = FAMILIES,
): Promise<Settings> {
  const chosen = file ?? DEFAULT_FILES.find((name) => existsSync(resolve(folder, name)))
  if (chosen === undefined) return settingsOf({}, overrides, folder, families)
  const content = await readConfig(chosen, resolve(folder, chosen))
  const result = schemaFor(families).safeParse(content)
  if (!result.success) throw new ConfigError(result.error.issues.flatMap((issue) => linesOf(chosen, issue)))
  const resolver = new Resolver(chosen, dirname(resolve(folder, chosen)))
  const settings = settled(result.data, overrides, resolver, families)
  if (resolver.problems.length > 0) throw new ConfigError(resolver.problems)
  return settings
}

export const settingsOf = (
  members: unknown,
  overrides: Overrides = {},
  folder: string = process.cwd(),
  families: readonly Family[] = FAMILIES,
): Settings => settled(schemaFor(families).parse(members), overrides, new Resolver('', folder), families)

const schemaFor = (families: readonly Family[]) => (families === FAMILIES ? configFile : configFileOf(families))

async function readConfig(displayPath: string, path: string): Promise<unknown> {
  const { DataSyntaxError, readDataFile } = await import('../drivers/host/yaml-file.ts')
  try {
    return readDataFile(path) ?? {}
  } catch (error) {
    if (error instanceof ForeignFileError)
      throw new ConfigError([`${displayPath}: expected a readable file: ${error.why}`])
    if (error instanceof DataSyntaxError) throw new ConfigError([`${displayPath}: ${error.message}`])
    throw error
  }
}

function linesOf(file: string, issue: z.core.$ZodIssue): string[] {
  const path = pathText(issue.path)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${file}: ${pathText([...issue.path, key])}: ${issue.message}`)
  }
  return [`${file}: ${path === '' ? '' : `${path}: `}${issue.message}`]
}

class Resolver {
  readonly problems: string[] = []
  readonly references = new Map<string, SecretReference>()
  readonly #file: string
  readonly #folder: string

  constructor(file: string, folder: string) {
    this.#file = file
    this.#folder = folder
  }

  path(name: string): string {
    return isAbsolute(name) ? name : resolve(this.#folder, name)
  }

  existing(name: string, at: string): string {
    const path = this.path(name)
    try {
      readForeignFile(path, { maxBytes: HAND_WRITTEN_MAX_BYTES })
    } catch (error) {
      if (!(error instanceof ForeignFileError)) throw error
      this.problems.push(`${this.#file}: ${at}: expected a readable file, not ${name}: ${error.why}`)
    }
    return path
  }

  reportIssue(at: string, problem: string): void {
    this.problems.push(`${this.#file}: ${at}: ${problem}`)
  }

  secret(secret: Secret, at: string): string {
    if (typeof secret === 'string') return secret
    this.references.set(at, 'file' in secret ? { file: this.path(secret.file) } : secret)
    if ('env' in secret) {
      const value = process.env[secret.env]
      if (value === undefined || value === '') {
        this.problems.push(`${this.#file}: ${at}.env: expected the environment variable ${secret.env} to be set`)
      }
      return value ?? ''
    }
    try {
      return readForeignFile(this.path(secret.file), { maxBytes: HAND_WRITTEN_MAX_BYTES }).replace(/\r?\n$/, '')
    } catch (error) {
      if (!(error instanceof ForeignFileError)) throw error
      this.problems.push(`${this.#file}: ${at}.file: expected a readable file, not ${secret.file}: ${error.why}`)
      return ''
    }
  }
}

function settled(file: ConfigFile, over: Overrides, resolver: Resolver, families: readonly Family[]): Settings {
  const { family: fileFamily = families[0] as Family } = file
  const family = over.family ?? fileFamily
  const secret = (value: Secret | undefined, at: string) =>
    value === undefined ? undefined : resolver.secret(value, at)
  const password = secret(file.defaults?.password, 'defaults.password')
  const device: Exclude<ConfigFile['device'], string | undefined> =
    typeof file.device === 'string' ? { address: file.device } : (file.device ?? {})
  const { address, ...waits } = device
  const data = over.data ?? (file.data === undefined || file.data === 'memory' ? file.data : resolver.path(file.data))
  return {
    family,
    isFamilyNamed: (over.family ?? file.family) !== undefined,
    device: over.device ?? address ?? 'emulator',
    waits: omitUndefined(waits),
    // The profile in the file belongs to the family in the file.
    profile: over.profile ?? (family === fileFamily ? file.profile : undefined),
    baud: over.baud ?? file.baud,
    data,
    listen: {
      host: over.host ?? file.listen?.host ?? DEFAULT_LISTEN.host,
      httpPort: over.httpPort ?? file.listen?.httpPort ?? DEFAULT_LISTEN.httpPort,
      httpsPort: over.httpsPort ?? file.listen?.httpsPort ?? DEFAULT_LISTEN.httpsPort,
      panelPort: over.panelPort ?? file.listen?.panelPort ?? DEFAULT_LISTEN.panelPort,
      panelHost: over.panelHost ?? file.listen?.panelHost ?? DEFAULT_LISTEN.panelHost,
      // `--no-https` results in false. Without the option, the value is undefined.
      https: over.https !== false && (file.listen?.https ?? true),
      open: over.open ?? file.listen?.open ?? false,
      hosts: [...(file.listen?.hosts ?? []), ...(over.name ?? [])],
      origins: file.listen?.origins ?? [],
    },
    tls: file.tls && {
      certificate: resolver.existing(file.tls.certificate, 'tls.certificate'),
      key: resolver.existing(file.tls.key, 'tls.key'),
    },
    apiKey: secret(file.apiKey, 'apiKey'),
    defaults: {
      operator: file.defaults?.operator ?? 1,
      pointOfSale: file.defaults?.pointOfSale ?? 1,
      ...(password !== undefined && { password }),
      ...(file.defaults?.customer && {
        customer: { taxNumber: '', name: '', address: '', ...omitUndefined(file.defaults.customer) },
      }),
    },
    operators: Object.fromEntries(
      Object.entries(file.operators ?? {}).map(([code, operator]) => [
        code,
        { password: resolver.secret(operator.password, `operators.${code}.password`) },
      ]),
    ),
    payments: file.payments,
    taxRates: file.taxRates,
    legacy: { plu: (file.legacy?.plu ?? []) as Settings['legacy']['plu'] },
    platform: file.platform && platformOf(file.platform, resolver),
    references: resolver.references,
  }
}

function platformOf(platform: PlatformConfig, resolver: Resolver): Settings['platform'] {
  const { clientId, clientSecret, previousClientSecret, ...rest } = platform
  if (rest.mapping.currency === undefined) {
    resolver.reportIssue('platform.mapping.currency', 'expected the currency that the device prints, such as RON')
  }
  const secrets = Object.entries({ clientId, clientSecret, previousClientSecret }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, resolver.secret(value, `platform.${name}`)] as const],
  )
  return {
    ...rest,
    mapping: { ...rest.mapping, ...operatorOf(rest.mapping, resolver) },
    ...(Object.fromEntries(secrets) as { [K in PlatformSecretName]?: string }),
  }
}

function operatorOf(
  { operator }: PlatformConfig['mapping'],
  resolver: Resolver,
): Pick<PlatformConfig['mapping'], 'operator'> {
  if (operator?.OperatorPassword === undefined) return {}
  const password = resolver.secret(operator.OperatorPassword, 'platform.mapping.operator.OperatorPassword')
  return { operator: { ...operator, OperatorPassword: password } }
}
