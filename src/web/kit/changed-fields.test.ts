import { describe, expect, test } from 'vitest'
import { listDifferingFields, mergeConcurrentChange, toPartialUpdate } from './changed-fields.ts'

const WAS = { name: 'Room', address: '', minutes: 30 }

test('only what was changed is sent, with what was shown of it; nothing and an empty text are the same', () => {
  const shown = { ...WAS, address: null, id: 7 }
  expect(toPartialUpdate({ ...WAS, name: 'Loft' }, shown)).toEqual({
    changes: { name: 'Loft' },
    was: { name: 'Room' },
  })
})

test('a number that is no number yet is a change, once', () => {
  expect(listDifferingFields({ minutes: Number.NaN }, WAS)).toEqual(['minutes'])
  expect(listDifferingFields({ minutes: Number.NaN }, { minutes: Number.NaN })).toEqual([])
})

describe('overtaken by another window', () => {
  test('what was typed stays, the other fields take what is stored, and both are told', () => {
    const stored = { name: 'Cellar', address: 'Wharf Lane', minutes: 30 }
    const typed = { ...WAS, name: 'Loft' }
    expect(mergeConcurrentChange({ stored, was: WAS, typed })).toEqual({
      values: { name: 'Loft', address: 'Wharf Lane', minutes: 30 },
      differing: ['name', 'address'],
    })
  })

  test('a field that only this form changed, or that both changed alike, is not told', () => {
    const stored = { ...WAS, minutes: 45 }
    const typed = { name: 'Loft', address: '', minutes: 45 }
    expect(mergeConcurrentChange({ stored, was: WAS, typed })).toEqual({ values: typed, differing: [] })
  })
})
