// @vitest-environment happy-dom

import { setTimeout as pause } from 'node:timers/promises'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import {
  errorResponse,
  FakeBookingApi,
  makeBookingPageData,
  SAMPLE_APPOINTMENT,
  SAMPLE_CONSULTATION_TYPE,
} from '#tests/support/fake-booking-api.ts'
import {
  chooseAppointmentType,
  chooseTime,
  fillDetails,
  findDayButton,
  getFailure,
  getToastText,
  pasteIntoField,
  renderBookingPage,
  submitBooking,
} from '#tests/support/open-booking-page.tsx'

const OFFLINE = 'You’re offline. Check your connection and try again.'

/** Time to wait for the page to save the draft, in milliseconds. The page saves it 300 ms after the last change. */
const KEEPING_MS = 500

let api: FakeBookingApi

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T10:00:00Z'), toFake: ['Date'] })
  vi.stubEnv('TZ', 'Europe/London')
  history.replaceState(null, '', '/book/dr-grey')
  api = new FakeBookingApi()
  api.times = ['2026-11-24T09:00:00Z', '2026-11-24T09:30:00Z', '2026-11-24T14:00:00Z']
  vi.stubGlobal('fetch', api.fetch)
})
describe('a booking', () => {
  test('sends what was chosen and typed, and nothing else', async () => {
    await openFilled()
    await pasteIntoField('Phone (optional)', '+44 20 7946 0000')
    await pasteIntoField('Additional Notes', 'My left knee.')
    await submitBooking()
    await confirmation()
    expect(api.bookings[0]?.body).toEqual({
      appointment_type_id: SAMPLE_CONSULTATION_TYPE.id,
      starts_at: '2026-11-24T09:30:00Z',
      time_zone: 'Europe/London',
      title: 'Consultation',
      description: 'My left knee.',
      customer: { name: 'Ada Lovelace', email: 'ada@example.org', phone: '+44 20 7946 0000' },
      policy_text: SAMPLE_CONSULTATION_TYPE.policy_text,
      website: null,
      form_open_ms: expect.any(Number),
    })
  })

  test('is confirmed with all that was agreed, its reference, and a word about the email', async () => {
    await openFilled()
    await pasteIntoField('Additional Notes', 'My left knee.')
    await submitBooking()
    expect(document.activeElement).toBe(await confirmation())
    expect(summary()).toEqual({
      Date: 'Tuesday, November 24, 2026',
      Time: '9:30 AM – 10:00 AM London time (GMT)',
      Professional: 'Maya Grey\nHarbour Practice',
      Location: 'Harbour House\n12 Quay Street',
      Title: 'Consultation',
      Price: '€60.00',
      Changes:
        'You can move this appointment until 24 hours before it starts. You can request cancellation until it starts. Refunds are decided case by case.',
      Notes: 'My left knee.',
      'Booking reference': 'BK-1795000000000',
    })
    expect(screen.getByText('Appointment booked successfully! Confirmation email sent.')).toBeTruthy()
    expect(screen.getByText('It was sent to ada@example.org.')).toBeTruthy()
    expect(getToastText()).toBeUndefined()
    expect(screen.getByRole('link', { name: 'Return to Dashboard' }).getAttribute('href')).toBe('/')
  })

  test('is confirmed with the fee note of a type without a price', async () => {
    const fee_note = '€90, paid at the appointment'
    const booked = { ...SAMPLE_APPOINTMENT, appointment_type_price: null, fee_note }
    api.refusals = [{ status: 201, body: { ...booked, confirmation_email_queued: true, manage_token: null } }]
    await openFilled()
    await submitBooking()
    await confirmation()
    expect(summary()).toMatchObject({ Price: fee_note })
  })

  test('leaves an address that shows it again on a reload', async () => {
    await openFilled()
    const entries = history.length
    await submitBooking()
    await confirmation()
    expect(location.pathname + location.search).toBe(
      `/book/dr-grey/confirmation?appointment_id=${SAMPLE_APPOINTMENT.id}`,
    )
    expect(history.length).toBe(entries)
  })

  test('is followed by another one from a fresh page', async () => {
    const assign = vi.spyOn(location, 'assign').mockImplementation(() => {})
    await openFilled()
    await submitBooking()
    await confirmation()
    await userEvent.click(screen.getByRole('button', { name: 'Make Another Booking' }))
    expect(assign).toHaveBeenCalledWith('/book/dr-grey')
    assign.mockRestore()
  })

  test('whose email failed says so', async () => {
    api.refusals = [{ status: 201, body: { ...SAMPLE_APPOINTMENT, confirmation_email_queued: false } }]
    await openFilled()
    await submitBooking()
    await confirmation()
    expect(screen.getByText('Appointment booked but failed to send confirmation email')).toBeTruthy()
    expect(screen.queryByText(/Confirmation email sent/)).toBeNull()
    expect(getToastText()).toBeUndefined()
  })

  test('is sent once however often the button is pressed', async () => {
    await openFilled()
    const release = api.hold()
    await submitBooking()
    const button = screen.getByRole('button', { name: 'Booking...' })
    await userEvent.click(button)
    await userEvent.dblClick(button)
    await userEvent.type(screen.getByLabelText(/Full Name/), '{Enter}')
    release()
    await confirmation()
    expect(api.bookings).toHaveLength(1)
  })
})

