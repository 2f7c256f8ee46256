// @vitest-environment happy-dom

import { act, createEvent, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { addDays } from '#core/shared/zoned-time.ts'
import { CALENDAR_ID, makeAgendaDay, makeAppointment } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, heldResponse, type SentRequest, stubApi } from '#web/testing/stub-api.ts'
import { AppointmentsCard } from './appointments-card.tsx'
import { type AppointmentsView, DEFAULT_APPOINTMENTS_VIEW } from './appointments-view.ts'

/** Tuesday from 11:00 to 12:00 in London. In the tests, working days are open from 9:00 to 17:00. */
const APPOINTMENT = makeAppointment({ starts_at: '2026-12-01T11:00:00Z', ends_at: '2026-12-01T12:00:00Z' })
const LIST = `GET /api/calendars/${CALENDAR_ID}/appointments`
const MOVE = `POST /api/calendars/${CALENDAR_ID}/appointments/${APPOINTMENT.id}/move`
/** The width of each day in the grid, in pixels. The days begin at the top of the window. */
const DAY_PX = 100
const TUESDAY_X = 1.5 * DAY_PX
const HELD_MS = 350

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['Date', 'setTimeout', 'clearTimeout'],
    now: new Date('2026-12-01T10:15:00Z'),
    shouldAdvanceTime: true,
  })
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const left = [...(this.parentElement?.children ?? [])].indexOf(this) * DAY_PX
    return new DOMRect(left, 0, DAY_PX, 2_000)
  })
})
describe('by mouse', () => {
  test('a drag follows the pointer over the slot grid and the days, and the drop moves it', async () => {
    const { block, hourPx, api } = await renderWeek()
    press(block, { pointerType: 'mouse' })
    point('pointerMove', { clientY: 300 + hourPx * 0.8 })
    // The appointment is dragged by 48 minutes, which snaps to an hour.
    expect(ghost()?.textContent).toContain('12 PM')
    point('pointerMove', { clientX: TUESDAY_X + DAY_PX, clientY: 300 - hourPx })
    point('pointerUp')
    fireEvent.click(block)
    expect(await screen.findByText('Moved to Wed, Dec 2, 2026, 10:00 AM')).toBeDefined()
    expect(api.to(MOVE).map(({ body }) => body)).toMatchObject([
      {
        starts_at: '2026-12-02T10:00:00.000Z',
        expected_starts_at: '2026-12-01T11:00:00Z',
        outside_hours: false,
      },
    ])
    // The click that ended the move has not opened a dialog.
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(ghost()).toBeNull()
  })

  test('a press that hardly moves opens it', async () => {
    const { block, api } = await renderWeek()
    press(block, { pointerType: 'mouse' })
    point('pointerMove', { clientY: 304 })
    point('pointerUp')
    fireEvent.click(block)
    expect(await screen.findByRole('dialog', { name: 'Appointment' })).toBeDefined()
    expect(api.to(MOVE)).toEqual([])
  })

  test('Escape puts it back, and the release after that does nothing', async () => {
    const { block, hourPx, api } = await renderWeek()
    press(block, { pointerType: 'mouse' })
    point('pointerMove', { clientY: 300 + 2 * hourPx })
    expect(ghost()).not.toBeNull()
    fireEvent.keyDown(window, { key: 'Escape' })
    expect(ghost()).toBeNull()
    point('pointerUp', { clientY: 300 + 2 * hourPx })
    fireEvent.click(block)
    expect(screen.getByText('Move cancelled. The appointment stays where it was.')).toBeDefined()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(api.to(MOVE)).toEqual([])
  })

  test('dropped where it was it stays, and nothing is sent', async () => {
    const { block, hourPx, api } = await renderWeek()
    press(block, { pointerType: 'mouse' })
    point('pointerMove', { clientY: 300 + hourPx })
    point('pointerMove', { clientY: 302 })
    point('pointerUp')
    expect(screen.getByText('It stays where it was.')).toBeDefined()
    expect(api.to(MOVE)).toEqual([])
  })

  test('the right button, and the pointer of another hand, move nothing', async () => {
    const { block, hourPx } = await renderWeek()
    press(block, { pointerType: 'mouse', button: 2 })
    point('pointerMove', { clientY: 300 + hourPx })
    expect(ghost()).toBeNull()
    press(block, { pointerType: 'mouse' })
    point('pointerMove', { clientY: 300 + hourPx, pointerId: 2 })
    expect(ghost()).toBeNull()
  })

  test('until the answer is there it waits at its new place, and a refusal puts it back and says why', async () => {
    const held = heldResponse(errorResponse('appointment.move_conflict'))
    const { block, hourPx } = await renderWeek({ moved: held.answer })
    press(block, { pointerType: 'mouse' })
    point('pointerMove', { clientY: 300 + hourPx })
    point('pointerUp')
    expect(ghost()?.className).toContain('animate-pulse')
    held.release()
    expect(await screen.findByText(PROBLEMS['appointment.move_conflict'].title)).toBeDefined()
    expect(ghost()).toBeNull()
  })

  test('outside of the opening hours the owner is asked, and No puts it back', async () => {
    const { block, hourPx, api } = await renderWeek({ moved: errorResponse('booking.outside_hours') })
    press(block, { pointerType: 'mouse' })
    point('pointerMove', { clientX: TUESDAY_X + 4 * DAY_PX, clientY: 300 + hourPx })
    point('pointerUp')
    expect(await screen.findByText('This is outside your opening hours.')).toBeDefined()
    expect(ghost()).not.toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Keep the old time' }))
    await waitFor(() => expect(ghost()).toBeNull())
    expect(api.to(MOVE)).toHaveLength(1)
  })
})

