/** The page of a real printer: Node's globals must exist before any module is loaded. */
import './instead/globals.ts'

await import('./printer-page.tsx')
