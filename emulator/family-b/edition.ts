import { cyrillic, georgian } from '../../drivers/family-b/protocol/charset.ts'
import type { EditionName } from '../../drivers/family-b/protocol/index.ts'
import type { CodePage } from '../../drivers/wire/charset.ts'
import type { DeviceProfile } from '../fiscal/types/profile.ts'

/** Differences between the editions of the wire protocol, by row of sheet 2. */
export interface Edition {
  readonly name: EditionName
  readonly country: number
  readonly page: CodePage
  /** The byte of the first tax group (constant P7). */
  readonly firstGroup: string
  readonly groups: number
  readonly logo: { readonly width: number; readonly height: number }
  /** Widths in characters (constants P9, P10 and P11). */
  readonly lineWidth: number
  readonly commentWidth: number
  readonly nameWidth: number
  /** Width of device number and fiscal memory number, in characters (constants P12 and P13). */
  readonly serialWidth: number
  readonly firmware: (profile: DeviceProfile) => string
  /**
   * Layout of the lists in 64, 65, 69 and 114: sales and refunds of each group, or a tax-free sum and then the groups.
   */
  readonly sumList: 'salesAndRefunds' | 'taxFreeFirst'
  readonly sumDigits: number
  /** True if 70 with amount 0 is a query; false if it fails with error 21. */
  readonly zeroCashIsQuestion: boolean
  /** True if 73, 79, 94 and 95 are refused until 192 has been called. */
  readonly memoryReportsLocked: boolean
  /** Arguments of 109: exactly one copy, or `Count[,DocNo]`. */
  readonly copies: 'one' | 'counted'
  /** True if the device evaluates the third field and the TAB part of 48. */
  readonly openingForms: boolean
  /** True for the newer firmware, for differences that no other member describes. */
  readonly newer: boolean
}

const EDITIONS: Readonly<Record<EditionName, Edition>> = {
  b8: {
    name: 'b8',
    country: 6,
    page: cyrillic,
    firstGroup: '\xc0',
    groups: 8,
    logo: { width: 384, height: 144 },
    lineWidth: 32,
    commentWidth: 28,
    nameWidth: 20,
    serialWidth: 8,
    firmware: ({ model, firmware }) => `${model} ${firmware} 29-10-2018 11:34`,
    sumList: 'salesAndRefunds',
    sumDigits: 10,
    zeroCashIsQuestion: true,
    memoryReportsLocked: false,
    copies: 'one',
    openingForms: true,
    newer: true,
  },
  b5: {
    name: 'b5',
    country: 8,
    page: georgian,
    firstGroup: ' ',
    groups: 5,
    logo: { width: 576, height: 144 },
    lineWidth: 48,
    commentWidth: 44,
    nameWidth: 32,
    serialWidth: 10,
    firmware: ({ model, firmware }) => `${model}-${firmware} 27-10-2017 09:22`,
    sumList: 'taxFreeFirst',
    sumDigits: 12,
    zeroCashIsQuestion: false,
    memoryReportsLocked: true,
    copies: 'counted',
    openingForms: false,
    newer: false,
  },
}

export const editionOf = ({ profile }: DeviceProfile): Edition => EDITIONS[profile as EditionName]
