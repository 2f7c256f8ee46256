// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import type { AppointmentTimeCheck } from '#contract/appointments/owner-booking.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { enterText } from '#web/testing/enter-text.ts'
import {
  CALENDAR_ID,
  makeAgendaDay,
  makeAppointmentType,
  makeCalendar,
  makeOverlapping,
  makeQuestion,
} from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { NewAppointmentButton } from './new-appointment-button.tsx'

const calendar = makeCalendar()
const TYPES = `GET /api/calendars/${CALENDAR_ID}/appointment-types`
const SLOTS = `GET /api/public/calendars/${calendar.slug}/slots`
const JUDGE = `GET /api/calendars/${CALENDAR_ID}/appointment-time`
const CUSTOMERS = `GET /api/calendars/${CALENDAR_ID}/customers`
const QUESTIONS = `GET /api/calendars/${CALENDAR_ID}/questions`
const BOOK = `POST /api/calendars/${CALENDAR_ID}/appointments`
const consultation = makeAppointmentType()
const massage = makeAppointmentType({ id: '00000000-0000-4000-8000-000000000302', name: 'Massage' })
const DATE = '2030-12-03'
const NINE = slot('09:00', '09:30')
const TEN = slot('10:00', '10:30')
const BOOKED = { confirmation_email_queued: true, confirmation_email_wanted: true, warning: null }
const CONFIRMED = 'Appointment booked successfully! Confirmation email sent.'

describe('booking an offered time', () => {
  test('for somebody new sends what was typed, says that it is booked, and closes', async () => {
    const { user, api, dialog } = await openDialog({ types: [consultation, massage] })
    expect(dialog.getByText('Please select an appointment type first to see available times')).toBeDefined()
    await user.type(dialog.getByLabelText('Customer'), 'Alan')
    await enterText(user, dialog.getByRole('textbox', { name: 'Email' }), 'a@example.org')
    await enterText(user, dialog.getByRole('textbox', { name: 'Phone' }), '+44 1')
    await user.click(dialog.getByRole('combobox', { name: /^Appointment type/ }))
    await user.click(await screen.findByRole('option', { name: 'Massage · 45 min' }))
    chooseDate(DATE)
    await user.click(await dialog.findByRole('button', { name: '10:00 AM' }))
    expect(await dialog.findByText(/Tuesday, December 3, 2030 ·/)).toBeDefined()
    await enterText(user, dialog.getByRole('textbox', { name: 'Notes' }), 'Phoned')
    await book(user)
    expect(await screen.findByText(CONFIRMED)).toBeDefined()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.to(SLOTS).at(-1)?.search.get('appointment_type_id')).toBe(massage.id)
    expect(api.to(BOOK).map((request) => request.body)).toEqual([
      {
        appointment_type_id: massage.id,
        starts_at: TEN.starts_at,
        description: 'Phoned',
        answers: [],
        customer: { name: 'Alan', email: 'a@example.org', phone: '+44 1' },
        outside_hours: false,
        notify_customer: true,
      },
    ])
  })

  test('for somebody known fills in what is known', async () => {
    const known = { id: 'k', client_id: 'C1', name: 'Ada Lovelace', email: 'ada@example.org', phone: '555' }
    const { user, api, dialog } = await openDialog({ [CUSTOMERS]: { customers: [known] } })
    await user.type(dialog.getByLabelText('Customer'), 'ad')
    await user.click(await screen.findByRole('option', { name: /Ada Lovelace.*ada@example.org.*555/ }))
    expect(dialog.getByLabelText('Customer')).toHaveProperty('value', 'Ada Lovelace')
    expect(dialog.getByRole('textbox', { name: 'Email' })).toHaveProperty('value', 'ada@example.org')
    expect(dialog.getByRole('textbox', { name: 'Phone' })).toHaveProperty('value', '555')
    // The search is sent after a pause in typing. On a slow machine, there may be a pause between the two letters.
    expect(['a', 'ad']).toContain(api.to(CUSTOMERS).at(0)?.search.get('search'))
  })

  test('the only service is chosen already; without services one says how long it takes', async () => {
    const one = await openDialog({ types: [consultation] })
    expect(await one.dialog.findByText('First consultation · 45 min')).toBeDefined()
    cleanup()
    const none = await openDialog({})
    const duration = none.dialog.getByLabelText(/^Duration/)
    expect(duration).toHaveProperty('value', '30')
    await none.user.clear(duration)
    await none.user.type(duration, '481')
    await book(none.user)
    expect(await none.dialog.findByText(PROBLEMS['booking.duration_invalid'].title)).toBeDefined()
  })

  test('what is missing is said where it is missing, and nothing is sent', async () => {
    const { user, api, dialog } = await openDialog({ types: [consultation, massage] })
    await enterText(user, dialog.getByRole('textbox', { name: 'Email' }), 'nobody')
    await book(user)
    expect(await dialog.findByText(PROBLEMS['booking.customer_name_required'].title)).toBeDefined()
    expect(dialog.getByText(PROBLEMS['booking.service_required'].title)).toBeDefined()
    expect(dialog.getByText(PROBLEMS['auth.invalid_email'].title)).toBeDefined()
    expect(api.to(BOOK)).toEqual([])
  })

  test('the date goes from yesterday to two years ahead, and says its year when that is not this one', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') })
    await openDialog({})
    const date = screen.getByLabelText<HTMLInputElement>(/^Date/)
    expect([date.min, date.max]).toEqual(['2026-11-20', '2028-11-20'])
    chooseDate('2026-12-31')
    expect(await screen.findByText('Thursday, December 31')).toBeDefined()
    chooseDate('2027-01-01')
    expect(await screen.findByText('Friday, January 1, 2027')).toBeDefined()
  })

  test('pressed twice, it is sent once', async () => {
    const held = heldResponse(BOOKED)
    const { user, api } = await filledDialog({ [BOOK]: held.answer })
    await book(user)
    const pending = await screen.findByRole('button', { name: 'Booking...' })
    await user.click(pending)
    held.release()
    expect(await screen.findByText(CONFIRMED)).toBeDefined()
    expect(api.to(BOOK)).toHaveLength(1)
  })
})

