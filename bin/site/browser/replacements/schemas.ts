/** Replaces emulator/faults/schemas.ts in a browser, where all modules are loaded at the start. */
import { z } from 'zod'

export const schemas = (): typeof z => z
