// @vitest-environment happy-dom

import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { SpecialDaysEntry } from '#contract/availability/special-days.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { enterText } from '#web/testing/enter-text.ts'
import { CALENDAR_ID, makeCalendar, NEW_SLOT_SETTINGS } from '#web/testing/make-records.ts'
import { OFFERED_TIMES, OfferedTimes } from '#web/testing/offered-times.tsx'
import { renderComponent } from '#web/testing/render-part.tsx'
import { NO_HOLIDAYS } from '#web/testing/server-answers.ts'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { AvailabilityPanel } from './availability-panel.tsx'

const CALENDAR = `/api/calendars/${CALENDAR_ID}`
const PATH = `${CALENDAR}/special-days`
const LIST = `GET ${PATH}`
const ADD = `POST ${PATH}`
const WEEK = `GET ${CALENDAR}/availability`
const PREVIEW = `${WEEK}/preview`
const HOLIDAYS = makeEntry({ first_date: '2027-12-24', last_date: '2028-01-01' })
const SHORT_DAY = makeEntry({
  id: '00000000-0000-4000-8000-000000000b02',
  first_date: '2027-01-05',
  last_date: '2027-01-05',
  hours: [clock('10:00', '13:00'), clock('14:00', '24:00')],
  note: 'Stocktaking',
  appointments: 1,
})

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-01-04T08:00:00Z') })
})
describe('the list', () => {
  test('has each entry with its days, hours and note', async () => {
    renderPanel([SHORT_DAY, HOLIDAYS])
    const list = within(await screen.findByRole('list', { name: 'Days off and special hours' }))
    expect(list.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual([
      'Tue, Jan 5, 2027',
      'Fri, Dec 24, 2027 – Sat, Jan 1, 2028',
    ])
    const short = entry('Tue, Jan 5, 2027')
    expect(short.getByText(/^10:00 AM/).closest('p')?.textContent).toBe(
      '10:00 AM – 1:00 PM, 2:00 PM – midnight',
    )
    expect(short.getByText('Stocktaking')).toBeDefined()
    expect(entry('Fri, Dec 24, 2027 – Sat, Jan 1, 2028').getByText('Closed')).toBeDefined()
  })

  test('links to remaining appointments: to the day or the week, never before today', async () => {
    const running = { first_date: '2027-01-01', last_date: '2027-01-08' }
    renderPanel([
      SHORT_DAY,
      { ...HOLIDAYS, ...running, appointments: 3 },
      makeEntry({ id: '00000000-0000-4000-8000-000000000b03' }),
    ])
    const one = await screen.findByRole('link', { name: '1 appointment on this day stays' })
    const page = `/calendar/${CALENDAR_ID}/settings?tab=appointments`
    expect(one.getAttribute('href')).toBe(`${page}&view=day&date=2027-01-05`)
    const three = screen.getByRole('link', { name: '3 appointments on these days stay' })
    expect(three.getAttribute('href')).toBe(`${page}&view=week&date=2027-01-04`)
    expect(screen.getAllByRole('link')).toHaveLength(2)
  })

  test('shows that there are none', async () => {
    renderPanel([])
    expect(await screen.findByText('No days off planned.')).toBeDefined()
  })

  test('shows that it is loading while the week is shown already', async () => {
    const held = heldResponse({ special_days: [HOLIDAYS] })
    renderPanel([], { [LIST]: held.answer })
    expect(await screen.findByText('Loading special days...')).toBeDefined()
    expect(await screen.findByRole('heading', { name: 'Weekly schedule' })).toBeDefined()
    held.release()
    expect(await screen.findByRole('article', { name: 'Fri, Dec 24, 2027 – Sat, Jan 1, 2028' })).toBeDefined()
    expect(screen.queryByText('Loading special days...')).toBeNull()
  })

  test('shows an error when loading fails, and can be retried; the week is shown', async () => {
    const { user, api } = renderPanel([], { [LIST]: errorResponse('calendar.not_found') })
    expect(await screen.findAllByText('Failed to load special days')).toHaveLength(1)
    expect(await screen.findByRole('heading', { name: 'Weekly schedule' })).toBeDefined()
    api.answer(LIST, { special_days: [HOLIDAYS] })
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('article', { name: 'Fri, Dec 24, 2027 – Sat, Jan 1, 2028' })).toBeDefined()
  })
})

