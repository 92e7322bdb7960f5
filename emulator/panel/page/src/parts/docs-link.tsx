import { useStore } from '../store.ts'

/** The documentation: on the service, where one is beside the device, so that its examples have the service's address. */

/** The address of the documentation; undefined: it is not there. */
export function useDocs(page = ''): string | undefined {
  const service = useStore((state) => state.service)
  if (!service?.hasDocs) return undefined
  const path = page === '' ? '/docs' : `/docs/${page}`
  return service.address === null ? path : new URL(path, service.address).href
}

export function DocsLink() {
  const address = useDocs()
  return address === undefined ? null : (
    <a class="docs" href={address}>
      Docs
    </a>
  )
}
