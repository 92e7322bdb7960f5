/** The control panel of a device with the calls of the service, as all commands open it. */
import type { Emulator } from '../../emulator/emulator.ts'
import type { ControlOptions } from '../../emulator/panel/controls.ts'
import { createPanel as create, listenPanel as listen } from '../../emulator/panel/panel.ts'
import { serviceCalls } from '../../server/service-calls.ts'

type Options = Omit<ControlOptions, 'serviceCalls'>
type Access = Parameters<typeof create>[2]

export const createPanel = (emulator: Emulator, options: Options = {}, access?: Access) =>
  create(emulator, { serviceCalls, ...options }, access)

export const listenPanel = (emulator: Emulator, port: number, options: Options = {}, access?: Access) =>
  listen(emulator, port, { serviceCalls, ...options }, access)
