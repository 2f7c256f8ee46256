import { expect, test } from 'vitest'
import { warnOfWeakSettings } from './operator.ts'

const PUBLISHED = {
  NODE_ENV: 'production',
  ROLE: 'all',
  BASE_URL: 'https://book.example',
  TRUST_PROXY: 1,
} as const

test('in production an address without TLS is pointed out, although it was confirmed', () => {
  expect(warningsOf({ BASE_URL: 'http://book.example' })).toEqual([
    'passwords and sessions are sent unencrypted, as ALLOW_HTTP has it',
  ])
})

test('that all visitors may count as one is pointed out where TLS ends before the product', () => {
  expect(warningsOf({ TRUST_PROXY: 0 })).toEqual([
    'the address of visitors is not taken from a proxy: if there is one for https, all visitors count as one client',
  ])
})

test.each([
  {},
  { NODE_ENV: 'development', BASE_URL: 'http://localhost:3000', TRUST_PROXY: 0 },
  { ROLE: 'worker', TRUST_PROXY: 0 },
] as const)('nothing is pointed out with %j', (settings) => {
  expect(warningsOf(settings)).toEqual([])
})

function warningsOf(settings: Partial<Parameters<typeof warnOfWeakSettings>[0]>): unknown[] {
  const warnings: unknown[] = []
  warnOfWeakSettings(
    { ...PUBLISHED, ...settings },
    { warn: (_settings: object, text?: string) => warnings.push(text) },
  )
  return warnings
}