describe('the confirmation email', () => {
  test('cannot be sent without an address, and the switch says so', async () => {
    const { user, dialog } = await openDialog({})
    const notify = dialog.getByRole('switch', { name: 'Send a confirmation email' })
    expect(notify).toHaveProperty('disabled', true)
    expect(notify).toHaveProperty('checked', false)
    expect(dialog.getByText('There is no email address to send it to.')).toBeDefined()
    await enterText(user, dialog.getByRole('textbox', { name: 'Email' }), 'ada@example.org')
    expect(notify).toHaveProperty('disabled', false)
    expect(notify).toHaveProperty('checked', true)
  })

  test.each([
    ['Appointment booked successfully!', { queued: false, wanted: false }],
    ['Appointment booked but failed to send confirmation email', { queued: false, wanted: true }],
    [CONFIRMED, { queued: true, wanted: true }],
  ])('%s', async (sentence, { queued, wanted }) => {
    const answer = { confirmation_email_queued: queued, confirmation_email_wanted: wanted, warning: null }
    const { user } = await filledDialog({ [BOOK]: answer })
    await book(user)
    expect(await screen.findByText(sentence)).toBeDefined()
  })

  test('says what the owner has to check by hand', async () => {
    const { user } = await filledDialog({ [BOOK]: { ...BOOKED, warning: 'Please check manually.' } })
    await book(user)
    expect(await screen.findByText(CONFIRMED)).toBeDefined()
    expect(screen.getByText('Please check manually.')).toBeDefined()
  })
})

