/** Clock, cash, rates, passwords, hardware, texts and parameters (sheet 10.8). */
import type { Percent } from '../../../drivers/model/money.ts'
import type { ByTaxGroup } from '../../fiscal/types/registers.ts'
import { type Context, done, error, from, type Handlers, refused } from '../context.ts'
import { blocked } from '../document-blockers.ts'
import { PARAMETERS, parameterOf, setParameter } from '../parameters.ts'
import { REASONS } from '../refusals.ts'
import { isPassword, wrongOperator } from './receipt.ts'

const PAYMENT_NAME_WIDTH = 12
const FIRST_LINE = 40
const FIRST_PAYMENT = 60
const FIRST_COMMENT = 600
const LAST_COMMENT = 610
const DRAWER_PARAMETER = 15

function setLine({ device, edition }: Context, line: number, text: string): boolean {
  const { headerLines, footerLines } = device.profile
  const cut = text.slice(0, edition.lineWidth)
  if (line < headerLines) device.registers.setHeader(line, cut)
  else if (line < headerLines + footerLines) device.registers.setFooter(line - headerLines, cut)
  return line < headerLines + footerLines
}

/**
 * A line number may have two digits on firmware with more than ten lines (sheet 2). Other firmware takes such a number
 * as line 1 with a text that begins with the second digit.
 */
function setNumberedLine(context: Context, line: number, text: string): boolean {
  const { headerLines, footerLines } = context.device.profile
  const number = line * 10 + Number(text.slice(0, 1) || Number.NaN)
  return line === 1 && number < headerLines + footerLines
    ? setLine(context, number, text.slice(1))
    : setLine(context, line, text)
}

function readLine({ device }: Context, line: number): string | undefined {
  return [...device.registers.header, ...device.registers.footer][line]
}

const FACTORY_OPTIONS = { P: '0000', L: '1', C: '2', A: '1' } as const

