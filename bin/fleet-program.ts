import { extname, join } from 'node:path'
import type { ThreadProgram } from '../emulator/fleet/worker.ts'
import type { Settings } from '../server/config.ts'

/** Path of the thread's module, of the same kind as this file: TypeScript in a checkout, compiled in the package. */
const FILE = join(import.meta.dirname, `fleet-thread${extname(import.meta.filename)}`)

/** Returns the program of a fleet's threads. `settings`: settings for printing. */
export const fleetProgram = (settings: Settings): ThreadProgram => ({ file: FILE, data: settings })
