// @vitest-environment happy-dom

import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { BookingPageData } from '#contract/pages/page-data.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import {
  errorResponse,
  FakeBookingApi,
  makeBookingPageData,
  SAMPLE_CONSULTATION_TYPE,
} from '#tests/support/fake-booking-api.ts'
import {
  chooseAppointmentType,
  chooseTime,
  fillDetails,
  findDayButton,
  getFailure,
  getToastText,
  renderBookingPage,
  submitBooking,
} from '#tests/support/open-booking-page.tsx'
import { enterText } from '#web/testing/enter-text.ts'

let api: FakeBookingApi

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T10:00:00Z'), toFake: ['Date'] })
  vi.stubEnv('TZ', 'Europe/London')
  api = new FakeBookingApi()
  api.times = [
    '2026-11-24T09:00:00Z',
    '2026-11-24T09:30:00Z',
    '2026-11-24T14:00:00Z',
    '2026-11-24T18:00:00Z',
    '2026-11-25T09:00:00Z',
  ]
  vi.stubGlobal('fetch', api.fetch)
})
describe('the header', () => {
  test('names the professional with the capitalised category, the description and the number of services', () => {
    renderPage()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Maya Grey')
    expect(screen.getByText('MG')).toBeTruthy()
    expect(screen.getByText('Therapist')).toBeTruthy()
    expect(screen.getByText('Physiotherapy')).toBeTruthy()
    expect(screen.getByText('2 services available')).toBeTruthy()
  })

  test('falls back to the name of the calendar until the professional has given one', () => {
    renderPage(
      makeBookingPageData({ professional_first_name: null, professional_last_name: ' ' }, [
        SAMPLE_CONSULTATION_TYPE,
      ]),
    )
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Harbour Practice')
    expect(screen.getByText('1 service available')).toBeTruthy()
  })

  test('shows markup as the text it is', () => {
    renderPage(makeBookingPageData({ calendar_name: '<b>Bold</b>', calendar_description: '<img src=x>' }))
    expect(screen.getByText('<b>Bold</b>')).toBeTruthy()
    expect(screen.getByText('<img src=x>')).toBeTruthy()
  })
})

test('a paused calendar says that it takes no new bookings, and offers none', () => {
  renderPage(makeBookingPageData({ is_paused: true, closed_text: PROBLEMS['calendar.paused'].title }))
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Maya Grey')
  expect(screen.getByText(PROBLEMS['calendar.paused'].title)).toBeTruthy()
  expect(screen.queryByRole('radio')).toBeNull()
  expect(screen.queryByRole('button')).toBeNull()
  expect(api.paths).toEqual([])
})

describe('a calendar whose types are all by link only. Source: rules T65 and T66', () => {
  const closed = { closed_text: 'To book here, you need a link.' }

  test('says that a link is needed, and offers no times without a type', () => {
    renderPage(makeBookingPageData(closed, []))
    expect(screen.getByText(closed.closed_text)).toBeTruthy()
    expect(screen.queryByRole('button')).toBeNull()
    expect(api.paths).toEqual([])
  })

  test('offers the type of the link, which is chosen already', () => {
    renderPage(makeBookingPageData(closed, [{ ...SAMPLE_CONSULTATION_TYPE, is_listed: false }]))
    expect(screen.queryByText(closed.closed_text)).toBeNull()
    expect(screen.getByRole<HTMLInputElement>('radio').checked).toBe(true)
  })

  test('asks for the type of its link when the data did not come with the page', async () => {
    history.replaceState(null, '', '/book/dr-grey?type=type-1')
    renderPage(null)
    expect(await screen.findAllByRole('radio')).toHaveLength(2)
    const path = '/api/public/calendars/dr-grey'
    expect(api.paths).toContain(`${path}?type=type-1`)
    expect(api.paths).toContain(`${path}/appointment-types?type=type-1`)
  })
})

