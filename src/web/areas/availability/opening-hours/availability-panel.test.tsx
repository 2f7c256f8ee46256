// @vitest-environment happy-dom

import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Availability, AvailabilityResponse } from '#contract/availability/opening-hours.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { HourCycleContext } from '#web/kit/hour-cycle.ts'
import { CALENDAR_ID, makeCalendar, NEW_SLOT_SETTINGS } from '#web/testing/make-records.ts'
import { OFFERED_TIMES, OfferedTimes } from '#web/testing/offered-times.tsx'
import { renderComponent } from '#web/testing/render-part.tsx'
import { NO_HOLIDAYS } from '#web/testing/server-answers.ts'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { AvailabilityPanel } from './availability-panel.tsx'

/** A type that starts by the slot length. */
const ON_THE_GRID = { start_step_minutes: null, is_packed: false } as const

const PATH = `/api/calendars/${CALENDAR_ID}/availability`
const WEEK = `GET ${PATH}`
const ADD = `POST ${PATH}`
const COPY = `POST ${PATH}/copy`
const REPLACE = `PUT ${PATH}/days`
const PREVIEW = `GET ${PATH}/preview`
const SETTINGS = `PATCH /api/calendars/${CALENDAR_ID}/slot-settings`
const SPECIAL_DAYS = `GET /api/calendars/${CALENDAR_ID}/special-days`
const HOLIDAYS = `GET /api/calendars/${CALENDAR_ID}/holidays`
const DEFAULTS = NEW_SLOT_SETTINGS

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-01-04T08:00:00Z') })
})
describe('loading', () => {
  test('shows that it is loading, then the week in the calendar’s time zone', async () => {
    const held = heldResponse(makeWeek([range(1, '09:00', '17:00')]))
    renderPanel(makeWeek(), { [WEEK]: held.answer })
    expect(screen.getByText('Loading availability...')).toBeDefined()
    held.release()
    expect(await screen.findByRole('heading', { name: 'Weekly schedule' })).toBeDefined()
    expect(screen.getByText(/every week, in London time \(GMT\)/)).toBeDefined()
  })

  test('shows an error when loading fails, and can be retried', async () => {
    const { user, api } = renderPanel(makeWeek(), { [WEEK]: errorResponse('calendar.forbidden') })
    expect(await screen.findAllByText('Failed to load availability settings')).toHaveLength(1)
    api.answer(WEEK, makeWeek())
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('heading', { name: 'Weekly schedule' })).toBeDefined()
  })
})