describe('another time', () => {
  test('outside the opening hours is warned of, asked about, and booked only after "Book anyway"', async () => {
    const { user, api, dialog } = await filledDialog({
      [JUDGE]: judged({ starts_at: `${DATE}T21:30:00Z`, reasons: ['outside_hours'] }),
      [BOOK]: errorResponse('booking.outside_hours'),
    })
    await typeTime(user, '21:30')
    expect(await dialog.findByText('This is outside your opening hours.')).toBeDefined()
    await book(user)
    const question = await dialog.findByRole('alert')
    expect(question.textContent).toContain(PROBLEMS['booking.outside_hours'].title)
    // The notice has focus, not its button, so that pressing Enter again does not confirm.
    expect(document.activeElement?.contains(question)).toBe(true)
    expect(api.to(BOOK)).toHaveLength(1)
    // Submitting is disabled, because the server would only ask the same question again.
    const again = dialog.getByRole('button', {
      name: 'Book appointment',
      description: 'Choose “Book anyway” above, or pick another time.',
    })
    expect(again).toHaveProperty('disabled', true)

    await typeTime(user, '21:45')
    expect(dialog.queryByRole('button', { name: 'Book anyway' })).toBeNull()
    expect(again).toHaveProperty('disabled', false)
    await typeTime(user, '21:30')
    api.answer(BOOK, BOOKED)
    await user.click(dialog.getByRole('button', { name: 'Book anyway' }))
    expect(await screen.findByText(CONFIRMED)).toBeDefined()
    expect(api.to(BOOK).map(({ body }) => body)).toMatchObject([
      { date: DATE, time: '21:30', outside_hours: false },
      { date: DATE, time: '21:30', outside_hours: true },
    ])
  })

  test('that has begun, is too long or off the grid is asked about too', async () => {
    const { user, api, dialog } = await filledDialog({})
    // Choose a different time for each code, because the refusal of a time is shown again when that time is chosen again.
    for (const [code, time] of [
      ['booking.already_begun', '10:00 AM'],
      ['booking.too_long', '9:00 AM'],
      ['booking.off_grid', '10:00 AM'],
    ] as const) {
      api.answer(BOOK, errorResponse(code))
      await user.click(dialog.getByRole('button', { name: time }))
      await book(user)
      await waitFor(() => expect(dialog.getByRole('alert').textContent).toContain(PROBLEMS[code].title))
      expect(dialog.getByRole('button', { name: 'Book anyway' })).toBeDefined()
    }
  })

  test.each([
    [
      'skipped',
      '02:30',
      '1:30 AM doesn’t exist on this day, because the clocks go forward. We’ll use 2:30 AM.',
    ],
    [
      'repeated',
      '01:30',
      '1:30 AM happens twice on this day, because the clocks go back. We’ll use the first, GMT.',
    ],
  ] as const)('that the clocks %s is said back in words', async (reading, read, sentence) => {
    const { user, dialog } = await filledDialog({
      [JUDGE]: judged({ reading, starts_at: `${DATE}T${read}:00Z` }),
    })
    await typeTime(user, '01:30')
    expect(await dialog.findByText(sentence)).toBeDefined()
  })
})