describe('the first data', () => {
  test('that came with the page needs no request', () => {
    renderPage()
    expect(api.paths).toEqual([])
  })

  test('is asked for when it did not come with the page', async () => {
    renderPage(null)
    expect(screen.getByText('Loading booking page...')).toBeTruthy()
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Maya Grey')
    expect(screen.getByRole('radio', { name: /Consultation/ })).toBeTruthy()
  })

  test('of a calendar that does not exist says so, inlined or asked for', async () => {
    api.page = { ...makeBookingPageData(), calendar: null }
    renderPage(api.page)
    expect(screen.getByRole('heading', { name: 'Calendar Not Found' })).toBeTruthy()
    expect(screen.getByText("The calendar you're looking for doesn't exist.")).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Go Home' }).getAttribute('href')).toBe('/')
    cleanup()
    renderPage(null)
    expect(await screen.findByRole('heading', { name: 'Calendar Not Found' })).toBeTruthy()
  })

  test('that cannot be loaded can be tried again', async () => {
    api.overrides.set('/api/public/calendars/dr-grey', errorResponse('server.unavailable'))
    renderPage(null)
    await screen.findByRole('heading', { name: /The service is currently unavailable/ })
    api.overrides.clear()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('heading', { name: 'Maya Grey' })).toBeTruthy()
  })
})

describe('the types', () => {
  test('show name, duration, price with two decimals and the place or Online', () => {
    renderPage()
    const consultation = screen.getByRole('radio', { name: /Consultation/ }).closest('label')
    expect(consultation?.textContent).toContain('€60.00')
    expect(consultation?.textContent).toContain('30 min · Harbour House, 12 Quay Street')
    expect(screen.getByRole('radio', { name: /Video call/ }).closest('label')?.textContent).toContain(
      '15 min · Online',
    )
  })

  test('show the fee note of a type without a price in its place, also above the submit button', async () => {
    const fee_note = '€90, paid at the appointment'
    renderPage(makeBookingPageData({}, [{ ...SAMPLE_CONSULTATION_TYPE, price: null, fee_note }]))
    expect(screen.getByRole('radio', { name: /Consultation/ }).closest('label')?.textContent).toContain(
      `Consultation${fee_note}30 min`,
    )
    await chooseTime()
    expect(screen.getAllByText(fee_note)).toHaveLength(2)
  })

  test('that are only one are chosen from the start, and its times are asked for', async () => {
    renderPage(makeBookingPageData({}, [SAMPLE_CONSULTATION_TYPE]))
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /Consultation/ }).checked).toBe(true)
    await chooseTime()
    await fillDetails()
    await submitBooking()
    await waitFor(() => expect(api.bookings[0]?.body.appointment_type_id).toBe(SAMPLE_CONSULTATION_TYPE.id))
  })

  test('are not chosen for a customer whose own was removed meanwhile', async () => {
    const client = renderPage()
    await chooseAppointmentType('Video call')
    client.setQueryData(['booking-page', 'dr-grey'], makeBookingPageData({}, [SAMPLE_CONSULTATION_TYPE]))
    await waitFor(() => expect(screen.getAllByRole('radio')).toHaveLength(1))
    expect(screen.getByRole<HTMLInputElement>('radio').checked).toBe(false)
  })

  test('are not asked for where the calendar has none', () => {
    renderPage(makeBookingPageData({}, []))
    expect(screen.queryByText('Appointment Type')).toBeNull()
  })

  test('a price is paid by hand while no provider is connected', async () => {
    renderPage()
    expect(screen.queryByText('Payment will be handled manually.')).toBeNull()
    await chooseAppointmentType('Consultation')
    expect(screen.getByText('Payment will be handled manually.')).toBeTruthy()
    await chooseAppointmentType('Video call')
    expect(screen.queryByText('Payment will be handled manually.')).toBeNull()
  })
})