describe('the week', () => {
  test('lists seven days from Monday on, each with its ranges on a 12-hour clock or closed', async () => {
    renderPanel(
      makeWeek([range(1, '09:00', '12:00'), range(1, '13:30', '24:00'), range(0, '00:00', '09:05')]),
    )
    const days = within(await screen.findByRole('list', { name: 'Days of the week' }))
    expect(days.getAllByRole('heading').map((heading) => heading.textContent)).toEqual([
      'Monday',
      'Tuesday',
      'Wednesday',
      'Thursday',
      'Friday',
      'Saturday',
      'Sunday',
    ])
    expect(within(day('Monday')).getByText('9:00 AM – 12:00 PM')).toBeDefined()
    expect(within(day('Monday')).getByText('1:30 PM – midnight')).toBeDefined()
    expect(within(day('Sunday')).getByText('12:00 AM – 9:05 AM')).toBeDefined()
    expect(within(day('Tuesday')).getByText('Closed')).toBeDefined()
  })

  test('has the clock of the calendar', async () => {
    renderPanel(makeWeek([range(1, '09:00', '12:00'), range(2, '13:30', '24:00')]), {}, 'h23')
    await screen.findByRole('list', { name: 'Days of the week' })
    expect(within(day('Monday')).getByText('09:00 – 12:00')).toBeDefined()
    expect(within(day('Tuesday')).getByText('13:30 – midnight')).toBeDefined()
    expect(screen.getByText('18:00')).toBeDefined()
  })

  test('a range is added: Monday nine to five unless something else is chosen', async () => {
    const { user, api } = renderPanel(makeWeek())
    const form = within(await screen.findByRole('form', { name: 'Add hours' }))
    expect(form.getByLabelText('Start time')).toHaveProperty('value', '09:00')
    expect(form.getByLabelText('End time')).toHaveProperty('value', '17:00')
    const added = range(1, '09:00', '17:00')
    api.answer(ADD, added)
    api.answer(WEEK, makeWeek([added]))
    await user.click(form.getByRole('button', { name: 'Add hours' }))
    expect(await screen.findByText('Availability added')).toBeDefined()
    expect(await within(day('Monday')).findByText('9:00 AM – 5:00 PM')).toBeDefined()
    expect(api.to(ADD)[0]?.body).toEqual({ day_of_week: 1, start_time: '09:00:00', end_time: '17:00:00' })
  })

  test('a range can last until midnight, and the time typed before comes back when it does not', async () => {
    const { user, api } = renderPanel(makeWeek())
    const form = within(await screen.findByRole('form', { name: 'Add hours' }))
    const midnight = form.getByRole('checkbox', { name: 'Until midnight' })
    await user.click(midnight)
    expect(form.getByLabelText('End time')).toHaveProperty('disabled', true)
    await user.click(midnight)
    expect(form.getByLabelText('End time')).toHaveProperty('value', '17:00')
    await user.click(midnight)
    api.answer(ADD, range(1, '09:00', '24:00'))
    await user.click(form.getByRole('button', { name: 'Add hours' }))
    await waitFor(() => expect(api.to(ADD)[0]?.body).toMatchObject({ end_time: '24:00:00' }))
  })

  test('a start that is not before the end is refused before anything is sent', async () => {
    const { user, api } = renderPanel(makeWeek())
    const form = within(await screen.findByRole('form', { name: 'Add hours' }))
    await user.clear(form.getByLabelText('Start time'))
    await user.type(form.getByLabelText('Start time'), '17:00')
    await user.click(form.getByRole('button', { name: 'Add hours' }))
    expect(await form.findByText(PROBLEMS['availability.start_after_end'].title)).toBeDefined()
    expect(api.to(ADD)).toEqual([])
  })

  test.each([
    ['Start time', 'Please choose a start time.'],
    ['End time', 'Please choose an end time.'],
  ])('a missing %s is reported', async (label, sentence) => {
    const { user, api } = renderPanel(makeWeek())
    const form = within(await screen.findByRole('form', { name: 'Add hours' }))
    await user.clear(form.getByLabelText(label))
    await user.click(form.getByRole('button', { name: 'Add hours' }))
    expect(await form.findByText(sentence)).toBeDefined()
    expect(api.to(ADD)).toEqual([])
  })

  test('the form begins with the first closed day, where the hours it suggests are free', async () => {
    const { user, api } = renderPanel(
      makeWeek([1, 2, 3, 4, 5].map((weekday) => range(weekday, '09:00', '17:00'))),
    )
    const form = within(await screen.findByRole('form', { name: 'Add hours' }))
    expect(form.getByLabelText('Day').textContent).toContain('Saturday')
    expect(form.queryByText(/^Already open/)).toBeNull()
    api.answer(ADD, range(6, '09:00', '17:00'))
    api.answer(WEEK, makeWeek([1, 2, 3, 4, 5, 6].map((weekday) => range(weekday, '09:00', '17:00'))))
    await user.click(form.getByRole('button', { name: 'Add hours' }))
    expect(await screen.findByText('Availability added')).toBeDefined()
    expect(api.to(ADD)[0]?.body).toMatchObject({ day_of_week: 6 })
    await waitFor(() => expect(form.getByLabelText('Day').textContent).toContain('Sunday'))
  })

  test('an overlap is refused before anything is sent, a range that only touches is not', async () => {
    // Every day is open, so the form starts with Monday.
    const everyDay = [0, 1, 2, 3, 4, 5, 6].map((weekday) => range(weekday, '16:59', '18:00'))
    const { user, api } = renderPanel(makeWeek(everyDay))
    const form = within(await screen.findByRole('form', { name: 'Add hours' }))
    expect(form.getByText('Already open on Monday: 4:59 PM – 6:00 PM.')).toBeDefined()
    await user.click(form.getByRole('button', { name: 'Add hours' }))
    const sentence = PROBLEMS['availability.overlap'].title
    expect(await form.findByText(sentence)).toBeDefined()
    expect(api.to(ADD)).toEqual([])
    await user.clear(form.getByLabelText('End time'))
    await user.type(form.getByLabelText('End time'), '16:59')
    expect(form.queryByText(/^Already open/)).toBeNull()
    api.answer(ADD, range(1, '09:00', '16:59'))
    await user.click(form.getByRole('button', { name: 'Add hours' }))
    expect(await screen.findByText('Availability added')).toBeDefined()
  })

  test('an overlap with a range from another window is reported, typed text stays, and the week is refetched', async () => {
    const { user, api } = renderPanel(makeWeek())
    const form = within(await screen.findByRole('form', { name: 'Add hours' }))
    api.answer(ADD, errorResponse('availability.overlap'))
    api.answer(WEEK, makeWeek([range(1, '10:00', '11:00')]))
    await user.clear(form.getByLabelText('Start time'))
    await user.type(form.getByLabelText('Start time'), '08:15')
    await user.click(form.getByRole('button', { name: 'Add hours' }))
    const sentence = PROBLEMS['availability.overlap'].title
    expect(await form.findByText(`Failed to add availability: ${sentence}`)).toBeDefined()
    expect(screen.getAllByText(sentence, { exact: false })).toHaveLength(1)
    expect(form.getByLabelText('Start time')).toHaveProperty('value', '08:15')
    expect(await within(day('Monday')).findByText('10:00 AM – 11:00 AM')).toBeDefined()
  })

  test('a double press adds one range', async () => {
    const { user, api } = renderPanel(makeWeek())
    const form = within(await screen.findByRole('form', { name: 'Add hours' }))
    const held = heldResponse(range(1, '09:00', '17:00'))
    api.answer(ADD, held.answer)
    await user.click(form.getByRole('button', { name: 'Add hours' }))
    await user.click(await form.findByRole('button', { name: 'Adding...' }))
    held.release()
    expect(await screen.findByText('Availability added')).toBeDefined()
    expect(api.to(ADD)).toHaveLength(1)
  })

  test('a day’s own button adds to that day, beginning after what is there', async () => {
    const { user, api } = renderPanel(makeWeek([range(3, '09:00', '12:30')]))
    await user.click(await screen.findByRole('button', { name: 'Add hours on Wednesday' }))
    const form = within(screen.getByRole('form', { name: 'Add hours on Wednesday' }))
    expect(screen.queryByRole('form', { name: 'Add hours' })).toBeNull()
    expect(form.getByLabelText('Start time')).toHaveProperty('value', '12:30')
    expect(form.getByLabelText('End time')).toHaveProperty('value', '13:30')
    api.answer(ADD, range(3, '12:30', '13:30'))
    await user.click(form.getByRole('button', { name: 'Add hours' }))
    expect(await screen.findByText('Availability added')).toBeDefined()
    expect(api.to(ADD)[0]?.body).toMatchObject({ day_of_week: 3, start_time: '12:30:00' })
    await waitFor(() => expect(screen.queryByRole('form', { name: 'Add hours on Wednesday' })).toBeNull())
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add hours on Wednesday' }))
    expect(screen.getByRole('form', { name: 'Add hours' })).toBeDefined()
  })

  test('a range is removed, and Undo brings it back', async () => {
    const monday = range(1, '09:00', '24:00')
    const { user, api } = renderPanel(makeWeek([monday]))
    const remove = await screen.findByRole('button', { name: 'Remove Monday 9:00 AM – midnight' })
    api.answer(`DELETE ${PATH}/${monday.id}`, undefined)
    api.answer(WEEK, makeWeek())
    await user.click(remove)
    expect(await screen.findByText('Availability removed')).toBeDefined()
    expect(await within(day('Monday')).findByText('Closed')).toBeDefined()
    api.answer(ADD, monday)
    api.answer(WEEK, makeWeek([monday]))
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Availability added')).toBeDefined()
    expect(api.to(ADD)[0]?.body).toEqual({ day_of_week: 1, start_time: '09:00:00', end_time: '24:00:00' })
  })

  test('a range that another window has removed is reported and disappears', async () => {
    const monday = range(1, '09:00', '17:00')
    const { user, api } = renderPanel(makeWeek([monday]))
    const remove = await screen.findByRole('button', { name: 'Remove Monday 9:00 AM – 5:00 PM' })
    api.answer(`DELETE ${PATH}/${monday.id}`, errorResponse('availability.not_found'))
    api.answer(WEEK, makeWeek())
    await user.click(remove)
    const sentence = 'Failed to remove availability: This time range was already removed.'
    expect(await screen.findByText(sentence)).toBeDefined()
    expect(await within(day('Monday')).findByText('Closed')).toBeDefined()
  })

  test('a double press removes once', async () => {
    const monday = range(1, '09:00', '17:00')
    const { user, api } = renderPanel(makeWeek([monday]))
    const held = heldResponse(undefined)
    api.answer(`DELETE ${PATH}/${monday.id}`, held.answer)
    const remove = await screen.findByRole('button', { name: 'Remove Monday 9:00 AM – 5:00 PM' })
    await user.dblClick(remove)
    held.release()
    expect(await screen.findByText('Availability removed')).toBeDefined()
    expect(api.to(`DELETE ${PATH}/${monday.id}`)).toHaveLength(1)
  })
})

