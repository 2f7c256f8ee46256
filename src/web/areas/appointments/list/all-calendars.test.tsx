// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { addDays } from '#core/shared/zoned-time.ts'
import { makeAgendaDay, makeAppointment, makeUpcoming } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, type SentRequest, stubApi } from '#web/testing/stub-api.ts'
import { AppointmentsCard } from './appointments-card.tsx'
import { type AppointmentsView, DEFAULT_APPOINTMENTS_VIEW } from './appointments-view.ts'
import { NextToday } from './next-today.tsx'

const LIST = 'GET /api/appointments'
const AGENDA = `${LIST}/agenda`
const UPCOMING = `${LIST}/upcoming`
const EVENTS = 'GET /api/external-events'

const OTHER_CALENDAR = {
  calendar_id: '00000000-0000-4000-8000-0000000000b2',
  calendar_name: 'Evenings',
  calendar_color: '#a9541b',
}
const ADA = makeAppointment()
const BEN = makeAppointment({
  ...OTHER_CALENDAR,
  id: '00000000-0000-4000-8000-000000000502',
  starts_at: '2026-12-01T14:00:00Z',
  ends_at: '2026-12-01T15:00:00Z',
  customers: { ...ADA.customers, name: 'Ben Okafor' },
})

beforeEach(() => {
  localStorage.clear()
  // A Tuesday, 8:15 in London.
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-12-01T08:15:00Z'))
})

test('the list names the calendar of each row, with its colour, and asks for all of them together', async () => {
  const { api } = renderCard({ view: 'list' }, [ADA, BEN])
  const row = await screen.findByRole('article', { name: /Ben Okafor/ })
  expect(within(row).getByText(/First consultation · Evenings · Harley/)).toBeDefined()
  expect(stripeOf(row)).toBe('#a9541b')
  expect(stripeOf(screen.getByRole('article', { name: /Ada Lovelace/ }))).toBe('#3498db')
  expect(Object.fromEntries(api.to(LIST)[0]?.search ?? [])).toEqual({
    filter: 'upcoming',
    page: '1',
    time_zone: 'Europe/London',
  })
  expect(screen.getByRole('link', { name: 'Export CSV' }).getAttribute('href')).toBe(
    '/api/appointments.csv?filter=upcoming&time_zone=Europe%2FLondon',
  )
})

test('the list has one clock, and a calendar with another one shows its own time, too', async () => {
  renderCard({ view: 'list' }, [
    // Already Wednesday in Auckland.
    {
      ...ADA,
      starts_at: '2026-12-01T13:00:00Z',
      ends_at: '2026-12-01T13:45:00Z',
      time_zone: 'Pacific/Auckland',
      date: '2026-12-02',
    },
    BEN,
  ])
  const row = await screen.findByRole('article', { name: 'Ada Lovelace, December 1, 2026' })
  expect(within(row).getByText('1:00 PM')).toBeDefined()
  expect(within(row).getByText(/^Wed, 2:00 AM .* · First consultation/)).toBeDefined()
  expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(1)
})

test('names of 60 characters and right-to-left names keep their letters and the order of the words around them', async () => {
  const long = 'Maximiliane Theodora von Hohenstein-Wittgenstein zu Augsburg'
  const named = (name: string, over: Partial<AppointmentRow>) =>
    makeAppointment({ ...over, customers: { ...ADA.customers, name } })
  const hebrew = named('שרה לוי', {
    ...OTHER_CALENDAR,
    id: BEN.id,
    calendar_name: 'ערבים',
    appointment_types: { name: 'ייעוץ', is_online: false, price: null, location: null },
    location: { name: 'תל אביב', address: null },
  })
  const rows = [named(long, { calendar_name: long }), hebrew]
  const { user } = renderCard({ view: 'list' }, rows)
  const row = within(await screen.findByRole('article', { name: /^שרה לוי, / }))
  // Without the isolates, a browser would draw the three names in the opposite order.
  expect(row.getByText('\u2068ייעוץ\u2069 · \u2068ערבים\u2069 · \u2068תל אביב\u2069')).toBeDefined()
  expect(row.getByRole('button', { name: 'שרה לוי' }).getAttribute('dir')).toBe('auto')
  expect(screen.getByRole('button', { name: long }).title).toBe(long)
  await user.click(row.getByRole('button', { name: 'שרה לוי' }))
  const heading = await screen.findByRole('heading', { level: 3, name: 'שרה לוי' })
  expect(heading.querySelector('bdi')?.textContent).toBe('שרה לוי')
  await user.keyboard('{Escape}')

  await user.click(screen.getByRole('button', { name: 'Week' }))
  const day = within(await screen.findByRole('region', { name: 'Tuesday, December 1' }))
  const [longBlock, hebrewBlock] = [long, 'שרה לוי'].map((name) => day.getByText(name))
  expect(longBlock?.closest('button')?.textContent).toContain(long)
  expect(hebrewBlock?.getAttribute('dir')).toBe('auto')
  expect(hebrewBlock?.closest('button')?.textContent).toContain('\u2068ייעוץ\u2069 · \u2068ערבים\u2069')
  const legend = within(screen.getByRole('list', { name: 'Calendars' }))
  expect(legend.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    long,
    '\u2068ערבים\u2069',
  ])
})

