import { expect, test } from 'vitest'
import { refuseStaleChange } from './refuse-stale-change.ts'

const STORED = { name: 'Studio', description: null, settings: { hours: 24 } }

test('a change of what was shown is made', () => {
  const was = { name: 'Studio', description: '', settings: { hours: 24 }, color: undefined }
  expect(() => refuseStaleChange(STORED, was)).not.toThrow()
  expect(() => refuseStaleChange(STORED, undefined)).not.toThrow()
})

test('a change of what has changed meanwhile is refused with the fields that did', () => {
  const was = { name: 'Practice', description: null, settings: { hours: 48 } }
  expect(() => refuseStaleChange(STORED, was)).toThrow(
    expect.objectContaining({
      code: 'request.changed_meanwhile',
      fields: [expect.objectContaining({ path: 'name' }), expect.objectContaining({ path: 'settings' })],
    }),
  )
})
