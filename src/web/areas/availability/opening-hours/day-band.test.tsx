// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Availability } from '#contract/availability/opening-hours.ts'
import { CALENDAR_ID, NEW_SLOT_SETTINGS } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, stubApi } from '#web/testing/stub-api.ts'
import { DayBand } from './day-band.tsx'

const MORNING = range('morning', '09:00:00', '12:00:00')
const AFTERNOON = range('afternoon', '13:00:00', '17:00:00')
const CHANGE = `PUT /api/calendars/${CALENDAR_ID}/availability/morning`

/** The width of the band, in pixels: ten for each hour. */
const WIDTH_PX = 240

beforeEach(() => {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, WIDTH_PX, 20))
  Element.prototype.setPointerCapture = () => undefined
})

test('a mouse drags the end of a range in quarters of an hour, and Undo brings the former one back', async () => {
  const { api, user } = renderBand()
  const handle = press('end', 120)
  fireEvent.pointerMove(handle, { clientX: 104 })
  expect(screen.getByText('9:00 AM – 10:30 AM')).toBeDefined()
  api.answer(CHANGE, { ...MORNING, end_time: '10:30:00' })
  fireEvent.pointerUp(handle, { clientX: 104 })
  expect(await screen.findByText('Availability changed')).toBeDefined()
  expect(api.to(CHANGE)[0]?.body).toEqual({
    start_time: '09:00',
    end_time: '10:30',
    was: { start_time: '09:00:00', end_time: '12:00:00' },
  })
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await vi.waitFor(() => expect(api.to(CHANGE)).toHaveLength(2))
  expect(api.to(CHANGE)[1]?.body).toMatchObject({ end_time: '12:00:00', was: { end_time: '10:30' } })
})

test('a range stops at the next one', () => {
  renderBand()
  fireEvent.pointerMove(press('end', 120), { clientX: 200 })
  expect(screen.getByText('9:00 AM – 1:00 PM')).toBeDefined()
})

test('Escape and a refusal bring the range back', async () => {
  const { api, user } = renderBand()
  const handle = press('start', 90)
  fireEvent.pointerMove(handle, { clientX: 80 })
  expect(screen.getByText('8:00 AM – 12:00 PM')).toBeDefined()
  await user.keyboard('{Escape}')
  expect(screen.queryByText('8:00 AM – 12:00 PM')).toBeNull()
  fireEvent.pointerUp(handle, { clientX: 80 })
  expect(api.to(CHANGE)).toEqual([])

  api.answer(CHANGE, errorResponse('server.unavailable'))
  press('start', 90)
  fireEvent.pointerUp(handle, { clientX: 80 })
  expect(await screen.findByText(/^Failed to change availability: /)).toBeDefined()
  expect(screen.queryByText('8:00 AM – 12:00 PM')).toBeNull()
})

test('a press without a move, or by a finger, changes nothing', () => {
  const { api } = renderBand()
  fireEvent.pointerUp(press('end', 120), { clientX: 120 })
  fireEvent.pointerUp(press('end', 120, 'touch'), { clientX: 60 })
  expect(api.to(CHANGE)).toEqual([])
})

function renderBand() {
  const api = stubApi({})
  const { user } = renderComponent(<DayBand calendarId={CALENDAR_ID} ranges={[MORNING, AFTERNOON]} />)
  return { api, user }
}

/** Presses the handle at the start or end of the morning. */
function press(edge: 'start' | 'end', clientX: number, pointerType = 'mouse'): Element {
  const handle = document.querySelector(`[data-edge="${edge}"]`)
  if (handle === null) throw new Error(`The ${edge} has no handle`)
  fireEvent.pointerDown(handle, { button: 0, pointerId: 1, pointerType, clientX })
  return handle
}

function range(id: string, start_time: string, end_time: string): Availability {
  return { ...NEW_SLOT_SETTINGS, id, calendar_id: CALENDAR_ID, day_of_week: 1, start_time, end_time }
}
