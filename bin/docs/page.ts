export const SECTIONS = ['First hour', 'Guides', 'Reference', 'Wire', 'Help'] as const
type Section = (typeof SECTIONS)[number]

export interface Page {
  /** File name without extension: `configuration` is `/docs/configuration.html`. */
  readonly name: string
  readonly title: string
  readonly section: Section
  readonly order: number
  /** The text without its title. A link to another page is `./NAME.md`. */
  readonly markdown: string
  /** The file of the repository that contains the text, and to which the links in it are relative. */
  readonly source?: string
  /** Files that only this page loads. */
  readonly scripts?: readonly string[]
  readonly styles?: readonly string[]
}

const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n/

/** Parses a hand-written page. Throws Error if its front matter lacks a valid `title`, `section` or `order`. */
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

export function withoutTitle(text: string): string {
  return text.replace(/^# .*\n+/, '')
}