describe('adding', () => {
  test('days are closed unless something else is chosen; the last day follows the first until it differs', async () => {
    const { user, api } = renderPanel([])
    const dialog = await openDialog(user)
    expect(dialog.getByLabelText(/^First day/)).toHaveProperty('value', '2027-01-04')
    chooseDate(dialog, 'First day', '2027-12-24')
    expect(dialog.getByLabelText(/^Last day/)).toHaveProperty('value', '2027-12-24')
    chooseDate(dialog, 'Last day', '2028-01-01')
    chooseDate(dialog, 'First day', '2027-12-25')
    expect(dialog.getByLabelText(/^Last day/)).toHaveProperty('value', '2028-01-01')
    const added = { ...HOLIDAYS, first_date: '2027-12-25' }
    api.answer(ADD, added)
    api.answer(LIST, { special_days: [added] })
    const before = countRefreshed(api)
    await user.click(dialog.getByRole('button', { name: 'Add days' }))
    expect(await screen.findByText('Days added')).toBeDefined()
    expect(await screen.findByRole('article', { name: 'Sat, Dec 25, 2027 – Sat, Jan 1, 2028' })).toBeDefined()
    expect(api.to(ADD)[0]?.body).toEqual({
      first_date: '2027-12-25',
      last_date: '2028-01-01',
      hours: [],
      note: '',
      public_note: '',
    })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    // The preview and the times of the owner's booking dialog depend on the special days, so both are refetched.
    await waitFor(() => expect(countRefreshed(api).every((n, i) => n > (before[i] ?? 0))).toBe(true))
  })

  test('days get special hours: nine to five at first, then further ranges, and a note', async () => {
    const { user, api } = renderPanel([])
    const dialog = await openDialog(user)
    await user.click(dialog.getByRole('radio', { name: 'Different hours' }))
    expect(dialog.getByLabelText('Start time')).toHaveProperty('value', '09:00')
    expect(dialog.queryByRole('button', { name: /^Remove time range/ })).toBeNull()
    setTime(dialog, 'End time', 0, '12:00')
    await user.click(dialog.getByRole('button', { name: 'Add a time range' }))
    // The new range starts where the first one ends.
    expect(dialog.getAllByLabelText('Start time')[1]).toHaveProperty('value', '12:00')
    setTime(dialog, 'Start time', 1, '14:00')
    setTime(dialog, 'End time', 1, '16:30')
    await user.click(dialog.getByRole('button', { name: 'Add a time range' }))
    await user.click(dialog.getByRole('button', { name: 'Remove time range 3' }))
    await enterText(user, dialog.getByLabelText('Note'), 'Stocktaking')
    // Choosing Closed and then Other hours again keeps the ranges.
    await user.click(dialog.getByRole('radio', { name: 'Closed' }))
    expect(dialog.queryByLabelText('Start time')).toBeNull()
    await user.click(dialog.getByRole('radio', { name: 'Different hours' }))
    api.answer(ADD, SHORT_DAY)
    await user.click(dialog.getByRole('button', { name: 'Add days' }))
    expect(await screen.findByText('Days added')).toBeDefined()
    expect(api.to(ADD)[0]?.body).toEqual({
      first_date: '2027-01-04',
      last_date: '2027-01-04',
      hours: [clock('09:00', '12:00'), clock('14:00', '16:30')],
      note: 'Stocktaking',
      public_note: '',
    })
  })

  test('invalid values are reported at their fields before sending', async () => {
    const { user, api } = renderPanel([])
    const dialog = await openDialog(user)
    chooseDate(dialog, 'Last day', '2027-01-03')
    await user.click(dialog.getByRole('radio', { name: 'Different hours' }))
    await user.click(dialog.getByRole('button', { name: 'Add a time range' }))
    setTime(dialog, 'Start time', 0, '')
    await user.click(dialog.getByRole('button', { name: 'Add days' }))
    expect(await dialog.findByText('Please choose a start time.')).toBeDefined()
    setTime(dialog, 'Start time', 0, '18:00')
    expect(await dialog.findByText(PROBLEMS['availability.start_after_end'].title)).toBeDefined()
    setTime(dialog, 'Start time', 0, '09:00')
    setTime(dialog, 'Start time', 1, '16:00')
    await user.click(dialog.getByRole('button', { name: 'Add days' }))
    expect(await dialog.findByText(PROBLEMS['special_days.first_after_last'].title)).toBeDefined()
    const second = within(dialog.getByRole('group', { name: 'Time range 2' }))
    expect(second.getByText(PROBLEMS['special_days.hours_overlap'].title)).toBeDefined()
    // Changing the first range also removes the error of the second.
    setTime(dialog, 'End time', 0, '16:00')
    await waitFor(() => expect(second.queryByText(/overlaps/)).toBeNull())
    expect(api.to(ADD)).toEqual([])
  })

  test('a missing day is reported', async () => {
    const { user } = renderPanel([])
    const dialog = await openDialog(user)
    chooseDate(dialog, 'First day', '')
    await user.click(dialog.getByRole('button', { name: 'Add days' }))
    expect(await dialog.findByText('Please choose the first day.')).toBeDefined()
    expect(dialog.getByText('Please choose the last day.')).toBeDefined()
  })

  test('a refusal is shown at its field, and keeps typed text', async () => {
    const { user, api } = renderPanel([])
    const dialog = await openDialog(user)
    await user.click(dialog.getByRole('radio', { name: 'Different hours' }))
    await user.click(dialog.getByRole('button', { name: 'Add a time range' }))
    await enterText(user, dialog.getByLabelText('Note'), 'Stocktaking')
    const path = 'hours.1.end_time'
    api.answer(ADD, errorResponse('request.invalid', [{ path, message: 'Too late for that.' }]))
    await user.click(dialog.getByRole('button', { name: 'Add days' }))
    expect(await dialog.findByText('Too late for that.')).toBeDefined()
    expect(dialog.getAllByLabelText('End time')[1]?.getAttribute('aria-invalid')).toBe('true')
    expect(dialog.getAllByLabelText('End time')[0]?.getAttribute('aria-invalid')).toBeNull()
    expect(dialog.getByLabelText('Note')).toHaveProperty('value', 'Stocktaking')

    const over = PROBLEMS['special_days.over'].title
    api.answer(ADD, errorResponse('special_days.over', [{ path: 'last_date', message: over }]))
    await user.click(dialog.getByRole('button', { name: 'Add days' }))
    expect(await dialog.findByText(over)).toBeDefined()
    expect(dialog.getByLabelText(/^Last day/).getAttribute('aria-invalid')).toBe('true')
  })

  test('days of another entry are refused for the whole dialog, and typed text is kept', async () => {
    const { user, api } = renderPanel([])
    const dialog = await openDialog(user)
    chooseDate(dialog, 'First day', '2027-01-06')
    api.answer(ADD, errorResponse('special_days.overlap'))
    const asked = api.to(LIST).length
    await user.click(dialog.getByRole('button', { name: 'Add days' }))
    expect((await dialog.findByRole('alert')).textContent).toBe(
      `Failed to add days: ${PROBLEMS['special_days.overlap'].title}`,
    )
    expect(dialog.getByLabelText(/^First day/)).toHaveProperty('value', '2027-01-06')
    // The card refetches the list, because another window may have added the conflicting days.
    await waitFor(() => expect(api.to(LIST).length).toBeGreaterThan(asked))
  })
})

