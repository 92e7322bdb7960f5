/** The control API of the device or fleet of this page. */
import { clientOver, printerAt } from '../../request.ts'
import { decoded } from './address.ts'
import { backend } from './backend.ts'

const [, place, printer] = location.pathname.split('/')

/** `true` for the fleet overview; `/floor/NAME` is the page of one printer. */
export const isFleet = place === 'floor' && !printer
/** The printer of a fleet that this page shows; `undefined` for a single device. */
export const printerName = place === 'floor' && printer ? decoded(printer) : undefined
const at = printerName === undefined ? '/emulator' : printerAt(printerName)

/** Calls the control API. Rejects with the message of a refusal. */
export const call = clientOver((request) => backend.send(request), at)

/** Returns the address of a file of the device, such as `/documents/1.svg`. */
export const fileAt = (path: string): string => backend.linkTo(at + path)

export const eventsPath = `${at}/events`