describe('a refusal', () => {
  test('of the time is said beside it, nothing typed is lost, and nothing helps against it', async () => {
    const { user, api, dialog } = await filledDialog({})
    for (const code of [
      'booking.slot_unavailable',
      'booking.location_conflict',
      'booking.too_long_ago',
      'booking.too_far_ahead',
    ] as const) {
      api.answer(BOOK, errorResponse(code))
      await book(user)
      await waitFor(() => expect(dialog.getByRole('alert').textContent).toBe(PROBLEMS[code].title))
      expect(dialog.queryByRole('button', { name: 'Book anyway' })).toBeNull()
      expect(dialog.getByLabelText('Customer')).toHaveProperty('value', 'Ada')
    }
  })

  test('a time that is taken is seen before it is sent', async () => {
    const { dialog } = await filledDialog({ [JUDGE]: judged({ reasons: ['busy'] }) })
    expect(await dialog.findByText('This time is taken.')).toBeDefined()
  })

  // Source: rule T43.
  test.each([
    [
      'busy',
      null,
      /^This time is taken by the appointment of Ada Lovelace in your calendar “Tenancy law”\.$/,
    ],
    ['preparation', null, /^This time is too close to .*: it leaves no time for preparation and wrap-up\.$/],
    ['buffer', 15, /^This time is too close to the appointment of Ada .*: your buffer is 15 minutes\.$/],
  ] as const)(
    'a time that the person has on another calendar (%s, %j) names the appointment',
    async (reason, buffer_minutes, sentence) => {
      const elsewhere = { ...ELSEWHERE, reasons: [reason], buffer_minutes }
      const { dialog } = await filledDialog({ [JUDGE]: judged(elsewhere) })
      expect(await dialog.findByText(sentence)).toBeDefined()
      const link = dialog.getByRole('link', { name: /^Tue, Dec 1, 2026, 9:30 AM – 10:15 AM .*new tab/ })
      expect(link.getAttribute('target')).toBe('_blank')
    },
  )

  test('of such a time names the appointment, too', async () => {
    const { user, api, dialog } = await filledDialog({})
    api.answer(BOOK, errorResponse('booking.slot_unavailable'))
    api.answer(JUDGE, judged(ELSEWHERE))
    await book(user)
    await waitFor(() =>
      expect(dialog.getByRole('alert').textContent).toContain(
        'the appointment of Ada Lovelace in your calendar',
      ),
    )
    expect(dialog.getByRole('alert').textContent).toContain(PROBLEMS['booking.slot_unavailable'].title)
    expect(dialog.getByLabelText('Customer')).toHaveProperty('value', 'Ada')
  })

  test.each([
    ['Dentist', 'This time is taken by “Dentist” in your calendar “Work”.'],
    [null, 'This time is taken by an event in your calendar “Work”.'],
  ])('a time that is taken in an own calendar (%s) names what takes it', async (title, sentence) => {
    const external_event = { title, calendar_name: 'Work' }
    const { dialog } = await filledDialog({ [JUDGE]: judged({ reasons: ['busy'], external_event }) })
    expect(await dialog.findByText(sentence)).toBeDefined()
  })

  test.each([
    [null, 'This is within your buffer around another event.'],
    [
      { title: 'Dentist', calendar_name: 'Work' },
      'This time is too close to “Dentist” in your calendar “Work”: your buffer is 10 minutes.',
    ],
  ])('a time that only the buffer stands against says that (%j)', async (external_event, sentence) => {
    const { dialog } = await filledDialog({
      [JUDGE]: judged({ reasons: ['buffer'], external_event, buffer_minutes: 10 }),
    })
    expect(await dialog.findByText(sentence)).toBeDefined()
  })

  test('above a limit says which limit it is and how full', async () => {
    const limit = { most: 6, unit: 'appointments', period: 'day' } as const
    const reached_limits = [
      { limit, is_of_type: false, taken: 6 },
      { limit: { ...limit, most: 2 }, is_of_type: true, taken: 2 },
    ]
    const { dialog } = await filledDialog({ [JUDGE]: judged({ reasons: ['limit'], reached_limits }) })
    expect(
      await dialog.findByText(
        'This day has 6 of at most 6 appointments. This day has 2 of at most 2 appointments of this type.',
      ),
    ).toBeDefined()
    expect(dialog.getByRole('link', { name: /^Limits/ }).getAttribute('href')).toBe(
      `/calendar/${calendar.id}/settings?tab=availability`,
    )
  })

  test('above a limit of its type leads to the appointment types', async () => {
    const limit = { most: 2, unit: 'appointments', period: 'day' } as const
    const reached_limits = [{ limit, is_of_type: true, taken: 2 }]
    const { dialog } = await filledDialog({ [JUDGE]: judged({ reasons: ['limit'], reached_limits }) })
    expect((await dialog.findByRole('link', { name: /^Appointment types/ })).getAttribute('href')).toBe(
      `/calendar/${calendar.id}/settings?tab=types`,
    )
  })

  test('with several reasons lists them all, each with a link to its setting', async () => {
    const { dialog } = await filledDialog({
      [JUDGE]: judged({ reasons: ['location_taken', 'short_notice', 'paused', 'special_day'] }),
    })
    await dialog.findByText('The location is taken at this time.')
    expect(dialog.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Locations (opens in a new tab)', `/calendar/${calendar.id}/settings?tab=locations`],
      ['Minimum notice (opens in a new tab)', `/calendar/${calendar.id}/settings?tab=availability`],
      ['Special days (opens in a new tab)', `/calendar/${calendar.id}/settings?tab=availability`],
    ])
  })

  test.each([
    ['a closed day', { note: 'Easter Monday', hours: [] }, 'Closed: Easter Monday'],
    ['a closed day without a note', { note: null, hours: [] }, 'Closed, as a special day.'],
    [
      'a day with hours, its note as plain text',
      { note: '<b>Open house</b>', hours: [{ start_time: '10:00:00', end_time: '12:00:00' }] },
      'Open only 10:00 AM – 12:00 PM: <b>Open house</b>',
    ],
  ])('of a special day says what the day is: %s', async (_which, special_day, sentence) => {
    const { dialog } = await filledDialog({ [JUDGE]: judged({ reasons: ['special_day'], special_day }) })
    expect(await dialog.findByText(sentence)).toBeDefined()
  })

  test('of external calendars names each, and since when it could not be read', async () => {
    const account_name = 'ada@example.com'
    const unchecked_calendars = [
      { name: 'New', account_name, read_at: null },
      { name: 'Private', account_name, read_at: '2025-12-01T09:30:00Z' },
    ]
    const { dialog } = await filledDialog({
      [JUDGE]: judged({ reasons: ['unchecked'], unchecked_calendars }),
    })
    expect(
      await dialog.findByText(
        'We have not been able to read “New” (ada@example.com) yet. We have not been able to read “Private” (ada@example.com) since Mon, Dec 1, 9:30 AM.',
      ),
    ).toBeDefined()
  })

  test('of one field stands under it, one of the request above the buttons', async () => {
    const message = 'Please use a single line of text.'
    const { user, api, dialog } = await filledDialog({
      [BOOK]: errorResponse('request.invalid', [{ path: 'customer.phone', message }]),
    })
    await book(user)
    expect(await dialog.findByText(message)).toBeDefined()
    expect(document.activeElement).toBe(dialog.getByRole('textbox', { name: 'Phone' }))
    api.answer(BOOK, errorResponse('server.unavailable'))
    await book(user)
    expect((await dialog.findByRole('alert')).textContent).toBe(PROBLEMS['server.unavailable'].title)
  })

  test('a service that was removed meanwhile is said at the service', async () => {
    const { user, dialog } = await filledDialog({
      types: [consultation],
      [BOOK]: errorResponse('booking.type_unknown'),
    })
    await book(user)
    expect(await dialog.findByText(PROBLEMS['booking.type_unknown'].title)).toBeDefined()
  })

  test('closed by accident, the dialog still has what was typed; given up by Cancel, it does not', async () => {
    const { user, dialog } = await openDialog({ types: [consultation] })
    await user.type(dialog.getByLabelText('Customer'), 'Ada')
    await enterText(user, dialog.getByRole('textbox', { name: 'Notes' }), 'Phoned')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'New appointment' }))
    expect(await screen.findByLabelText('Customer')).toHaveProperty('value', 'Ada')
    expect(screen.getByRole('textbox', { name: 'Notes' })).toHaveProperty('value', 'Phoned')

    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'New appointment' }))
    expect(await screen.findByLabelText('Customer')).toHaveProperty('value', '')
    expect(screen.getByRole('textbox', { name: 'Notes' })).toHaveProperty('value', '')
    expect(await screen.findByText('First consultation · 45 min')).toBeDefined()
  })

  test('it begins on the day that is shown, until something is typed', async () => {
    stubApi(ANSWERS)
    const { user } = renderComponent(<ShownDays dates={[DATE, '2030-12-10', '2020-12-10']} />)
    const open = () => user.click(screen.getByRole('button', { name: 'New appointment' }))
    const close = async () => {
      await user.keyboard('{Escape}')
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    }
    const goOn = () => user.click(screen.getByRole('button', { name: 'Next day' }))
    await open()
    expect(await screen.findByLabelText(/^Date/)).toHaveProperty('value', DATE)
    await close()
    await goOn()
    await open()
    expect(await screen.findByLabelText(/^Date/)).toHaveProperty('value', '2030-12-10')
    await enterText(user, screen.getByRole('textbox', { name: 'Notes' }), 'Phoned')
    await close()
    await goOn()
    await open()
    expect(await screen.findByLabelText(/^Date/)).toHaveProperty('value', '2030-12-10')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await open()
    // A past date is never the default.
    expect(await screen.findByLabelText(/^Date/)).not.toHaveProperty('value', '2020-12-10')
  })

  test('an ended session keeps what was typed for the way back', async () => {
    const { user } = await filledDialog({ [BOOK]: errorResponse('auth.required') })
    await book(user)
    expect(await screen.findAllByText(PROBLEMS['auth.required'].title)).not.toEqual([])
    cleanup()
    renderComponent(<NewAppointmentButton calendars={[calendar]} />)
    expect(await screen.findByLabelText('Customer')).toHaveProperty('value', 'Ada')
    await screen.findByRole('button', { name: '10:00 AM', pressed: true })
  })
})

