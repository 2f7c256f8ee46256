import { expect, test } from 'vitest'
import {
  bookingUrlAt,
  confirmationUrlOf,
  customerPagesOriginOf,
  moveUrlAt,
  publicUrlOf,
} from './public-url.ts'

const ORIGIN = 'https://meridian.example:8443'

test.each([
  [
    'a verified host, with the port of the installation',
    { path: null, host: 'termine.grey.example' },
    'https://termine.grey.example:8443',
  ],
  [
    'the host also where there is a path',
    { path: 'dr-grey', host: 'grey.meridian.example' },
    'https://grey.meridian.example:8443',
  ],
  ['a path of its own', { path: 'dr-grey', host: null }, 'https://meridian.example:8443/book/dr-grey'],
  ['else the slug', { path: null, host: null }, 'https://meridian.example:8443/book/grey'],
] as const)('customers book at %s (rule I1)', (_what, address, expected) => {
  expect(publicUrlOf({ slug: 'grey', ...address }, ORIGIN)).toBe(expected)
})

test("customers' pages are on the calendar's host, else on the installation (rule J5)", () => {
  const [own, none] = [
    { slug: 'grey', path: 'dr-grey', host: 'grey.example' },
    { slug: 'grey', path: 'dr-grey', host: null },
  ]
  expect(customerPagesOriginOf(own, ORIGIN)).toBe('https://grey.example:8443')
  expect(customerPagesOriginOf(none, ORIGIN)).toBe(ORIGIN)
  expect(confirmationUrlOf(own, ORIGIN, 'a1')).toBe(
    'https://grey.example:8443/confirmation?appointment_id=a1',
  )
  expect(confirmationUrlOf(none, ORIGIN, 'a1')).toBe(
    'https://meridian.example:8443/book/grey/confirmation?appointment_id=a1',
  )
})

test('a suggested time is chosen by a parameter, which stands before the proof of the email', () => {
  const startsAt = '2027-01-05T09:00:00Z'
  expect(bookingUrlAt('https://grey.example', startsAt, null)).toBe(
    'https://grey.example?start=2027-01-05T09%3A00%3A00Z',
  )
  expect(bookingUrlAt('https://grey.example', startsAt, 'type-1')).toBe(
    'https://grey.example?start=2027-01-05T09%3A00%3A00Z&type=type-1',
  )
  expect(moveUrlAt('https://grey.example/manage/token#email=x', startsAt)).toBe(
    'https://grey.example/manage/token?start=2027-01-05T09%3A00%3A00Z#email=x',
  )
})
