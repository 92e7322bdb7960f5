/** `npm run docs`: writes what is generated from the declarations; each is a golden file, so a change shows in review. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { capabilitiesOf, drivenFamilies } from '../../drivers/index.ts'
import { planSchemaText } from '../../emulator/faults/plan.ts'
import { endpoints } from '../../server/endpoints/index.ts'
import { describeApi } from '../../server/openapi.ts'

const root = join(import.meta.dirname, '..', '..')

/** The API description with the factory settings of every family. */
export function openApiText(): string {
  const families = drivenFamilies().map((family) => [family, capabilitiesOf({ family, device: '' })] as const)
  return `${JSON.stringify(describeApi(endpoints, new Map(families)), null, 2)}\n`
}

if (import.meta.main) {
  writeFileSync(join(root, 'fixtures', 'openapi.json'), openApiText())
  writeFileSync(join(root, 'fixtures', 'fault-plan.schema.json'), planSchemaText())
  process.stdout.write('fixtures/openapi.json and fixtures/fault-plan.schema.json are written.\n')
}
