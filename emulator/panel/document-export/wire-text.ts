import { faultLine } from '../../faults/effects.ts'
import type { FaultReport } from '../../faults/points.ts'
import type { DecodedFrame } from '../../line/frame-log.ts'

const BYTES_A_LINE = 16

const NO_FRAMES = '# No frames: the document was entered at the device, or its frames are no longer stored.\n'

type FaultOfFrame = FaultReport & { readonly frame?: number }

/** `faults`: the faults that the device has injected, of which those of other frames are skipped. */
export const asWireText = (frames: readonly DecodedFrame[], faults: readonly FaultOfFrame[]): string =>
  frames.length === 0
    ? NO_FRAMES
    : frames
        .map((one) =>
          annotated(
            one,
            faults.filter(({ frame }) => frame === one.id),
          ),
        )
        .join('\n')

function annotated(
  { at, direction, command, fields, status, hex }: DecodedFrame,
  faults: readonly FaultOfFrame[],
): string {
  const way = direction === 'toDevice' ? '> to the device' : '< to the host'
  return [
    `# ${way}, ${at}: ${command}`,
    ...Object.entries(fields).map(([name, value]) => `#   ${name} = ${JSON.stringify(value)}`),
    ...(status.length === 0 ? [] : [`#   status: ${status.join(', ')}`]),
    ...faults.map((fault) => `# ${faultLine(fault)}`),
    ...inLines(hex),
    '',
  ].join('\n')
}

function inLines(hex: string): readonly string[] {
  const bytes = hex.split(' ')
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += BYTES_A_LINE) lines.push(bytes.slice(at, at + BYTES_A_LINE).join(' '))
  return lines
}
