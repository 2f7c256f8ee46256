// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { AgendaResponse, AppointmentRow } from '#contract/appointments/appointments.ts'
import { addDays } from '#core/shared/zoned-time.ts'
import { CALENDAR_ID, makeAgendaDay, makeAppointment } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, heldResponse, type SentRequest, stubApi } from '#web/testing/stub-api.ts'
import type { ExternalEvent } from './agenda-layout.ts'
import { AppointmentsCard } from './appointments-card.tsx'
import { type AppointmentsView, DEFAULT_APPOINTMENTS_VIEW } from './appointments-view.ts'

const LIST = `GET /api/calendars/${CALENDAR_ID}/appointments`
const AGENDA = `${LIST}/agenda`
const EVENTS = `GET /api/calendars/${CALENDAR_ID}/external-events`
const NO_EVENTS = { [EVENTS]: { events: [] } }

beforeEach(() => {
  // A Tuesday, 10:15 in London.
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-12-01T10:15:00Z'))
})
const MORNING = makeAppointment({
  id: 'a',
  starts_at: '2026-12-01T09:30:00Z',
  ends_at: '2026-12-01T10:15:00Z',
})
const CANCELLED = makeAppointment({
  id: 'b',
  status: 'cancelled',
  starts_at: '2026-12-02T14:00:00Z',
  ends_at: '2026-12-02T15:00:00Z',
  customers: {
    id: '77777777-7777-4777-8777-777777777778',
    name: '',
    email: null,
    phone: null,
    phone_numbers: [],
    client_id: 'C2',
  },
})