describe('when the page is loaded again', () => {
  test('all that was chosen and typed is there, and can be booked', async () => {
    await openFilled()
    await pasteIntoField('Additional Notes', 'My left knee.')
    await waitFor(() => expect(history.state?.draft.notes).toBe('My left knee.'))
    cleanup()
    renderBookingPage(api, makeBookingPageData())
    expect(screen.getByLabelText<HTMLTextAreaElement>('Additional Notes').value).toBe('My left knee.')
    await submitBooking()
    await confirmation()
    expect(api.bookings[0]?.body).toMatchObject({
      appointment_type_id: SAMPLE_CONSULTATION_TYPE.id,
      starts_at: '2026-11-24T09:30:00Z',
      description: 'My left knee.',
      customer: { name: 'Ada Lovelace', email: 'ada@example.org' },
      // Null, because the page cannot know how long the form was open before the reload.
      form_open_ms: null,
    })
  })

  test('a time that is gone meanwhile is cleared, and said', async () => {
    await openFilled()
    await waitFor(() => expect(history.state?.draft.email).toBe('ada@example.org'))
    cleanup()
    api.times = ['2026-11-24T09:00:00Z']
    renderBookingPage(api, makeBookingPageData())
    expect(await screen.findByText(/9:30 AM is no longer free/)).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>(/Full Name/).value).toBe('Ada Lovelace')
  })

  test('a time whose booking was not answered is not called gone: it may be the customer’s own', async () => {
    api.refusals = ['offline']
    await openFilled()
    await submitBooking()
    await waitFor(() => expect(getFailure()).toContain(OFFLINE))
    await waitFor(() => expect(history.state?.draft).toMatchObject({ name: 'Ada Lovelace', startsAt: null }))
    cleanup()
    api.times = ['2026-11-24T09:00:00Z']
    renderBookingPage(api, makeBookingPageData())
    expect(screen.getByLabelText<HTMLInputElement>(/Full Name/).value).toBe('Ada Lovelace')
    expect(await screen.findByRole('button', { name: '9:00 AM' })).toBeTruthy()
    expect(screen.queryByText(/no longer free/)).toBeNull()
  })

  test('nothing is kept of a form that nobody touched, and nothing is left of one that was booked', async () => {
    renderBookingPage(api, makeBookingPageData())
    await pause(KEEPING_MS)
    expect(history.state).toBeNull()
    cleanup()
    await openFilled()
    await submitBooking()
    await confirmation()
    await pause(KEEPING_MS)
    expect(history.state).toEqual({ booking: expect.objectContaining({ email: 'ada@example.org' }) })
  })
})

