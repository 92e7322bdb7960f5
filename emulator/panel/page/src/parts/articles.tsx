import { useEffect, useRef, useState } from 'preact/hooks'
import type { ArticleView } from '../../../contract.ts'
import { call } from '../api.ts'
import { act, useStore } from '../store.ts'
import { Card } from './small.tsx'

const NEW_ARTICLE = { plu: '', name: '', taxCode: '1', price: '', department: '0' }

/** The programmed articles, and the form that programs one. */
export function Articles() {
  const registers = useStore((state) => state.registers)
  const device = useStore((state) => state.device)
  const [articles, setArticles] = useState<readonly ArticleView[]>([])
  const [draft, setDraft] = useState(NEW_ARTICLE)
  const [search, setSearch] = useState('')
  const name = useRef<HTMLInputElement>(null)
  const read = () => call('GET /emulator/articles').then(setArticles, () => undefined)
  useEffect(() => void read(), [device?.generation])
  const set = (part: Partial<typeof NEW_ARTICLE>) => setDraft({ ...draft, ...part })
  const program = () =>
    act(async () => {
      const { plu, name, taxCode, price, department } = draft
      const form = { plu: Number(plu), name, taxCode: Number(taxCode), price, department: Number(department) }
      await call('POST /emulator/articles', { body: [form] })
      await read()
      setDraft(NEW_ARTICLE)
      return `Article ${plu} is programmed.`
    })
  const edit = (article: ArticleView) => {
    setDraft(draftOf(article))
    // The form stands above a long table: who changes an article is taken to it.
    name.current?.focus()
  }
  const text = search.trim().toLowerCase()
  const matches = articles.filter(({ plu, name }) => text === '' || `${plu} ${name}`.toLowerCase().includes(text))
  const shown = matches.slice(0, ARTICLES_SHOWN)
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
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          program()
        }}
      >
        <label class="field short">
          <span>PLU</span>
          <input
            type="number"
            min={1}
            required
            value={draft.plu}
            onInput={(event) => set({ plu: event.currentTarget.value })}
          />
        </label>
        <label class="field grow">
          <span>Name</span>
          <input
            ref={name}
            required
            maxLength={registers?.nameLength}
            value={draft.name}
            onInput={(event) => set({ name: event.currentTarget.value })}
          />
        </label>
        <label class="field short">
          <span>Tax group</span>
          <select value={draft.taxCode} onChange={(event) => set({ taxCode: event.currentTarget.value })}>
            {registers?.taxRates.map(({ taxCode, letter, rate }) => (
              <option key={taxCode} value={taxCode}>
                {letter} {rate === null ? '(disabled)' : `${rate} %`}
              </option>
            ))}
          </select>
        </label>
        <label class="field short">
          <span>Price</span>
          <input
            required
            inputMode="decimal"
            pattern="\d+(\.\d{1,2})?"
            title="An amount like 1.50"
            value={draft.price}
            onInput={(event) => set({ price: event.currentTarget.value })}
          />
        </label>
        <label class="field short">
          <span>Department</span>
          <input
            type="number"
            min={0}
            max={registers?.departments}
            value={draft.department}
            onInput={(event) => set({ department: event.currentTarget.value })}
          />
        </label>
        <button type="submit" class="primary">
          Program
        </button>
      </form>
      <label class="field">
        <span>Find by number or name</span>
        <input type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
      </label>
      <table>
        <thead>
          <tr>
            <th scope="col" class="num">
              PLU
            </th>
            <th scope="col">Name</th>
            <th scope="col">Tax</th>
            <th scope="col" class="num">
              Price
            </th>
            <th scope="col">
              <span class="hidden">Change</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((article) => (
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
      {matches.length > shown.length ? <p class="soft">The first {shown.length} are shown.</p> : null}
    </Card>
  )
}

const ARTICLES_SHOWN = 100

const draftOf = ({ plu, name, taxCode, price, department }: ArticleView): typeof NEW_ARTICLE => ({
  plu: String(plu),
  name,
  taxCode: String(taxCode),
  price,
  department: String(department),
})
