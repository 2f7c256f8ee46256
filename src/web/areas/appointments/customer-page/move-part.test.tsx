// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { MoveTermsResponse } from '#contract/appointments/customer-moves.ts'
import { makeManagedAppointment } from '#web/testing/make-managed-appointment.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { stubApi } from '#web/testing/stub-api.ts'
import { MoveAppointmentSection } from './move-part.tsx'

const MOVE = 'POST /api/public/manage/token/move'
const TERMS = 'GET /api/public/manage/token/move'
const NINE = '2027-01-05T09:00:00.000Z'
const OFFERED = ['2027-01-06T09:00:00.000Z', '2027-01-06T10:00:00.000Z']

test('a customer whose owner cannot come reads why, and takes one of the offered times', async () => {
  const { api, user, showOutcome } = open({
    offer: { times: OFFERED, message: 'I am ill.\nSorry!', opens_at: OFFERED[0] ?? '' },
  })
  await screen.findByText('This appointment can’t take place at the booked time. Please choose another one.')
  expect(screen.getByText(/I am ill/).textContent).toBe('I am ill.\nSorry!')
  // The policy's limit on moves is not shown, because it does not apply to an offer from the owner.
  expect(screen.queryByText(/^You can move it/)).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Choose another time' }))
  const suggested = within(screen.getByRole('group', { name: 'Suggested times' })).getAllByRole('button')
  expect(suggested.map(({ textContent }) => textContent)).toEqual([
    'Jan 6, 2027, 9:00 AM',
    'Jan 6, 2027, 10:00 AM',
  ])
  await user.click(screen.getByRole('button', { name: 'Jan 6, 2027, 10:00 AM' }))
  await user.click(screen.getByRole('button', { name: 'Move to Jan 6, 2027, 10:00 AM' }))
  expect(await screen.findByText('Moved to Jan 6, 2027, 10:00 AM')).toBeTruthy()
  expect(api.to(MOVE).map(({ body }) => body)).toEqual([{ starts_at: OFFERED[1], expected_starts_at: NINE }])
  await waitFor(() => expect(showOutcome).toHaveBeenCalled())
})

test('when all offered times are gone, the customer still reads it and chooses from all times', async () => {
  const { user } = open({ offer: { times: [], message: '', opens_at: OFFERED[0] ?? '' } })
  await user.click(await screen.findByRole('button', { name: 'Choose another time' }))
  expect(screen.queryByRole('group', { name: 'Suggested times' })).toBeNull()
  screen.getByRole('heading', { name: 'Wednesday, January 6' })
})

test('without an offer the times open on the day of the appointment', async () => {
  const { user } = open({})
  await user.click(await screen.findByRole('button', { name: 'Move to another time' }))
  screen.getByRole('heading', { name: 'Tuesday, January 5' })
})

test('without an offer the customer reads how often and until when the policy lets them move', async () => {
  open({ times_left: 1 })
  await screen.findByText('You can move it once until Monday, January 4, 9:00 AM.')
  expect(screen.queryByText(/can’t take place/)).toBeNull()
})

function open(terms: Partial<MoveTermsResponse>) {
  const api = stubApi({
    [TERMS]: { obstacle: null, until: '2027-01-04T09:00:00.000Z', times_left: null, offer: null, ...terms },
    'GET /api/public/manage/token/days': { time_zone: 'Europe/London', days: [] },
    'GET /api/public/manage/token/slots': { date: '2027-01-05', time_zone: 'Europe/London', slots: [] },
    [MOVE]: () => Response.json({ id: 'id', starts_at: OFFERED[1], ends_at: OFFERED[1], email: 'queued' }),
  })
  const showOutcome = vi.fn(async () => {})
  const part = { token: 'token', view: makeManagedAppointment(), onChanged: async () => {}, showOutcome }
  const { user } = renderComponent(<MoveAppointmentSection {...part} />)
  return { api, user, showOutcome }
}
