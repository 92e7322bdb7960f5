/**
 * Link to the documentation: that of the service if there is one, so that examples contain the address of the service.
 */
import { useStore } from '../store.ts'

/** Returns `undefined` if the documentation is not available. */
export function useDocs(page = ''): string | undefined {
  const service = useStore((state) => state.service)
  if (!service?.hasDocs) return undefined
  const path = page === '' ? '/docs' : `/docs/${page}`
  return service.address === null ? path : new URL(path, service.address).href
}

export const LinkToDocs = ({ address }: { readonly address: string | undefined }) =>
  address === undefined ? null : (
    <a class="docs" href={address}>
      Docs
    </a>
  )

export const DocsLink = () => <LinkToDocs address={useDocs()} />
