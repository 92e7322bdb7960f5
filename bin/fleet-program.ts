import { extname, join } from 'node:path'
import type { ThreadProgram } from '../emulator/fleet/group-worker.ts'
import type { Settings } from '../server/config.ts'

/** The module of the thread: like this file, TypeScript in a checkout and compiled in the package. */
const FILE = join(import.meta.dirname, `fleet-thread${extname(import.meta.filename)}`)

/** Returns the program of a fleet's threads, which print from the control panel with these settings. */
export const fleetProgram = (settings: Settings): ThreadProgram => ({ file: FILE, data: settings })
