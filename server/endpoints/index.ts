import type { Endpoint } from '../endpoint.ts'
import { elementEndpoints } from './auxiliary.ts'
import { completeEndpoints } from './complete.ts'
import { fiscalEndpoints } from './fiscal.ts'
import { networkEndpoints } from './network.ts'
import { nonFiscalEndpoints } from './non-fiscal.ts'
import { reportEndpoints } from './reports.ts'
import { statusEndpoints } from './status.ts'

export const endpoints: readonly Endpoint[] = [
  ...networkEndpoints,
  ...nonFiscalEndpoints,
  ...fiscalEndpoints,
  ...reportEndpoints,
  ...elementEndpoints,
  ...completeEndpoints,
  ...statusEndpoints,
]
