import { expect, test } from 'vitest'
import { z } from 'zod'
import * as addresses from './addresses.ts'
import { GENERAL_PROBLEMS, type Operation } from './operation.ts'
import { OPERATIONS } from './operations.ts'

const operations: readonly [name: string, operation: Operation][] = Object.entries(OPERATIONS)

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
    const general: readonly string[] = [...GENERAL_PROBLEMS, 'auth.required']
    expect([name, problems.filter((code) => general.includes(code))]).toEqual([name, []])
  }
})

test('every body and answer in openapi.json has a name', () => {
  const unnamed = operations
    .filter(([, { tag }]) => tag !== 'Webhooks')
    .flatMap(([name, { body, answers }]) =>
      [body, ...Object.values(answers)]
        .filter((schema) => schema instanceof z.ZodType && !(schema instanceof z.ZodUndefined))
        .filter((schema) => z.globalRegistry.get(schema as z.ZodType)?.id === undefined) // only schemas are left
        .map(() => name),
    )
  expect(unnamed).toEqual([])
})
