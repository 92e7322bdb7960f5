import { extname, join } from 'node:path'
import type { ThreadProgram } from '../emulator/fleet/group-worker.ts'
import type { Settings } from '../server/config.ts'

/** The module of the thread. Like this file, it is TypeScript in a checkout and JavaScript in the package. */
const FILE = join(import.meta.dirname, `fleet-thread${extname(import.meta.filename)}`)

export const fleetThreadProgram = (settings: Settings): ThreadProgram => ({ file: FILE, data: settings })
