/** Entry of the page of a real printer. Node's globals must exist before other modules are loaded. */
import './replacements/globals.ts'

await import('./printer-page.tsx')
