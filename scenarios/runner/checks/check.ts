import type { z } from 'zod'
import type { Client } from '../../../emulator/panel/contract.ts'
import type { Look } from '../by-eye.ts'
import type { Course, Problem } from '../course.ts'
import type { DeviceReader } from '../device-sums.ts'
import type { Need } from '../needs.ts'

/** One kind of check: how it stands in a file, what it needs of the target, and how it judges what happened. */
export interface CheckKind<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema
  readonly needs: Need | undefined
  /** `expected` has its names filled in. */
  judge(expected: z.output<Schema>, panel: Client, course: Course): Promise<readonly Problem[]>
  /** The same of a device that nobody can see: by its own answers, and what is left for a person to look at. */
  ask(expected: z.output<Schema>, reader: DeviceReader, course: Course): Promise<Answered>
}

export interface Answered {
  readonly problems?: readonly Problem[]
  readonly look?: readonly Look[]
}

export const checkKind = <Schema extends z.ZodType>(kind: CheckKind<Schema>): CheckKind<Schema> => kind
