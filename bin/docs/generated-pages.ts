import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FAMILIES } from '../../drivers/index.ts'
import { commandLineText } from './command-line.ts'
import { configurationText } from './configuration.ts'
import { controlText } from './control-api.ts'
import { familiesText } from './families.ts'
import { faultsText } from './faults.ts'
import { libraryText } from './library.ts'
import { type Page, withoutTitle } from './page.ts'
import { restText } from './rest.ts'
import { scenariosText } from './scenarios.ts'
import { TRY_IT, tryItText } from './try-it.ts'

export async function generatedPages(root: string): Promise<readonly Page[]> {
  const text = (source: string) => withoutTitle(readFileSync(join(root, source), 'utf8'))
  const sheets = FAMILIES.map((family, order) => {
    const name = `family-${family.toLowerCase()}`
    const source = `drivers/${name}/protocol.md`
    return {
      name,
      title: `Sheet of family ${family}`,
      section: 'Wire',
      order: order + 10,
      markdown: text(source),
      source,
    } as const
  })
  const papers = [
    { name: 'fidelity', title: 'How the wire is known', section: 'Wire', order: 20, source: 'fixtures/fidelity.md' },
    { name: 'refusals', title: 'Refusals', section: 'Help', order: 44, source: 'fixtures/refusals.md' },
    { name: 'outcomes', title: 'Outcomes of 424', section: 'Help', order: 45, source: 'fixtures/outcomes.md' },
    { name: 'changelog', title: 'Changelog', section: 'Help', order: 50, source: 'CHANGELOG.md' },
  ] as const
  const references = [
    { name: 'rest', title: 'REST interface', markdown: await restText() },
    { ...TRY_IT, markdown: tryItText() },
    { name: 'scenarios', title: 'Scenario files', markdown: scenariosText() },
    { name: 'faults', title: 'Fault rules', markdown: faultsText() },
    { name: 'configuration', title: 'Configuration', markdown: configurationText() },
    { name: 'command-line', title: 'Command line', markdown: commandLineText() },
    { name: 'control', title: 'Control API', markdown: controlText() },
    { name: 'library', title: 'Library', markdown: libraryText(root) },
    { name: 'families', title: 'Families side by side', markdown: familiesText() },
  ].map((one, index) => ({ ...one, section: 'Reference', order: 30 + index }) as const)
  return [...references, ...sheets, ...papers.map((paper) => ({ ...paper, markdown: text(paper.source) }))]
}