describe('the times', () => {
  test('wait for a type where the calendar has types, and no day is marked before', async () => {
    renderPage()
    await userEvent.click(findDayButton(/^Tuesday, November 24, 2026/))
    expect(screen.getByText('Please select an appointment type first to see available times')).toBeTruthy()
    expect(api.paths).toEqual([])
    await chooseAppointmentType('Consultation')
    expect(await screen.findByRole('button', { name: '9:30 AM' })).toBeTruthy()
  })

  test('say that they are loading, then stand under the date in parts of the day', async () => {
    renderPage()
    await chooseAppointmentType('Consultation')
    const release = api.hold()
    await userEvent.click(findDayButton(/^Tuesday, November 24, 2026/))
    expect(screen.getByText('Loading available times...')).toBeTruthy()
    release()
    await screen.findByRole('button', { name: '9:00 AM' })
    expect(screen.getByRole('heading', { name: 'Available Times' }).nextElementSibling?.textContent).toBe(
      'Tuesday, November 24',
    )
    expect(labelsIn('Morning')).toEqual(['9:00 AM', '9:30 AM'])
    expect(labelsIn('Afternoon')).toEqual(['2:00 PM'])
    expect(labelsIn('Evening')).toEqual(['6:00 PM'])
    expect(screen.getByText('4 available times on Tuesday, November 24')).toBeTruthy()
  })

  test('that are none are said to be none, and the day is marked before it is clicked', async () => {
    renderPage()
    await chooseAppointmentType('Consultation')
    await userEvent.click(
      await screen.findByRole('button', { name: 'Thursday, November 26, 2026, no available times' }),
    )
    expect(await screen.findByText('No available times for this date')).toBeTruthy()
  })

  test('that are none have the note of the owner in their place (rule T59)', async () => {
    const date = '2026-11-26'
    const body = { date, time_zone: 'Europe/London', slots: [], note: 'Easter <b>break</b>' }
    api.overrides.set('/api/public/calendars/dr-grey/slots', { status: 200, body })
    renderPage()
    await chooseAppointmentType('Consultation')
    await userEvent.click(findDayButton(/^Thursday, November 26, 2026/))
    expect(await screen.findByText('Easter <b>break</b>')).toBeTruthy()
    expect(screen.queryByText('No available times for this date')).toBeNull()
  })

  test('that cannot be loaded say why and can be tried again', async () => {
    api.overrides.set('/api/public/calendars/dr-grey/slots', 'offline')
    renderPage(makeBookingPageData({}, []))
    await userEvent.click(findDayButton(/^Tuesday, November 24, 2026/))
    const message = await screen.findByText('You’re offline. Check your connection and try again.')
    expect(message.closest('[role="alert"]')).not.toBeNull()
    api.overrides.clear()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('button', { name: '9:30 AM' })).toBeTruthy()
  })

  test('weeks without a free time say so and lead to the next free day', async () => {
    api.times = ['2027-03-02T09:30:00Z']
    renderPage(makeBookingPageData({}, []))
    expect(await screen.findByText('No times in these weeks.')).toBeTruthy()
    await userEvent.click(await screen.findByRole('button', { name: 'Go to the next free day' }))
    expect(await screen.findByRole('grid', { name: 'Feb – Apr 2027' })).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(findDayButton('Tuesday, March 2, 2027')))
    expect(screen.queryByText('No times in these weeks.')).toBeNull()
    // One request for the shown weeks, and one for each two months until the free day.
    expect(requestedRanges()).toEqual([
      '2026-11-20 to 2026-12-19',
      '2026-12-20 to 2027-02-19',
      '2027-02-20 to 2027-04-22',
      '2027-02-28 to 2027-04-03',
    ])
  })

  test('the last weeks of the booking window name its end', async () => {
    const bookable_text = 'You can book until November 30, 2026.'
    renderPage(makeBookingPageData({ bookable_until: '2026-11-30', bookable_text }, []))
    expect(await screen.findByText(bookable_text)).toBeTruthy()
    expect(requestedRanges()).toEqual(['2026-11-20 to 2026-11-30'])
  })

  test('weeks without a free time say when nothing is free until the last bookable day', async () => {
    api.times = []
    renderPage(makeBookingPageData({}, []))
    await userEvent.click(await screen.findByRole('button', { name: 'Go to the next free day' }))
    await waitFor(() => expect(getToastText()).toBe('No times until November 19, 2028.'))
    const ranges = requestedRanges()
    expect(ranges).toHaveLength(13)
    expect(ranges.at(-1)).toMatch(/ to 2028-11-19$/)
  })

  test('the search for a free day ends when the customer goes on to the details', async () => {
    api.times = ['2027-03-02T09:30:00Z']
    renderPage(makeBookingPageData({}, []))
    fireEvent.click(await screen.findByRole('button', { name: 'Go to the next free day' }))
    const name = screen.getByLabelText(/Full Name/)
    name.focus()
    await waitFor(() => expect(requestedRanges()).toContain('2027-02-20 to 2027-04-22'))
    await screen.findByRole('button', { name: 'Go to the next free day' })
    expect(document.activeElement).toBe(name)
    expect(screen.getByRole('grid', { name: 'Nov – Dec 2026' })).toBeTruthy()
  })

  test('the search for a free day says why it failed', async () => {
    api.times = []
    renderPage(makeBookingPageData({}, []))
    const search = await screen.findByRole('button', { name: 'Go to the next free day' })
    api.overrides.set('/api/public/calendars/dr-grey/days', 'offline')
    await userEvent.click(search)
    await waitFor(() => expect(getToastText()).toBe('You’re offline. Check your connection and try again.'))
  })

  test('the chosen one is pressed, and another type resets it', async () => {
    renderPage()
    await chooseAppointmentType('Consultation')
    await chooseTime()
    expect(screen.getByRole('button', { name: '9:30 AM', pressed: true })).toBeTruthy()
    await chooseAppointmentType('Video call')
    await screen.findByRole('button', { name: '9:30 AM', pressed: false })
    expect(screen.getByRole('button', { name: /^Tuesday, November 24, 2026/, pressed: true })).toBeTruthy()
  })

  test('a chosen one that is gone when the times are read again is let go with a word', async () => {
    const client = renderPage(makeBookingPageData({}, []))
    await chooseTime()
    api.times = api.times.filter((time) => time !== '2026-11-24T09:30:00Z')
    await client.invalidateQueries()
    expect(await screen.findByText('9:30 AM is no longer free. Please choose another time.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '9:00 AM' }))
    expect(screen.queryByText(/no longer free/)).toBeNull()
  })
})

