/**
 * Link to the documentation. If there is a service, its documentation is used, so that the examples have its address.
 */
import { useStore } from '../store.ts'

/** Returns the address of the documentation; undefined if it is not available. */
export function useDocs(page = ''): string | undefined {
  const service = useStore((state) => state.service)
  if (!service?.hasDocs) return undefined
  const path = page === '' ? '/docs' : `/docs/${page}`
  return service.address === null ? path : new URL(path, service.address).href
}

/** `address`: undefined if the documentation is not available. */
export const LinkToDocs = ({ address }: { readonly address: string | undefined }) =>
  address === undefined ? null : (
    <a class="docs" href={address}>
      Docs
    </a>
  )

export const DocsLink = () => <LinkToDocs address={useDocs()} />
