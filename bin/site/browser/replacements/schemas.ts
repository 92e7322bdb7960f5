/** Replaces emulator/faults/schemas.ts in a browser, where modules are loaded before they are needed. */
import { z } from 'zod'

export const schemas = (): typeof z => z
