/** The pages that are made of declarations and of texts of the repository. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FAMILIES } from '../../drivers/index.ts'
import { type Page, withoutTitle } from './page.ts'

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
    { name: 'refusals', title: 'Refusals', section: 'Help', order: 20, source: 'fixtures/refusals.md' },
    { name: 'outcomes', title: 'Outcomes of 424', section: 'Help', order: 30, source: 'fixtures/outcomes.md' },
    { name: 'changelog', title: 'Changelog', section: 'Help', order: 90, source: 'CHANGELOG.md' },
  ] as const
  return [...sheets, ...papers.map((paper) => ({ ...paper, markdown: text(paper.source) }))]
}
