import { type Document, visit } from 'yaml'
import { type Remark, readYaml as readAnyYaml, type YamlFile } from '../../drivers/host/yaml-file.ts'

export type { Location, YamlFile } from '../../drivers/host/yaml-file.ts'

/** An unreadable file has a mistake at its beginning. */
export const readYaml = (file: string, text: string): YamlFile => readAnyYaml(file, text, findMisreadNumbers)

/** Finds numbers that YAML reads differently than people: `0000` is the number 0, not a password. */
function findMisreadNumbers(document: Document.Parsed): Remark[] {
  const misreadings: Remark[] = []
  visit(document, {
    Scalar(key, { value, source, range, type }) {
      const isLeading = type === 'PLAIN' && typeof value === 'number' && /^[+-]?0\d/.test(source ?? '')
      if (key === 'key' || !isLeading) return
      misreadings.push({
        at: range?.[0] ?? 0,
        what: `${source} would be read as the number ${value}; nearest: "${source}", in quotes`,
      })
    },
  })
  return misreadings
}
