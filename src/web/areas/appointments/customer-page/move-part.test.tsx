// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { MoveTermsResponse } from '#contract/appointments/customer-moves.ts'
import type { Slot } from '#contract/slots/slots.ts'
import { makeManagedAppointment } from '#web/testing/make-managed-appointment.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { stubApi } from '#web/testing/stub-api.ts'
import { MoveAppointmentSection } from './move-part.tsx'

const MOVE = 'POST /api/public/manage/token/move'
const TERMS = 'GET /api/public/manage/token/move'
const NINE = '2027-01-05T09:00:00.000Z'
const OFFERED = ['2027-01-06T09:00:00.000Z', '2027-01-06T10:00:00.000Z']

const TEN = '2027-01-06T10:00:00Z'

const TEN_SLOT: Slot = {
  slot_start: '10:00:00',
  slot_end: '10:30:00',
  starts_at: TEN,
  ends_at: '2027-01-06T10:30:00Z',
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-01-04T08:00:00Z') })
  history.replaceState(null, '', '/manage/token')
})

test('a customer whose owner cannot come reads why, and takes one of the offered times', async () => {
  const { api, user, showOutcome } = open(
    { offer: { times: OFFERED, message: 'I am ill.\nSorry!', opens_at: OFFERED[0] ?? '' } },
    [TEN_SLOT],
  )
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
  // The choice takes the place of the button, and gives it back.
  expect(screen.queryByRole('button', { name: 'Move to another time' })).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Choose another time' }))
  await user.click(screen.getByRole('button', { name: 'Keep Jan 5, 2027, 9:00 AM' }))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Move to another time' }))
})

test('without an offer the customer reads how often and until when the policy lets them move', async () => {
  open({ times_left: 1 })
  await screen.findByText('You can move it once until Monday, January 4, 9:00 AM.')
  expect(screen.queryByText(/can’t take place/)).toBeNull()
})

test('a link to a suggested time opens the choice with that time chosen, once', async () => {
  history.replaceState(null, '', '?start=2027-01-06T10%3A00%3A00Z')
  const { api, user } = open({ offer: { times: OFFERED, message: '', opens_at: OFFERED[0] ?? '' } }, [
    TEN_SLOT,
  ])
  await screen.findByRole('heading', { name: 'Wednesday, January 6' })
  const inGrid = await screen.findByRole('button', { name: '10:00 AM' })
  expect(inGrid.getAttribute('aria-pressed')).toBe('true')
  const suggested = screen.getByRole('button', { name: 'Jan 6, 2027, 10:00 AM' })
  expect(suggested.getAttribute('aria-pressed')).toBe('true')
  await user.click(screen.getByRole('button', { name: 'Move to Jan 6, 2027, 10:00 AM' }))
  await screen.findByText('Moved to Jan 6, 2027, 10:00 AM')
  expect(api.to(MOVE).map(({ body }) => body)).toEqual([{ starts_at: TEN, expected_starts_at: NINE }])
})

test('a suggested time that is taken meanwhile is not chosen, and the customer reads it', async () => {
  history.replaceState(null, '', '?start=2027-01-06T10:00:00Z')
  open({})
  await screen.findByText('This time is no longer available. Please choose another time.')
  expect(screen.getByRole('button', { name: 'Choose a time' })).toHaveProperty('disabled', true)
})

test.each(['?start=soon', '?start=2020-01-06T10:00:00Z', '?start=2027-01-05T09:00:00Z'])(
  'a link without a new time to come (%s) opens no choice',
  async (search) => {
    history.replaceState(null, '', search)
    open({})
    await screen.findByRole('button', { name: 'Move to another time' })
  },
)

test('after the deadline there is no way to move, and the summary alone says why', async () => {
  const { api } = open({ obstacle: 'too_late', until: null })
  await waitFor(() => expect(api.to(TERMS)).not.toEqual([]))
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.queryByText(/contact the practice/)).toBeNull()
})

test('after the last allowed move the customer is sent to the practice', async () => {
  open({ obstacle: 'too_often', until: null })
  await screen.findByText('This appointment can’t be moved again. Please contact the practice.')
})

function open(terms: Partial<MoveTermsResponse>, slots: readonly Slot[] = []) {
  const api = stubApi({
    [TERMS]: { obstacle: null, until: '2027-01-04T09:00:00.000Z', times_left: null, offer: null, ...terms },
    'GET /api/public/manage/token/days': { time_zone: 'Europe/London', days: [] },
    'GET /api/public/manage/token/slots': { date: '2027-01-05', time_zone: 'Europe/London', slots },
    [MOVE]: () => Response.json({ id: 'id', starts_at: OFFERED[1], ends_at: OFFERED[1], email: 'queued' }),
  })
  const showOutcome = vi.fn(async () => {})
  const part = { token: 'token', view: makeManagedAppointment(), onChanged: async () => {}, showOutcome }
  const { user } = renderComponent(<MoveAppointmentSection {...part} />)
  return { api, user, showOutcome }
}