describe('the times of a range', () => {
  const monday = range(1, '09:00', '17:00')
  const CHANGE = `PUT ${PATH}/${monday.id}`

  test('are changed in place, and Undo brings the former ones back', async () => {
    const { user, api } = renderPanel(makeWeek([monday]))
    const form = await openEditor(user)
    expect(document.activeElement).toBe(form.getByLabelText('Start time'))
    await enterTime(user, form, 'End time', '15:30')
    const changed = { ...monday, end_time: '15:30:00' }
    api.answer(CHANGE, changed)
    api.answer(WEEK, makeWeek([changed]))
    await user.keyboard('{Enter}')
    expect(await screen.findByText('Availability changed')).toBeDefined()
    const button = screen.getByRole('button', { name: 'Change Monday 9:00 AM – 3:30 PM' })
    expect(document.activeElement).toBe(button)
    expect(api.to(CHANGE)[0]?.body).toEqual({
      start_time: '09:00:00',
      end_time: '15:30:00',
      was: { start_time: '09:00:00', end_time: '17:00:00' },
    })
    api.answer(CHANGE, monday)
    api.answer(WEEK, makeWeek([monday]))
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await within(day('Monday')).findByText('9:00 AM – 5:00 PM')).toBeDefined()
    expect(api.to(CHANGE)[1]?.body).toEqual({
      start_time: '09:00:00',
      end_time: '17:00:00',
      was: { start_time: '09:00:00', end_time: '15:30:00' },
    })
  })

  test('can last until midnight', async () => {
    const late = range(1, '20:00', '24:00')
    const { user, api } = renderPanel(makeWeek([monday, late]))
    const form = await openEditor(user, 'Change Monday 8:00 PM – midnight')
    const midnight = form.getByRole('checkbox', { name: 'Until midnight' })
    expect(midnight).toHaveProperty('checked', true)
    await user.click(midnight)
    expect(form.getByLabelText('End time')).toHaveProperty('value', '23:00')
    await user.click(midnight)
    await enterTime(user, form, 'Start time', '21:00')
    api.answer(`PUT ${PATH}/${late.id}`, { ...late, start_time: '21:00:00' })
    await user.click(form.getByRole('button', { name: 'Save' }))
    await screen.findByText('Availability changed')
    expect(api.to(`PUT ${PATH}/${late.id}`)[0]?.body).toMatchObject({ end_time: '24:00:00' })
  })

  test('are not sent when they did not change, and Escape keeps the stored ones', async () => {
    const { user, api } = renderPanel(makeWeek([monday]))
    await openEditor(user)
    await user.keyboard('{Enter}')
    const form = await openEditor(user)
    await enterTime(user, form, 'End time', '15:30')
    await user.keyboard('{Escape}')
    const button = await screen.findByRole('button', { name: 'Change Monday 9:00 AM – 5:00 PM' })
    expect(document.activeElement).toBe(button)
    expect(api.to(CHANGE)).toEqual([])
  })

  test.each([
    ['08:00', '08:00', PROBLEMS['availability.start_after_end'].title],
    ['08:00', '19:00', PROBLEMS['availability.overlap'].title],
    ['', '17:00', 'Please choose a start time.'],
  ])('from %j to %j are refused at the range before anything is sent', async (start, end, sentence) => {
    const { user, api } = renderPanel(makeWeek([monday, range(1, '18:00', '20:00')]))
    const form = await openEditor(user)
    await enterTime(user, form, 'Start time', start)
    await enterTime(user, form, 'End time', end)
    await user.click(form.getByRole('button', { name: 'Save' }))
    expect(await form.findByText(sentence)).toBeDefined()
    expect(form.getByLabelText('End time')).toHaveProperty('value', end)
    expect(api.to(CHANGE)).toEqual([])
  })

  test('that another window changed meanwhile are shown before they are overwritten', async () => {
    const { user, api } = renderPanel(makeWeek([monday]))
    const form = await openEditor(user)
    await enterTime(user, form, 'End time', '15:30')
    api.answer(CHANGE, errorResponse('request.changed_meanwhile'))
    api.answer(WEEK, makeWeek([{ ...monday, end_time: '12:00:00' }]))
    await user.click(form.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText(/^This was changed in another window/)).toBeDefined()
    expect(screen.getByText('12:00 PM', { selector: 'dd' })).toBeDefined()
    expect(screen.getByLabelText('End time', { selector: 'li input' })).toHaveProperty('value', '15:30')
    api.answer(CHANGE, { ...monday, end_time: '15:30:00' })
    await user.click(within(day('Monday')).getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Availability changed')).toBeDefined()
    expect(api.to(CHANGE)[1]?.body).toMatchObject({ was: { end_time: '12:00:00' } })
  })

  test('stay typed when another window removed the range, and saving adds it again', async () => {
    const { user, api } = renderPanel(makeWeek([monday]))
    const form = await openEditor(user)
    await enterTime(user, form, 'End time', '15:30')
    api.answer(CHANGE, errorResponse('availability.not_found'))
    api.answer(WEEK, makeWeek())
    await user.click(form.getByRole('button', { name: 'Save' }))
    const again = await within(day('Monday')).findByRole('button', { name: 'Add hours' })
    const sentence = PROBLEMS['availability.not_found'].title
    expect(within(day('Monday')).getByText(`Failed to change availability: ${sentence}`)).toBeDefined()
    expect(screen.getByLabelText('End time', { selector: 'li input' })).toHaveProperty('value', '15:30')
    const added = { ...range(1, '09:00', '15:30'), id: 'added' }
    api.answer(ADD, added)
    api.answer(WEEK, makeWeek([added]))
    await user.click(again)
    expect(await within(day('Monday')).findByText('9:00 AM – 3:30 PM')).toBeDefined()
    expect(api.to(ADD)[0]?.body).toEqual({ day_of_week: 1, start_time: '09:00:00', end_time: '15:30:00' })
  })

  type User = ReturnType<typeof renderPanel>['user']

  async function openEditor(user: User, name = 'Change Monday 9:00 AM – 5:00 PM') {
    await user.click(await screen.findByRole('button', { name }))
    return within(await screen.findByRole('form', { name }))
  }

  async function enterTime(user: User, form: ReturnType<typeof within>, label: string, time: string) {
    const field = form.getByLabelText(label)
    await user.clear(field)
    if (time !== '') await user.type(field, time)
  }
})

