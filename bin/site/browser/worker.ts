/** Entry of the worker. Node's globals must exist before other modules are loaded. */
import './replacements/globals.ts'

await import('./device-worker.ts')