test('the booking page of a calendar with the 24-hour clock has no AM and PM', async () => {
  renderPage(makeBookingPageData({ hour_cycle: 'h23' }))
  await chooseAppointmentType('Consultation')
  const next = await screen.findByRole('group', { name: 'Next: Tuesday, November 24' })
  expect(labelsOf(next)).toEqual(['09:00', '09:30', '14:00'])
  await userEvent.click(within(next).getByRole('button', { name: '14:00' }))
  expect(await screen.findByText('at 14:00')).toBeTruthy()
  expect(labelsIn('Evening')).toEqual(['18:00'])
  expect(document.body.textContent).not.toMatch(/\d [AP]M\b/)
})

describe('the first free times', () => {
  test('are offered by one question before a day is chosen, and one of them is the day and the time', async () => {
    renderPage()
    expect(screen.queryByRole('group', { name: /^Next:/ })).toBeNull()
    await chooseAppointmentType('Consultation')
    const next = await screen.findByRole('group', { name: 'Next: Tuesday, November 24' })
    expect(labelsOf(next)).toEqual(['9:00 AM', '9:30 AM', '2:00 PM'])
    expect(labelsOf(screen.getByRole('group', { name: 'Wednesday, November 25' }))).toEqual(['9:00 AM'])
    expect(api.paths.filter((path) => path.includes('first-times'))).toEqual([
      `/api/public/calendars/dr-grey/first-times?appointment_type_id=${SAMPLE_CONSULTATION_TYPE.id}&time_zone=Europe%2FLondon`,
    ])
    await userEvent.click(within(next).getByRole('button', { name: '9:30 AM' }))
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Your details' }))
    expect(screen.queryByRole('group', { name: /^Next:/ })).toBeNull()
    expect(await screen.findByRole('button', { name: '9:30 AM', pressed: true })).toBeTruthy()
    await fillDetails()
    await submitBooking()
    await waitFor(() => expect(api.bookings[0]?.body.starts_at).toBe('2026-11-24T09:30:00Z'))
  })

  test('go away with a chosen day', async () => {
    renderPage(makeBookingPageData({}, []))
    await screen.findByRole('group', { name: /^Next:/ })
    await userEvent.click(findDayButton(/^Tuesday, November 24, 2026/))
    expect(screen.queryByRole('group', { name: /^Next:/ })).toBeNull()
  })

  test('come back on a day without any, and lead on from there', async () => {
    renderPage(makeBookingPageData({}, []))
    await userEvent.click(findDayButton(/^Thursday, November 26, 2026/))
    await screen.findByText('No available times for this date')
    const next = within(await screen.findByRole('group', { name: /^Next: Tuesday, November 24/ }))
    await userEvent.click(next.getByRole('button', { name: '9:30 AM' }))
    expect(await screen.findByRole('button', { name: '9:30 AM', pressed: true })).toBeTruthy()
    expect(screen.queryByText('No available times for this date')).toBeNull()
  })

  test('that are none are said to be none', async () => {
    api.times = []
    renderPage(makeBookingPageData({}, []))
    expect(await screen.findByText('No times in the next two months.')).toBeTruthy()
  })

  test('are in the zone that is shown', async () => {
    vi.stubEnv('TZ', 'Asia/Kathmandu')
    renderPage(makeBookingPageData({}, []))
    await screen.findByRole('group', { name: 'Next: Tuesday, November 24' })
    await userEvent.click(screen.getByRole('radio', { name: /Your time/ }))
    await waitFor(() =>
      expect(labelsOf(screen.getByRole('group', { name: /^Next:/ }))).toEqual([
        '2:45 PM',
        '3:15 PM',
        '7:45 PM',
      ]),
    )
  })

  test('that cannot be asked for leave the days to choose from', async () => {
    api.overrides.set('/api/public/calendars/dr-grey/first-times', 'offline')
    renderPage(makeBookingPageData({}, []))
    await chooseTime()
    expect(screen.getByRole('button', { name: '9:30 AM', pressed: true })).toBeTruthy()
  })
})