describe('the lunch break', () => {
  const week = [
    ...[1, 2, 3, 4].map((weekday) => range(weekday, '09:00', '17:00')),
    range(5, '09:00', '12:00'),
    range(6, '12:15', '12:45'),
  ]

  test('is offered from twelve to one on the days that are open then, and Undo takes it away', async () => {
    const { user, api } = renderPanel(makeWeek(week))
    const dialog = await openDialog(user)
    expect(dialog.getByLabelText('Start time')).toHaveProperty('value', '12:00')
    expect(dialog.getByLabelText('End time')).toHaveProperty('value', '13:00')
    expect(stateOf(dialog, 'Monday')).toBe('checked: 9:00 AM – 12:00 PM, 1:00 PM – 5:00 PM')
    expect(stateOf(dialog, 'Friday')).toBe('disabled: 9:00 AM – 12:00 PM')
    expect(stateOf(dialog, 'Saturday')).toBe('checked: Closed')
    expect(stateOf(dialog, 'Sunday')).toBe('disabled: Closed')
    await user.click(dialog.getByRole('checkbox', { name: 'Saturday' }))
    expect(stateOf(dialog, 'Saturday')).toBe('unchecked: 12:15 PM – 12:45 PM')
    api.answer(REPLACE, makeWeek())
    await user.click(dialog.getByRole('button', { name: 'Add to 4 days' }))
    expect(await screen.findByText('Break added on 4 days')).toBeDefined()
    const was = [1, 2, 3, 4].map((day_of_week) => ({
      day_of_week,
      ranges: [{ start_time: '09:00', end_time: '17:00' }],
    }))
    const days = [1, 2, 3, 4].map((day_of_week) => ({
      day_of_week,
      ranges: [
        { start_time: '09:00', end_time: '12:00' },
        { start_time: '13:00', end_time: '17:00' },
      ],
    }))
    expect(api.to(REPLACE)[0]?.body).toEqual({ days, was })
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Hours restored')).toBeDefined()
    expect(api.to(REPLACE)[1]?.body).toEqual({ days: was, was: days })
  })

  test('follows other times, and a break that ends too early is refused', async () => {
    const { user, api } = renderPanel(makeWeek(week))
    const dialog = await openDialog(user)
    await user.clear(dialog.getByLabelText('End time'))
    // While the field is empty, the days show the last valid break.
    expect(stateOf(dialog, 'Monday')).toBe('checked: 9:00 AM – 12:00 PM, 1:00 PM – 5:00 PM')
    await user.type(dialog.getByLabelText('End time'), '11:00')
    await user.click(dialog.getByRole('button', { name: 'Add to 5 days' }))
    expect(await dialog.findByText(PROBLEMS['availability.start_after_end'].title)).toBeDefined()
    expect(api.to(REPLACE)).toEqual([])
    await user.clear(dialog.getByLabelText('Start time'))
    await user.type(dialog.getByLabelText('Start time'), '10:30')
    expect(stateOf(dialog, 'Friday')).toBe('checked: 9:00 AM – 10:30 AM, 11:00 AM – 12:00 PM')
    expect(stateOf(dialog, 'Saturday')).toBe('disabled: 12:15 PM – 12:45 PM')
  })

  test('shows the hours that another window saved meanwhile, and then adds the break to them', async () => {
    const { user, api } = renderPanel(makeWeek([range(1, '09:00', '17:00')]))
    const dialog = await openDialog(user)
    api.answer(REPLACE, errorResponse('request.changed_meanwhile'))
    api.answer(WEEK, makeWeek([range(1, '10:00', '15:00')]))
    await user.click(dialog.getByRole('button', { name: 'Add to Monday' }))
    expect(await dialog.findByText(PROBLEMS['request.changed_meanwhile'].title)).toBeDefined()
    expect(await dialog.findByText('10:00 AM – 12:00 PM, 1:00 PM – 3:00 PM')).toBeDefined()
    api.answer(REPLACE, makeWeek())
    await user.click(dialog.getByRole('button', { name: 'Add to Monday' }))
    expect(await screen.findByText('Break added on Monday')).toBeDefined()
    expect(api.to(REPLACE)[1]?.body).toMatchObject({
      was: [{ day_of_week: 1, ranges: [{ start_time: '10:00', end_time: '15:00' }] }],
    })
  })

  async function openDialog(user: ReturnType<typeof renderPanel>['user']) {
    await user.click(await screen.findByRole('button', { name: 'Add lunch break' }))
    return within(await screen.findByRole('dialog', { name: 'Add lunch break' }))
  }

  function stateOf(dialog: ReturnType<typeof within>, name: string): string {
    const box = dialog.getByRole('checkbox', { name })
    const hint = document.getElementById(box.getAttribute('aria-describedby') ?? '')
    const state = box.matches(':disabled') ? 'disabled' : box.matches(':checked') ? 'checked' : 'unchecked'
    return `${state}: ${hint?.textContent}`
  }
})

