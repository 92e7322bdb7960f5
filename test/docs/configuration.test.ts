import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { configurationKeys, configurationText } from '../../bin/docs/configuration.ts'
import { configFile } from '../../server/config-schema.ts'

const documentWith = (path: string, value: unknown): unknown =>
  path.split('.').reduceRight<unknown>((inside, name) => {
    if (name.endsWith('[]')) return { [name.slice(0, -2)]: [inside] }
    return { [name === 'N' ? '2' : name]: inside }
  }, value)

const pathOf = (path: readonly PropertyKey[]): string =>
  path
    .map(String)
    .join('.')
    .replace(/\.\d+(?=\.|$)/g, (part) => (path.includes(Number(part.slice(1))) ? '[]' : '.N'))

describe('each setting of the configuration', () => {
  it.each(configurationKeys().map(({ path, example }) => [path, example]))(
    '%s has an example that is accepted: %s',
    (path, example) => {
      const { error } = configFile.safeParse(documentWith(path, parse(example)))
      const wrong = error?.issues.filter((issue) => pathOf(issue.path).startsWith(path)) ?? []
      expect(wrong.map(({ path: at, message }) => `${pathOf(at)}: ${message}`)).toEqual([])
    },
  )

  it('has its type and its description', () => {
    const types = ['text', 'whole number', 'number', 'true or false', 'list', 'object']
    const unknown = configurationKeys().filter(
      ({ type }) => !type.split(' or ').every((one) => types.some((known) => known.split(' or ').includes(one))),
    )
    expect(unknown).toEqual([])
    expect(configurationKeys().map(({ path }) => path)).toContain('device.firstAnswerMs')
  })
})

it('the configuration page shows no raw message of the schema library', () => {
  expect(configurationText()).not.toMatch(/received|symbol|Invalid input/)
})
