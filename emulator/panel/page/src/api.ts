/** The control API as the page uses it. */
import { clientOver, printerAt } from '../../request.ts'
import { decoded } from './address.ts'
import { backend } from './backend.ts'

const [, place, printer] = location.pathname.split('/')

/** True for the page of many printers; `/floor/NAME` is the page of one of them. */
export const isFleet = place === 'floor' && !printer
/** The printer of this page in a fleet; undefined: a single device. */
export const printerName = place === 'floor' && printer ? decoded(printer) : undefined
/** Base path of the device's calls. */
const at = printerName === undefined ? '/emulator' : printerAt(printerName)

/** Rejects with the device's message. */
export const call = clientOver((request) => backend.send(request), at)

/** Returns the address of a file of the device: `/documents/1.svg`. */
export const fileAt = (path: string): string => backend.linkTo(at + path)

export const eventsPath = `${at}/events`