describe('editing', () => {
  const CHANGE = `PUT ${PATH}/${SHORT_DAY.id}`
  const WAS = {
    first_date: '2027-01-05',
    last_date: '2027-01-05',
    hours: [clock('10:00', '13:00'), clock('14:00', '24:00')],
    note: 'Stocktaking',
    public_note: null,
  }

  test('starts with the entry, and sends its new and its previous values', async () => {
    const { user, api } = renderPanel([SHORT_DAY])
    const dialog = await openEdit(user)
    expect(dialog.getByLabelText('Note')).toHaveProperty('value', 'Stocktaking')
    expect(dialog.getAllByLabelText('Start time')[1]).toHaveProperty('value', '14:00')
    expect(dialog.getAllByRole('checkbox', { name: 'Until midnight' })[1]).toHaveProperty('checked', true)
    await user.click(dialog.getByRole('button', { name: 'Remove time range 1' }))
    expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Add a time range' }))
    const changed = { ...SHORT_DAY, hours: [clock('14:00', '24:00')] }
    api.answer(CHANGE, changed)
    api.answer(LIST, { special_days: [changed] })
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Days changed')).toBeDefined()
    expect(await screen.findByText('2:00 PM – midnight')).toBeDefined()
    expect(api.to(CHANGE)[0]?.body).toEqual({
      ...WAS,
      public_note: '',
      hours: [clock('14:00', '24:00')],
      was: WAS,
    })
  })

  test('what another window changed meanwhile is shown before it is overwritten', async () => {
    const { user, api } = renderPanel([SHORT_DAY])
    const dialog = await openEdit(user)
    await user.clear(dialog.getByLabelText('Note'))
    api.answer(CHANGE, errorResponse('request.changed_meanwhile'))
    api.answer(LIST, { special_days: [{ ...SHORT_DAY, hours: [] }] })
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await dialog.findByText(/^This was changed in another window/)).toBeDefined()
    expect(dialog.getByRole('definition').textContent).toBe('Closed')
    expect(dialog.getByRole('radio', { name: 'Closed' })).toHaveProperty('checked', true)
    expect(dialog.getByLabelText('Note')).toHaveProperty('value', '')
    const changed = { ...SHORT_DAY, hours: [], note: null }
    api.answer(CHANGE, changed)
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Days changed')).toBeDefined()
    expect(api.to(CHANGE)[1]?.body).toEqual({
      ...WAS,
      hours: [],
      note: '',
      public_note: '',
      was: { ...WAS, hours: [] },
    })
  })

  async function openEdit(user: ReturnType<typeof renderPanel>['user']) {
    await user.click(await screen.findByRole('button', { name: 'Edit Tue, Jan 5, 2027' }))
    return within(await screen.findByRole('dialog', { name: 'Edit days' }))
  }
})

