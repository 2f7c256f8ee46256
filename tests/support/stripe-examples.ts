import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'

/** Reads Stripe's own example of each resource from tests/fixtures/stripe, under Stripe's licence. */
export async function readStripeExamples(): Promise<Record<string, Record<string, unknown>>> {
  return JSON.parse(await readFile(join(import.meta.dirname, '../fixtures/stripe/resources.json'), 'utf8'))
}

/** Expects that a resource has only fields of Stripe's example, with the same types. */
export function expectStripeShape(resource: object, example: Readonly<Record<string, unknown>>): void {
  const sent: Record<string, unknown> = JSON.parse(JSON.stringify(resource))
  const fields = Object.keys(sent)
  expect(Object.keys(example)).toEqual(expect.arrayContaining(fields))
  // A null in either of them says nothing about the field's type.
  const both = fields.filter((field) => example[field] !== null && sent[field] !== null)
  expect(both.length).toBeGreaterThan(1)
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