describe('the idempotency key', () => {
  test('is the same when the same booking is sent again after its answer was lost', async () => {
    api.refusals = ['offline']
    await openFilled()
    await submitBooking()
    await waitFor(() => expect(getFailure()).toContain(OFFLINE))
    await submitBooking()
    await confirmation()
    const [first, second] = api.bookings
    expect(first?.key).toMatch(/^[0-9a-f-]{36}$/)
    expect(second).toEqual(first)
  })

  test('is another one when the content has changed', async () => {
    api.refusals = [errorResponse('request.too_many')]
    await openFilled()
    await submitBooking()
    await waitFor(() => expect(api.bookings).toHaveLength(1))
    await pasteIntoField('Additional Notes', 'My knee')
    await submitBooking()
    await confirmation()
    expect(api.bookings[1]?.key).toMatch(/^[0-9a-f-]{36}$/)
    expect(api.bookings[1]?.key).not.toBe(api.bookings[0]?.key)
  })

  test('of an attempt whose answer was lost is asked first, although the content has changed since', async () => {
    api.refusals = ['offline']
    await openFilled()
    await submitBooking()
    await waitFor(() => expect(getFailure()).toContain(OFFLINE))
    await pasteIntoField('Additional Notes', 'My knee')
    await submitBooking()
    await confirmation()
    expect(api.bookings[1]).toEqual(api.bookings[0])
    expect(api.bookings).toHaveLength(2)
  })

  test('gives way to a new one when the lost attempt turns out to have been refused', async () => {
    api.refusals = ['offline', errorResponse('booking.slot_unavailable')]
    await openFilled()
    await submitBooking()
    await waitFor(() => expect(getFailure()).toContain(OFFLINE))
    await pasteIntoField('Additional Notes', 'My knee')
    await submitBooking()
    await confirmation()
    const [first, again, changed] = api.bookings
    expect(again).toEqual(first)
    expect(changed?.key).not.toBe(first?.key)
    expect(changed?.body.description).toBe('My knee')
  })

  test('stays with a time that has left the list because the lost booking took it', async () => {
    api.refusals = ['offline']
    const client = await openFilled()
    await submitBooking()
    await waitFor(() => expect(getFailure()).toContain(OFFLINE))
    api.times = ['2026-11-24T09:00:00Z']
    await act(() => client.invalidateQueries())
    await waitFor(() => expect(screen.queryByRole('button', { name: '9:30 AM' })).toBeNull())
    await submitBooking()
    await confirmation()
    expect(api.bookings[1]).toEqual(api.bookings[0])
  })
})

describe('when the time was taken meanwhile', () => {
  test.each([
    ['booking.slot_unavailable', '9:30 AM is no longer free. Please choose another time.'],
    ['booking.location_conflict', PROBLEMS['booking.location_conflict'].title],
    ['booking.fully_booked', PROBLEMS['booking.fully_booked'].title],
  ] as const)(
    '%s is said, the times that are left have the focus, and nothing typed is lost',
    async (code, sentence) => {
      api.refusals = [errorResponse(code)]
      await openFilled()
      await pasteIntoField('Additional Notes', 'My left knee.')
      api.times = ['2026-11-24T14:00:00Z']
      await submitBooking()
      expect(await screen.findAllByText(sentence)).toHaveLength(1)
      await waitFor(() =>
        expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Available Times' })),
      )
      expect(getToastText()).toBeUndefined()
      expect(screen.queryByRole('button', { name: '9:30 AM' })).toBeNull()
      expect(screen.getByRole('button', { name: '2:00 PM', pressed: false })).toBeTruthy()
      expect(
        screen.getByRole<HTMLInputElement>('radio', { name: /Consultation/, hidden: true }).checked,
      ).toBe(true)
      expect(findDayButton(/^Tuesday, November 24, 2026/).getAttribute('aria-pressed')).toBe('true')
      expect(typed()).toEqual(['Ada Lovelace', 'ada@example.org', 'My left knee.'])

      await userEvent.click(screen.getByRole('button', { name: '2:00 PM' }))
      await submitBooking()
      await confirmation()
      expect(api.bookings[1]?.body.starts_at).toBe('2026-11-24T14:00:00Z')
      expect(api.bookings[1]?.key).not.toBe(api.bookings[0]?.key)
    },
  )
})

