/** What a call of the device that has failed tells about its request: that it is refused, or nothing. */
import { DeviceError, isSilent } from '../../drivers/model/errors.ts'

export const isRefusal = (error: unknown): error is DeviceError =>
  error instanceof DeviceError && error.problem.kind === 'refused'

/** Some families say it in one word, some in the other. */
const COMMAND_UNKNOWN: ReadonlySet<string> = new Set(['invalidCommand', 'unknownCommand'])

/** The device has no such command, and never will tell. */
export const isLacking = (error: unknown): error is DeviceError =>
  error instanceof DeviceError && error.problem.kind === 'refused' && COMMAND_UNKNOWN.has(error.problem.key)

/** Refused at the first time of asking: not carried out. */
export const isCertain = (error: unknown): error is DeviceError => isRefusal(error) && !error.repeated

/** The device said nothing that can be relied on; what it was asked for last, or before that, may be carried out. */
export const isSilence = (error: unknown): error is DeviceError =>
  error instanceof DeviceError && isSilent(error.problem)