describe('by a finger', () => {
  test('that rests on it first, a drag moves it, and the page neither scrolls nor opens a menu', async () => {
    const { block, hourPx, api } = await renderWeek()
    press(block, { pointerType: 'touch' })
    expect([isKept('touchMove'), isKept('contextMenu')]).toEqual([false, false])
    rest(HELD_MS)
    expect(ghost()?.textContent).toContain('11 AM')
    expect([isKept('touchMove'), isKept('contextMenu')]).toEqual([true, true])
    point('pointerMove', { clientY: 300 + hourPx / 2, pointerType: 'touch' })
    point('pointerUp', { pointerType: 'touch' })
    fireEvent.click(block)
    expect(await screen.findByText('Moved to Tue, Dec 1, 2026, 11:30 AM')).toBeDefined()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(api.to(MOVE)).toHaveLength(1)
    expect(isKept('touchMove')).toBe(false)
  })

  test('that scrolls, nothing is moved, however long it then rests', async () => {
    const { block, hourPx, api } = await renderWeek()
    press(block, { pointerType: 'touch' })
    rest(HELD_MS - 50)
    point('pointerMove', { clientY: 300 - hourPx, pointerType: 'touch' })
    rest(2 * HELD_MS)
    expect(ghost()).toBeNull()
    point('pointerUp', { pointerType: 'touch' })
    expect(api.to(MOVE)).toEqual([])
  })

  test('a short touch opens it', async () => {
    const { block } = await renderWeek()
    press(block, { pointerType: 'touch' })
    rest(100)
    point('pointerUp', { pointerType: 'touch' })
    fireEvent.click(block)
    rest(HELD_MS)
    expect(ghost()).toBeNull()
    expect(await screen.findByRole('dialog', { name: 'Appointment' })).toBeDefined()
  })

  test('when the system takes the touch away, it is put back', async () => {
    const { block, hourPx, api } = await renderWeek()
    press(block, { pointerType: 'touch' })
    rest(HELD_MS)
    point('pointerMove', { clientY: 300 + hourPx, pointerType: 'touch' })
    point('pointerCancel', { pointerType: 'touch' })
    expect(ghost()).toBeNull()
    expect(api.to(MOVE)).toEqual([])
  })
})