describe('copying a day', () => {
  test('the dialog lists the replaced hours, and copies to the chosen days', async () => {
    const same = [1, 3].map((weekday) => range(weekday, '09:00', '12:00'))
    const { user, api } = renderPanel(makeWeek([...same, range(2, '10:00', '11:00')]))
    const dialog = await openCopy(user)
    expect(
      dialog.getByText(
        'The selected days will get the hours of Monday: 9:00 AM – 12:00 PM. Existing appointments stay.',
      ),
    ).toBeDefined()
    expect(dialog.getByText('10:00 AM – 11:00 AM')).toBeDefined()
    expect(dialog.getByRole('button', { name: 'Copy' })).toHaveProperty('disabled', true)
    await user.click(dialog.getByRole('checkbox', { name: 'Sunday' }))
    await user.click(dialog.getByRole('checkbox', { name: 'Wednesday' }))
    expect(dialog.queryByText('These hours will be replaced')).toBeNull()
    await user.click(dialog.getByRole('checkbox', { name: 'Wednesday' }))
    await user.click(dialog.getByRole('checkbox', { name: 'Tuesday' }))
    expect(dialog.getByText('These hours will be replaced')).toBeDefined()
    expect(dialog.getByText('Tuesday: 10:00 AM – 11:00 AM')).toBeDefined()
    api.answer(COPY, makeWeek())
    api.answer(WEEK, makeWeek([1, 2, 0].map((weekday) => range(weekday, '09:00', '12:00'))))
    await user.click(dialog.getByRole('button', { name: 'Copy to 2 days' }))
    expect(await screen.findByText('Monday copied to Sunday and Tuesday')).toBeDefined()
    const copied = { start_time: '09:00', end_time: '12:00' }
    const before = [
      { day_of_week: 0, ranges: [] },
      { day_of_week: 2, ranges: [{ start_time: '10:00', end_time: '11:00' }] },
    ]
    const was = [{ day_of_week: 1, ranges: [copied] }, ...before]
    expect(api.to(COPY)[0]?.body).toEqual({ from_day: 1, to_days: [0, 2], was })
    expect(await within(day('Sunday')).findByText('9:00 AM – 12:00 PM')).toBeDefined()

    api.answer(REPLACE, makeWeek())
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Hours restored')).toBeDefined()
    expect(api.to(REPLACE)[0]?.body).toEqual({
      days: before,
      was: [0, 2].map((day_of_week) => ({ day_of_week, ranges: [copied] })),
    })
  })

  test('a refusal keeps the dialog open with the chosen days', async () => {
    const { user, api } = renderPanel(makeWeek([range(1, '09:00', '12:00')]))
    const dialog = await openCopy(user)
    await user.click(dialog.getByRole('checkbox', { name: 'All other days' }))
    api.answer(COPY, errorResponse('server.unavailable'))
    await user.click(dialog.getByRole('button', { name: 'Copy to 6 days' }))
    const sentence = PROBLEMS['server.unavailable'].title
    expect(await screen.findByText(`Failed to copy availability: ${sentence}`)).toBeDefined()
    expect(screen.getAllByText(sentence, { exact: false })).toHaveLength(1)
    expect(dialog.getByRole('checkbox', { name: 'Friday' })).toHaveProperty('checked', true)
  })

  async function openCopy(user: ReturnType<typeof renderPanel>['user']) {
    await user.click(await screen.findByRole('button', { name: 'Copy Monday to other days' }))
    return within(await screen.findByRole('dialog', { name: 'Copy Monday to other days' }))
  }
})

