import { trimEndOf } from '../../drivers/model/trim-end.ts'
import type { Settings } from '../config.ts'
import type { PlatformConfig } from '../config-schema.ts'

/**
 * All names that belong to the platform, from the configuration (decisions 7): the word in the path, the namespace of
 * its global ids, its headers and token types, the form of its addresses. No other file contains such a name.
 */
export interface PlatformProfile {
  readonly word: string
  readonly gidNamespace: string
  readonly arrangement: 'direct' | 'relay'
  readonly allowedShops: readonly string[]
  readonly shopSuffix: string | undefined
  readonly clientId: string | undefined
  readonly clientSecrets: readonly string[]
  readonly apiVersion: string
  readonly accessTokenHeader: string
  readonly versionHeader: string
  readonly subjectTokenType: string
  readonly requestedTokenType: string
  readonly grantType: string
  readonly clockToleranceS: number
  readonly timeoutS: number
  /** Returns the base address of a shop. `host` must be verified. */
  shopUrl(host: string): string
  orderGid(orderId: string): string
}

export const DEFAULT_WORD = 'platform'

/**
 * Returns `undefined` if a value that is needed to query the platform is missing. The service then answers requests
 * with 400.
 */
export function profileOf(platform: Settings['platform']): PlatformProfile | undefined {
  if (!platform) return undefined
  const { clientId, clientSecret, previousClientSecret, shopSuffix, allowedShops, arrangement, baseUrl } = platform
  if (shopSuffix === undefined && allowedShops.length === 0) return undefined
  if (arrangement === 'direct' && (!clientId || !clientSecret)) return undefined
  return {
    ...names(platform),
    arrangement,
    allowedShops: allowedShops.map((shop) => shop.toLowerCase()),
    shopSuffix: shopSuffix?.toLowerCase().replace(/^\./, ''),
    clientId,
    clientSecrets: [clientSecret, previousClientSecret].flatMap((secret) => (secret ? [secret] : [])),
    clockToleranceS: platform.clockToleranceS,
    timeoutS: platform.timeoutS,
    shopUrl: (host) => trimEndOf(baseUrl.replaceAll('{shop}', host), '/'),
  }
}

function names(
  platform: Pick<PlatformConfig, 'word' | 'gidNamespace' | 'apiVersion' | 'accessTokenHeader' | 'tokenTypePrefix'>,
) {
  const { word, gidNamespace, apiVersion, accessTokenHeader, tokenTypePrefix } = platform
  return {
    word,
    gidNamespace,
    apiVersion,
    accessTokenHeader,
    versionHeader: accessTokenHeader.replace(/Access-Token$/i, 'API-Version'),
    subjectTokenType: 'urn:ietf:params:oauth:token-type:id_token',
    requestedTokenType: `${tokenTypePrefix}online-access-token`,
    grantType: 'urn:ietf:params:oauth:grant-type:token-exchange',
    orderGid: (orderId: string) => `gid://${gidNamespace}/Order/${orderId}`,
  }
}