describe('by keyboard', () => {
  test('M takes hold, the arrow keys move it, and Enter puts it down', async () => {
    const { block, user, api } = await renderWeek()
    block.focus()
    await user.keyboard('m')
    expect(
      screen.getByText(
        'Moving Ada Lovelace. Tue, Dec 1, 2026, 11:00 AM. The arrow keys move it, Enter puts it down, and Escape cancels.',
      ),
    ).toBeDefined()
    await user.keyboard('{ArrowDown}{ArrowRight}')
    expect(screen.getByText('Wed, Dec 2, 2026, 11:30 AM')).toBeDefined()
    await user.keyboard('{ArrowUp}{ArrowUp}{ArrowLeft}{Enter}')
    expect(await screen.findByText('Moved to Tue, Dec 1, 2026, 10:30 AM')).toBeDefined()
    expect(api.to(MOVE)).toHaveLength(1)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('Escape puts it back', async () => {
    const { block, user, api } = await renderWeek()
    block.focus()
    await user.keyboard('M{ArrowDown}{Escape}')
    expect(ghost()).toBeNull()
    expect(screen.getByText('Move cancelled. The appointment stays where it was.')).toBeDefined()
    await user.keyboard('{ArrowDown}')
    expect(ghost()).toBeNull()
    expect(api.to(MOVE)).toEqual([])
  })

  test('whoever goes elsewhere lets go of it', async () => {
    const { block, user, api } = await renderWeek()
    block.focus()
    await user.keyboard('m{ArrowDown}')
    act(() => block.blur())
    expect(ghost()).toBeNull()
    expect(api.to(MOVE)).toEqual([])
  })

  test('a shortcut of the browser with the same letter takes hold of nothing', async () => {
    const { block } = await renderWeek()
    for (const modifier of ['ctrlKey', 'altKey', 'metaKey']) {
      fireEvent.keyDown(block, { key: 'm', [modifier]: true })
    }
    expect(ghost()).toBeNull()
  })
})

test.each([
  ['that has begun', { starts_at: '2026-12-01T10:00:00Z', ends_at: '2026-12-01T11:00:00Z' }],
  ['that waits for its payment', { status: 'pending_payment' as const }],
])('an appointment %s cannot be moved', async (_, changes) => {
  const { block, hourPx, user } = await renderWeek({ appointment: changes })
  expect(block.getAttribute('aria-keyshortcuts')).toBeNull()
  press(block, { pointerType: 'mouse' })
  point('pointerMove', { clientY: 300 + hourPx })
  block.focus()
  await user.keyboard('m')
  expect(ghost()).toBeNull()
})

test('a press on an empty part of a day names the start of the slot there', async () => {
  const { hourPx, onPoint } = await renderWeek()
  const tuesday = document.querySelectorAll('[data-point]')[1]
  if (tuesday === undefined) throw new Error('no day')
  fireEvent.click(tuesday, { clientX: TUESDAY_X, clientY: 4 * hourPx + 3 })
  fireEvent.click(tuesday, { clientX: TUESDAY_X, clientY: 4.9 * hourPx })
  expect(onPoint.mock.calls).toEqual([['2026-12-01T13:00:00.000Z'], ['2026-12-01T13:30:00.000Z']])
})

async function renderWeek({
  appointment = {},
  moved = ({ body }: SentRequest) => toMoved(body),
}: {
  appointment?: Partial<AppointmentRow>
  moved?: unknown
} = {}) {
  const api = stubApi({
    [`GET /api/calendars/${CALENDAR_ID}/external-events`]: { events: [] },
    [`${LIST}/agenda`]: ({ search }: SentRequest) => ({
      time_zone: 'Europe/London',
      is_complete: true,
      appointments: [{ ...APPOINTMENT, ...appointment }],
      days: Array.from({ length: 7 }, (__, i) => toDay(addDays(search.get('from') ?? '', i))),
    }),
    [`${LIST}/${APPOINTMENT.id}/messages`]: { messages: [] },
    [`${LIST}/${APPOINTMENT.id}/history`]: { events: [] },
    [MOVE]: moved,
  })
  const onPoint = vi.fn()
  const { user } = renderComponent(<WeekCard onPoint={onPoint} />)
  const block = await screen.findByRole('button', { name: /Ada Lovelace/ })
  // The appointment lasts an hour, and its block is two pixels less high than an hour.
  return { user, api, block, onPoint, hourPx: Number.parseFloat(block.style.height) + 2 }
}

/** Stores the choice, as the page stores it in the URL. */
function WeekCard({ onPoint }: { onPoint: (startsAt: string) => void }) {
  const [choice, setChoice] = useState<AppointmentsView>({ ...DEFAULT_APPOINTMENTS_VIEW, view: 'week' })
  return (
    <AppointmentsCard
      calendarId={CALENDAR_ID}
      timeZone="Europe/London"
      choice={choice}
      onChoose={setChoice}
      onPoint={onPoint}
    />
  )
}

function toDay(date: string) {
  const isWeekend = [0, 6].includes(new Date(date).getUTCDay())
  const opening = { starts_at: `${date}T09:00:00Z`, ends_at: `${date}T17:00:00Z` }
  return makeAgendaDay(date, isWeekend ? [] : [opening])
}

function toMoved(body: unknown) {
  // The cast is safe: Meridian itself sent the body.
  const { starts_at } = body as { starts_at: string }
  const ends_at = new Date(Date.parse(starts_at) + 3_600_000).toISOString()
  return { id: APPOINTMENT.id, starts_at, ends_at, email: 'queued', warning: null }
}

type Pointer = {
  clientX?: number
  clientY?: number
  pointerType?: string
  pointerId?: number
  button?: number
}

/** Presses the pointer on the block, 300 pixels below the top of the window. */
function press(block: HTMLElement, pointer: Pointer): void {
  fireEvent.pointerDown(block, { button: 0, pointerId: 1, clientX: TUESDAY_X, clientY: 300, ...pointer })
}

function point(what: 'pointerMove' | 'pointerUp' | 'pointerCancel', pointer: Pointer = {}): void {
  fireEvent[what](window, {
    pointerId: 1,
    clientX: TUESDAY_X,
    clientY: 300,
    pointerType: 'mouse',
    ...pointer,
  })
}

function rest(ms: number): void {
  act(() => vi.advanceTimersByTime(ms))
}

/** True if Meridian prevents the browser's default action for this event. */
function isKept(what: 'touchMove' | 'contextMenu'): boolean {
  const event = createEvent[what](window, { bubbles: true, cancelable: true })
  fireEvent(window, event)
  return event.defaultPrevented
}

function ghost(): HTMLElement | null {
  return document.querySelector('[data-ghost]')
}
