import { expect, test } from 'vitest'
import { findCaddy } from './find-caddy.ts'
import type { Machine } from './machine.ts'

const MACHINE: Machine = {
  platform: 'linux',
  uid: 1000,
  env: { PATH: '/bin:/usr/bin' },
  exists: () => false,
  run: () => false,
}

test('Caddy is taken from the PATH', () => {
  expect(findCaddy({ ...MACHINE, exists: (path) => path === '/usr/bin/caddy' })).toBe('/usr/bin/caddy')
})

test('an ordinary user is told how to get Caddy', () => {
  expect(() => findCaddy(MACHINE)).toThrow('apt-get update && apt-get install --yes caddy')
})
