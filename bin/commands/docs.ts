/**
 * `npm run docs`: writes the files that are generated from declarations, so that a review shows their changes, and the
 * pages of the documentation.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { capabilitiesOf, FAMILIES } from '../../drivers/index.ts'
import { planSchemaText } from '../../emulator/faults/fault-plan.ts'
import type { Passport } from '../../emulator/passport/passport.ts'
import { readPassport } from '../../scenarios/passport/passport-format.ts'
import { scenarioSchemaText } from '../../scenarios/runner/schema.ts'
import { endpoints } from '../../server/endpoints/index.ts'
import { describeApi } from '../../server/openapi.ts'
import { type CollectedFrame, fidelityText, type Ledger } from '../docs/fidelity-page.ts'
import { outcomesText } from '../docs/outcomes-page.ts'
import { ensureSite } from './site.ts'

const root = join(import.meta.dirname, '..', '..')

export function openApiText(): string {
  const families = FAMILIES.map((family) => [family, capabilitiesOf({ family, device: '' })] as const)
  return `${JSON.stringify(describeApi(endpoints, new Map(families)), null, 2)}\n`
}

function passports(): readonly Passport[] {
  const folder = join(root, 'fixtures', 'passports')
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'))
  return files.sort().map((name) => readPassport(name, readFileSync(join(folder, name), 'utf8')))
}

const readFixture = <T>(path: string): T => JSON.parse(readFileSync(join(root, 'fixtures', path), 'utf8')) as T

export const fidelityOfLedger = (): Promise<string> =>
  fidelityText(
    readFixture<Ledger>('provenance.json'),
    passports(),
    Object.fromEntries(
      FAMILIES.map((family) => [
        family,
        readFixture<CollectedFrame[]>(`frames/collected-${family.toLowerCase()}.json`),
      ]),
    ),
  )

if (import.meta.main) {
  writeFileSync(join(root, 'fixtures', 'fidelity.md'), await fidelityOfLedger())
  writeFileSync(join(root, 'fixtures', 'outcomes.md'), outcomesText())
  writeFileSync(join(root, 'fixtures', 'openapi.json'), openApiText())
  writeFileSync(join(root, 'fixtures', 'fault-plan.schema.json'), planSchemaText())
  writeFileSync(join(root, 'scenarios', 'scenario.schema.json'), scenarioSchemaText())
  process.stdout.write(
    'fixtures/openapi.json, fidelity.md, outcomes.md, fault-plan.schema.json and scenarios/scenario.schema.json are written.\n',
  )
  await ensureSite()
  process.stdout.write('The pages are in server/docs/dist.\n')
}
