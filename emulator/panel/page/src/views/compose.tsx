import { useEffect, useState } from 'preact/hooks'
import { formatMoney } from '../../../../../drivers/model/money.ts'
import type { ArticleView } from '../../../contract.ts'
import { call } from '../api.ts'
import { paymentProblem, problemsOf } from '../compose/problems.ts'
import {
  bodyOf, DISCOUNTS, type Draft, EMPTY, newPayment, newRow, type Payment, paymentPath, type Row, rowPath, totalOf,
} from '../compose/receipt.ts' // biome-ignore format: one list
import { Card } from '../parts/basic-components.tsx'
import { Choice, Field, Form } from '../parts/form.tsx'
import { useMedia } from '../parts/media-query.ts'
import { asPrinted, Mistakes } from '../parts/print-result.ts'
import { useStore } from '../store.ts'
import { Roll } from './paper.tsx'

export function ComposeView() {
  const isWide = useMedia('(min-width: 1240px)')
  return (
    <div class="compose">
      <Composer />
      {isWide ? <Roll /> : null}
    </div>
  )
}

/** The draft is retained while another view is open. */
let composed: Draft = EMPTY

function Composer() {
  const [draft, setDraft] = useState<Draft>(composed)
  composed = draft
  const { articles, readAgain } = useArticles()
  const zeroTotal = useStore((state) => state.registers?.zeroTotal !== false)
  const { rows, payments } = draft
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const total = totalOf(draft, (plu) => priceIn(articles, plu))
  const print = async () => {
    const problems = problemsOf(draft, total, zeroTotal)
    if (problems.length > 0) throw new Mistakes(problems)
    // Another program may have changed an article meanwhile. The receipt must have the total that the page shows.
    const current = await readAgain()
    const currentTotal = totalOf(draft, (plu) => priceIn(current, plu))
    if (total?.amount !== currentTotal?.amount)
      throw new Error('Another program has changed an article: check the new total, then print.')
    const printed = await call('POST /emulator/receipts', { body: bodyOf(draft) })
    return asPrinted(printed, 'On paper')
  }
  return (
    <Card
      title="A receipt of your own"
      class="composer"
      action={
        <button type="button" class="quiet" onClick={() => setDraft(EMPTY)} disabled={draft === EMPTY}>
          Clear
        </button>
      }
    >
      <Form onSubmit={print} of={[...rows, ...payments].map(({ key }) => key).join(' ')}>
        <Adding articles={articles} onAdd={(row) => change({ rows: [...rows, row] })} />
        {rows.length === 0 ? <p class="empty whole">Nothing has been added yet.</p> : null}
        {rows.map((row, index) => (
          <RowFields
            key={row.key}
            row={row}
            index={index}
            onChange={(next) => change({ rows: rows.with(index, next) })}
            onRemove={() => change({ rows: rows.toSpliced(index, 1) })}
          />
        ))}
        <fieldset class="compose-row">
          <legend>Subtotal and payments</legend>
          <Choice
            label="On the subtotal"
            width="short"
            options={DISCOUNTS}
            value={draft.discount as (typeof DISCOUNTS)[number][0]}
            name="Subtotal.DiscountType"
            onText={(discount) => change({ discount })}
          />
          {draft.discount === '0' ? null : (
            <Field
              label="How much"
              width="short"
              inputMode="decimal"
              name="Subtotal.DiscountValue"
              value={draft.value}
              onText={(value) => change({ value })}
            />
          )}
          <button type="button" onClick={() => change({ payments: [...payments, newPayment()] })}>
            Add a payment
          </button>
          {payments.length === 0 ? <p class="soft whole">Without payments the whole sum is paid in cash.</p> : null}
        </fieldset>
        {payments.map((payment, index) => (
          <PaymentFields
            key={payment.key}
            payment={payment}
            index={index}
            onChange={(next) => change({ payments: payments.with(index, next) })}
            onRemove={() => change({ payments: payments.toSpliced(index, 1) })}
          />
        ))}
        <div class="compose-foot">
          <p role="status">{rows.length === 0 ? '' : wordsOfTotal(total, payments)}</p>
          <button type="submit" class="primary print" disabled={rows.length === 0}>
            Print the receipt
          </button>
        </div>
      </Form>
    </Card>
  )
}

const priceIn = (articles: readonly ArticleView[], plu: number): string | undefined =>
  articles.find((article) => article.plu === plu)?.price

function wordsOfTotal(total: ReturnType<typeof totalOf>, payments: Draft['payments']): string {
  if (!total) return 'Total: unknown until every price, quantity and discount is a valid number'
  const { amount, paid, isExact } = total
  const words = `${isExact ? 'Total' : 'Total, about'} ${formatMoney(amount)}`
  if (paid === undefined) return words
  if (paid < amount) return `${words}, ${formatMoney(amount - paid)} not paid yet`
  const problem = paymentProblem({ payments }, total)
  return problem === undefined ? `${words}, change ${formatMoney(paid - amount)}` : `${words}. ${problem}`
}

const CHANGES_ARTICLES = /^((program|delete)Article|articles)$/