describe('the place', () => {
  const location = {
    id: SAMPLE_CONSULTATION_TYPE.id,
    name: 'Room 4',
    address: '2 High Street',
    type: 'physical',
  } as const

  test('of a type is said again with what is about to be booked', async () => {
    renderPage()
    await chooseAppointmentType('Consultation')
    await chooseTime()
    expect(screen.getByText('Harbour House, 12 Quay Street')).toBeTruthy()
  })

  test('of a calendar without types is in its head from the start', () => {
    renderPage(makeBookingPageData({ location }, []))
    expect(screen.getByText('Room 4, 2 High Street')).toBeTruthy()
    cleanup()
    renderPage(makeBookingPageData({ location }))
    expect(screen.queryByText('Room 4, 2 High Street')).toBeNull()
  })
})

describe('the Enter key', () => {
  test('leads to the required field that is still empty, and books when there is none', async () => {
    renderPage(makeBookingPageData({}, []))
    await chooseTime()
    const [name, email] = [screen.getByLabelText(/Full Name/), screen.getByLabelText(/Email Address/)]
    await userEvent.type(name, 'Ada Lovelace{Enter}')
    expect(document.activeElement).toBe(email)
    await userEvent.type(screen.getByLabelText('Phone (optional)'), '1{Enter}')
    expect(document.activeElement).toBe(email)
    expect(api.bookings).toEqual([])
    await userEvent.type(email, 'ada@example.org{Enter}')
    await waitFor(() => expect(api.bookings).toHaveLength(1))
  })

  test('leads to the payment where one is due', async () => {
    const page = makeBookingPageData({}, [SAMPLE_CONSULTATION_TYPE])
    renderPage({ ...page, payment_providers: { ...page.payment_providers, stripe_connected: true } })
    await chooseTime()
    // Until the payment code is downloaded, a pending placeholder button is shown instead.
    const payNow = await waitFor(() => {
      const button = screen.getByRole('button', { name: 'Pay Now' })
      expect([button.dataset.focus, button.getAttribute('aria-disabled')]).toEqual(['pay', null])
      return button
    })
    await fillDetails()
    await userEvent.keyboard('{Enter}')
    expect(document.activeElement).toBe(payNow)
    expect([api.bookings, api.checkouts]).toEqual([[], []])
  })
})

