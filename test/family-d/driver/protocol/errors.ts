export const ERRORS = {
  unknownCommand: { code: 1, meaning: 'it does not know the command' },
  badData: { code: 2, meaning: 'it cannot read the data of the command' },
  badValue: { code: 3, meaning: 'a value is out of range' },
  notNow: { code: 4, meaning: 'the command is not allowed in this state of the receipt' },
  noPaper: { code: 5, meaning: 'it is out of paper' },
  coverOpen: { code: 6, meaning: 'its cover is open' },
  wrongOperator: { code: 7, meaning: 'the operator or the password is wrong' },
  missing: { code: 8, meaning: 'there is no such article, closure or receipt' },
  badAmount: { code: 9, meaning: 'the amounts do not fit' },
  blocked: { code: 10, meaning: 'the day, the clock or a memory must be seen to first' },
} as const

export type ErrorKey = keyof typeof ERRORS

export const errorOf = (code: number): ErrorKey | undefined =>
  (Object.keys(ERRORS) as ErrorKey[]).find((key) => ERRORS[key].code === code)
