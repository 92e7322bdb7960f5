/** `fiscal-rig mock-platform`: emulates the order platform, to test the printing of orders without the platform. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { tcpPortTrouble } from '../../drivers/host/server-access.ts'
import { shellWord } from '../../drivers/host/shell-command.ts'
import { countText } from '../../drivers/model/count-text.ts'
import { messageOf } from '../../drivers/model/errors.ts'
import { type MockPlatform, startMockPlatform } from '../../scenarios/mock-platform/mock-platform.ts'
import { readOrders, type StoredOrder } from '../../scenarios/mock-platform/orders.ts'
import { DEFAULT_PROFILE, DEMO_SHOP } from '../../scenarios/mock-platform/profile.ts'
import { EXIT_ENVIRONMENT, EXIT_USAGE, Exit, readJsonInput, StartedParts, untilSignal } from '../exit.ts'
import { settingsFrom } from '../options.ts'
import { say } from '../terminal-output.ts'

interface MockPlatformCommandOptions {
  readonly port?: number
  readonly orders?: string
  readonly config?: string
  /** Signs tokens with the secret of the configuration, so that the configured service accepts them. */
  readonly useConfigSecret?: boolean
  readonly json?: boolean
}

const DEFAULT_PORT = 4010

export async function mockPlatform(options: MockPlatformCommandOptions): Promise<void> {
  const orders = readOrderFile(options.orders ?? builtInOrders())
  const profile = await profileFrom(options)
  const started = new StartedParts()
  let running: MockPlatform
  const { port = DEFAULT_PORT } = options
  try {
    running = await startMockPlatform(port, { orders, profile })
  } catch (error) {
    const why = tcpPortTrouble(error, { port, option: '--port' })
    throw new Exit(
      EXIT_ENVIRONMENT,
      why ?? `Port ${port} cannot be opened: ${messageOf(error)}. Choose another with --port.`,
    )
  }
  started.add(() => running.close())
  const ready = {
    url: running.url,
    token: `${running.url}/mock-platform/token`,
    shop: `${DEMO_SHOP}.${running.profile.shopSuffix}`,
    orders: orders.map(({ id }) => id),
    pid: process.pid,
  }
  say(options.json ? `${JSON.stringify(ready)}\n` : greeting(running, ready.shop, orders))
  await untilSignal(started)
}

/** The file is two folders up in a checkout, three up from `dist/bin/commands`. */
function builtInOrders(): string {
  const file = [join('..', '..'), join('..', '..', '..')]
    .map((up) => join(import.meta.dirname, up, 'fixtures', 'orders', 'cases.json'))
    .find((path) => existsSync(path))
  if (file === undefined)
    throw new Exit(EXIT_ENVIRONMENT, 'The orders that come with the program are missing; give --orders FILE.')
  return file
}

function readOrderFile(path: string): readonly StoredOrder[] {
  const orders = readJsonInput(path)
  try {
    return readOrders(orders)
  } catch (error) {
    throw new Exit(EXIT_USAGE, `${path}: ${messageOf(error)}`)
  }
}

/**
 * Without --use-config-secret, tokens are signed with another secret than the configured one, whose tokens would also
 * open the orders of the real shop.
 */
async function profileFrom({ config, useConfigSecret = false }: MockPlatformCommandOptions) {
  const { platform } = await settingsFrom(config, {})
  if (!platform) return {}
  const { gidNamespace, shopSuffix, clientId, clientSecret, accessTokenHeader, tokenTypePrefix } = platform
  return {
    gidNamespace,
    accessTokenHeader,
    tokenTypePrefix,
    versionHeader: accessTokenHeader.replace(/Access-Token$/i, 'API-Version'),
    shopSuffix: shopSuffix ?? DEFAULT_PROFILE.shopSuffix,
    clientId: clientId ?? DEFAULT_PROFILE.clientId,
    clientSecret: (useConfigSecret ? clientSecret : undefined) ?? DEFAULT_PROFILE.clientSecret,
  }
}

const NEW_ORDER = '{"id": "7001", "lines": [{"title": "Towel", "price": "40.00", "units": 3, "rate": "21.00"}]}'

function greeting({ url, profile }: MockPlatform, shop: string, orders: readonly StoredOrder[]): string {
  const isOwn = profile.clientSecret === DEFAULT_PROFILE.clientSecret
  const first = encodeURIComponent(orders[0]?.id ?? 'ORDER')
  const address = shellWord(`http://127.0.0.1:65400/api/print-platform-order/${first}`)
  return [
    `fiscal-rig emulates the order platform at ${url}, ${countText(orders.length, 'order')}, shop ${shop}.`,
    `  Token   ${url}/mock-platform/token   (one minute; ?wrong=expired and others for bad ones)`,
    `  Orders  ${url}/mock-platform/orders   (POST creates one, POST to /mock-platform/orders/ID changes it)`,
    `  Log     ${url}/mock-platform/log`,
    '',
    'In the configuration of the service:',
    '  platform:',
    `    baseUrl: "${url}/{shop}"`,
    `    shopSuffix: ${profile.shopSuffix}`,
    `    clientId: ${profile.clientId}`,
    `    clientSecret: ${isOwn ? DEFAULT_PROFILE.clientSecret : '...'}`,
    '    mapping: {currency: RON, ...}   (fixtures/orders/mock-platform.yaml has a whole one)',
    'Print an order:',
    `  curl -X POST -H "Authorization: Bearer $(curl -s ${url}/mock-platform/token)" ${address}`,
    '',
    'Create one:',
    `  curl -X POST ${url}/mock-platform/orders -d '${NEW_ORDER}'`,
    '',
    'Made from documentation and public client code, not from recordings of the live platform. End with Ctrl+C.',
    '',
  ].join('\n')
}
