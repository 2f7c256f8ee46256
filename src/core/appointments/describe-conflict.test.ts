import { expect, test } from 'vitest'
import { describeConflictElsewhere } from './describe-conflict.ts'

// Source: rule T43.

const GRACE = { customerName: 'Grace Hopper', calendarName: 'Tenancy law' }

test('names the appointment at the very time, and its calendar', () => {
  expect(describeConflictElsewhere({ ...GRACE, bufferMinutes: null })).toBe(
    'This time is taken by the appointment of Grace Hopper in your calendar “Tenancy law”.',
  )
})

test('says how much has to stay free beside it', () => {
  expect(describeConflictElsewhere({ ...GRACE, bufferMinutes: 15 })).toBe(
    'This time is too close to the appointment of Grace Hopper in your calendar “Tenancy law”: 15 minutes have to stay free.',
  )
})
