import { expect, test } from 'vitest'
import { findRoute } from './find-route.ts'

const ID = '6f1e1c39-7f2b-4a1d-9c55-0a3f6f1b2c3d'

function routeOf(address: string) {
  const { pathname, search } = new URL(address, 'http://localhost')
  return findRoute({ pathname, search })
}

test('each page of the entry has its address', () => {
  expect(routeOf('/book/dr-grey')).toEqual({ page: 'book', slug: 'dr-grey' })
  expect(routeOf(`/book/dr-grey/confirmation?appointment_id=${ID}`)).toEqual({
    page: 'confirmation',
    slug: 'dr-grey',
    appointmentId: ID,
  })
  expect(routeOf(`/confirmation?appointment_id=${ID}`)).toEqual({
    page: 'confirmation',
    slug: null,
    appointmentId: ID,
  })
  expect(routeOf(`/cancel/${ID}`)).toEqual({ page: 'cancel', appointmentId: ID })
  expect(routeOf('/manage/AbC-_9')).toEqual({ page: 'manage', token: 'AbC-_9' })
  expect(routeOf('/waiting/AbC-_9')).toEqual({ page: 'waiting', token: 'AbC-_9' })
  expect(routeOf(`/payment-success?session_id=cs_1&appointment_id=${ID}`)).toEqual({
    page: 'payment-success',
    appointmentId: ID,
    slug: null,
    transactionId: null,
  })
  expect(routeOf(`/payment-cancelled?appointment_id=${ID}&calendar_slug=dr-grey&transaction_id=1`)).toEqual({
    page: 'payment-cancelled',
    appointmentId: ID,
    slug: 'dr-grey',
    transactionId: null,
  })
  expect(routeOf(`/payment-cancelled?appointment_id=${ID}&transaction_id=${ID}`)).toMatchObject({
    transactionId: ID,
  })
})

test('a host of the calendar’s own has its page at the root, without a slug in the address (rule J3)', () => {
  expect(routeOf('/')).toEqual({ page: 'book', slug: '' })
})

test('a slash at the end changes nothing, and a slug is decoded', () => {
  expect(routeOf('/book/dr-grey/')).toEqual({ page: 'book', slug: 'dr-grey' })
  expect(routeOf('/book/caf%C3%A9')).toEqual({ page: 'book', slug: 'café' })
})

test('a missing or empty appointment id is none', () => {
  expect(routeOf('/book/dr-grey/confirmation')).toMatchObject({ appointmentId: null })
  expect(routeOf('/confirmation?appointment_id=%20')).toMatchObject({ appointmentId: null })
})

test.each([
  '/book',
  '/cancel',
  '/book/a/b',
  '/book/a/confirmation/c',
  '/cancel/a/b',
  '/payment-success/a',
  '/book/%E0%A4%A',
  '/pricing',
])('%s is no page of this entry', (address) => {
  expect(findRoute({ pathname: address, search: '' })).toBeNull()
})
