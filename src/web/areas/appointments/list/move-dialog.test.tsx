// @vitest-environment happy-dom

import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { AppointmentTimeCheck } from '#contract/appointments/owner-booking.ts'
import { CALENDAR_ID, makeAppointment, makeOverlapping } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, type SentRequest, stubApi } from '#web/testing/stub-api.ts'
import { MoveDialog } from './move-dialog.tsx'

const APPOINTMENT = makeAppointment()
const PATH = `/api/calendars/${CALENDAR_ID}/appointments/${APPOINTMENT.id}`
const SLOTS = `GET ${PATH}/move-slots`
const JUDGED = `GET ${PATH}/move-time`
const MOVE = `POST ${PATH}/move`
const ELSEWHERE = makeOverlapping({ customer_name: 'Grace Hopper', calendar_name: 'Tenancy law' })
/** A time half an hour after the appointment's current start. */
const LATER = { starts_at: '2026-12-01T10:00:00Z', ends_at: '2026-12-01T10:45:00Z' }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-30T12:00:00Z') })
})
test('an offered time is sent with what the appointment was, and can be taken back', async () => {
  const { user, api, onOpenChange } = renderDialog()
  expect(await screen.findByText('Ada Lovelace, now Tue, Dec 1, 2026, 9:30 AM')).toBeDefined()
  expect(moveButton('Move appointment').disabled).toBe(true)
  const offered = await screen.findByRole('button', { name: '10:00 AM' })
  expect(screen.queryByRole('button', { name: '9:30 AM' })).toBeNull()
  await user.click(offered)
  expect(await screen.findByText('Tue, Dec 1, 2026, 10:00 AM')).toBeDefined()
  await user.click(moveButton('Move appointment'))

  expect(await screen.findByText('Moved to Tue, Dec 1, 2026, 10:00 AM')).toBeDefined()
  expect(onOpenChange).toHaveBeenLastCalledWith(false)
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Moved back to Tue, Dec 1, 2026, 9:30 AM')).toBeDefined()
  const there = {
    starts_at: LATER.starts_at,
    expected_starts_at: APPOINTMENT.starts_at,
    duration: 45,
    outside_hours: false,
    whole_session: false,
    notify_customer: true,
  }
  const back = {
    ...there,
    starts_at: APPOINTMENT.starts_at,
    expected_starts_at: LATER.starts_at,
    outside_hours: true,
  }
  expect(api.to(MOVE).map(({ body }) => body)).toEqual([there, back])
})

test('a typed time that customers are not offered is moved to anyway, and without an email where none is wanted', async () => {
  const { user, api } = renderDialog({ reasons: ['outside_hours'] })
  await user.click(await screen.findByRole('button', { name: 'Another time' }))
  fireEvent.change(screen.getByLabelText(/^Start/), { target: { value: '10:00' } })
  await user.click(screen.getByRole('switch', { name: /Send an email about the new time/ }))
  const anyway = await screen.findByRole('button', { name: 'Move anyway' })
  expect(screen.getByText('This is outside your opening hours.')).toBeDefined()
  expect(api.to(JUDGED).map(({ search }) => Object.fromEntries(search))).toEqual([
    { date: '2026-12-01', time: '10:00' },
  ])
  await user.click(anyway)
  await waitFor(() => expect(api.to(MOVE)).toHaveLength(1))
  expect(api.to(MOVE)[0]?.body).toMatchObject({ outside_hours: true, notify_customer: false })
})

test.each<[Partial<AppointmentTimeCheck>, string]>([
  [{ reasons: ['busy'] }, 'This time is taken.'],
  [{ reasons: ['location_taken'] }, 'The location is taken at this time.'],
  [
    { reasons: ['busy'], external_event: { title: 'Dentist', calendar_name: 'Home' } },
    'This time is taken by “Dentist” in your calendar “Home”.',
  ],
  [
    { reasons: ['busy'], conflicting_appointment: ELSEWHERE },
    'This time is taken by the appointment of Grace Hopper in your calendar “Tenancy law”.',
  ],
])('of %j it says: %s', async (judged, sentence) => {
  const { user } = renderDialog(judged)
  await user.click(await screen.findByRole('button', { name: '10:00 AM' }))
  expect(await screen.findByText(sentence)).toBeDefined()
  expect(moveButton('Move appointment').disabled).toBe(true)
})

