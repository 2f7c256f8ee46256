// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { PlannedDate } from '#contract/appointments/series.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { CALENDAR_ID, makeCalendar } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, stubApi } from '#web/testing/stub-api.ts'
import { NewAppointmentDialog } from './new-appointment-dialog.tsx'

const calendar = makeCalendar()
const PLAN = `GET /api/calendars/${CALENDAR_ID}/series-plan`
const BOOK = `POST /api/calendars/${CALENDAR_ID}/series`
const BOOKED = {
  series_id: '00000000-0000-4000-8000-000000000901',
  confirmation_email_queued: false,
  confirmation_email_wanted: false,
  warning: null,
}
const FREE = makeDate('2030-12-03', [])
const TAKEN = makeDate('2030-12-10', ['busy'], ['2030-12-10T16:00:00Z', '2030-12-11T15:00:00Z'])
const CLOSED = makeDate('2030-12-17', ['special_day'])
const EVENING = makeDate('2030-12-24', ['outside_hours'])

test('each date shows what speaks against it, and only free ones are booked without a decision', async () => {
  const { user, api, dialog } = await openSeries([FREE, TAKEN, CLOSED])
  expect(await dialog.findByText('1 of 3 dates will be booked')).toBeDefined()
  expect(dialog.getByText('This time is taken.')).toBeDefined()
  expect(checkbox(dialog, /Dec 10/)).toHaveProperty('disabled', true)
  expect(dialog.queryByRole('button', { name: /anyway/ })).toBeNull()
  await user.click(dialog.getByRole('button', { name: 'Book appointment' }))
  await screen.findByText('Appointment booked successfully!')
  expect(api.to(BOOK).map(({ body }) => body)).toEqual([
    expect.objectContaining({
      date: '2030-12-03',
      time: '10:00',
      every_weeks: 1,
      is_standing: false,
      planned: 3,
      dates: [{ number: 1, outside_hours: false }],
    }),
  ])
  expect(api.to(PLAN).at(-1)?.search.get('count')).toBe('10')
})

test('the owner leaves dates out, takes another time, and books anyway', async () => {
  const { user, api, dialog } = await openSeries([FREE, TAKEN, CLOSED, EVENING])
  await user.click(await dialog.findByRole('button', { name: 'Book 2 anyway' }))
  expect(await dialog.findByText('3 of 4 dates will be booked')).toBeDefined()
  await user.click(dialog.getByRole('button', { name: /Wed/ }))
  await user.click(checkbox(dialog, /Dec 3/))
  await user.click(dialog.getByRole('button', { name: 'Book 3 appointments' }))
  await screen.findByText('2 appointments booked')
  expect(api.to(BOOK).at(-1)?.body).toMatchObject({
    dates: [
      { number: 2, starts_at: '2030-12-11T15:00:00Z' },
      { number: 3, outside_hours: true },
      { number: 4, outside_hours: true },
    ],
  })
})

test('dates that were taken meanwhile are asked for again, and the choices stay', async () => {
  const { user, api, dialog } = await openSeries([FREE, TAKEN], errorResponse('series.dates_unavailable'))
  await user.click(await dialog.findByRole('button', { name: /Wed/ }))
  const before = api.to(PLAN).length
  await user.click(dialog.getByRole('button', { name: 'Book 2 appointments' }))
  expect(await dialog.findByText(PROBLEMS['series.dates_unavailable'].title)).toBeDefined()
  expect(api.to(PLAN).length).toBeGreaterThan(before)
  expect(dialog.getByText('All 2 dates will be booked')).toBeDefined()
})

test('without a time, the button says that it is missing', async () => {
  const { user, api, dialog } = await openSeries([FREE])
  fireEvent.change(dialog.getByLabelText(/^Start/), { target: { value: '' } })
  await dialog.findByText('Choose a time and when the series ends to see its dates.')
  await user.click(dialog.getByRole('button', { name: 'Book appointment' }))
  expect(dialog.getByLabelText(/^Start/).getAttribute('aria-invalid')).toBe('true')
  expect(api.to(BOOK)).toHaveLength(0)
})

test('with every date left out, the button says what is missing', async () => {
  const { user, dialog } = await openSeries([FREE])
  await user.click(await dialog.findByRole('checkbox'))
  expect(dialog.getByText('No dates will be booked')).toBeDefined()
  const book = dialog.getByRole('button', {
    name: 'Book appointment',
    description: 'Choose at least one date above.',
  })
  expect(book).toHaveProperty('disabled', true)
})

