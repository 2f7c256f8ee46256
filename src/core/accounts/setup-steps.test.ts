import { describe, expect, test } from 'vitest'
import { findNextStep } from './setup-steps.ts'

const OPEN = { you: 'open', hours: 'open', services: 'open', external_calendar: 'open' } as const
const calendarId = '5f0b1c8e-3c67-4a9b-9d8e-0f6f7a3c1d22'

describe('the next step', () => {
  test.each([
    ['is the first one without a calendar', { steps: OPEN, calendarId: null }, 'you'],
    ['is the first open one', { steps: { ...OPEN, you: 'done' }, calendarId }, 'hours'],
    [
      'is never one that was skipped',
      { steps: { ...OPEN, you: 'skipped', hours: 'skipped' }, calendarId },
      'services',
    ],
    [
      'does not exist when no step is open',
      { steps: { you: 'done', hours: 'done', services: 'skipped', external_calendar: 'done' }, calendarId },
      null,
    ],
    [
      'is the first one again when the calendar was deleted',
      {
        steps: { you: 'done', hours: 'done', services: 'done', external_calendar: 'done' },
        calendarId: null,
      },
      'you',
    ],
  ] as const)('%s', (_what, progress, next) => {
    expect(findNextStep(progress)).toBe(next)
  })
})
