import type { z } from 'zod'
import type { Client } from '../../../emulator/panel/contract.ts'
import type { Course, Problem } from '../course.ts'
import type { Need } from '../needs.ts'

/** One kind of check: how it stands in a file, what it needs of the target, and how it judges what happened. */
export interface CheckKind<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema
  readonly needs: Need | undefined
  /** `wanted` has its names filled in. */
  judge(expected: z.output<Schema>, panel: Client, course: Course): Promise<readonly Problem[]>
}

export const checkKind = <Schema extends z.ZodType>(kind: CheckKind<Schema>): CheckKind<Schema> => kind
