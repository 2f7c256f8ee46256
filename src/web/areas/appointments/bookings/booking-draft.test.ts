import { describe, expect, test } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import {
  type BookingDraft,
  EMPTY_DRAFT,
  findDraftErrors,
  formErrorMessage,
  setDraftDate,
  setDraftType,
  setDraftZone,
  toBookingBody,
  toDraftErrors,
} from './booking-draft.ts'
import { mergeInputIntoDraft } from './input-before-hydration.ts'

const FILLED: BookingDraft = {
  ...EMPTY_DRAFT,
  typeId: 'a-type',
  date: '2026-12-01',
  startsAt: '2026-12-01T20:00:00Z',
  name: ' Ada Lovelace ',
  email: ' ada@example.org ',
}

describe('findDraftErrors', () => {
  test('a draft with all that is required has none', () => {
    expect(findDraftErrors(FILLED, true)).toEqual({})
    expect(findDraftErrors({ ...FILLED, typeId: null }, false)).toEqual({})
  })

  test.each([
    ['a type, when the calendar has types', { typeId: null }, 'type'],
    ['a date', { date: null, startsAt: null }, 'date'],
    ['a time', { startsAt: null }, 'time'],
    ['a name that is more than spaces', { name: '  ' }, 'name'],
    ['an email address that is more than spaces', { email: '  ' }, 'email'],
  ])('asks for %s', (_, change, field) => {
    const errors = findDraftErrors({ ...FILLED, ...change }, true)
    expect(Object.keys(errors)).toEqual([field])
    expect(formErrorMessage(errors)).toBe(PROBLEMS['booking.incomplete'].title)
  })

  test.each([
    'ada',
    'ada@',
    'ada@example',
    '@example.org',
    'a b@example.org',
    'ada@example.',
    'ada@@example.org',
  ])('%s is not an email address', (email) => {
    const errors = findDraftErrors({ ...FILLED, email }, true)
    expect(errors).toEqual({ email: PROBLEMS['auth.invalid_email'].title })
    expect(formErrorMessage(errors)).toBe(PROBLEMS['auth.invalid_email'].title)
  })

  test('a malformed address among other errors leaves the general sentence', () => {
    const errors = findDraftErrors({ ...FILLED, email: 'ada', name: '' }, true)
    expect(formErrorMessage(errors)).toBe(PROBLEMS['booking.incomplete'].title)
  })
})

test('another type resets the time and keeps the rest, the same type again does not', () => {
  expect(setDraftType(FILLED, 'another')).toEqual({ ...FILLED, typeId: 'another', startsAt: null })
  expect(setDraftType(FILLED, FILLED.typeId ?? '')).toEqual(FILLED)
})

test('what was typed early replaces what was kept, and another type resets the time', () => {
  expect(mergeInputIntoDraft(FILLED, { name: 'Bob' })).toEqual({ ...FILLED, name: 'Bob' })
  expect(mergeInputIntoDraft(FILLED, { typeId: FILLED.typeId, name: 'Bob' })).toEqual({
    ...FILLED,
    name: 'Bob',
  })
  expect(mergeInputIntoDraft(FILLED, { typeId: 'another' })).toEqual({
    ...FILLED,
    typeId: 'another',
    startsAt: null,
  })
})

test('another date resets the time, the same date again does not', () => {
  expect(setDraftDate(FILLED, '2026-12-02').startsAt).toBeNull()
  expect(setDraftDate(FILLED, '2026-12-01')).toEqual(FILLED)
})

test('in another zone the chosen time stays and its day follows', () => {
  expect(setDraftZone(FILLED, 'visitor', 'Asia/Kathmandu')).toEqual({
    ...FILLED,
    zone: 'visitor',
    date: '2026-12-02',
  })
  expect(setDraftZone({ ...FILLED, startsAt: null }, 'visitor', 'Asia/Kathmandu').date).toBe('2026-12-01')
})

test('the request is trimmed; an empty title says that it was cleared', () => {
  const shown = { title: '  ', policyText: 'You cannot move it.', visitorZone: 'Asia/Kathmandu' }
  expect(toBookingBody({ ...FILLED, startsAt: '2026-12-01T20:00:00Z' }, shown)).toEqual({
    policy_text: 'You cannot move it.',
    appointment_type_id: 'a-type',
    starts_at: '2026-12-01T20:00:00Z',
    time_zone: 'Asia/Kathmandu',
    title: '',
    description: null,
    customer: { name: 'Ada Lovelace', email: 'ada@example.org', phone: null },
  })
})

test('what the server found wrong is marked at its field; an unknown path is not', () => {
  expect(
    toDraftErrors([
      { path: 'customer.phone', message: 'Too long' },
      { path: 'answers.7', message: 'Missing' },
      { path: 'something.else', message: 'Odd' },
    ]),
  ).toEqual({ phone: 'Too long', 'answers.7': 'Missing' })
})