export const programming = {
  setClock({ device }, { at }) {
    if (device.clockSet && device.day.receipts > 0) return error(91)
    return from(device.setClock(at))
  },

  cashInOut(context, { amount, text1, text2 }) {
    const { device, edition } = context
    const { day } = device
    const now = { cash: day.drawerCash, cashIn: day.cashIn.amount, cashOut: day.cashOut.amount }
    if (amount === 0) return edition.zeroCashIsQuestion ? done({ done: true, ...now }) : error(21)
    if (device.receipt !== null) return done({ done: false, ...now })
    const stop = blocked(context, ['journal'])
    if (stop) return stop
    const text = [text1 ?? '', text2 ?? ''].filter((one) => one !== '').map((one) => one.slice(0, edition.commentWidth))
    const outcome = device.cashInOut({ direction: amount < 0 ? 'out' : 'in', amount: Math.abs(amount), text })
    if (!outcome.ok && outcome.refusal === 'notEnoughCash') return done({ done: false, ...now })
    return from(outcome, ({ drawer, cashIn, cashOut }) => ({ done: true, cash: drawer, cashIn, cashOut }))
  },

  setTaxRates(context, { rates }) {
    const { device, edition } = context
    if (rates.length > edition.groups) return error(21)
    const stop = blocked(context, ['fiscalMemory'])
    if (stop) return stop
    const next = device.registers.taxRates.map((old, group) => {
      const rate = rates[group]
      return rate === undefined ? old : rate
    }) as unknown as ByTaxGroup<Percent | null>
    const outcome = device.registers.setTaxRates(next)
    if (!outcome.ok && outcome.refusal === 'noChangesLeft') return done({ done: false })
    return from(outcome, () => ({ done: true }))
  },

  setPassword(context, { operator, old, next }) {
    const { device } = context
    const record = operator <= device.profile.operators ? device.registers.operator(operator) : undefined
    if (!record) return error(21)
    if (!isPassword(context, record, old)) return error(66)
    const operators = Array.from({ length: device.profile.operators }, (_, index) =>
      device.registers.operator(index + 1),
    )
    const isTaken = operators.some((other) => other && other.code !== operator && isPassword(context, other, next))
    if (isTaken && Number(next) !== 0) return error(119)
    device.registers.setOperator({ ...record, password: next })
    return done()
  },

  setOperatorName(context, { operator, password, name }) {
    const { device, edition } = context
    const wrong = wrongOperator(context, operator, password)
    if (wrong) return wrong
    const record = device.registers.operator(operator)
    if (!record) return error(21)
    if (name.trim() === '') return error(29)
    if (device.registers.operatorTotals(operator).receipts > 0) return error(92)
    device.registers.setOperator({ ...record, name: name.slice(0, edition.nameWidth) })
    return done()
  },

  drawer({ device }, { pulseMs }) {
    if (pulseMs !== undefined) setParameter(device, DRAWER_PARAMETER, pulseMs)
    device.openDrawer()
    return done()
  },
  feed({ device }, { lines = 1 }) {
    device.feed(lines)
    return done()
  },
  cut({ device }) {
    device.cut()
    return done({ done: true })
  },

  printOptions(context, ask) {
    const { device } = context
    switch (ask.do) {
      case 'line':
        return setNumberedLine(context, ask.line, ask.text) ? done({}) : error(21)
      case 'readLine': {
        const value = readLine(context, ask.line)
        return value === undefined ? error(21) : done({ value })
      }
      case 'set': {
        if (ask.value.length !== FACTORY_OPTIONS[ask.option].length) return error(21)
        if (!/^[0-2]+$/.test(ask.value) || (ask.option !== 'C' && ask.value.includes('2'))) return error(21)
        device.registers.setParameter(`option.${ask.option}`, ask.value)
        return done({})
      }
      case 'readOption':
        return done({ value: device.registers.parameter(`option.${ask.option}`) ?? FACTORY_OPTIONS[ask.option] })
    }
  },

  texts(context, ask) {
    const { device, edition, session } = context
    const { number } = ask
    const lines = device.profile.headerLines + device.profile.footerLines
    if (number >= FIRST_LINE && number < FIRST_LINE + lines) {
      if (ask.do === 'read') return done({ value: readLine(context, number - FIRST_LINE) ?? '' })
      setLine(context, number - FIRST_LINE, ask.value)
      return done({})
    }
    const payment = device.registers.payments.find(({ mode }) => mode === number - FIRST_PAYMENT)
    if (payment) {
      if (ask.do === 'read') return done({ value: payment.name })
      if (ask.value.trim() === '') return error(29)
      device.registers.setPayment(payment.mode, { name: ask.value.slice(0, PAYMENT_NAME_WIDTH) })
      return done({})
    }
    if (number < FIRST_COMMENT || number > LAST_COMMENT) return error(21)
    if (ask.do === 'read') return done({ value: session.comments.get(number) })
    session.comments.set(number, ask.value.slice(0, edition.commentWidth))
    return done({})
  },

  parameters({ device }, ask) {
    const parameter = PARAMETERS[ask.number]
    if (!parameter) return error(21)
    if (ask.do === 'read') return done({ number: ask.number, value: String(parameterOf(device, ask.number)) })
    if (!/^\d{1,5}$/.test(ask.value)) return ask.value === '' ? error(120) : error(14)
    const value = Number(ask.value)
    if (parameter.change === 'fixed') return error(94)
    if (value < parameter.min || value > parameter.max) return error(21)
    if (parameter.change === 'day' && device.day.receipts > 0) return error(97)
    setParameter(device, ask.number, value)
    return done({})
  },

  paymentNames({ device }, ask) {
    const payment = device.registers.payments.find(({ mode }) => mode === ask.number)
    if (!payment) return error(21)
    if (ask.do === 'read') return done({ number: ask.number, value: payment.name })
    if (ask.value.trim() === '') return error(29)
    if (device.day.receipts > 0) return refused(REASONS['dayNotClosed'])
    device.registers.setPayment(ask.number, { name: ask.value.slice(0, PAYMENT_NAME_WIDTH) })
    return done({})
  },
} satisfies Partial<Handlers>