test('everything in the row names the calendar and its time zone', async () => {
  localStorage.setItem('appointment-rows', 'comfortable')
  renderCard({ view: 'list' }, [ADA, BEN])
  const row = await screen.findByRole('article', { name: /Ben Okafor/ })
  expect(within(row).getByText('Evenings')).toBeDefined()
  expect(within(row).getByText('London time (GMT)')).toBeDefined()
})

test('a search that finds nothing in any calendar says so', async () => {
  renderCard({ view: 'list', filter: 'all', search: 'nobody' }, [])
  expect(await screen.findByText('Nothing in your calendars matches “nobody”.')).toBeDefined()
})

test('an address with an appointment that is not on the page opens it', async () => {
  const { api } = renderCard({ view: 'list', appointment: BEN.id }, [ADA], {
    [`${LIST}/${BEN.id}`]: BEN,
  })
  const panel = await screen.findByRole('region', { name: 'Appointment' })
  expect(await within(panel).findByRole('heading', { name: 'Ben Okafor' })).toBeDefined()
  expect(api.to(`${LIST}/${BEN.id}`)).not.toEqual([])
})

test('the week has the appointments of all calendars in the colours of a legend, and the events of external calendars', async () => {
  const event = {
    external_calendar_id: '00000000-0000-4000-8000-0000000000e1',
    calendar_name: 'Private',
    title: 'Dentist',
    color: null,
    starts_at: '2026-12-02T10:00:00Z',
    ends_at: '2026-12-02T11:00:00Z',
    is_all_day: false,
  }
  const { user, api } = renderCard({ view: 'week' }, [ADA, BEN], { [EVENTS]: { events: [event] } })
  const day = within(await screen.findByRole('region', { name: 'Tuesday, December 1' }))
  const block = day.getByRole('button', { name: /^Ben Okafor 2 – 3 PM First consultation · Evenings/ })
  expect(block.style.borderColor).toBe('#a9541b')
  expect(screen.getByText('Dentist')).toBeDefined()
  const legend = within(screen.getByRole('list', { name: 'Calendars' }))
  expect(legend.getAllByRole('listitem').map((entry) => entry.textContent)).toEqual(['Dr. Grey', 'Evenings'])
  expect(Object.fromEntries(api.to(AGENDA)[0]?.search ?? [])).toEqual({
    from: '2026-11-30',
    days: '7',
    time_zone: 'Europe/London',
  })
  await user.click(block)
  expect(await screen.findByRole('dialog', { name: 'Appointment' })).toBeDefined()
})

test('the legend of many calendars is one line that opens', async () => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800)
  const many = Array.from({ length: 30 }, (_, i) => ({
    ...ADA,
    id: `00000000-0000-4000-8000-0000000007${10 + i}`,
    calendar_id: `00000000-0000-4000-8000-0000000008${10 + i}`,
    calendar_name: `Room ${i}`,
  }))
  const { user } = renderCard({ view: 'week' }, many)
  const legend = within(await screen.findByRole('list', { name: 'Calendars' }))
  expect(legend.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    ...['Room 0', 'Room 1', 'Room 2', 'Room 3'],
    '+26 more',
  ])
  await user.click(legend.getByRole('button', { name: '+26 more', expanded: false }))
  expect(legend.getByText('Room 29')).toBeDefined()
  await user.click(legend.getByRole('button', { name: 'Show fewer', expanded: true }))
  expect(legend.queryByText('Room 29')).toBeNull()
})

test('of many appointments at one hour, as many as are readable are side by side, and the day lists the others', async () => {
  // The width of the week, in which a day has room for two.
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(7 * 170)
  const many = Array.from({ length: 30 }, (_, i) =>
    makeAppointment({
      id: `${BEN.id.slice(0, -3)}${600 + i}`,
      calendar_id: OTHER_CALENDAR.calendar_id,
      calendar_name: `Calendar ${i}`,
      starts_at: '2026-12-01T14:00:00Z',
      ends_at: '2026-12-01T15:00:00Z',
      customers: { ...ADA.customers, name: `Customer ${i}` },
    }),
  )
  const { user } = renderCard({ view: 'week' }, [ADA, ...many])
  const day = within(await screen.findByRole('region', { name: 'Tuesday, December 1' }))
  expect(day.getAllByRole('button', { name: /^Customer/ })).toHaveLength(1)
  const ada = day.getByRole('button', { name: /^Ada Lovelace/ })
  expect(ada.style.width).toBe('calc(100% / 1 - 4px)')
  await user.click(day.getByRole('button', { name: '+29 more, 2 – 3 PM' }))
  const list = within(await screen.findByRole('dialog', { name: 'Tuesday, December 1' }))
  expect(list.getAllByRole('button', { name: /^Customer/ })).toHaveLength(30)
  await user.click(list.getByRole('button', { name: /^Customer 29/ }))
  const opened = await screen.findByRole('dialog', { name: 'Appointment' })
  expect(within(opened).getByText('Customer 29')).toBeDefined()
  await user.keyboard('{Escape}')
  await vi.waitFor(() => expect(screen.queryByRole('dialog', { name: 'Appointment' })).toBeNull())
  expect(screen.getByRole('dialog', { name: 'Tuesday, December 1' })).toBeDefined()
})

