/** The page of a real printer: Node's globals must exist before any module is loaded. */
import './replacements/globals.ts'

await import('./printer-page.tsx')
