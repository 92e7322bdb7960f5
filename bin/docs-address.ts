import { DOCS_PATH } from '../drivers/host/documentation.ts'
import { isDocumentationBuilt } from '../drivers/host/documentation-files.ts'

/**
 * Returns the address of the documentation for a start line. In a checkout without built documentation, returns how to
 * build it, because an address would answer 404.
 */
export const docsAt = (origin: string, isBuilt = isDocumentationBuilt()): string =>
  isBuilt ? new URL(DOCS_PATH, origin).href : 'not built in this checkout; build it with: npm run docs'