/** The articles are read again after each command that changes an article. */
function useArticles() {
  const generation = useStore((state) => state.device?.generation)
  const lastChange = useStore((state) => state.frames.findLast(({ command }) => CHANGES_ARTICLES.test(command))?.id)
  const [articles, setArticles] = useState<readonly ArticleView[]>([])
  const readAgain = async () => {
    const current = await call('GET /emulator/articles')
    setArticles(current)
    return current
  }
  useEffect(() => void readAgain().catch(() => undefined), [generation, lastChange])
  return { articles, readAgain }
}

const OFFERED_ARTICLES_MAX = 200

function Adding({ articles, onAdd }: { articles: readonly ArticleView[]; onAdd: (row: Row) => void }) {
  const [chosen, setChosen] = useState('')
  const options = articles
    .slice(0, OFFERED_ARTICLES_MAX)
    .map(({ plu, name, price }) => [String(plu), `${name}, ${price} (PLU ${plu})`] as const)
  const hasFreeRows = useStore((state) => state.registers?.freeRows === true)
  const article = articles.find(({ plu }) => String(plu) === chosen) ?? articles[0]
  return (
    <div class="compose-add">
      <Choice
        label="Article"
        width="grow"
        options={options}
        value={article ? String(article.plu) : ''}
        onText={setChosen}
      />
      <button type="button" disabled={!article} onClick={() => article && onAdd(newRow(article.plu, article.name))}>
        Add it
      </button>
      {hasFreeRows ? (
        <button type="button" onClick={() => onAdd(newRow(0, ''))}>
          Add a free row
        </button>
      ) : (
        <p class="soft whole">
          A device of this family sells programmed articles only: a new one is programmed under Setup.
        </p>
      )}
    </div>
  )
}

interface PartProps<Part> {
  readonly index: number
  readonly onChange: (part: Part) => void
  readonly onRemove: () => void
}

function RowFields({ row, index, onChange, onRemove }: PartProps<Row> & { readonly row: Row }) {
  const taxRates = useStore((state) => state.registers?.taxRates)
  const path = rowPath(index, row)
  const set = (part: Partial<Row>) => onChange({ ...row, ...part })
  return (
    <fieldset
      class={row.plu === 0 ? 'compose-row item free' : 'compose-row item'}
      aria-label={row.plu === 0 ? `Row ${index + 1}, free` : `Row ${index + 1}, ${row.name}`}
    >
      {row.plu === 0 ? null : (
        <span class="row-name" aria-hidden="true">
          {row.name} <span class="soft">PLU {row.plu}</span>
        </span>
      )}
      {row.plu === 0 ? (
        <>
          <Field
            label="Name"
            width="grow"
            name={`${path}.ProductName`}
            value={row.name}
            onText={(name) => set({ name })}
          />
          <Choice
            label="Tax group"
            width="short"
            name={`${path}.TaxCode`}
            options={
              taxRates?.map(({ taxCode, letter, rate }) => [String(taxCode), `${letter} ${rate ?? 'off'}`]) ?? []
            }
            value={row.taxCode}
            onText={(taxCode) => set({ taxCode })}
          />
          <Field
            label="Price"
            width="short"
            inputMode="decimal"
            name={`${path}.Price`}
            value={row.price}
            onText={(price) => set({ price })}
          />
        </>
      ) : null}
      <Field
        label="Quantity"
        width="short"
        inputMode="decimal"
        name={`${path}.Quantity`}
        value={row.quantity}
        onText={(quantity) => set({ quantity })}
      />
      <Choice
        label="Discount"
        width="short"
        name={`${path}.DiscountType`}
        options={DISCOUNTS}
        value={row.discount as (typeof DISCOUNTS)[number][0]}
        onText={(discount) => set({ discount })}
      />
      {row.discount === '0' ? null : (
        <Field
          label="How much"
          width="short"
          inputMode="decimal"
          name={`${path}.DiscountValue`}
          value={row.value}
          onText={(value) => set({ value })}
        />
      )}
      <label class="check">
        <input
          type="checkbox"
          checked={row.isVoid}
          onChange={(event) => set({ isVoid: event.currentTarget.checked })}
        />
        Void
      </label>
      <button type="button" class="quiet remove" aria-label={`Remove row ${index + 1}`} onClick={onRemove}>
        ✕
      </button>
    </fieldset>
  )
}

function PaymentFields({ payment, index, onChange, onRemove }: PartProps<Payment> & { readonly payment: Payment }) {
  const modes = useStore((state) => state.registers?.payments)
  const path = paymentPath(index)
  return (
    <fieldset class="compose-row item" aria-label={`Payment ${index + 1}`}>
      <span class="row-name" aria-hidden="true">
        Payment {index + 1}
      </span>
      <Choice
        label="Mode"
        width="short"
        name={`${path}.PaymentMode`}
        options={modes?.map(({ paymentMode, name }) => [String(paymentMode), name]) ?? []}
        value={payment.mode}
        onText={(mode) => onChange({ ...payment, mode })}
      />
      <Field
        label="Amount"
        width="short"
        inputMode="decimal"
        name={`${path}.Amount`}
        value={payment.amount}
        onText={(amount) => onChange({ ...payment, amount })}
      />
      <button type="button" class="quiet remove" aria-label={`Remove payment ${index + 1}`} onClick={onRemove}>
        ✕
      </button>
    </fieldset>
  )
}
