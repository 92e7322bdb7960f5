/** The page of a real printer: what Node has in every module must be there before any of them is loaded. */
import './instead/globals.ts'

await import('./printer-page.tsx')
