import { extname, join } from 'node:path'
import type { ThreadProgram } from '../emulator/fleet/worker.ts'
import type { Settings } from '../server/config.ts'

/** Of this file's kind: TypeScript in a checkout, compiled in the package. */
const FILE = join(import.meta.dirname, `fleet-thread${extname(import.meta.filename)}`)

/** What the threads of a floor run. `settings`: what they print with. */
export const fleetProgram = (settings: Settings): ThreadProgram => ({ file: FILE, data: settings })