describe('the slot settings', () => {
  test('can be saved after a change, with a toast', async () => {
    const { user, api } = renderPanel(makeWeek())
    const save = await screen.findByRole('button', { name: 'Save settings' })
    expect(save.getAttribute('aria-disabled')).toBe('true')
    await choose(user, 'Buffer time', '15 minutes')
    expect(screen.getByText('Not saved yet')).toBeDefined()
    const held = heldResponse({ ...DEFAULTS, buffer_time_minutes: 15 })
    api.answer(SETTINGS, held.answer)
    api.answer(WEEK, { ...makeWeek(), buffer_time_minutes: 15 })
    const before = api.to(OFFERED_TIMES).length
    await user.click(save)
    await user.click(await screen.findByRole('button', { name: 'Saving...' }))
    held.release()
    expect(await screen.findByText('Time slot settings updated: 15min buffer time')).toBeDefined()
    await waitFor(() => expect(api.to(OFFERED_TIMES).length).toBeGreaterThan(before))
    expect(api.to(SETTINGS)).toHaveLength(1)
    expect(api.to(SETTINGS)[0]?.body).toEqual({ buffer_time_minutes: 15, was: { buffer_time_minutes: 0 } })
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Save settings' }).getAttribute('aria-disabled')).toBe(
        'true',
      ),
    )
  })

  test('a minimum notice is chosen from a list, which includes a stored value set through the API', async () => {
    const { user, api } = renderPanel({ ...makeWeek(), minimum_notice_minutes: 90 })
    expect(await screen.findByText('Customers book at least 1 h 30 min ahead.')).toBeDefined()
    api.answer(SETTINGS, { ...DEFAULTS, minimum_notice_minutes: 1_440 })
    await choose(user, 'Minimum notice', '1 day')
    expect(screen.getByText('Customers book at least 1 day ahead.')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Save settings' }))
    expect(await screen.findByText(/^Time slot settings updated/)).toBeDefined()
    expect(api.to(SETTINGS)[0]?.body).toEqual({
      minimum_notice_minutes: 1_440,
      was: { minimum_notice_minutes: 90 },
    })
  })

  test('a booking window says in a sentence what it means, while it is edited. Source: rule T67', async () => {
    const { user, api } = renderPanel({ ...makeWeek(), booking_window: { kind: 'days', days: 45 } })
    expect(
      await screen.findByText(/^Customers can book today and the next 45 days, now until /),
    ).toBeDefined()
    api.answer(SETTINGS, { ...DEFAULTS, booking_window: { kind: 'open_days', days: 5 } })
    await choose(user, 'Booking window', 'A number of open days')
    await user.clear(screen.getByLabelText('Days after today'))
    expect(screen.getByText('Please enter whole days from 0 to 730.')).toBeDefined()
    await user.type(screen.getByLabelText('Days after today'), '5')
    expect(screen.getByText('Customers can book today and the next 5 days with opening hours.')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Save settings' }))
    expect(await screen.findByText(/^Time slot settings updated/)).toBeDefined()
    expect(api.to(SETTINGS)[0]?.body).toEqual({
      booking_window: { kind: 'open_days', days: 5 },
      was: { booking_window: { kind: 'days', days: 45 } },
    })
  })

  test('limits are typed in words, must be in order, and only they are sent', async () => {
    const { user, api } = renderPanel(makeWeek())
    await user.click(await screen.findByRole('button', { name: 'Add limit' }))
    const limits = within(screen.getByRole('group', { name: 'Limits' }))
    await user.click(limits.getByRole('button', { name: 'Add limit' }))
    const [ofDay, ofWeek] = limits.getAllByRole('spinbutton', { name: 'At most' })
    if (ofDay === undefined || ofWeek === undefined) throw new Error('two limits were added')
    await user.clear(ofWeek)
    await user.type(ofWeek, '5')
    const outOfOrder = PROBLEMS['booking_limits.out_of_order'].title
    expect(limits.getByText(outOfOrder)).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Save settings' }))
    expect(api.to(SETTINGS)).toEqual([])
    await user.type(ofWeek, '0')
    expect(limits.queryByText(outOfOrder)).toBeNull()
    await user.click(limits.getByRole('button', { name: 'Add limit' }))
    await user.click(limits.getByRole('button', { name: 'Remove limit: At most 120 appointments a month' }))
    await user.clear(ofDay)
    expect(limits.getByText(/^Please use 1 to/)).toBeDefined()
    await user.type(ofDay, '8')
    const booking_limits = [
      { most: 8, unit: 'appointments', period: 'day' },
      { most: 50, unit: 'appointments', period: 'week' },
    ]
    api.answer(SETTINGS, { ...DEFAULTS, booking_limits })
    await user.click(screen.getByRole('button', { name: 'Save settings' }))
    expect(await screen.findByText(/^Time slot settings updated/)).toBeDefined()
    expect(api.to(SETTINGS)[0]?.body).toEqual({ booking_limits, was: { booking_limits: [] } })
  })

  test('a refusal shows the reason and keeps the chosen values', async () => {
    const { user, api } = renderPanel(makeWeek())
    await screen.findByRole('button', { name: 'Save settings' })
    await choose(user, 'Slot length', '15 minutes')
    api.answer(SETTINGS, errorResponse('server.unavailable'))
    await user.click(screen.getByRole('button', { name: 'Save settings' }))
    expect(
      await screen.findByText(
        /^Failed to update settings\. Please try again\. The service is currently unavailable/,
      ),
    ).toBeDefined()
    expect(screen.getByLabelText('Slot length').textContent).toContain('15 minutes')
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    expect(screen.getByLabelText('Slot length').textContent).toContain('30 minutes')
  })

  test('after a change in another window, shows it, and saving again overwrites only the chosen values', async () => {
    const { user, api } = renderPanel(makeWeek())
    await screen.findByRole('button', { name: 'Save settings' })
    await choose(user, 'Buffer time', '15 minutes')
    const theirs = { ...DEFAULTS, buffer_time_minutes: 45, max_appointment_duration_minutes: 90 }
    api.answer(SETTINGS, errorResponse('request.changed_meanwhile'))
    api.answer(WEEK, { ...makeWeek(), ...theirs })
    await user.click(screen.getByRole('button', { name: 'Save settings' }))
    expect(await screen.findByText(/^This was changed in another window/)).toBeDefined()
    const form = within(screen.getByRole('form', { name: 'Time slot settings' }))
    const notice = within(form.getByRole('alert'))
    expect(notice.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
      '45 minutes',
      '90 minutes',
    ])
    expect(screen.queryByText(/^Failed/)).toBeNull()
    expect(screen.getByLabelText('Buffer time').textContent).toContain('15 minutes')
    expect(screen.getByLabelText('Longest appointment')).toHaveProperty('value', '90')
    const saved = { ...theirs, buffer_time_minutes: 15 }
    api.answer(SETTINGS, saved)
    api.answer(WEEK, { ...makeWeek(), ...saved })
    await user.click(await screen.findByRole('button', { name: 'Save settings' }))
    expect(await screen.findByText('Time slot settings updated: 15min buffer time')).toBeDefined()
    expect(api.to(SETTINGS)[1]?.body).toEqual({ buffer_time_minutes: 15, was: { buffer_time_minutes: 45 } })
    await waitFor(() => expect(form.queryByRole('alert')).toBeNull())
    expect(screen.getByLabelText('Longest appointment')).toHaveProperty('value', '90')
  })

  test('values from another window can be accepted', async () => {
    const { user, api } = renderPanel(makeWeek())
    await screen.findByRole('button', { name: 'Save settings' })
    await choose(user, 'Buffer time', '15 minutes')
    api.answer(SETTINGS, errorResponse('request.changed_meanwhile'))
    api.answer(WEEK, { ...makeWeek(), buffer_time_minutes: 45 })
    await user.click(screen.getByRole('button', { name: 'Save settings' }))
    await user.click(await screen.findByRole('button', { name: 'Use the saved version' }))
    expect(screen.getByLabelText('Buffer time').textContent).toContain('45 minutes')
    expect(screen.getByRole('button', { name: 'Save settings' }).getAttribute('aria-disabled')).toBe('true')
  })

  test('values that conflict with another window are refused, and the stored ones are shown', async () => {
    const { user, api } = renderPanel(makeWeek())
    await screen.findByRole('button', { name: 'Save settings' })
    await choose(user, 'Slot length', '60 minutes')
    const message = 'Please use at least the length of a slot.'
    const path = 'max_appointment_duration_minutes'
    api.answer(SETTINGS, errorResponse('availability.max_below_slot', [{ path, message }]))
    api.answer(WEEK, { ...makeWeek(), max_appointment_duration_minutes: 45 })
    await user.click(screen.getByRole('button', { name: 'Save settings' }))
    expect(await screen.findByText('45 minutes', { selector: 'dd' })).toBeDefined()
    expect(screen.getByLabelText('Longest appointment')).toHaveProperty('value', '45')
    expect(screen.getByLabelText('Slot length').textContent).toContain('60 minutes')
  })

  test('a slot longer than the longest appointment raises that as well', async () => {
    const { user } = renderPanel({ ...makeWeek(), max_appointment_duration_minutes: 45 })
    const longest = await screen.findByLabelText('Longest appointment')
    await choose(user, 'Slot length', '60 minutes')
    expect(longest).toHaveProperty('value', '60')
  })

  test.each([
    ['29', PROBLEMS['availability.max_below_slot'].title],
    ['481', 'Please use at most 480 minutes.'],
    ['', 'Please enter whole minutes.'],
  ])(
    'a longest appointment of %j is refused, and when the field is left it says why',
    async (typed, sentence) => {
      const { user, api } = renderPanel(makeWeek())
      const longest = await screen.findByLabelText('Longest appointment')
      await user.clear(longest)
      if (typed !== '') await user.type(longest, typed)
      await user.tab()
      expect(await screen.findByText(sentence)).toBeDefined()
      await user.click(screen.getByRole('button', { name: 'Save settings' }))
      expect(api.to(SETTINGS)).toEqual([])
    },
  )

  test('warn about types without times, and list the free time after others, while they are chosen', async () => {
    const appointment_types = [
      { id: 'a', name: 'Talk', duration: 45, ...ON_THE_GRID },
      { id: 'b', name: 'Workshop', duration: 180, ...ON_THE_GRID },
      { id: 'c', name: 'Hour', duration: 60, ...ON_THE_GRID },
    ]
    const { user } = renderPanel({ ...makeWeek(), appointment_types })
    expect(await screen.findByText('1 appointment type doesn’t fit these settings')).toBeDefined()
    expect(screen.getByText('Free time after appointments')).toBeDefined()
    expect(itemOf('Talk')).toBe('Talk (45 min) leaves 15 minutes free before the next start.')
    expect(itemOf('Workshop')).toBe('Workshop (180 min) has no times: it’s longer than 120 minutes.')
    expect(screen.queryByText('Hour')).toBeNull()
    await choose(user, 'Slot length', '15 minutes')
    expect(screen.queryByText('Free time after appointments')).toBeNull()
    expect(screen.getByText('1 appointment type doesn’t fit these settings')).toBeDefined()
    const longest = screen.getByLabelText('Longest appointment')
    await user.clear(longest)
    await user.type(longest, '180')
    expect(screen.queryByText(/doesn’t fit these settings/)).toBeNull()
  })

  async function choose(user: ReturnType<typeof renderPanel>['user'], label: string, option: string) {
    await user.click(screen.getByLabelText(label))
    await user.click(await screen.findByRole('option', { name: option }))
  }

  function itemOf(name: string): string {
    return screen.getByText(name, { selector: 'strong' }).closest('li')?.textContent ?? ''
  }
})