describe('the calendar’s questions', () => {
  const reason = makeQuestion({ is_required: true })
  const age = makeQuestion({
    id: '00000000-0000-4000-8000-000000000902',
    label: 'How old are you?',
    kind: 'number',
    appointment_type_id: massage.id,
  })
  const asked = { types: [consultation, massage], [QUESTIONS]: { questions: [reason, age] } }

  test('are those of the chosen type, none is required, and the answers are sent', async () => {
    const { user, api, dialog } = await filledDialogWith('First consultation · 45 min', asked)
    await dialog.findByLabelText('What brings you here? (optional)')
    expect(dialog.queryByLabelText(/How old/)).toBeNull()
    await chooseType(user, 'Massage · 45 min')
    await user.click(await dialog.findByRole('button', { name: '10:00 AM' }))
    await enterText(user, dialog.getByLabelText('How old are you? (optional)'), '41')
    await book(user)
    expect(await screen.findByText(CONFIRMED)).toBeDefined()
    expect(api.to(BOOK)[0]?.body).toMatchObject({ answers: [{ question_id: age.id, value: ['41'] }] })
  })

  test('have refused answers beside them, with the focus, and what was typed stays over a new login', async () => {
    const message = 'Please enter a number.'
    const { user, api, dialog } = await filledDialogWith('Massage · 45 min', {
      ...asked,
      [BOOK]: errorResponse('answer.refused', [{ path: `answers.${age.id}`, message }]),
    })
    const field = await dialog.findByLabelText('How old are you? (optional)')
    await enterText(user, field, 'old')
    await book(user)
    expect(await dialog.findByText(message)).toBeDefined()
    expect(document.activeElement).toBe(field)
    await user.type(field, 'er')
    expect(dialog.queryByText(message)).toBeNull()

    api.answer(BOOK, errorResponse('auth.required'))
    await book(user)
    expect(await screen.findAllByText(PROBLEMS['auth.required'].title)).not.toEqual([])
    cleanup()
    renderComponent(<NewAppointmentButton calendars={[calendar]} />)
    expect(await screen.findByLabelText('How old are you? (optional)')).toHaveProperty('value', 'older')
  })

  test('that cannot be loaded say so and can be tried again', async () => {
    const { user, api, dialog } = await openDialog({ [QUESTIONS]: errorResponse('calendar.forbidden') })
    await dialog.findByText('Failed to load questions')
    api.answer(QUESTIONS, { questions: [reason] })
    await user.click(dialog.getByRole('button', { name: 'Try again' }))
    expect(await dialog.findByLabelText('What brings you here? (optional)')).toBeDefined()
  })
})

