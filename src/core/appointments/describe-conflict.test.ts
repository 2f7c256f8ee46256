import { expect, test } from 'vitest'
import { describeConflict } from './describe-conflict.ts'

// Source: rule T43.

const GRACE = { customerName: 'Grace Hopper', calendarName: 'Tenancy law' }

test('names the conflicting appointment and its calendar', () => {
  expect(describeConflict({ ...GRACE, reason: 'busy', bufferMinutes: null })).toBe(
    'This time is taken by the appointment of Grace Hopper in your calendar “Tenancy law”.',
  )
})

test('mentions the buffer', () => {
  expect(describeConflict({ ...GRACE, reason: 'buffer', bufferMinutes: 15 })).toBe(
    'This time is too close to the appointment of Grace Hopper in your calendar “Tenancy law”: your buffer is 15 minutes.',
  )
})

test('mentions preparation and wrap-up', () => {
  expect(describeConflict({ ...GRACE, reason: 'preparation', bufferMinutes: null })).toBe(
    'This time is too close to the appointment of Grace Hopper in your calendar “Tenancy law”: it leaves no time for preparation and wrap-up.',
  )
})
