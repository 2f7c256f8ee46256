import { describe, expect, test } from 'vitest'
import { findWaitingRequestError, newWaitingRequest } from './waiting-request.ts'

const TODAY = '2027-01-04'
const WISH = newWaitingRequest(TODAY)

describe('findMissingField', () => {
  test('the request that a form begins with has none', () => {
    expect(findWaitingRequestError(WISH, TODAY)).toBeNull()
  })

  test('offers end on a day from today to the last date', () => {
    for (const validUntil of [TODAY, '2027-01-10', WISH.to_date]) {
      expect(findWaitingRequestError({ ...WISH, valid_until: validUntil }, TODAY), validUntil).toBeNull()
    }
    for (const validUntil of ['', '2027-01-03', '2027-02-02']) {
      expect(findWaitingRequestError({ ...WISH, valid_until: validUntil }, TODAY), validUntil).toContain(
        'Please end offers on a day',
      )
    }
  })

  test('a last day for offers that was not chosen follows the last date', () => {
    expect(findWaitingRequestError({ ...WISH, to_date: '2027-01-06' }, TODAY)).toBeNull()
    expect(
      findWaitingRequestError({ ...WISH, to_date: '2027-01-06', valid_until: '2027-01-07' }, TODAY),
    ).not.toBeNull()
  })
})
