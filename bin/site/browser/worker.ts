/** The worker's first module: what Node has in every module must be there before any of them is loaded. */
import './instead/globals.ts'

await import('./device-worker.ts')
