import type { DeviceNumbers, Questions, Reports } from '../model/printer.ts'
import { createAskConfirmed, type Probe } from './ask-confirmed.ts'
import type { Device, DeviceClient, NameOf, WireTypes } from './protocol-adapter.ts'
import { isPresent } from './same-device.ts'
import type { Session } from './session.ts'

type ZReports = Pick<Reports, 'reportZ'> & Pick<Questions, 'lastReportZ'>

interface ZReportOptions<W extends WireTypes, Name extends NameOf<W>> {
  readonly command: readonly [name: Name, values: W['requests'][Name]]
  numbersOf(device: Device<W>): Promise<DeviceNumbers>
  lastZ(device: DeviceClient<W>): Promise<number | null>
  lastReportZ(device: DeviceClient<W>): Promise<string>
}

/**
 * Returns whether a Z report was printed between two queries of its last number; `undefined` if the numbers are not
 * conclusive.
 */
export const isClosedSince = (before: number | null, after: number | null): boolean | undefined => {
  if (before === null || after === null) return undefined
  if (after === before) return false
  return after === before + 1 ? true : undefined
}

/**
 * Creates the Z report operation. A device that loses power directly after the report no longer knows the frame number,
 * and a retransmission would print a second report. After a missing answer, the driver therefore first queries the
 * number of the last Z report.
 */
export function createZReports<W extends WireTypes, Name extends NameOf<W>>(
  { queryReportedDevice, print }: Session<W>,
  { command: [name, values], numbersOf, lastZ, lastReportZ }: ZReportOptions<W, Name>,
): ZReports {
  const askConfirmed = createAskConfirmed<W>({ isSameDevice: (device) => isPresent(device, numbersOf) })
  const dayClosed: Probe<W, number | null> = { look: lastZ, wasDone: isClosedSince }
  return {
    reportZ: () =>
      print(async (device) => {
        const { text, isAnswerLost } = await askConfirmed(device, name, values, dayClosed)
        if (!isAnswerLost) return { text }
        const closure = await lastReportZ(device)
        device.assertSameDevice()
        return { text: closure }
      }),
    lastReportZ: () => queryReportedDevice(lastReportZ),
  }
}