describe('the preview', () => {
  test('shows seven days from today: the times by name, and which days have none', async () => {
    const { api } = renderPanel(makeWeek([range(1, '09:00', '10:00'), range(2, '09:00', '10:00')]))
    const monday = within(await screen.findByRole('listitem', { name: 'Monday, January 4' }))
    expect(monday.getByText('9:00 AM')).toBeDefined()
    expect(monday.getByText('1:30 PM')).toBeDefined()
    expect(monday.getByText('Today')).toBeDefined()
    expect(monday.getByText('2 times')).toBeDefined()
    const tuesday = within(screen.getByRole('listitem', { name: 'Tuesday, January 5' }))
    expect(tuesday.getByText('No times')).toBeDefined()
    const wednesday = within(screen.getByRole('listitem', { name: 'Wednesday, January 6' }))
    expect(wednesday.getByText('Closed')).toBeDefined()
    const legend = within(screen.getByRole('list', { name: 'Colours' })).getAllByRole('listitem')
    expect(legend.map(({ textContent }) => textContent)).toEqual([
      'Morning',
      'Afternoon',
      'Evening, from 5 PM',
    ])
    expect(api.to(PREVIEW)[0]?.search.toString()).toBe('from=2027-01-04')
  })

  test('turns to the next seven days and back, never before today', async () => {
    const { user, api } = renderPanel(makeWeek())
    const back = await screen.findByRole('button', { name: 'Previous seven days' })
    expect(back).toHaveProperty('disabled', true)
    await user.click(screen.getByRole('button', { name: 'Next seven days' }))
    expect(screen.getByText('Jan 11 – Jan 17, 2027')).toBeDefined()
    await waitFor(() => expect(api.to(PREVIEW).at(-1)?.search.get('from')).toBe('2027-01-11'))
    await user.click(back)
    expect(screen.getByText('Jan 4 – Jan 10, 2027')).toBeDefined()
  })

  test('shows the chosen type, at first the first one, and explains why a long one has no times', async () => {
    const appointment_types = [
      { id: 'a', name: 'Talk', duration: 45, ...ON_THE_GRID },
      { id: 'b', name: 'Workshop', duration: 180, ...ON_THE_GRID },
    ]
    const { user, api } = renderPanel({ ...makeWeek(), appointment_types })
    await user.click(await screen.findByLabelText('Appointment type'))
    expect(api.to(PREVIEW)[0]?.search.get('appointment_type_id')).toBe('a')
    api.answer(PREVIEW, { time_zone: 'Europe/London', days: makeDays({}) })
    await user.click(await screen.findByRole('option', { name: 'Workshop (180 min)' }))
    expect(
      await screen.findByText(
        'Workshop takes 180 minutes, but the longest appointment is 120, so it has no times.',
      ),
    ).toBeDefined()
    expect(api.to(PREVIEW).at(-1)?.search.get('appointment_type_id')).toBe('b')
  })

  test('is refetched after each change', async () => {
    const { user, api } = renderPanel(makeWeek())
    await screen.findByText('9:00 AM')
    api.answer(ADD, range(1, '09:00', '17:00'))
    api.answer(PREVIEW, { time_zone: 'Europe/London', days: makeDays({ '2027-01-04': ['16:30'] }) })
    const before = api.to(OFFERED_TIMES).length
    await user.click(screen.getByRole('button', { name: 'Add hours' }))
    expect(await screen.findByText('4:30 PM')).toBeDefined()
    await waitFor(() => expect(api.to(OFFERED_TIMES).length).toBeGreaterThan(before))
    expect(screen.queryByText('9:00 AM')).toBeNull()
  })

  test('shows an error when loading fails, and can be retried', async () => {
    const { user, api } = renderPanel(makeWeek(), { [PREVIEW]: errorResponse('calendar.not_found') })
    expect(await screen.findByText('Failed to load the preview')).toBeDefined()
    api.answer(PREVIEW, { time_zone: 'Europe/London', days: makeDays({}) })
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('No times in these seven days.')).toBeDefined()
  })
})

