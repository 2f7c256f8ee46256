import { expect, test } from 'vitest'
import { findRadicale } from './find-radicale.ts'
import type { Machine } from './machine.ts'

test('the one on the PATH is taken', () => {
  expect(findRadicale(makeMachine({ files: ['/usr/bin/radicale'] }))).toBe('/usr/bin/radicale')
})

test('root on Debian gets the package after an update', () => {
  const machine = makeMachine({ files: ['/usr/bin/apt-get'], installed: '/usr/bin/radicale' })
  expect(findRadicale(machine)).toBe('/usr/bin/radicale')
  expect(machine.commands).toEqual([
    'apt-get update',
    'apt-get install --yes --no-install-recommends radicale',
  ])
})

test.each([
  { who: 'an ordinary user', uid: 1000, files: ['/usr/bin/apt-get'] },
  { who: 'root without apt-get', uid: 0, files: [] },
])('$who is told what to run', ({ uid, files }) => {
  const machine = makeMachine({ uid, files, installed: '/usr/bin/radicale' })
  expect(() => findRadicale(machine)).toThrow('apt-get update && apt-get install --yes radicale')
  expect(machine.commands).toEqual([])
})

function makeMachine({
  uid = 0,
  files = [],
  installed = null,
}: {
  uid?: number
  files?: readonly string[]
  installed?: string | null
}): Machine & { readonly commands: string[] } {
  const present = new Set(files)
  const commands: string[] = []
  return {
    platform: 'linux',
    uid,
    env: { PATH: '/bin:/usr/bin' },
    exists: (path) => present.has(path),
    run: (command, args) => {
      commands.push([command, ...args].join(' '))
      if (installed !== null && args[0] === 'install') present.add(installed)
      return true
    },
    commands,
  }
}
