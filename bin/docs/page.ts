/** A page of the documentation, before it is HTML. */

/** In the order of the sidebar. */
export const SECTIONS = ['First hour', 'Guides', 'Reference', 'Wire', 'Help'] as const
type Section = (typeof SECTIONS)[number]

export interface Page {
  /** Its file without the end: `configuration` is at `/docs/configuration.html`. */
  readonly name: string
  readonly title: string
  readonly section: Section
  /** Its place in the section. */
  readonly order: number
  /** Without the title. Links to other pages are `./NAME.md`. */
  readonly markdown: string
  /** File of the repository that the text stands in: its links are relative to that. */
  readonly source?: string
  /** What this page alone needs besides what all have. */
  readonly scripts?: readonly string[]
  readonly styles?: readonly string[]
}

const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n/

/** A page that is written by hand: `title`, `section` and `order` stand at its head. Throws on anything else. */
export function handWritten(name: string, text: string): Page {
  const head = FRONT_MATTER.exec(text)
  const members = new Map((head?.[1] ?? '').split('\n').map((line) => splitAt(line, ':')))
  const title = members.get('title')
  const section = SECTIONS.find((one) => one === members.get('section'))
  const order = Number(members.get('order'))
  if (title === undefined || section === undefined || !Number.isFinite(order)) {
    throw new Error(
      `${name}.md: expected title, section (one of ${SECTIONS.join(', ')}) and order between two lines ---`,
    )
  }
  return { name, title, section, order, markdown: withoutTitle(text.slice(head?.[0].length).trim()) }
}

function splitAt(line: string, mark: string): [string, string] {
  const at = line.indexOf(mark)
  const value = line.slice(at + 1).trim()
  return [line.slice(0, at).trim(), /^(['"]).*\1$/.test(value) ? value.slice(1, -1) : value]
}

/** A text of the repository whose first line is its title. */
export function withoutTitle(text: string): string {
  return text.replace(/^# .*\n+/, '')
}
