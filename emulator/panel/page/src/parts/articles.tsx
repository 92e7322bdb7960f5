import { useEffect, useRef, useState } from 'preact/hooks'
import type { ArticleView, RegistersView } from '../../../contract.ts'
import { call } from '../api.ts'
import { nameProblem, present, priceProblem, wholeProblem } from '../compose/problems.ts'
import { useStore } from '../store.ts'
import { Card } from './basic-components.tsx'
import { Choice, Columns, Field, Form, useDraft } from './form.tsx'
import { Mistakes } from './print-result.ts'

const NEW_ARTICLE = { plu: '', name: '', taxCode: '1', price: '', department: '0' }

export function Articles() {
  const registers = useStore((state) => state.registers)
  const device = useStore((state) => state.device)
  const [articles, setArticles] = useState<readonly ArticleView[]>([])
  const { draft, setDraft, field } = useDraft(NEW_ARTICLE)
  const [edited, setEdited] = useState(0)
  const [search, setSearch] = useState('')
  const name = useRef<HTMLInputElement>(null)
  const read = () => call('GET /emulator/articles').then(setArticles, () => undefined)
  useEffect(() => void read(), [device?.generation])
  const program = async () => {
    const { plu, name, taxCode, price, department } = draft
    const problems = present([
      ['plu', wholeProblem(plu, 1)],
      ['name', nameProblem(name)],
      ['price', priceProblem(price)],
      ['department', wholeProblem(department, 0, registers?.departments)],
    ])
    if (problems.length > 0) throw new Mistakes(problems)
    const form = { plu: Number(plu), name, taxCode: Number(taxCode), price, department: Number(department) }
    await call('POST /emulator/articles', { body: [form] })
    await read()
    setDraft(NEW_ARTICLE)
    return `Article ${plu} is programmed.`
  }
  const edit = (article: ArticleView) => {
    setEdited((count) => count + 1)
    setDraft(draftOf(article))
    // The form is above a long table, so that it gets the focus.
    name.current?.focus()
  }
  const text = search.trim().toLowerCase()
  const matches = articles.filter(({ plu, name }) => text === '' || `${plu} ${name}`.toLowerCase().includes(text))
  const visibleArticles = matches.slice(0, ARTICLES_SHOWN)
  return (
    <Card
      title="Articles"
      class="articles"
      action={
        <p class="count">
          {matches.length === articles.length ? articles.length : `${matches.length} of ${articles.length}`}
        </p>
      }
    >
      <Form onSubmit={program} of={edited}>
        <Field label="PLU" width="short" inputMode="numeric" {...field('plu')} />
        <Field label="Name" width="grow" input={name} {...field('name')} />
        <Choice
          label="Tax group"
          width="short"
          options={registers?.taxRates.map(taxOption) ?? []}
          {...field('taxCode')}
        />
        <Field label="Price" width="short" inputMode="decimal" {...field('price')} />
        <Field label="Department" width="short" inputMode="numeric" {...field('department')} />
        <button type="submit" class="primary">
          Program
        </button>
      </Form>
      <Field label="Find by number or name" type="search" value={search} onText={setSearch} />
      <table>
        <Columns names={['PLU', 'Name', 'Tax', 'Price', <span class="hidden">Change</span>]} numbers={[0, 3]} />
        <tbody>
          {visibleArticles.map((article) => (
            <tr key={article.plu}>
              <td class="num">{article.plu}</td>
              <th scope="row">{article.name}</th>
              <td>{registers?.taxRates.find(({ taxCode }) => taxCode === article.taxCode)?.letter}</td>
              <td class="num">{article.price}</td>
              <td class="end">
                <button
                  type="button"
                  class="quiet"
                  aria-label={`Change article ${article.plu}`}
                  onClick={() => edit(article)}
                >
                  Change
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {matches.length > visibleArticles.length ? (
        <p class="soft">The first {visibleArticles.length} are shown.</p>
      ) : null}
    </Card>
  )
}

const ARTICLES_SHOWN = 100

const taxOption = ({ taxCode, letter, rate }: RegistersView['taxRates'][number]) =>
  [String(taxCode), `${letter} ${rate === null ? '(disabled)' : `${rate} %`}`] as const

const draftOf = ({ plu, name, taxCode, price, department }: ArticleView): typeof NEW_ARTICLE => ({
  plu: String(plu),
  name,
  taxCode: String(taxCode),
  price,
  department: String(department),
})