describe('the title', () => {
  test("is the calendar's template, then the type's name, until the customer writes one", async () => {
    renderPage()
    expect(title().value).toBe('Session with Maya Grey')
    await chooseAppointmentType('Consultation')
    expect(title().value).toBe('Consultation')
    await userEvent.clear(title())
    await enterText(userEvent, title(), 'My knee')
    await chooseAppointmentType('Video call')
    expect(title().value).toBe('My knee')
  })

  test('stays empty when the customer empties it', async () => {
    renderPage()
    await chooseAppointmentType('Consultation')
    await userEvent.clear(title())
    await chooseAppointmentType('Video call')
    expect(title().value).toBe('')
  })

  test('is not asked for where the calendar does not require one, and not sent either', async () => {
    renderPage(makeBookingPageData({ appointment_title_required: false }, []))
    expect(screen.queryByLabelText('Appointment title')).toBeNull()
    await chooseTime()
    await fillDetails()
    await submitBooking()
    await screen.findByRole('heading', { name: 'Booking Confirmed!' })
    expect(api.bookings[0]?.body.title).toBeNull()
  })
})

test('the details help the browser to fill them in and bound what is typed', () => {
  renderPage()
  const name = screen.getByLabelText<HTMLInputElement>(/Full Name/)
  const email = screen.getByLabelText<HTMLInputElement>(/Email Address/)
  const phone = screen.getByLabelText<HTMLInputElement>('Phone (optional)')
  expect([name, email, phone].map((field) => field.autocomplete)).toEqual(['name', 'email', 'tel'])
  expect(name.getAttribute('enterkeyhint')).toBe('next')
  expect([name, email, phone].map((field) => field.maxLength)).toEqual([200, 254, 40])
  expect(screen.getByLabelText<HTMLTextAreaElement>('Additional Notes').maxLength).toBe(5000)
})

test('the page says that it is a sandbox when it is one', () => {
  renderPage({ ...makeBookingPageData(), sandbox: true })
  expect(screen.getByRole('link', { name: /mailbox/ }).getAttribute('href')).toBe('/sandbox/mail')
})

describe('the time zone', () => {
  test('is named, and without a choice where both are the same', () => {
    renderPage()
    expect(screen.getByText('London time (GMT)')).toBeTruthy()
    expect(screen.queryByRole('radio', { name: /Your time/ })).toBeNull()
  })

  test.each([
    ['Asia/Kathmandu', '3:15 PM', /^Your time: Kath?mandu time \(GMT\+5:45\)$/],
    ['America/St_Johns', '6:00 AM', /^Your time: St Johns time \(.+\)$/],
  ])(
    'in %s shows London’s time until the visitor switches to their own, %s',
    async (timeZone, own, zoneName) => {
      vi.stubEnv('TZ', timeZone)
      renderPage()
      await chooseAppointmentType('Consultation')
      await chooseTime()
      await userEvent.click(screen.getByRole('radio', { name: zoneName }))
      expect(await screen.findByRole('button', { name: own, pressed: true })).toBeTruthy()
      await userEvent.click(screen.getByRole('radio', { name: 'London time (GMT)' }))
      expect(await screen.findByRole('button', { name: '9:30 AM', pressed: true })).toBeTruthy()
    },
  )

  test('is the visitor’s own for an online type, until they switch', async () => {
    vi.stubEnv('TZ', 'Asia/Kathmandu')
    renderPage()
    await chooseAppointmentType('Video call')
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /Your time/ }).checked).toBe(true)
    await chooseAppointmentType('Consultation')
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'London time (GMT)' }).checked).toBe(true)
    await userEvent.click(screen.getByRole('radio', { name: 'London time (GMT)' }))
    await userEvent.click(screen.getByRole('radio', { name: /Your time/ }))
    await chooseAppointmentType('Video call')
    await chooseAppointmentType('Consultation')
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /Your time/ }).checked).toBe(true)
  })

  test('moves an evening in London to the next day in Kathmandu, mark and choice with it', async () => {
    vi.stubEnv('TZ', 'Asia/Kathmandu')
    api.times = ['2026-11-24T19:00:00Z']
    renderPage()
    await chooseAppointmentType('Consultation')
    await chooseTime('7:00 PM')
    await userEvent.click(screen.getByRole('radio', { name: /Your time/ }))
    expect(
      await screen.findByRole('button', { name: 'Wednesday, November 25, 2026', pressed: true }),
    ).toBeTruthy()
    expect(await screen.findByRole('button', { name: '12:45 AM', pressed: true })).toBeTruthy()
    expect(
      await screen.findByRole('button', { name: 'Tuesday, November 24, 2026, no available times' }),
    ).toBeTruthy()
  })

  test('of the visitor goes with the booking', async () => {
    vi.stubEnv('TZ', 'America/St_Johns')
    renderPage(makeBookingPageData({}, []))
    await chooseTime()
    await fillDetails()
    await submitBooking()
    await waitFor(() => expect(api.bookings[0]?.body.time_zone).toBe('America/St_Johns'))
  })
})

