import { expect, test } from 'vitest'
import { z } from 'zod'
import * as addresses from './addresses.ts'
import { type Operation, PROBLEMS_OF_ANY_REQUEST } from './operation.ts'
import { OPERATIONS } from './operations.ts'

const operations: readonly [name: string, operation: Operation][] = Object.entries(OPERATIONS)

const bodiesAndAnswers = operations
  .filter(([, { tag }]) => tag !== 'Webhooks')
  .flatMap(([operation, { body, answers }]) =>
    [body, ...Object.values(answers)]
      .filter((schema) => schema instanceof z.ZodType)
      .filter((schema) => !(schema instanceof z.ZodUndefined))
      .map((schema) => ({ operation, schema })),
  )

function nameOf(schema: z.ZodType): string | undefined {
  return z.globalRegistry.get(schema)?.id
}

test('every address belongs to the operation with the same name only', () => {
  const table = Object.fromEntries(operations.map(([name, { address }]) => [name, address]))
  expect(table).toEqual({ ...addresses })
  expect(new Set(Object.values(table)).size).toBe(operations.length)
})

test('every operation reads exactly the parameters of its path', () => {
  for (const [name, { address, params }] of operations) {
    const inPath = [...address.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter)
    expect([name, Object.keys(params?.shape ?? {}).sort()]).toEqual([name, inPath.sort()])
  }
})

test('no operation declares a refusal twice, or declares a general refusal', () => {
  for (const [name, { problems }] of operations) {
    expect([name, new Set(problems).size]).toEqual([name, problems.length])
    const general: readonly string[] = [...PROBLEMS_OF_ANY_REQUEST, 'auth.required']
    expect([name, problems.filter((code) => general.includes(code))]).toEqual([name, []])
  }
})

test('every body and answer in openapi.json has a name', () => {
  const unnamed = bodiesAndAnswers.filter(({ schema }) => nameOf(schema) === undefined)
  expect(unnamed.map(({ operation }) => operation)).toEqual([])
})

test('no two bodies or answers in openapi.json have the same name', () => {
  const names = [...new Set(bodiesAndAnswers.map(({ schema }) => schema))].map(nameOf)
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
})
