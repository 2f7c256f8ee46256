import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'

/** Stripe's own example of each resource: tests/fixtures/stripe, under Stripe's licence. */
export async function readStripeExamples(): Promise<Record<string, Record<string, unknown>>> {
  return JSON.parse(await readFile(join(import.meta.dirname, '../fixtures/stripe/resources.json'), 'utf8'))
}

/**
 * Holds a resource of a stand-in to Stripe's example: each field is there and of the same type. `gone`: fields of the example that
 * the present version of the API no longer has.
 */
export function expectStripeShape(
  resource: object,
  example: Readonly<Record<string, unknown>>,
  gone: readonly string[] = [],
): void {
  const sent: Record<string, unknown> = JSON.parse(JSON.stringify(resource))
  const fields = Object.keys(example).filter((field) => !gone.includes(field))
  expect(Object.keys(sent)).toEqual(expect.arrayContaining(fields))
  // What Stripe has as null in its example, or we have, may be anything: its types are the compiler's to check.
  const both = fields.filter((field) => example[field] !== null && sent[field] !== null)
  expect(both.length).toBeGreaterThan(2)
  expect(typesOf(sent, both)).toEqual(typesOf(example, both))
}

function typesOf(
  resource: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    fields.map((field) => [field, Array.isArray(resource[field]) ? 'array' : typeof resource[field]]),
  )
}
