import { createRequire } from 'node:module'
import type { Schemas } from './rule.ts'

/**
 * Loads the schema library at the first rule. Most devices have no rule, and loading takes longer than creating a
 * device.
 */
export const schemas = (): Schemas => (createRequire(import.meta.url)('zod') as { readonly z: Schemas }).z
