/** The worker's first module: Node's globals must exist before any other module is loaded. */
import './replacements/globals.ts'

await import('./device-worker.ts')