test('with several calendars one says which, and its own times are asked for', async () => {
  const other = makeCalendar({ id: '00000000-0000-4000-8000-000000000102', slug: 'other', name: 'Other' })
  const api = stubApi({ ...ANSWERS, 'GET /api/public/calendars/other/slots': { ...offered([NINE]) } })
  api.answer(`GET /api/calendars/${other.id}/appointment-types`, { appointment_types: [] })
  api.answer(`GET /api/calendars/${other.id}/questions`, { questions: [] })
  const { user } = renderComponent(<NewAppointmentButton calendars={[calendar, other]} />)
  await user.click(screen.getByRole('button', { name: 'New appointment' }))
  await user.click(await screen.findByRole('combobox', { name: /^Calendar/ }))
  await user.click(await screen.findByRole('option', { name: 'Other' }))
  await waitFor(() => expect(api.to('GET /api/public/calendars/other/slots').length).toBeGreaterThan(0))
})

test('a pointed time is the typed time, with everything that speaks against it and a picture of its day', async () => {
  const api = stubApi({
    ...ANSWERS,
    [JUDGE]: judged({
      starts_at: `${DATE}T18:10:00Z`,
      ends_at: `${DATE}T18:40:00Z`,
      reasons: ['outside_hours'],
    }),
    [`GET /api/calendars/${calendar.id}/appointments/agenda`]: {
      time_zone: calendar.timezone,
      hour_cycle: 'h12',
      is_complete: true,
      appointments: [],
      days: [makeAgendaDay(DATE, [{ starts_at: `${DATE}T09:00:00Z`, ends_at: `${DATE}T17:00:00Z` }])],
    },
    [`GET /api/calendars/${calendar.id}/external-events`]: { events: [] },
  })
  const onClosed = vi.fn()
  const { user } = renderComponent(
    <NewAppointmentButton
      calendars={[calendar]}
      pointedAt={`${DATE}T18:10:00.000Z`}
      onPointedClosed={onClosed}
    />,
  )
  const dialog = within(await screen.findByRole('dialog', { name: 'New appointment' }))
  expect(dialog.getByLabelText(/^Date/)).toHaveProperty('value', DATE)
  expect(dialog.getByLabelText(/^Start/)).toHaveProperty('value', '18:10')
  expect(await dialog.findByText('This is outside your opening hours.')).toBeDefined()
  expect(api.to(JUDGE).at(-1)?.search.get('time')).toBe('18:10')
  // From 9 AM to 7 PM: the time begins after nine hours and ten minutes of ten hours.
  await waitFor(() => expect(document.querySelector<HTMLElement>('[data-asked]')?.style.width).toBe('5%'))
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(onClosed).toHaveBeenCalledTimes(1)
})