describe('removing', () => {
  const REMOVE = `DELETE ${PATH}/${SHORT_DAY.id}`

  test('an entry is removed, and Undo adds it again', async () => {
    const { user, api } = renderPanel([SHORT_DAY])
    const remove = await screen.findByRole('button', { name: 'Remove Tue, Jan 5, 2027' })
    api.answer(REMOVE, undefined)
    api.answer(LIST, { special_days: [] })
    await user.dblClick(remove)
    expect(await screen.findByText('Days removed')).toBeDefined()
    expect(api.to(REMOVE)).toHaveLength(1)
    expect(await screen.findByText(/^No days off planned/)).toBeDefined()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add days' }))
    api.answer(ADD, SHORT_DAY)
    api.answer(LIST, { special_days: [SHORT_DAY] })
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Days added')).toBeDefined()
    expect(await screen.findByRole('article', { name: 'Tue, Jan 5, 2027' })).toBeDefined()
    const { id: _id, appointments: _appointments, ...body } = SHORT_DAY
    expect(api.to(ADD)[0]?.body).toEqual(body)
  })

  test('an entry that another window has removed is reported and disappears', async () => {
    const { user, api } = renderPanel([SHORT_DAY])
    const remove = await screen.findByRole('button', { name: 'Remove Tue, Jan 5, 2027' })
    api.answer(REMOVE, errorResponse('special_days.not_found'))
    api.answer(LIST, { special_days: [] })
    await user.click(remove)
    expect(await screen.findByText('Failed to remove days: These days were already removed.')).toBeDefined()
    expect(await screen.findByText(/^No days off planned/)).toBeDefined()
  })
})