test('an appointment is moved on its own calendar', async () => {
  const path = `POST /api/calendars/${BEN.calendar_id}/appointments/${BEN.id}/move`
  const { user, api } = renderCard({ view: 'day' }, [BEN], {
    [path]: errorResponse('appointment.changed_meanwhile'),
  })
  const block = await screen.findByRole('button', { name: /Ben Okafor/ })
  block.focus()
  await user.keyboard('m{ArrowDown}{Enter}')
  expect(await screen.findByText(/was changed meanwhile|has changed/)).toBeDefined()
  // The shortest step of any calendar.
  expect(api.to(path)[0]?.body).toMatchObject({ starts_at: '2026-12-01T14:15:00.000Z' })
})

test('a move is named on the clock of the page, whatever the zone of its calendar', async () => {
  const path = `POST /api/calendars/${BEN.calendar_id}/appointments/${BEN.id}/move`
  const row = { ...BEN, time_zone: 'America/New_York' }
  const { user } = renderCard({ view: 'day' }, [row], {
    [path]: {
      starts_at: '2026-12-01T14:15:00Z',
      ends_at: '2026-12-01T15:15:00Z',
      email: 'none',
      warning: null,
    },
  })
  const block = await screen.findByRole('button', { name: /Ben Okafor/ })
  block.focus()
  await user.keyboard('m{ArrowDown}{Enter}')
  expect(await screen.findByText('Moved to Tue, Dec 1, 2026, 2:15 PM')).toBeDefined()
})

test('today’s next appointments are lines that open, at most three, and none are nothing at all', async () => {
  const at = (hour: number, id: string, over: Partial<AppointmentRow> = {}) =>
    makeAppointment({
      id,
      starts_at: `2026-12-01T${hour}:00:00Z`,
      ends_at: `2026-12-01T${hour}:30:00Z`,
      ...over,
    })
  const tomorrow = makeAppointment({
    id: 'e',
    date: '2026-12-02',
    starts_at: '2026-12-02T09:00:00Z',
    ends_at: '2026-12-02T09:30:00Z',
  })
  const four = [at(10, 'a'), at(11, 'b', OTHER_CALENDAR), at(12, 'c'), at(13, 'd'), tomorrow]
  stubApi({ [UPCOMING]: makeUpcoming(four) })
  const { user } = renderComponent(<NextToday />)
  const lines = within(await screen.findByRole('region', { name: 'Next today' }))
  expect(lines.getAllByRole('article')).toHaveLength(3)
  expect(lines.getByRole('link', { name: 'See all of today' }).getAttribute('href')).toBe('/today')
  await user.click(lines.getByRole('button', { name: /10:00 AM.*Ada Lovelace/ }))
  await user.click(lines.getByRole('button', { name: 'View details' }))
  expect(await screen.findByRole('dialog', { name: 'Appointment' })).toBeDefined()
})

test('a day without appointments adds nothing to the dashboard', async () => {
  const api = stubApi({ [UPCOMING]: makeUpcoming([]) })
  renderComponent(<NextToday />)
  await vi.waitFor(() => expect(api.to(UPCOMING)).not.toEqual([]))
  expect(screen.queryByRole('region')).toBeNull()
})

function renderCard(
  choice: Partial<AppointmentsView>,
  appointments: AppointmentRow[],
  answers: Record<string, unknown> = {},
) {
  const api = stubApi({
    [LIST]: { appointments, total: appointments.length, page: 1, page_size: 10 },
    [AGENDA]: ({ search }: SentRequest) => ({
      time_zone: 'Europe/London',
      is_complete: true,
      appointments,
      days: Array.from({ length: Number(search.get('days')) }, (_, i) =>
        makeAgendaDay(addDays(search.get('from') ?? '', i)),
      ),
    }),
    [EVENTS]: { events: [] },
    [`${LIST}/undelivered-messages`]: { messages: 0, appointments: [] },
    ...answers,
  })
  return { api, ...renderComponent(<Card first={{ ...DEFAULT_APPOINTMENTS_VIEW, ...choice }} />) }
}

function Card({ first }: { first: AppointmentsView }) {
  const [choice, setChoice] = useState(first)
  return (
    <AppointmentsCard
      calendarId={null}
      timeZone="Europe/London"
      slotMinutes={15}
      choice={choice}
      onChoose={setChoice}
    />
  )
}

function stripeOf(row: HTMLElement): string | undefined {
  return row.querySelector<HTMLElement>('[style]')?.style.backgroundColor
}