describe('without what is required', () => {
  test('the sentence is said, each field is marked, and the first one has the focus', async () => {
    renderPage()
    await submitBooking()
    expect(getFailure()).toContain(PROBLEMS['booking.incomplete'].title)
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: /Consultation/ }))
    expect(screen.getByText('Please choose an appointment type')).toBeTruthy()
    expect(screen.getByText('Please choose a date')).toBeTruthy()
    expect(screen.getByLabelText(/Full Name/).getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByLabelText(/Email Address/).getAttribute('aria-invalid')).toBe('true')
    expect(api.bookings).toEqual([])
  })

  test('the focus goes to the calendar, then to the times, then to the name', async () => {
    renderPage(makeBookingPageData({}, []))
    await submitBooking()
    expect(document.activeElement).toBe(findDayButton(/^Friday, November 20, 2026, today/))
    await userEvent.click(findDayButton(/^Tuesday, November 24, 2026/))
    await submitBooking()
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Available Times' }))
    await userEvent.click(await screen.findByRole('button', { name: '9:30 AM' }))
    await submitBooking()
    expect(document.activeElement).toBe(screen.getByLabelText(/Full Name/))
  })

  test('a mark goes away when its field is touched', async () => {
    renderPage()
    await submitBooking()
    await userEvent.type(screen.getByLabelText(/Full Name/), 'A')
    expect(screen.queryByText('Please enter your full name')).toBeNull()
    expect(screen.getByText('Please enter your email address')).toBeTruthy()
  })

  test('a malformed email address has its own sentence', async () => {
    renderPage(makeBookingPageData({}, []))
    await chooseTime()
    await fillDetails({ email: 'ada@example' })
    await submitBooking()
    expect(screen.getAllByText(PROBLEMS['auth.invalid_email'].title)).toHaveLength(1)
    expect(getToastText()).toBeUndefined()
    expect(document.activeElement).toBe(screen.getByLabelText(/Email Address/))
    expect(api.bookings).toEqual([])
  })
})

function renderPage(inlined: BookingPageData | null = makeBookingPageData()) {
  return renderBookingPage(api, inlined)
}

function title() {
  return screen.getByLabelText<HTMLInputElement>('Appointment title')
}

function labelsIn(part: string) {
  return labelsOf(screen.getByRole('group', { name: part }))
}

function labelsOf(group: HTMLElement) {
  return within(group)
    .getAllByRole('button')
    .map(({ textContent }) => textContent)
}

/** Lists the ranges of days whose free times the page has requested. */
function requestedRanges(): string[] {
  return api.paths
    .filter((path) => path.includes('/days?'))
    .map((path) => new URL(path, 'http://x').searchParams)
    .map((query) => `${query.get('from')} to ${query.get('to')}`)
}