test('the preview says Closed on days that are closed, and not on a weekday that has hours this once', async () => {
  const off = makeEntry({ first_date: '2027-01-05', last_date: '2027-01-06' })
  const open = { ...SHORT_DAY, first_date: '2027-01-09', last_date: '2027-01-09' }
  renderPanel([off, open])
  const preview = within(await screen.findByRole('list', { name: 'Offered times' }))
  const words = () => preview.getAllByText(/^(Closed|No times)$/).map(({ textContent }) => textContent)
  // The weekly hours are open from Monday to Friday.
  await waitFor(() =>
    expect(words()).toEqual(['No times', 'Closed', 'Closed', 'No times', 'No times', 'No times', 'Closed']),
  )
})

function renderPanel(special_days: readonly SpecialDaysEntry[], answers: Record<string, unknown> = {}) {
  const availability = [1, 2, 3, 4, 5].map((day_of_week) => ({
    ...NEW_SLOT_SETTINGS,
    ...clock('09:00', '17:00'),
    id: `range-${day_of_week}`,
    calendar_id: CALENDAR_ID,
    day_of_week,
  }))
  const days = [4, 5, 6, 7, 8, 9, 10].map((day) => ({
    date: `2027-01-${String(day).padStart(2, '0')}`,
    slots: [],
  }))
  const api = stubApi({
    [LIST]: { special_days },
    [`GET ${CALENDAR}/holidays`]: NO_HOLIDAYS,
    [WEEK]: { ...NEW_SLOT_SETTINGS, availability, appointment_types: [] },
    [PREVIEW]: { time_zone: 'Europe/London', days },
    [OFFERED_TIMES]: {},
    ...answers,
  })
  const { user } = renderComponent(
    <>
      <AvailabilityPanel renderTimeQuestion={() => null} calendar={makeCalendar()} />
      <OfferedTimes />
    </>,
  )
  return { user, api }
}

async function openDialog(user: ReturnType<typeof renderPanel>['user']) {
  await screen.findByText(/^No days off planned/)
  await user.click(screen.getByRole('button', { name: 'Add days' }))
  return within(await screen.findByRole('dialog', { name: 'Add days' }))
}

type Part = ReturnType<typeof within>

/** Sets the whole date in one step, because date fields in the test environment cannot be filled digit by digit. */
function chooseDate(dialog: Part, label: 'First day' | 'Last day', date: string): void {
  fireEvent.change(dialog.getByLabelText(new RegExp(`^${label}`)), { target: { value: date } })
}

function setTime(dialog: Part, label: 'Start time' | 'End time', index: number, time: string): void {
  const field = dialog.getAllByLabelText(label)[index]
  if (field === undefined) throw new Error(`there is no time range ${index + 1}`)
  fireEvent.change(field, { target: { value: time } })
}

function entry(days: string): Part {
  return within(screen.getByRole('article', { name: days }))
}

/** Counts the requests for the preview and for the times of the owner's booking dialog. */
function countRefreshed(api: ReturnType<typeof renderPanel>['api']): number[] {
  return [PREVIEW, OFFERED_TIMES].map((key) => api.to(key).length)
}

function clock(start: string, end: string) {
  return { start_time: `${start}:00`, end_time: `${end}:00` }
}

function makeEntry(over: Partial<SpecialDaysEntry> = {}): SpecialDaysEntry {
  return {
    id: '00000000-0000-4000-8000-000000000b01',
    first_date: '2027-03-01',
    last_date: '2027-03-02',
    hours: [],
    note: null,
    public_note: null,
    appointments: 0,
    ...over,
  }
}