describe('the week', () => {
  test('begins on Monday and shows each appointment on its day as a button that says everything', async () => {
    const { api } = renderView('week', [MORNING])
    const day = within(await screen.findByRole('region', { name: 'Tuesday, December 1' }))
    expect(
      day.getByRole('button', { name: 'Ada Lovelace 9:30 – 10:15 AM First consultation Confirmed' }),
    ).toBeDefined()
    expect(screen.getByRole('heading', { name: 'Nov 30, 2026 – Dec 6, 2026' })).toBeDefined()
    expect(screen.getAllByRole('region', { name: /, (November|December) / })).toHaveLength(7)
    expect(screen.getByText('December 1, 2026, today')).toBeDefined()
    expect(api.to(AGENDA).at(-1)?.search.toString()).toBe('from=2026-11-30&days=7')
  })

  test('what is confirmed shows its type, and what is not its status, where there is room for one of them', async () => {
    const pending = makeAppointment({ ...CANCELLED, id: 'c', status: 'pending_cancellation' })
    const full = makeAppointment({
      id: 'd',
      starts_at: '2026-12-03T14:00:00Z',
      ends_at: '2026-12-03T15:00:00Z',
    })
    renderView('week', [full, pending])
    const wordsOf = async (region: string) => {
      const block = within(await screen.findByRole('region', { name: region })).getByRole('button')
      const words = [...block.querySelectorAll(':scope > span:not(.sr-only)')]
      return words.map((word) => word.textContent)
    }
    expect(await wordsOf('Wednesday, December 2')).toEqual(['Unknown', '2 – 3 PM', 'Cancellation pending'])
    expect(await wordsOf('Thursday, December 3')).toEqual(['Ada Lovelace', '2 – 3 PM', 'First consultation'])
    // The unconfirmed appointment has an icon as well, and both have the colour of their type.
    const buttons = screen.getAllByRole('button', { name: /2 – 3 PM/ })
    expect(buttons.map((block) => block.querySelector('svg') !== null)).toEqual([true, false])
    for (const block of buttons) expect(block.style.borderColor).toBe('#8e44ad')
  })

  test('a press on an appointment opens its details, and Escape gives the focus back', async () => {
    const { user } = renderView('week', [MORNING])
    const block = await screen.findByRole('button', { name: /Ada Lovelace/ })
    await user.click(block)
    const dialog = within(await screen.findByRole('dialog', { name: 'Appointment' }))
    expect(dialog.getByText('ada@example.org')).toBeDefined()
    expect(dialog.getByText('BK-1764000000000')).toBeDefined()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('cancelled appointments are hidden until they are wanted', async () => {
    const { user } = renderView('week', [MORNING, CANCELLED])
    const toggle = await screen.findByRole('switch', { name: 'Show cancelled (1)' })
    expect(screen.queryByRole('button', { name: /Cancelled/ })).toBeNull()
    await user.click(toggle)
    expect(
      screen.getByRole('button', { name: 'Unknown 2 – 3 PM First consultation Cancelled' }),
    ).toBeDefined()
    expect(screen.getByText('2 appointments')).toBeDefined()
  })

  test('one goes back and forward by weeks, to today, and to any date', async () => {
    const { user, api } = renderView('week', [])
    expect(await screen.findByText('No appointments on these days')).toBeDefined()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Today' }).disabled).toBe(true)
    await user.click(screen.getByRole('button', { name: 'Next week' }))
    expect(await screen.findByRole('heading', { name: 'Dec 7, 2026 – Dec 13, 2026' })).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Today' }))
    await user.click(screen.getByRole('button', { name: 'Previous week' }))
    expect(await screen.findByRole('heading', { name: 'Nov 23, 2026 – Nov 29, 2026' })).toBeDefined()
    const date = screen.getByLabelText<HTMLInputElement>('Go to date')
    await user.clear(date)
    await user.type(date, '2027-03-31{Enter}')
    expect(await screen.findByRole('heading', { name: 'Mar 29, 2027 – Apr 4, 2027' })).toBeDefined()
    expect(api.to(AGENDA).at(-1)?.search.get('from')).toBe('2027-03-29')
  })

  test('on a narrow screen it is one day below the other with the hours of each', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
    renderView('week', [MORNING])
    const tuesday = within(await screen.findByRole('region', { name: 'Tuesday, December 1' }))
    expect(tuesday.getByText('9:00 AM – 5:00 PM')).toBeDefined()
    expect(tuesday.getByText('Today')).toBeDefined()
    expect(tuesday.getByRole('button', { name: /Ada Lovelace/ })).toBeDefined()
    const sunday = within(screen.getByRole('region', { name: 'Sunday, December 6' }))
    expect(sunday.getByText('Closed')).toBeDefined()
    expect(sunday.getByText('No appointments')).toBeDefined()
  })
})

describe('a session (rules B59 and B60)', () => {
  const session = {
    id: '00000000-0000-4000-8000-000000000901',
    appointment_type_id: '00000000-0000-4000-8000-000000000301',
    seats: 8,
    seats_taken: 2,
  }
  const seat = (id: string, name: string, over: Partial<AppointmentRow> = {}) =>
    makeAppointment({
      id,
      session,
      starts_at: '2026-12-03T14:00:00Z',
      ends_at: '2026-12-03T15:00:00Z',
      date: '2026-12-03',
      customers: { ...MORNING.customers, name },
      ...over,
    })
  const PEOPLE = [
    seat('00000000-0000-4000-8000-000000000601', 'Grace Hopper'),
    seat('00000000-0000-4000-8000-000000000602', 'Alan Turing', { status: 'pending_cancellation' }),
    seat('00000000-0000-4000-8000-000000000603', 'Emmy Noether', { status: 'cancelled' }),
  ]

  test('is one block with the seats that are taken, and opens to its people', async () => {
    const { user } = renderView('week', [MORNING, ...PEOPLE])
    const block = await screen.findByRole('button', { name: /First consultation 2 – 3 PM 2 of 8/ })
    expect(block.textContent).toContain('Cancellation pending')
    expect(screen.getByText('3 appointments')).toBeDefined()
    await user.click(block)
    const dialog = within(await screen.findByRole('dialog', { name: 'Session' }))
    expect(await dialog.findByText(/2 of 8 seats taken/)).toBeDefined()
    const people = within(dialog.getByRole('list', { name: 'People in this session' }))
    expect(people.getAllByRole('article')).toHaveLength(2)
    await user.click(people.getByRole('button', { name: /Grace Hopper/ }))
    expect(people.getByText('ada@example.org')).toBeDefined()
  })

  test('moves with everybody', async () => {
    const { user, api } = renderView('week', PEOPLE)
    await user.click(await screen.findByRole('button', { name: /2 of 8/ }))
    const path = `/api/calendars/${CALENDAR_ID}/appointments/${PEOPLE[1]?.id}`
    api.answer(`GET ${path}/move-slots`, {
      date: '2026-12-03',
      time_zone: 'Europe/London',
      slots: [
        {
          slot_start: '16:00:00',
          slot_end: '17:00:00',
          starts_at: '2026-12-03T16:00:00Z',
          ends_at: '2026-12-03T17:00:00Z',
        },
      ],
    })
    api.answer(`GET ${path}/move-time`, {
      starts_at: '2026-12-03T16:00:00Z',
      ends_at: '2026-12-03T17:00:00Z',
      time_zone: 'Europe/London',
      hour_cycle: 'h12',
      reading: 'once',
      reasons: [],
      reached_limits: [],
      external_event: null,
      conflicting_appointment: null,
      buffer_minutes: null,
    })
    api.answer(`POST ${path}/move`, {
      id: PEOPLE[1]?.id,
      starts_at: '2026-12-03T16:00:00Z',
      ends_at: '2026-12-03T17:00:00Z',
      email: 'queued',
      warning: null,
    })
    await user.click(screen.getByRole('button', { name: 'Move session' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Move session' }))
    expect(dialog.getByText('To everybody in the session with an email address.')).toBeDefined()
    await user.click(await dialog.findByRole('button', { name: '4:00 PM' }))
    await user.click(await dialog.findByRole('button', { name: 'Move session' }))
    await vi.waitFor(() => expect(api.to(`POST ${path}/move`)).toHaveLength(1))
    expect(api.to(`POST ${path}/move`)[0]?.body).toMatchObject({ whole_session: true })
  })
})

describe('what is taken in the owner’s own calendars (rule V11)', () => {
  const event = {
    external_calendar_id: 'work',
    calendar_name: 'Work',
    title: 'Dentist' as string | null,
    color: '#0b8043',
    starts_at: '2026-12-01T11:00:00Z',
    ends_at: '2026-12-01T12:00:00Z',
    is_all_day: false,
  }
  const holiday = {
    ...event,
    title: 'Off',
    starts_at: '2026-12-02T00:00:00Z',
    ends_at: '2026-12-04T00:00:00Z',
    is_all_day: true,
  }

  test('is beside the appointments with its title, and cannot be opened', async () => {
    const { api } = renderView('week', [MORNING], [event])
    const day = within(await screen.findByRole('region', { name: 'Tuesday, December 1' }))
    expect(textOf(day.getByText('Dentist'))).toBe('In your own calendar: Dentist 11 AM – 12 PM Work')
    expect(day.getAllByRole('button')).toHaveLength(1)
    expect(screen.getByText('1 appointment')).toBeDefined()
    expect(Object.fromEntries(api.to(EVENTS)[0]?.search ?? [])).toEqual({
      from: '2026-11-29T00:00:00Z',
      until: '2026-12-08T00:00:00Z',
    })
  })

  test('without a title is said to be busy', async () => {
    renderView('day', [], [{ ...event, title: null }])
    expect(textOf(await screen.findByText('Busy'))).toBe('In your own calendar: 11 AM – 12 PM Busy Work')
  })

  test('shares the width with an appointment at the same time', async () => {
    renderView('day', [MORNING], [{ ...event, starts_at: '2026-12-01T10:00:00Z' }])
    const block = (await screen.findByText('Dentist')).closest('p')
    expect(block?.style.width).toBe('calc(100% / 2 - 4px)')
  })

  test('of whole days is above the hours of each of them', async () => {
    renderView('week', [], [holiday])
    const shown = await screen.findAllByText('Off')
    expect(shown.map(textOf)).toEqual([
      'In your own calendar, all day Wednesday, December 2: Off Work',
      'In your own calendar, all day Thursday, December 3: Off Work',
    ])
    const wednesday = within(screen.getByRole('region', { name: 'Wednesday, December 2' }))
    expect(wednesday.queryByText('Off')).toBeNull()
  })

  test('is in the list of its day on a narrow screen', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
    renderView('week', [], [event, holiday])
    const tuesday = within(await screen.findByRole('region', { name: 'Tuesday, December 1' }))
    expect(tuesday.getByText('Dentist')).toBeDefined()
    expect(tuesday.getByText('No appointments')).toBeDefined()
    const wednesday = within(screen.getByRole('region', { name: 'Wednesday, December 2' }))
    expect(wednesday.getByText('Off')).toBeDefined()
  })

  test('that could not be loaded is said, and the appointments are there all the same', async () => {
    const { user, api } = renderView('day', [MORNING], errorResponse('calendar.forbidden'))
    expect(await screen.findByText('Your own calendars couldn’t be loaded')).toBeDefined()
    expect(screen.getByRole('button', { name: /Ada Lovelace/ })).toBeDefined()
    api.answer(EVENTS, { events: [event] })
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Dentist')).toBeDefined()
    expect(screen.queryByText('Your own calendars couldn’t be loaded')).toBeNull()
  })
})

describe('the day', () => {
  test('has room for times, name and type beside each other', async () => {
    renderView('day', [MORNING])
    expect(
      await screen.findByRole('button', {
        name: '9:30 – 10:15 AM Ada Lovelace First consultation Confirmed',
      }),
    ).toBeDefined()
  })

  test('is today’s, with its hours, noon, and a line where now is', async () => {
    const { api } = renderView('day', [MORNING])
    expect(await screen.findByRole('heading', { name: 'Tuesday, December 1' })).toBeDefined()
    expect(api.to(AGENDA).at(-1)?.search.toString()).toBe('from=2026-12-01&days=1')
    await screen.findByRole('button', { name: /Ada Lovelace/ })
    for (const hour of ['9 AM', '11 AM', 'Noon', '4 PM']) expect(screen.getByText(hour)).toBeDefined()
    // The grid begins at 9:00, so 10:15 is 75 minutes below its top. An hour has its minimum height, 72 px.
    expect(document.querySelector<HTMLElement>('[data-now]')?.style.top).toBe('90px')
  })

  test('says when the clocks change, and what they read before', async () => {
    const day = {
      date: '2026-03-29',
      starts_at: '2026-03-29T00:00:00Z',
      noon_at: '2026-03-29T11:00:00Z',
      ends_at: '2026-03-29T23:00:00Z',
      openings: [{ starts_at: '2026-03-29T00:00:00Z', ends_at: '2026-03-29T05:00:00Z' }],
    }
    stubApi({
      ...NO_EVENTS,
      [AGENDA]: { time_zone: 'Europe/London', days: [day], appointments: [], is_complete: true },
    })
    renderComponent(<Card view="day" date="2026-03-29" />)
    expect(await screen.findByText(/· Clocks go forward/)).toBeDefined()
    // Before the clock change, times are an hour behind the hour scale: 12 AM is at the height of 1 AM on other days.
    const [rail, column] = [screen.getByText('1 AM'), screen.getByText('12 AM').parentElement]
    expect([rail.style.top, column?.style.top]).toEqual(['0px', '0px'])
  })
})

test('the week of a calendar with the 24-hour clock has no AM and PM', async () => {
  stubApi({
    ...NO_EVENTS,
    [AGENDA]: (sent: SentRequest) => ({
      ...agendaOf([{ ...MORNING, hour_cycle: 'h23' }])(sent),
      hour_cycle: 'h23',
    }),
  })
  renderComponent(<Card view="week" />)
  expect(await screen.findByRole('button', { name: /^Ada Lovelace 09:30 – 10:15 / })).toBeDefined()
  expect(screen.getByText('15:00')).toBeDefined()
  expect(document.body.textContent).not.toMatch(/\d [AP]M\b/)
})

test('while it loads it says so', () => {
  stubApi({ ...NO_EVENTS, [AGENDA]: heldResponse({}).answer })
  renderComponent(<Card view="day" />)
  expect(screen.getByText('Loading appointments...')).toBeDefined()
})

test('when it cannot be loaded it says so and can be asked again', async () => {
  const api = stubApi({ ...NO_EVENTS, [AGENDA]: errorResponse('calendar.forbidden') })
  const { user } = renderComponent(<Card view="day" />)
  expect(await screen.findAllByText('Failed to load appointments')).toHaveLength(1)
  api.answer(AGENDA, agendaOf([MORNING]))
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('button', { name: /Ada Lovelace/ })).toBeDefined()
})

test('more than fits is said', async () => {
  stubApi({
    ...NO_EVENTS,
    [AGENDA]: { ...agendaOf([MORNING])(request('2026-12-01', 1)), is_complete: false },
  })
  renderComponent(<Card view="day" />)
  expect(await screen.findByText(/too many appointments to show here/)).toBeDefined()
})

function Card({ view, date = null }: { view: 'day' | 'week'; date?: string | null }) {
  return (
    <AppointmentsCard
      calendarId={CALENDAR_ID}
      timeZone="Europe/London"
      choice={{ ...DEFAULT_APPOINTMENTS_VIEW, view, date }}
    />
  )
}

/** Renders the card in a component that stores the chosen view. */
function renderView(
  view: 'day' | 'week',
  appointments: AppointmentRow[],
  events: ExternalEvent[] | Response = [],
) {
  const api = stubApi({
    [AGENDA]: agendaOf(appointments),
    [EVENTS]: events instanceof Response ? events : { events },
  })
  const { user } = renderComponent(<RememberingCard first={{ ...DEFAULT_APPOINTMENTS_VIEW, view }} />)
  return { user, api }
}

function RememberingCard({ first }: { first: AppointmentsView }) {
  const [choice, setChoice] = useState(first)
  return (
    <AppointmentsCard
      calendarId={CALENDAR_ID}
      timeZone="Europe/London"
      choice={choice}
      onChoose={setChoice}
    />
  )
}

/** Returns the text that a screen reader reads for the block with these words. */
function textOf(words: HTMLElement): string {
  return (words.closest('p')?.textContent ?? '').replace(/\s+/g, ' ').trim()
}

function request(from: string, days: number): SentRequest {
  return {
    method: 'GET',
    path: '',
    search: new URLSearchParams({ from, days: String(days) }),
    body: undefined,
  }
}

/** Returns a response with these appointments and opening hours from 9:00 to 17:00 on working days. */
function agendaOf(appointments: AppointmentRow[]) {
  return ({ search }: SentRequest): AgendaResponse => ({
    time_zone: 'Europe/London',
    hour_cycle: 'h12',
    is_complete: true,
    appointments,
    days: Array.from({ length: Number(search.get('days')) }, (_, i) => {
      const date = addDays(search.get('from') ?? '', i)
      const isWeekend = [0, 6].includes(new Date(date).getUTCDay())
      return makeAgendaDay(
        date,
        isWeekend ? [] : [{ starts_at: `${date}T09:00:00Z`, ends_at: `${date}T17:00:00Z` }],
      )
    }),
  })
}
