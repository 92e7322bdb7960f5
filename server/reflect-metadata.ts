/**
 * The three functions of the metadata proposal that the container of @peculiar/x509 (tsyringe) calls, in place of a
 * polyfill package. Installed only when a certificate must be created.
 */

type Metadata = Map<unknown, Map<unknown, unknown>>
const metadata = new WeakMap<object, Metadata>()

const own = (target: object, member: unknown): Map<unknown, unknown> | undefined => metadata.get(target)?.get(member)

function defineMetadata(key: unknown, value: unknown, target: object, member?: unknown): void {
  const targetMetadata: Metadata = metadata.get(target) ?? new Map()
  const memberMetadata = targetMetadata.get(member) ?? new Map<unknown, unknown>()
  metadata.set(target, targetMetadata.set(member, memberMetadata.set(key, value)))
}

const getOwnMetadata = (key: unknown, target: object, member?: unknown): unknown => own(target, member)?.get(key)

/** Searches the prototypes, as the proposal requires. */
function getMetadata(key: unknown, target: object, member?: unknown): unknown {
  for (let at: object | null = target; at !== null; at = Object.getPrototypeOf(at)) {
    if (own(at, member)?.has(key)) return getOwnMetadata(key, at, member)
  }
  return undefined
}

export function installReflection(): void {
  if (!('getMetadata' in Reflect)) Object.assign(Reflect, { defineMetadata, getMetadata, getOwnMetadata })
}