test('a refusal stays in the dialog, which stays open', async () => {
  const { user, api, onOpenChange } = renderDialog()
  api.answer(MOVE, errorResponse('appointment.changed_meanwhile'))
  await user.click(await screen.findByRole('button', { name: '10:00 AM' }))
  await waitFor(() => expect(moveButton('Move appointment').disabled).toBe(false))
  await user.click(moveButton('Move appointment'))
  const dialog = within(screen.getByRole('dialog'))
  expect((await dialog.findByRole('alert')).textContent).toContain('This appointment has changed.')
  expect(onOpenChange).not.toHaveBeenCalled()
})

// Source: rule T43.
test('a refused time that was taken on another calendar meanwhile names the appointment there', async () => {
  const { user, api } = renderDialog()
  api.answer(MOVE, () => {
    api.answer(JUDGED, makeJudged({ reasons: ['busy'], conflicting_appointment: ELSEWHERE }))
    return errorResponse('appointment.move_conflict')
  })
  await user.click(await screen.findByRole('button', { name: '10:00 AM' }))
  await waitFor(() => expect(moveButton('Move appointment').disabled).toBe(false))
  await user.click(moveButton('Move appointment'))
  const dialog = within(screen.getByRole('dialog'))
  expect((await dialog.findByRole('alert')).textContent).toBe(
    'This time is taken by the appointment of Grace Hopper in your calendar “Tenancy law”.',
  )
})

test('a move while the external calendars could not be checked says so beside what was done', async () => {
  const { user, api } = renderDialog()
  const warning = 'Could not verify Google Calendar conflicts. Please check manually.'
  api.answer(MOVE, { id: APPOINTMENT.id, ...LATER, email: 'queued', warning })
  await user.click(await screen.findByRole('button', { name: '10:00 AM' }))
  await waitFor(() => expect(moveButton('Move appointment').disabled).toBe(false))
  await user.click(moveButton('Move appointment'))
  expect(await screen.findByText(warning)).toBeDefined()
  expect(screen.getByText(/^Moved to/)).toBeDefined()
})

/**
 * Opens the dialog. The stubbed server offers the appointment's current time and a later one, and checks the later one
 * with the given result.
 */
function renderDialog(judged: Partial<AppointmentTimeCheck> = {}) {
  const { starts_at, ends_at, time_zone } = APPOINTMENT
  const api = stubApi({
    [SLOTS]: { date: APPOINTMENT.date, time_zone, slots: [{ starts_at, ends_at }, LATER] },
    [JUDGED]: makeJudged(judged),
    [MOVE]: ({ body }: SentRequest) => {
      const { starts_at } = body as { starts_at: string } // safe: sent by the hook under test
      const moved = starts_at === LATER.starts_at ? LATER : APPOINTMENT
      return { id: APPOINTMENT.id, starts_at, ends_at: moved.ends_at, email: 'queued', warning: null }
    },
  })
  const onOpenChange = vi.fn()
  const { user } = renderComponent(<Opened onOpenChange={onOpenChange} />)
  return { user, api, onOpenChange }
}

/** Makes the server's check of the later time. */
function makeJudged(over: Partial<AppointmentTimeCheck>): AppointmentTimeCheck {
  return {
    ...LATER,
    time_zone: APPOINTMENT.time_zone,
    hour_cycle: 'h12',
    reading: 'once',
    reasons: [],
    external_event: null,
    conflicting_appointment: null,
    buffer_minutes: null,
    reached_limits: [],
    bookable_dates: { from: null, until: null, is_of_type: false },
    special_day: null,
    unchecked_calendars: [],
    ...over,
  }
}

function Opened({ onOpenChange }: { onOpenChange: (open: boolean) => void }) {
  const [open, setOpen] = useState(true)
  const change = (next: boolean) => {
    onOpenChange(next)
    setOpen(next)
  }
  return <MoveDialog appointment={APPOINTMENT} open={open} onOpenChange={change} />
}

function moveButton(name: string): HTMLButtonElement {
  return screen.getByRole('button', { name })
}
