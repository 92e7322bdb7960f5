import { clientOver, printerAt } from '../../request.ts'
import { backend } from './backend.ts'

/** The control interface as the page uses it. */

const [, place, printer] = location.pathname.split('/')

/** The page of many printers; `/floor/NAME` is that of one of them. */
export const isFloor = place === 'floor' && !printer
/** The printer of a floor whose page this is; undefined: the device is the only one. */
export const printerName = place === 'floor' && printer ? decodeURIComponent(printer) : undefined
/** Where the calls of the device begin. */
const at = printerName === undefined ? '/emulator' : printerAt(printerName)

/** Rejects with the device's own sentence. */
export const call = clientOver((request) => backend.send(request), at)

/** Returns the address of a file of the device: `/documents/1.svg`. */
export const fileAt = (path: string): string => backend.linkTo(at + path)

export const eventsPath = `${at}/events`
