export interface MockPlatformProfile {
  readonly gidNamespace: string
  readonly shopSuffix: string
  readonly clientId: string
  readonly clientSecret: string
  readonly accessTokenHeader: string
  readonly versionHeader: string
  readonly tokenTypePrefix: string
  /** Supported versions, oldest first. Older versions are answered as the first. */
  readonly versions: readonly string[]
}

const quarters = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => index + from).flatMap((year) =>
    ['01', '04', '07', '10'].map((month) => `${year}-${month}`),
  )

export const DEFAULT_PROFILE: MockPlatformProfile = {
  gidNamespace: 'platform',
  shopSuffix: 'myshop.example',
  clientId: 'fiscal-rig-demo',
  clientSecret: 'a-secret-for-demonstrations-only',
  accessTokenHeader: 'X-Platform-Access-Token',
  versionHeader: 'X-Platform-API-Version',
  tokenTypePrefix: 'urn:platform:params:oauth:token-type:',
  versions: quarters(2024, 2026),
}

/** Returns `undefined` for an unknown version. A retired version is answered by the oldest supported one. */
export function versionFor({ versions }: MockPlatformProfile, name: string): string | undefined {
  if (versions.includes(name)) return name
  const [oldest] = versions
  const isRetired = /^20\d\d-(01|04|07|10)$/.test(name) && oldest !== undefined && name < oldest
  return isRetired ? oldest : undefined
}

export const GRANT_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token'
export const DEMO_SHOP = 'demo'
