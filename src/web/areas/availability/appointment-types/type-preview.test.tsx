// @vitest-environment happy-dom

import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { CALENDAR_ID, makeAppointmentType, NEW_SLOT_SETTINGS } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, type SentRequest, stubApi } from '#web/testing/stub-api.ts'
import { AppointmentTypeDialog } from './appointment-type-dialog.tsx'

const CALENDAR = `/api/calendars/${CALENDAR_ID}`
const PREVIEW = `POST ${CALENDAR}/appointment-types/preview`
const type = makeAppointmentType()

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-01-04T08:00:00Z') })
})

test('shows the times of the rules as typed, before they are saved. Source: rule T71', async () => {
  const { user, api } = openForm()
  const monday = await findDay('Mon, Jan 4')
  expect(monday.textContent).toContain('9:00 AM – 1:30 PM · 2 times')
  expect(within(monday).getAllByRole('listitem', { hidden: true })).toHaveLength(2)
  expect((await findDay('Tue, Jan 5')).textContent).toContain('No times')
  api.answer(PREVIEW, week(['09:00']))
  await user.type(screen.getByLabelText(/^Duration/), '0')
  await waitFor(() => expect(monday.textContent).toContain('9:00 AM · 1 time'))
  const { body } = api.to(PREVIEW).at(-1) ?? {}
  expect(body).toMatchObject({ appointment_type_id: type.id, duration: 450, from: '2027-01-04' })
  expect(body).not.toHaveProperty('name')
})

test('while a rule is invalid, the last times stay and a sentence says so', async () => {
  const { user } = openForm()
  const monday = await findDay('Mon, Jan 4')
  await user.clear(screen.getByLabelText(/^Duration/))
  expect(await screen.findByText('A rule isn’t valid yet. The times stay as they were.')).toBeDefined()
  expect(monday.textContent).toContain('2 times')
  await user.type(screen.getByLabelText(/^Duration/), '45')
  await waitFor(() => expect(screen.queryByText(/^A rule isn’t valid yet/)).toBeNull())
})

test('while the server refuses a rule, the last times stay and its sentence is shown', async () => {
  const { user, api } = openForm()
  const monday = await findDay('Mon, Jan 4')
  api.answer(PREVIEW, errorResponse('booking_limits.too_many'))
  await user.type(screen.getByLabelText(/^Duration/), '0')
  expect(await screen.findByText(PROBLEMS['booking_limits.too_many'].title)).toBeDefined()
  expect(monday.textContent).toContain('2 times')
})

test('an outdated question is given up', async () => {
  const { user, api } = openForm(() => new Promise<never>(() => {}))
  const signals: (AbortSignal | null | undefined)[] = []
  const { fetch } = globalThis
  globalThis.fetch = (path, init) => {
    if (String(path).endsWith('/preview')) signals.push(init?.signal)
    return fetch(path, init)
  }
  await user.type(screen.getByLabelText(/^Duration/), '0')
  await waitFor(() => expect(signals).toHaveLength(1))
  api.answer(PREVIEW, week(['09:00']))
  await user.type(screen.getByLabelText(/^Duration/), '{Backspace}5')
  expect((await findDay('Mon, Jan 4')).textContent).toContain('1 time')
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, false])
})

test('other weeks can be shown, and a week without times says so', async () => {
  const { user, api } = openForm()
  await findDay('Mon, Jan 4')
  api.answer(PREVIEW, week([]))
  await user.click(screen.getByRole('button', { name: 'Next seven days' }))
  expect(await screen.findByText('No times in these seven days.')).toBeDefined()
  expect(api.to(PREVIEW).at(-1)?.body).toMatchObject({ from: '2027-01-11' })
})

function openForm(answer: unknown | ((request: SentRequest) => unknown) = week(['09:00', '13:30'])) {
  const api = stubApi({
    [PREVIEW]: answer,
    [`GET ${CALENDAR}/availability`]: { ...NEW_SLOT_SETTINGS, availability: [], appointment_types: [] },
    [`GET ${CALENDAR}/locations`]: { calendar_locations: [], withdrawn: [] },
    'GET /api/locations': { locations: [] },
  })
  const { user } = renderComponent(
    <AppointmentTypeDialog
      open
      calendarId={CALENDAR_ID}
      hourCycle="h12"
      timeZone="Europe/London"
      type={type}
      providers={{ stripe_connected: false, paypal_connected: false }}
      onOpenChange={() => {}}
    />,
  )
  return { user, api }
}

function findDay(name: string): Promise<HTMLElement> {
  return screen.findByRole('listitem', { name })
}

/** Makes a week from Monday, January 4, 2027, which has times on its first day. */
function week(clocks: readonly string[]) {
  const days = ['04', '05', '06', '07', '08', '09', '10'].map((day) => ({
    date: `2027-01-${day}`,
    slots: (day === '04' ? clocks : []).map((clock) => ({
      slot_start: `${clock}:00`,
      slot_end: `${clock}:00`,
      starts_at: `2027-01-04T${clock}:00Z`,
      ends_at: `2027-01-04T${clock}:00Z`,
    })),
  }))
  return { time_zone: 'Europe/London', days }
}
