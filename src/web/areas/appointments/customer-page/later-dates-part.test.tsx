// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { CustomerAppointment } from '#contract/appointments/customer-page.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { makeManagedAppointment } from '#web/testing/make-managed-appointment.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, stubApi } from '#web/testing/stub-api.ts'
import { ManageAppointmentPage } from './manage-page.tsx'

const VIEW = 'GET /api/public/manage/token'
const CANCEL = 'POST /api/public/manage/token/cancel-dates'
const { starts_at: FIRST } = makeManagedAppointment().appointment
const SECOND = '2027-01-12T09:00:00.000Z'
const THIRD = '2027-01-19T09:00:00.000Z'

test('all following dates are cancelled on the terms that the page shows, and those whose policy refuses stay', async () => {
  const { user, api } = open([
    dateOf(1, FIRST, { way: 'none' }),
    dateOf(2, SECOND, { refund: { percent: 50, amount: 20 } }),
    dateOf(3, THIRD, { way: 'by_request' }),
  ])
  expect(await screen.findByRole('heading', { name: 'Later dates' })).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Cancel this and all following' }))
  expect(screen.getByRole('heading', { name: 'Cancel 2 dates?' })).toBeDefined()
  expect(screen.getByText('Stays: it can no longer be cancelled online')).toBeDefined()
  expect(screen.getByText('Will be cancelled, €20.00 refunded')).toBeDefined()
  expect(screen.getByText('The practice will review your request')).toBeDefined()
  const after = view([
    dateOf(1, FIRST, { way: 'none' }),
    dateOf(3, THIRD, { standing: 'pending_cancellation', way: 'none' }),
  ])
  api.answer(CANCEL, after)
  api.answer(VIEW, after)
  await user.click(screen.getByRole('button', { name: 'Cancel 2 dates' }))
  expect(await screen.findByText('Cancellation requested')).toBeDefined()
  expect(api.to(CANCEL)[0]?.body).toEqual({
    dates: [
      { number: 2, way: 'alone', refund_amount: 20, expected_starts_at: SECOND },
      { number: 3, way: 'by_request', refund_amount: null, expected_starts_at: THIRD },
    ],
  })
  expect(screen.queryByRole('button', { name: 'Cancel this and all following' })).toBeNull()
})

test('terms that changed meanwhile are shown again, with the reason', async () => {
  const { user, api } = open([dateOf(1, FIRST), dateOf(2, SECOND)])
  await user.click(await screen.findByRole('button', { name: 'Cancel this and all following' }))
  api.answer(CANCEL, errorResponse('cancellation.terms_changed'))
  await user.click(screen.getByRole('button', { name: 'Cancel 2 dates' }))
  expect(await screen.findByText(PROBLEMS['cancellation.terms_changed'].title)).toBeDefined()
  expect(screen.getByRole('heading', { name: 'Later dates' })).toBeDefined()
})

test('a single appointment and the last date of a series have no later dates', async () => {
  open([dateOf(4, FIRST)])
  expect(await screen.findByRole('heading', { name: 'Your appointment' })).toBeDefined()
  expect(screen.queryByRole('heading', { name: 'Later dates' })).toBeNull()
})

type Following = CustomerAppointment['following'][number]

function dateOf(number: number, starts_at: string, over: Partial<Following> = {}): Following {
  return { number, starts_at, standing: 'upcoming', way: 'alone', refund: null, ...over }
}

function view(following: Following[]): CustomerAppointment {
  return makeManagedAppointment({ following })
}

function open(following: Following[]) {
  const api = stubApi({ [VIEW]: view(following) })
  return { api, ...renderComponent(<ManageAppointmentPage token="token" />) }
}
