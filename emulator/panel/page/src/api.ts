import { clientOver, printerAt } from '../../http-calls.ts'
import { decoded } from './address.ts'
import { backend } from './backend.ts'

const [, place, printer] = location.pathname.split('/')

/** True for the fleet overview. `/floor/NAME` is the page of one printer. */
export const isFleet = place === 'floor' && !printer
export const printerName = place === 'floor' && printer ? decoded(printer) : undefined
const at = printerName === undefined ? '/emulator' : printerAt(printerName)

/** Calls the control API. Rejects with the message of a refusal. */
export const call = clientOver((request) => backend.send(request), at)

/** Returns the address of a file of the device, such as `/documents/1.svg`. */
export const fileAt = (path: string): string => backend.linkTo(at + path)

export const eventsPath = `${at}/events`