function renderPanel(
  week: AvailabilityResponse,
  answers: Record<string, unknown> = {},
  hourCycle: HourCycle = 'h12',
) {
  const api = stubApi({
    [WEEK]: week,
    [SPECIAL_DAYS]: { special_days: [] },
    [HOLIDAYS]: NO_HOLIDAYS,
    [OFFERED_TIMES]: {},
    [PREVIEW]: { time_zone: 'Europe/London', days: makeDays({ '2027-01-04': ['09:00', '13:30'] }) },
    ...answers,
  })
  const { user } = renderComponent(
    <HourCycleContext value={hourCycle}>
      <AvailabilityPanel renderTimeQuestion={() => null} calendar={makeCalendar({ hour_cycle: hourCycle })} />
      <OfferedTimes />
    </HourCycleContext>,
  )
  return { user, api }
}

function day(name: string): HTMLElement {
  return screen.getByRole('listitem', { name })
}

function range(day_of_week: number, start: string, end: string): Availability {
  return {
    id: `range-${day_of_week}-${start.replace(':', '')}`,
    calendar_id: CALENDAR_ID,
    day_of_week,
    start_time: `${start}:00`,
    end_time: `${end}:00`,
    ...DEFAULTS,
  }
}

function makeWeek(availability: Availability[] = []): AvailabilityResponse {
  return { ...DEFAULTS, availability, appointment_types: [] }
}

/** Makes the seven days from Monday, January 4, 2027, with the start times given by date. */
function makeDays(starts: Record<string, string[]>) {
  return ['04', '05', '06', '07', '08', '09', '10'].map((dayOfMonth) => {
    const date = `2027-01-${dayOfMonth}`
    const slots = (starts[date] ?? []).map((clock) => ({
      slot_start: `${clock}:00`,
      slot_end: `${clock}:00`,
      starts_at: `${date}T${clock}:00Z`,
      ends_at: `${date}T${clock}:00Z`,
    }))
    return { date, slots }
  })
}