/** Renders the button, and a button that changes the shown date to the next one in the list. */
function ShownDays({ dates }: { dates: readonly string[] }) {
  const [index, setIndex] = useState(0)
  return (
    <>
      <button type="button" onClick={() => setIndex(index + 1)}>
        Next day
      </button>
      <NewAppointmentButton calendars={[calendar]} shownDate={dates[index]} />
    </>
  )
}

const ANSWERS = {
  [TYPES]: { appointment_types: [] },
  [SLOTS]: offered([NINE, TEN]),
  [JUDGE]: judged({}),
  [CUSTOMERS]: { customers: [] },
  [QUESTIONS]: { questions: [] },
  [BOOK]: BOOKED,
}

type Answers = Record<string, unknown> & { types?: unknown[] }

async function openDialog({ types = [], ...answers }: Answers) {
  const api = stubApi({ ...ANSWERS, [TYPES]: { appointment_types: types }, ...answers })
  const { user } = renderComponent(<NewAppointmentButton calendars={[calendar]} />)
  await user.click(screen.getByRole('button', { name: 'New appointment' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New appointment' }))
  await dialog.findByLabelText(types.length === 0 ? /^Duration/ : /^Appointment type/)
  return { user, api, dialog }
}

/** Opens the dialog and enters Ada as the customer at 10:00. */
async function filledDialog(answers: Answers) {
  const opened = await openDialog(answers)
  const { user, dialog } = opened
  await user.type(dialog.getByLabelText('Customer'), 'Ada')
  chooseDate(DATE)
  await user.click(await dialog.findByRole('button', { name: '10:00 AM' }))
  return opened
}

/** Opens the dialog, chooses the type, and enters Ada as the customer at 10:00. */
async function filledDialogWith(type: string, answers: Answers) {
  const opened = await openDialog(answers)
  const { user, dialog } = opened
  await chooseType(user, type)
  await user.type(dialog.getByLabelText('Customer'), 'Ada')
  chooseDate(DATE)
  await user.click(await dialog.findByRole('button', { name: '10:00 AM' }))
  return opened
}

async function chooseType(user: UserEvent, option: string): Promise<void> {
  await user.click(screen.getByRole('combobox', { name: /^Appointment type/ }))
  await user.click(await screen.findByRole('option', { name: option }))
}

function chooseDate(date: string): void {
  fireEvent.change(screen.getByLabelText(/^Date/), { target: { value: date } })
}

async function typeTime(user: UserEvent, time: string): Promise<void> {
  const another = screen.queryByRole('button', { name: 'Another time' })
  if (another !== null) await user.click(another)
  fireEvent.change(screen.getByLabelText(/^Start/), { target: { value: time } })
}

function book(user: UserEvent): Promise<void> {
  return user.click(screen.getByRole('button', { name: 'Book appointment' }))
}

function slot(from: string, to: string) {
  return {
    slot_start: `${from}:00`,
    slot_end: `${to}:00`,
    starts_at: `${DATE}T${from}:00Z`,
    ends_at: `${DATE}T${to}:00Z`,
  }
}

/** A check result: the time is taken by an appointment on another calendar of the same person. */
const ELSEWHERE = {
  reasons: ['busy'],
  conflicting_appointment: makeOverlapping({ calendar_name: 'Tenancy law' }),
} as const satisfies Partial<AppointmentTimeCheck>

function offered(slots: unknown[]) {
  return { date: DATE, time_zone: calendar.timezone, slots }
}

function judged(over: Partial<AppointmentTimeCheck>): AppointmentTimeCheck {
  return {
    starts_at: TEN.starts_at,
    ends_at: TEN.ends_at,
    time_zone: calendar.timezone,
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
