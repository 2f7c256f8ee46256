// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, stubApi } from '#web/testing/stub-api.ts'
import { type BookingDraft, EMPTY_DRAFT, findDraftSeries, toBookingBody } from './booking-draft.ts'
import { chooseDates, SeriesFields } from './series-fields.tsx'

const PLAN = 'GET /api/public/calendars/dr-grey/series-plan'
const FIRST = '2027-01-05T10:00:00.000Z'
const SECOND = { starts_at: '2027-01-12T10:00:00.000Z', is_free: true, near_times: [] }
const TAKEN = {
  starts_at: '2027-01-19T10:00:00.000Z',
  is_free: false,
  near_times: ['2027-01-19T11:00:00.000Z', '2027-01-20T10:00:00.000Z'],
}
const FOURTH = { starts_at: '2027-01-26T10:00:00.000Z', is_free: false, near_times: [] }
const DATES = [{ starts_at: FIRST, is_free: true, near_times: [] }, SECOND, TAKEN, FOURTH]

let draft: BookingDraft
beforeEach(() => {
  draft = EMPTY_DRAFT
})

test('a time is booked just once until the customer repeats it, and then on all free dates', async () => {
  const { user } = renderFields()
  expect(bookedSeries()).toBeUndefined()
  expect(screen.queryByLabelText('Number of dates')).toBeNull()
  await user.selectOptions(screen.getByLabelText('How often'), 'Every week')
  expect(await screen.findByText('2 of 4 dates will be booked')).toBeDefined()
  expect(bookedSeries()).toEqual({ every_weeks: 1, dates: [{ number: 2, starts_at: SECOND.starts_at }] })
  expect(screen.getAllByText(/^Not available/).map(({ textContent }) => textContent)).toEqual([
    'Not available. Choose another time or leave it out.',
    'Not available',
  ])
})

test('a free date is left out, and a taken one gets another time, which can be taken back', async () => {
  const { user } = renderFields()
  await user.selectOptions(screen.getByLabelText('How often'), 'Every week')
  await user.click(await screen.findByRole('checkbox', { name: /Jan 12/ }))
  expect(bookedSeries()?.dates).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Wed, Jan 20, 10:00 AM' }))
  expect(bookedSeries()?.dates).toEqual([{ number: 3, starts_at: '2027-01-20T10:00:00.000Z' }])
  await user.click(screen.getByRole('button', { name: 'Wed, Jan 20, 10:00 AM' }))
  expect(screen.getByText('1 of 4 dates will be booked')).toBeDefined()
  expect(screen.getByRole('checkbox', { name: /Jan 5/ })).toHaveProperty('disabled', true)
})

test('only what the type offers can be chosen', () => {
  renderFields()
  const choices = within(screen.getByLabelText('How often')).getAllByRole('option')
  expect(choices.map(({ textContent }) => textContent)).toEqual(['Just once', 'Every week', 'Every 4 weeks'])
})

test('another time is booked just once', async () => {
  const { user } = renderFields()
  await user.selectOptions(screen.getByLabelText('How often'), 'Every week')
  await screen.findByText('2 of 4 dates will be booked')
  expect(findDraftSeries({ ...draft, startsAt: '2027-01-05T11:00:00.000Z' })).toBeUndefined()
})

test('dates that cannot be loaded are loaded again on request', async () => {
  const { user, api } = renderFields()
  api.answer(PLAN, errorResponse('request.too_many'))
  await user.selectOptions(screen.getByLabelText('How often'), 'Every week')
  expect(await screen.findByText('Too many attempts. Please wait a moment and try again.')).toBeDefined()
  expect(bookedSeries()?.dates).toEqual([])
  api.answer(PLAN, { dates: DATES })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('2 of 4 dates will be booked')).toBeDefined()
})

test('a chosen time that is no longer free is not booked', () => {
  const choices = { 3: '2027-01-19T11:00:00.000Z' }
  expect(chooseDates(DATES, choices)).toHaveLength(2)
  expect(chooseDates([...DATES.slice(0, 2), { ...TAKEN, near_times: [] }, FOURTH], choices)).toHaveLength(1)
})

function bookedSeries() {
  const texts = { title: null, policyText: '', visitorZone: 'Europe/London' }
  return toBookingBody({ ...draft, startsAt: FIRST }, texts).series
}

function renderFields() {
  const api = stubApi({ [PLAN]: { dates: DATES } })
  const request = {
    slug: 'dr-grey',
    typeId: '22222222-2222-4222-8222-222222222221',
    shownZone: 'Europe/London',
    hourCycle: 'h12' as const,
    until: null,
  }
  function Form() {
    const [shown, setShown] = useState<BookingDraft>({ ...EMPTY_DRAFT, startsAt: FIRST })
    draft = shown
    return (
      <SeriesFields
        rule={{ every_weeks: [1, 4], most_dates: 4 }}
        request={request}
        draft={shown}
        onChange={(series) => setShown({ ...shown, series })}
      />
    )
  }
  renderComponent(<Form />)
  return { user: userEvent.setup(), api }
}
