import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listDisallowedLicences } from './list-unfit-licences.ts'

test.each([
  ['GPL-2.0-only', ['node_modules/planted: GPL-2.0-only']],
  ['SSPL-1.0', ['node_modules/planted: SSPL-1.0']],
  ['MIT AND BUSL-1.1', ['node_modules/planted: MIT AND BUSL-1.1']],
  [undefined, ['node_modules/planted: no licence is named']],
  ['MIT', []],
  ['(GPL-2.0-only OR MIT)', []],
  ['Apache-2.0 AND MIT', []],
  ['Apache-2.0 AND LGPL-3.0-or-later', []],
  ['PSF-2.0', []],
  ['LGPL-2.1-only', ['node_modules/planted: LGPL-2.1-only']],
])('a package under %s is found if its licence does not go with ours', (license, found) => {
  const packages = { '': {}, 'node_modules/planted': license === undefined ? {} : { license } }
  expect(listDisallowedLicences({ packages })).toEqual(found)
})

test('of what is installed here, all does, and it was looked at', () => {
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8'))
  expect(Object.keys(lock.packages).length).toBeGreaterThan(300)
  expect(listDisallowedLicences(lock)).toEqual([])
})