describe('when the booking is refused', () => {
  test.each([
    ['request.too_many', PROBLEMS['request.too_many'].title],
    ['booking.too_many', PROBLEMS['booking.too_many'].title],
    ['booking.too_many_for_email', PROBLEMS['booking.too_many_for_email'].title],
    ['server.unavailable', PROBLEMS['server.unavailable'].title],
    ['server.unexpected', PROBLEMS['server.unexpected'].title],
    ['booking.payment_required', PROBLEMS['booking.payment_required'].title],
  ] as const)(
    '%s is said and stays to be read, nothing is lost, and trying again books',
    async (code, sentence) => {
      api.refusals = [errorResponse(code)]
      await openFilled()
      await submitBooking()
      await waitFor(() => expect(getFailure()).toContain(sentence))
      expect(getToastText()).toBeUndefined()
      expect(screen.getByText('Everything you entered is still here.').parentElement?.textContent).toContain(
        sentence,
      )
      expect(typed()).toEqual(['Ada Lovelace', 'ada@example.org', ''])
      expect(screen.getByRole('button', { name: '9:30 AM', pressed: true })).toBeTruthy()
      await submitBooking()
      await confirmation()
    },
  )

  test('as one of a program, the hidden field is emptied, so that whoever presses again goes on', async () => {
    api.refusals = [errorResponse('booking.looks_automatic')]
    await openFilled()
    const hidden = document.querySelector<HTMLInputElement>('[name="website"]')
    expect([hidden?.tabIndex, hidden?.closest('[aria-hidden="true"]') === null]).toEqual([-1, false])
    if (hidden !== null) hidden.value = 'https://ada.example'
    await submitBooking()
    expect(await screen.findByText(/Everything you entered is still here/)).toBeTruthy()
    await submitBooking()
    await confirmation()
    expect(api.bookings.map(({ body }) => body.website)).toEqual(['https://ada.example', null])
  })

  test('the field that the server names is marked and has the focus', async () => {
    api.refusals = [
      errorResponse('request.invalid', [{ path: 'customer.phone', message: 'Please check the number' }]),
    ]
    await openFilled()
    await submitBooking()
    await screen.findByText('Please check the number')
    expect(document.activeElement).toBe(screen.getByLabelText('Phone (optional)'))
    expect(screen.getByLabelText('Phone (optional)').getAttribute('aria-invalid')).toBe('true')
  })

  test('other conditions are shown before they count', async () => {
    api.refusals = [errorResponse('booking.policy_changed')]
    await openFilled()
    const [type, ...others] = api.page.appointment_types
    const changed = { ...type, policy_text: 'You can’t move this appointment yourself.' }
    api.page = { ...api.page, appointment_types: [changed, ...others] } as typeof api.page
    await submitBooking()
    expect(await screen.findByText('You can’t move this appointment yourself.')).toBeTruthy()
    expect(typed()[0]).not.toBe('')
    await submitBooking()
    await confirmation()
    expect(api.bookings.map(({ body }) => body.policy_text)).toEqual([
      type?.policy_text,
      'You can’t move this appointment yourself.',
    ])
  })

  test('a type that is no longer offered leaves the list', async () => {
    api.refusals = [errorResponse('booking.type_unknown', [{ path: 'appointment_type_id', message: 'Gone' }])]
    await openFilled()
    api.page = { ...api.page, appointment_types: api.page.appointment_types.slice(1) }
    await submitBooking()
    await waitFor(() => expect(screen.queryByRole('radio', { name: /Consultation/ })).toBeNull())
    expect(screen.getByText('Please select an appointment type first to see available times')).toBeTruthy()
    await submitBooking()
    expect(getFailure()).toContain(PROBLEMS['booking.incomplete'].title)
    expect(api.bookings).toHaveLength(1)
  })
})

async function openFilled() {
  const client = renderBookingPage(api, makeBookingPageData())
  await chooseAppointmentType('Consultation')
  await chooseTime()
  await fillDetails()
  return client
}

function confirmation() {
  return screen.findByRole('heading', { name: 'Booking Confirmed!' })
}

function typed() {
  return [/Full Name/, /Email Address/, 'Additional Notes'].map(
    (label) => screen.getByLabelText<HTMLInputElement>(label).value,
  )
}

/** Returns the rows of the summary, as an object from term to description. */
function summary() {
  return Object.fromEntries(
    screen.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  )
}