test('the group of the time has its zone as a description, not in its name', async () => {
  const { dialog } = await openSeries([FREE])
  expect(dialog.getByRole('group', { name: 'Time', description: /^.+ time \(.+\)$/ })).toBeDefined()
})

test('without a possible number of dates nothing is asked for or booked', async () => {
  const { user, api, dialog } = await openSeries([FREE])
  const before = api.to(PLAN).length
  const count = dialog.getByLabelText(/^Number of dates/)
  await user.clear(count)
  await user.type(count, '53')
  expect(await dialog.findByText('Choose a time and when the series ends to see its dates.')).toBeDefined()
  await user.click(dialog.getByRole('button', { name: 'Book appointment' }))
  expect(await dialog.findByText(PROBLEMS['series.count_invalid'].title)).toBeDefined()
  expect(api.to(BOOK)).toHaveLength(0)
  expect(
    api
      .to(PLAN)
      .slice(before)
      .map(({ search }) => search.get('count')),
  ).toEqual(['5'])
})

test('a standing appointment says how far ahead it is booked, and has no number of dates', async () => {
  const { user, api, dialog } = await openSeries([FREE, FREE])
  await choose(user, 'Ends', 'Never')
  expect(await dialog.findByText('We book 26 weeks ahead and add dates each day.')).toBeDefined()
  expect(dialog.queryByLabelText(/^Number of dates/)).toBeNull()
  await user.click(await dialog.findByRole('button', { name: 'Book 2 appointments' }))
  await screen.findByText('2 appointments booked')
  expect(api.to(PLAN).at(-1)?.search.has('count')).toBe(false)
  expect(api.to(BOOK).at(-1)?.body).toMatchObject({ is_standing: true, planned: 2 })
})

function makeDate(date: string, reasons: PlannedDate['reasons'], near: string[] = []): PlannedDate {
  return {
    date,
    starts_at: `${date}T15:00:00Z`,
    ends_at: `${date}T15:30:00Z`,
    reading: 'once',
    reasons,
    near_times: near.map((starts_at) => ({ starts_at, ends_at: starts_at })),
  }
}

type User = ReturnType<typeof renderComponent>['user']

/** Opens the dialog for a time that repeats every week, with these dates. */
async function openSeries(dates: PlannedDate[], answer?: ReturnType<typeof errorResponse>) {
  const api = stubApi({
    [`GET /api/calendars/${CALENDAR_ID}/appointment-types`]: { appointment_types: [] },
    [`GET /api/calendars/${CALENDAR_ID}/questions`]: { questions: [] },
    [`GET /api/calendars/${CALENDAR_ID}/customers`]: { customers: [] },
    [`GET /api/calendars/${CALENDAR_ID}/appointment-time`]: errorResponse('booking.time_required'),
    [`GET /api/public/calendars/${calendar.slug}/slots`]: {
      date: '2030-12-03',
      time_zone: calendar.timezone,
      slots: [],
    },
    [PLAN]: { time_zone: 'America/New_York', hour_cycle: 'h12', dates },
    [BOOK]: answer ?? { ...BOOKED, appointments: [{}, {}].slice(0, dates.length === 3 ? 1 : 2) },
  })
  const { user } = renderComponent(
    <NewAppointmentDialog
      calendars={[calendar]}
      shownDate={null}
      pointedAt={null}
      open
      onOpenChange={() => undefined}
    />,
  )
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText('Customer'), 'Grace')
  fireEvent.change(dialog.getByLabelText(/^Date/), { target: { value: '2030-12-03' } })
  await user.click(dialog.getByRole('button', { name: 'Another time' }))
  fireEvent.change(dialog.getByLabelText(/^Start/), { target: { value: '10:00' } })
  await choose(user, 'Repeats', 'Every week')
  return { user, api, dialog }
}

async function choose(user: User, label: string, option: string): Promise<void> {
  await user.click(screen.getByRole('combobox', { name: label }))
  await user.click(await screen.findByRole('option', { name: option }))
}

function checkbox(dialog: ReturnType<typeof within>, name: RegExp): HTMLElement {
  return dialog.getByRole('checkbox', { name })
}
