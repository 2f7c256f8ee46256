// @vitest-environment happy-dom

import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { UNCLEAR_AMOUNT_MESSAGE } from '#web/shared/parse-amount.ts'
import { enterText } from '#web/testing/enter-text.ts'
import {
  CALENDAR_ID,
  makeAppointmentType,
  makeCalendar,
  makeCalendarLocation,
  makeLocation,
  NEW_SLOT_SETTINGS,
} from '#web/testing/make-records.ts'
import { OFFERED_TIMES, OfferedTimes } from '#web/testing/offered-times.tsx'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { currentToast } from '#web/ui/toast-store.ts'
import { AppointmentTypesPanel } from './appointment-types-panel.tsx'

const CALENDAR = makeCalendar()
const TYPES = `/api/calendars/${CALENDAR_ID}/appointment-types`
const LIST = `GET ${TYPES}`
const CREATE = `POST ${TYPES}`
const STRIPE = { stripe_connected: true, paypal_connected: false }
const consultation = makeAppointmentType()
const UPDATE = `PATCH ${TYPES}/${consultation.id}`
const DELETE = `DELETE ${TYPES}/${consultation.id}`
const USAGE = `GET ${TYPES}/${consultation.id}/usage`
const PLACES = `GET /api/calendars/${CALENDAR_ID}/locations`
const WEEK = `GET /api/calendars/${CALENDAR_ID}/availability`
const OWN_PLACES = 'GET /api/locations'
const LOFT = makeLocation({ id: '00000000-0000-4000-8000-000000000602', name: 'Loft', address: null })

describe('the list', () => {
  test('each type shows name, length, price or fee note, place, description and whether it is online', async () => {
    const location = {
      id: CALENDAR_ID,
      name: 'Practice',
      address: '10 Harley Street',
      type: 'physical' as const,
    }
    const checkIn = makeAppointmentType({
      id: CALENDAR_ID,
      name: 'Check-in',
      is_online: true,
      description: null,
      fee_note: '€40, in cash',
    })
    renderPanel([
      makeAppointmentType({ price: 80, location, prepare_minutes: 15, wrap_up_minutes: 5 }),
      checkIn,
    ])
    const first = within(await screen.findByRole('article', { name: 'First consultation' }))
    expect(first.getByText('45 min')).toBeDefined()
    expect(first.getByText('15 min preparation, 5 min wrap-up')).toBeDefined()
    expect(first.getByText('€80.00')).toBeDefined()
    expect(first.getByText('Practice, 10 Harley Street')).toBeDefined()
    expect(first.getByText('History and a plan.')).toBeDefined()
    expect(first.queryByText('Online')).toBeNull()
    const second = within(screen.getByRole('article', { name: 'Check-in' }))
    expect(second.getByText('Online')).toBeDefined()
    expect(second.getByText('€40, in cash')).toBeDefined()
    expect(second.queryByText('€0.00')).toBeNull()
    expect(second.queryByText(/Riverside Practice/)).toBeNull()
  })

  test('a type without a location shows the primary one', async () => {
    renderPanel([consultation])
    const type = within(await screen.findByRole('article', { name: 'First consultation' }))
    expect(await type.findByText('Riverside Practice, 14 Wharf Lane (primary location)')).toBeDefined()
  })

  test('each type has its link, and one by link only says so. Source: rules T65 and T66', async () => {
    const { user } = renderPanel([
      consultation,
      makeAppointmentType({ id: CALENDAR_ID, name: 'Friends', is_listed: false }),
    ])
    const friends = within(await screen.findByRole('article', { name: 'Friends' }))
    expect(friends.getByText('By link only')).toBeDefined()
    expect(screen.getAllByText('By link only')).toHaveLength(1)
    await user.click(friends.getByRole('button', { name: 'Copy link to Friends' }))
    expect(await navigator.clipboard.readText()).toBe(`${CALENDAR.public_url}?type=${CALENDAR_ID}`)
  })

  test('taking a type off the booking page is sent as one change', async () => {
    const { user, api } = renderPanel([consultation])
    await user.click(await screen.findByRole('button', { name: 'Edit First consultation' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Appointment Type' }))
    expect(dialog.getByText('Every visitor of your booking page can book this type.')).toBeDefined()
    await user.click(dialog.getByRole('switch', { name: 'Listed on the booking page' }))
    expect(dialog.getByText(/Anyone with the link can book it and pass the link on/)).toBeDefined()
    api.answer(UPDATE, { ...consultation, is_listed: false })
    await user.click(dialog.getByRole('button', { name: 'Update' }))
    await waitFor(() =>
      expect(api.to(UPDATE)[0]?.body).toEqual({ is_listed: false, was: { is_listed: true } }),
    )
  })

  test('an empty list offers to create a type', async () => {
    const { user } = renderPanel([])
    expect(await screen.findByText('No appointment types created yet')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Create your first appointment type' }))
    expect(await screen.findByRole('dialog', { name: 'Create Appointment Type' })).toBeDefined()
  })

  test('shows that it is loading', () => {
    stubApi({ [LIST]: heldResponse({}).answer })
    renderComponent(<AppointmentTypesPanel calendar={CALENDAR} />)
    expect(screen.getByRole('heading', { name: 'Appointment Types' })).toBeDefined()
    expect(screen.getByText('Loading appointment types...')).toBeDefined()
  })

  test('shows an error when loading fails, and can be retried', async () => {
    const api = stubApi({ [LIST]: errorResponse('calendar.forbidden') })
    const { user } = renderComponent(<AppointmentTypesPanel calendar={CALENDAR} />)
    expect(await screen.findAllByText('Failed to load appointment types')).toHaveLength(1)
    api.answer(LIST, { appointment_types: [consultation] })
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('article', { name: 'First consultation' })).toBeDefined()
  })
})

describe('a new type', () => {
  test('starts with the defaults of rule C12, and is listed once created', async () => {
    const { user, api } = renderPanel([consultation])
    await user.click(await screen.findByRole('button', { name: 'Add Type' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Create Appointment Type' }))
    await enterText(user, dialog.getByLabelText(/^Name/), 'Follow-up')
    api.answer(CREATE, makeAppointmentType({ name: 'Follow-up' }))
    api.answer(LIST, {
      appointment_types: [consultation, makeAppointmentType({ id: 'x', name: 'Follow-up' })],
    })
    await user.click(dialog.getByRole('button', { name: 'Create' }))
    expect(await screen.findByText('Appointment type created!')).toBeDefined()
    expect(await screen.findByRole('article', { name: 'Follow-up' })).toBeDefined()
    expect(api.to(CREATE)[0]?.body).toEqual({
      name: 'Follow-up',
      duration: 30,
      prepare_minutes: 0,
      wrap_up_minutes: 0,
      start_step_minutes: null,
      is_packed: false,
      description: null,
      color: '#3498db',
      is_online: false,
      location_id: null,
      price: null,
      fee_note: null,
      stripe_price_id: null,
      payment_required: false,
      seats: null,
      shows_seats: true,
      is_listed: true,
      booking_window: null,
      policy: null,
      series_rule: null,
      booking_limits: [],
      hours: [],
    })
  })

  test.each([
    ['Name is required', '  ', '30'],
    [PROBLEMS['appointment_type.duration_too_short'].title, 'Talk', '4'],
    [PROBLEMS['appointment_type.duration_too_short'].title, 'Talk', ''],
    [PROBLEMS['appointment_type.duration_too_short'].title, 'Talk', '30.5'],
    ['Please use at most 1440 minutes.', 'Talk', '1441'],
  ])('%s (name %j, duration %j)', async (sentence, name, duration) => {
    const { user, api } = renderPanel([])
    await fillIn(user, { name, duration })
    expect(await screen.findByText(sentence)).toBeDefined()
    expect(api.to(CREATE)).toEqual([])
  })

  test('a refusal is shown once, in the form, and keeps typed text', async () => {
    const { user, api } = renderPanel([])
    api.answer(CREATE, errorResponse('server.unavailable'))
    await fillIn(user, { name: 'Talk', duration: '50' })
    const sentence = PROBLEMS['server.unavailable'].title
    expect(await screen.findAllByText(sentence, { exact: false })).toHaveLength(1)
    expect(screen.getByText(`Failed: ${sentence}`)).toBeDefined()
    expect(currentToast()).toBeNull()
    expect(screen.getByLabelText(/^Name/)).toHaveProperty('value', 'Talk')
    expect(screen.getByLabelText(/^Duration/)).toHaveProperty('value', '50')
  })

  test('a double press creates one type', async () => {
    const { user, api } = renderPanel([])
    const held = heldResponse(consultation)
    api.answer(CREATE, held.answer)
    await fillIn(user, { name: 'Talk', duration: '50' })
    await user.click(await screen.findByRole('button', { name: 'Creating...' }))
    held.release()
    expect(await screen.findByText('Appointment type created!')).toBeDefined()
    expect(api.to(CREATE)).toHaveLength(1)
  })

  test('without a payment provider no price can be set, and the hint says why', async () => {
    const { user } = renderPanel([])
    await user.click(await screen.findByRole('button', { name: 'Add Type' }))
    await screen.findByRole('dialog')
    for (const label of ['Price (€)', 'Stripe price ID', 'Payment required']) {
      expect(screen.getByLabelText(label)).toHaveProperty('disabled', true)
    }
    expect(screen.queryByText(/saving removes the price/)).toBeNull()
    const way = screen.getByRole('link', {
      name: 'Connect Stripe or PayPal in Payment Settings to set prices.',
    })
    expect(way.getAttribute('href')).toBe(`/calendar/${CALENDAR_ID}/settings?tab=payments`)
  })

  test('an account that is connected in another tab is noticed when the owner comes back', async () => {
    const { api } = renderPanel([])
    await screen.findByRole('button', { name: 'Add Type' })
    const before = api.to(LIST).length
    window.dispatchEvent(new Event('visibilitychange'))
    await waitFor(() => expect(api.to(LIST)).toHaveLength(before + 1))
  })

  test('without a payment provider a fee note can be written, and the form says that the price goes', async () => {
    const { user, api } = renderPanel([makeAppointmentType({ price: 80 })])
    await user.click(await screen.findByRole('button', { name: 'Edit First consultation' }))
    const note = await screen.findByLabelText('Fee note')
    expect(screen.getByText(/^No payment account is connected, so saving removes the price/)).toBeDefined()
    expect(note).toHaveProperty('maxLength', 80)
    await enterText(user, note, ' €90, paid at the appointment ')
    api.answer(UPDATE, consultation)
    await user.click(screen.getByRole('button', { name: 'Update' }))
    expect(await screen.findByText('Appointment type updated!')).toBeDefined()
    expect(api.to(UPDATE)[0]?.body).toEqual({
      price: null,
      fee_note: '€90, paid at the appointment',
      was: { price: 80, fee_note: null },
    })
  })

  async function fillIn(
    user: ReturnType<typeof renderPanel>['user'],
    { name, duration }: { name: string; duration: string },
  ) {
    await user.click(await screen.findByRole('button', { name: 'Add Type' }))
    const dialog = within(await screen.findByRole('dialog'))
    await enterText(user, dialog.getByLabelText(/^Name/), name)
    await user.clear(dialog.getByLabelText(/^Duration/))
    if (duration !== '') await user.type(dialog.getByLabelText(/^Duration/), duration)
    await user.click(dialog.getByRole('button', { name: 'Create' }))
  }
})

describe('editing', () => {
  test('starts with the stored values and sends the changes with their previous values', async () => {
    const { user, api } = renderPanel([consultation])
    const dialog = await openEditor(user)
    expect(dialog.getByLabelText(/^Name/)).toHaveProperty('value', 'First consultation')
    expect(dialog.getByLabelText(/^Duration/)).toHaveProperty('value', '45')
    await enterText(user, dialog.getByLabelText(/^Name/), ' (long)')
    await user.click(dialog.getByRole('switch', { name: 'Online' }))
    api.answer(UPDATE, consultation)
    await user.click(dialog.getByRole('button', { name: 'Update' }))
    expect(await screen.findByText('Appointment type updated!')).toBeDefined()
    expect(api.to(UPDATE)[0]?.body).toEqual({
      name: 'First consultation (long)',
      is_online: true,
      was: { name: 'First consultation', is_online: false },
    })
  })

  test('the button shows that it is saving, and a refusal is shown', async () => {
    const { user, api } = renderPanel([consultation])
    const dialog = await openEditor(user)
    const held = heldResponse(errorResponse('appointment_type.not_found'))
    api.answer(UPDATE, held.answer)
    await user.click(dialog.getByRole('button', { name: 'Update' }))
    expect(await dialog.findByRole('button', { name: 'Updating...' })).toBeDefined()
    held.release()
    expect(await screen.findByText('Failed: Appointment type not found')).toBeDefined()
  })

  test('preparation and wrap-up are folded away, with an example in words', async () => {
    const { user, api } = renderPanel([makeAppointmentType({ duration: 60 })])
    const dialog = await openEditor(user)
    const preparation = dialog.getByLabelText(/^Preparation/)
    const fold = preparation.closest('details')
    expect(fold?.open).toBe(false)
    await user.click(dialog.getByText('Preparation and wrap-up'))
    expect(fold?.open).toBe(true)
    await user.clear(preparation)
    await user.type(preparation, '15')
    await user.clear(dialog.getByLabelText(/^Wrap-up/))
    await user.type(dialog.getByLabelText(/^Wrap-up/), '5')
    const example = 'You’re busy from 9:45 AM to 11:05 AM for an appointment from 10:00 AM to 11:00 AM.'
    expect(dialog.getByText(example, { exact: false })).toBeDefined()
    api.answer(UPDATE, consultation)
    await user.click(dialog.getByRole('button', { name: 'Update' }))
    expect(await screen.findByText('Appointment type updated!')).toBeDefined()
    expect(api.to(UPDATE)[0]?.body).toEqual({
      prepare_minutes: 15,
      wrap_up_minutes: 5,
      was: { prepare_minutes: 0, wrap_up_minutes: 0 },
    })
  })

  test('minutes of preparation that the server refuses are refused in the form, unfolded', async () => {
    const { user, api } = renderPanel([makeAppointmentType({ prepare_minutes: 10 })])
    const dialog = await openEditor(user)
    const preparation = dialog.getByLabelText(/^Preparation/)
    expect(preparation.closest('details')?.open).toBe(true)
    await user.click(dialog.getByText('Preparation and wrap-up'))
    await user.clear(preparation)
    await user.type(preparation, '12')
    await user.click(dialog.getByRole('button', { name: 'Update' }))
    expect(await dialog.findByText('Please use 0 to 240 minutes, in steps of 5.')).toBeDefined()
    expect(preparation.closest('details')?.open).toBe(true)
    expect(api.to(UPDATE)).toEqual([])
  })

  test('seats are folded until a type has some, with a sentence in words and the server’s refusal', async () => {
    const { user, api } = renderPanel([consultation])
    const dialog = await openEditor(user)
    const seats = dialog.getByLabelText('Seats per session')
    expect(seats.closest('details')?.open).toBe(false)
    await user.click(dialog.getByText('Group sessions'))
    expect(dialog.getByText('Leave this empty if each appointment is for one customer.')).toBeDefined()
    expect(dialog.queryByLabelText('Show customers how many seats are left')).toBeNull()
    await user.type(seats, '8')
    expect(dialog.getByText(/^Up to 8 customers can book the same time\./)).toBeDefined()
    await user.click(dialog.getByLabelText('Show customers how many seats are left'))
    const message = '9 seats of a session are taken. Please keep at least 9 seats.'
    api.answer(UPDATE, errorResponse('request.invalid', [{ path: 'seats', message }]))
    await user.click(dialog.getByRole('button', { name: 'Update' }))
    expect(await dialog.findByText(message)).toBeDefined()
    api.answer(UPDATE, { ...consultation, seats: 8, shows_seats: false })
    await user.click(dialog.getByRole('button', { name: 'Update' }))
    expect(await screen.findByText('Appointment type updated!')).toBeDefined()
    expect(api.to(UPDATE)[1]?.body).toEqual({
      seats: 8,
      shows_seats: false,
      was: { seats: null, shows_seats: true },
    })
  })

  test('series of customers are folded until a type offers some, said in words, and refused for group sessions', async () => {
    const { user, api } = renderPanel([consultation])
    const dialog = await openEditor(user)
    expect(dialog.getByText('Repeats').closest('details')?.open).toBe(false)
    await user.click(dialog.getByText('Repeats'))
    expect(dialog.getByText('Customers book one appointment at a time.')).toBeDefined()
    await user.click(dialog.getByLabelText('Every 4 weeks'))
    await user.click(dialog.getByLabelText('Every week'))
    expect(
      dialog.getByText(
        /^Customers can repeat an appointment every week or every 4 weeks, up to 10 dates at once\./,
      ),
    ).toBeDefined()
    const most = dialog.getByRole('spinbutton', { name: 'Most dates at once' })
    await user.clear(most)
    await user.type(most, '53')
    await user.click(dialog.getByRole('button', { name: 'Update' }))
    expect(await dialog.findByText('Please enter 2 to 52 dates.')).toBeDefined()
    expect(api.to(UPDATE)).toEqual([])
    await user.clear(most)
    await user.type(most, '6')
    const series_rule = { every_weeks: [1, 4], most_dates: 6 }
    api.answer(UPDATE, { ...consultation, series_rule })
    await user.click(dialog.getByRole('button', { name: 'Update' }))
    expect(await screen.findByText('Appointment type updated!')).toBeDefined()
    expect(api.to(UPDATE)[0]?.body).toEqual({ series_rule, was: { series_rule: null } })
  })

  test('limits of a type are folded until it has one', async () => {
    const { user, api } = renderPanel([consultation])
    const dialog = await openEditor(user)
    const fold = dialog.getByText('Limits').closest('details')
    expect(fold?.open).toBe(false)
    await user.click(dialog.getByText('Limits'))
    await user.click(dialog.getByRole('button', { name: 'Add limit' }))
    const most = dialog.getByRole('spinbutton', { name: 'At most' })
    await user.clear(most)
    await user.type(most, '2')
    const booking_limits = [{ most: 2, unit: 'appointments', period: 'day' }]
    api.answer(UPDATE, { ...consultation, booking_limits })
    await user.click(dialog.getByRole('button', { name: 'Update' }))
    expect(await screen.findByText('Appointment type updated!')).toBeDefined()
    expect(api.to(UPDATE)[0]?.body).toEqual({ booking_limits, was: { booking_limits: [] } })
  })

  test('start times are folded until a type has its own, and said in words', async () => {
    const { user, api } = renderPanel([consultation])
    const dialog = await openEditor(user)
    expect(await dialog.findByText(/leaves 15 minutes free before the next start/)).toBeDefined()
    const fold = dialog.getByText('Start times').closest('details')
    expect(fold?.open).toBe(false)
    await user.click(dialog.getByText('Start times'))
    await user.click(dialog.getByRole('combobox', { name: 'Appointments start' }))
    await user.click(await screen.findByRole('option', { name: 'One after the other, without a gap' }))
    expect(dialog.getByText('Customers can start every 45 minutes.')).toBeDefined()
    expect(dialog.queryByText(/minutes free before the next start/)).toBeNull()
    const changes = { start_step_minutes: 0 }
    api.answer(UPDATE, { ...consultation, ...changes })
    await user.click(dialog.getByRole('button', { name: 'Update' }))
    expect(await screen.findByText('Appointment type updated!')).toBeDefined()
    expect(api.to(UPDATE)[0]?.body).toEqual({ ...changes, was: { start_step_minutes: null } })
  })

  test('hours of a type are folded until it has some, said in words, and refused at once when they overlap', async () => {
    const { user, api } = renderPanel([consultation])
    const dialog = await openEditor(user)
    const fold = dialog.getByText('Own hours').closest('details')
    expect(fold?.open).toBe(false)
    await user.click(dialog.getByText('Own hours'))
    expect(dialog.getByText('Customers can book this type whenever the calendar is open.')).toBeDefined()
    await user.click(dialog.getByRole('button', { name: 'Add hours' }))
    await user.click(dialog.getByRole('button', { name: 'Add hours' }))
    const sentence =
      'Customers can book this type on Monday 9:00 AM – 5:00 PM; Tuesday 9:00 AM – 5:00 PM, when the calendar is open too.'
    expect(dialog.getByText(sentence)).toBeDefined()
    const [, second] = dialog.getAllByRole('group', { name: /^Time range/ }).map((range) => within(range))
    if (second === undefined) throw new Error('two ranges were added')
    await user.click(second.getByRole('combobox', { name: 'Day' }))
    await user.click(await screen.findByRole('option', { name: 'Monday' }))
    expect(dialog.getByText(PROBLEMS['availability.overlap'].title)).toBeDefined()
    fireEvent.change(second.getByLabelText('Start time'), { target: { value: '17:00' } })
    fireEvent.change(second.getByLabelText('End time'), { target: { value: '19:30' } })
    expect(dialog.queryByText(PROBLEMS['availability.overlap'].title)).toBeNull()
    const hours = [
      { day_of_week: 1, start_time: '09:00:00', end_time: '17:00:00' },
      { day_of_week: 1, start_time: '17:00:00', end_time: '19:30:00' },
    ]
    api.answer(UPDATE, { ...consultation, hours })
    await user.click(dialog.getByRole('button', { name: 'Update' }))
    expect(await screen.findByText('Appointment type updated!')).toBeDefined()
    expect(api.to(UPDATE)[0]?.body).toEqual({ hours, was: { hours: [] } })
  })

  test('warns about a price that saving would remove', async () => {
    const { user } = renderPanel([makeAppointmentType({ price: 80 })])
    const dialog = await openEditor(user)
    const warning = dialog.getByText(/^Saving removes the price of €80\.00/)
    const order = warning.compareDocumentPosition(dialog.getByLabelText(/^Name/))
    expect(order).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  })

  test('warns about a duration that fits no slot or leaves gaps, while it is typed', async () => {
    const { user } = renderPanel([consultation])
    const dialog = await openEditor(user)
    const sentence = /^With this duration, the type leaves 15 minutes free before the next start\./
    expect(await dialog.findByText(sentence)).toBeDefined()
    const duration = dialog.getByLabelText(/^Duration/)
    await user.clear(duration)
    await user.type(duration, '150')
    expect(dialog.getByText(/^With this duration.* longer than 120 minutes\./)).toBeDefined()
    await user.clear(duration)
    await user.type(duration, '60')
    expect(dialog.queryByText(/^With this duration/)).toBeNull()
  })

  test('does not warn about a duration that the field refuses', async () => {
    const { user } = renderPanel([consultation])
    const dialog = await openEditor(user)
    await dialog.findByText(/^With this duration/)
    const duration = dialog.getByLabelText(/^Duration/)
    await user.clear(duration)
    await user.type(duration, '4')
    expect(dialog.queryByText(/^With this duration/)).toBeNull()
  })

  test('a number is checked when its field is left, a name only when it is sent', async () => {
    const { user } = renderPanel([consultation])
    const dialog = await openEditor(user)
    await user.clear(dialog.getByLabelText(/^Name/))
    await user.clear(dialog.getByLabelText(/^Duration/))
    await user.tab()
    expect(await dialog.findByText(PROBLEMS['appointment_type.duration_too_short'].title)).toBeDefined()
    expect(dialog.queryByText('Name is required')).toBeNull()
  })

  test('after cancelling, starts with the stored values again', async () => {
    const { user } = renderPanel([consultation])
    const first = await openEditor(user)
    await enterText(user, first.getByLabelText(/^Name/), ' changed')
    await user.click(first.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const second = await openEditor(user)
    expect(second.getByLabelText(/^Name/)).toHaveProperty('value', 'First consultation')
  })

  async function openEditor(user: ReturnType<typeof renderPanel>['user']) {
    await user.click(await screen.findByRole('button', { name: 'Edit First consultation' }))
    return within(await screen.findByRole('dialog', { name: 'Edit Appointment Type' }))
  }
})

describe('the place', () => {
  test('can be a location of the calendar, another of the owner, or none, which means the primary one', async () => {
    const { user, api } = renderPanel([consultation])
    await user.click(await screen.findByRole('button', { name: 'Edit First consultation' }))
    expect(await screen.findByText('Primary location (Riverside Practice)')).toBeDefined()
    await user.click(screen.getByRole('combobox', { name: 'Location' }))
    const options = await screen.findAllByRole('option')
    expect(options.map((option) => option.textContent)).toEqual([
      'Primary location (Riverside Practice)',
      'Riverside Practice, 14 Wharf Lane',
      'Loft',
    ])
    await user.click(screen.getByRole('option', { name: 'Loft' }))
    api.answer(UPDATE, consultation)
    await user.click(screen.getByRole('button', { name: 'Update' }))
    expect(await screen.findByText('Appointment type updated!')).toBeDefined()
    expect(api.to(UPDATE)[0]?.body).toMatchObject({ location_id: LOFT.id, was: { location_id: null } })
  })

  test('is hidden for an online type', async () => {
    const { user } = renderPanel([consultation])
    await user.click(await screen.findByRole('button', { name: 'Edit First consultation' }))
    expect(await screen.findByRole('combobox', { name: 'Location' })).toBeDefined()
    await user.click(screen.getByRole('switch', { name: 'Online' }))
    expect(screen.queryByRole('combobox', { name: 'Location' })).toBeNull()
  })
})

describe('with a payment provider', () => {
  test.each([
    ['Stripe', STRIPE, 'price_9'],
    ['PayPal', { stripe_connected: false, paypal_connected: true }, null],
  ])('%s, a price can be set, and a Stripe price id with Stripe only', async (_, providers, priceId) => {
    const { user, api } = renderPanel([], providers)
    await user.click(await screen.findByRole('button', { name: 'Add Type' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.queryByText(/^Connect Stripe or PayPal/)).toBeNull()
    await enterText(user, dialog.getByLabelText(/^Name/), 'Massage')
    await enterText(user, dialog.getByLabelText('Price (€)'), '19.99')
    expect(dialog.getByLabelText('Stripe price ID')).toHaveProperty('disabled', priceId === null)
    if (priceId !== null) await user.type(dialog.getByLabelText('Stripe price ID'), priceId)
    await user.click(dialog.getByLabelText('Payment required'))
    api.answer(CREATE, consultation)
    await user.click(dialog.getByRole('button', { name: 'Create' }))
    expect(await screen.findByText('Appointment type created!')).toBeDefined()
    expect(api.to(CREATE)[0]?.body).toMatchObject({
      price: 19.99,
      stripe_price_id: priceId,
      payment_required: true,
    })
  })

  test('a price may have a decimal comma', async () => {
    const { user, api } = renderPanel([consultation], STRIPE)
    await user.click(await screen.findByRole('button', { name: 'Edit First consultation' }))
    const price = await screen.findByLabelText('Price (€)')
    // A number field would ignore a decimal comma: 69,50 became 6950.
    expect(price).toHaveProperty('type', 'text')
    expect(price).toHaveProperty('inputMode', 'decimal')
    await user.type(price, '69,50')
    api.answer(UPDATE, consultation)
    await user.click(screen.getByRole('button', { name: 'Update' }))
    expect(await screen.findByText('Appointment type updated!')).toBeDefined()
    expect(api.to(UPDATE)[0]?.body).toEqual({ price: 69.5, was: { price: null } })
  })

  test('a fee note is hidden while there is a price, kept when the price is removed, and saved without one', async () => {
    const { user, api } = renderPanel([makeAppointmentType({ fee_note: '€90' })], STRIPE)
    await user.click(await screen.findByRole('button', { name: 'Edit First consultation' }))
    await enterText(user, await screen.findByLabelText('Fee note'), ' in cash')
    const price = screen.getByLabelText('Price (€)')
    await user.type(price, '9')
    expect(screen.queryByLabelText('Fee note')).toBeNull()
    await user.clear(price)
    expect(screen.getByLabelText('Fee note')).toHaveProperty('value', '€90 in cash')
    await user.type(price, '90')
    api.answer(UPDATE, consultation)
    await user.click(screen.getByRole('button', { name: 'Update' }))
    expect(await screen.findByText('Appointment type updated!')).toBeDefined()
    expect(api.to(UPDATE)[0]?.body).toEqual({
      price: 90,
      fee_note: null,
      was: { price: null, fee_note: '€90' },
    })
  })

  test('a stored price is shown with its decimals and can be removed', async () => {
    const { user, api } = renderPanel([makeAppointmentType({ price: 69.5 })], STRIPE)
    await user.click(await screen.findByRole('button', { name: 'Edit First consultation' }))
    const price = await screen.findByLabelText('Price (€)')
    expect(price).toHaveProperty('value', '69.50')
    await user.clear(price)
    api.answer(UPDATE, consultation)
    await user.click(screen.getByRole('button', { name: 'Update' }))
    expect(await screen.findByText('Appointment type updated!')).toBeDefined()
    expect(api.to(UPDATE)[0]?.body).toEqual({ price: null, was: { price: 69.5 } })
  })

  test.each([
    ['1.234,50', UNCLEAR_AMOUNT_MESSAGE],
    ['0.001', UNCLEAR_AMOUNT_MESSAGE],
    ['100000,01', 'Please enter a price from 0.00 to 100,000.00 with at most two decimals.'],
  ])('the price %s is refused under its field', async (typed, sentence) => {
    const { user, api } = renderPanel([consultation], STRIPE)
    await user.click(await screen.findByRole('button', { name: 'Edit First consultation' }))
    await enterText(user, await screen.findByLabelText('Price (€)'), typed)
    await user.click(screen.getByRole('button', { name: 'Update' }))
    expect(await screen.findByText(sentence)).toBeDefined()
    expect(api.to(UPDATE)).toEqual([])
  })
})

test('after a change in another window, shows it, keeps typed text, and saving again overwrites only the typed fields', async () => {
  const { user, api } = renderPanel([consultation])
  await user.click(await screen.findByRole('button', { name: 'Edit First consultation' }))
  const dialog = within(await screen.findByRole('dialog'))
  await enterText(user, dialog.getByLabelText(/^Name/), ' (long)')
  api.answer(
    UPDATE,
    errorResponse('request.changed_meanwhile', [
      { path: 'duration', message: 'This was changed in another window.' },
    ]),
  )
  const changed = makeAppointmentType({ name: 'Intake', duration: 60, price: 40 })
  api.answer(LIST, { appointment_types: [changed], stripe_connected: false, paypal_connected: true })
  await user.click(dialog.getByRole('button', { name: 'Update' }))
  const notice = await dialog.findByRole('alert')
  expect(notice.textContent).toContain('This was changed in another window.')
  expect(screen.queryByText(/^Failed/)).toBeNull()
  const told = within(notice).getAllByRole('definition')
  expect(told.map(({ textContent }) => textContent)).toEqual(['Intake', '60', '€40.00'])
  expect(dialog.getByLabelText(/^Duration/)).toHaveProperty('value', '60')
  expect(dialog.getByLabelText(/^Name/)).toHaveProperty('value', 'First consultation (long)')
  api.answer(UPDATE, changed)
  await user.click(dialog.getByRole('button', { name: 'Update' }))
  expect(await screen.findByText('Appointment type updated!')).toBeDefined()
  expect(api.to(UPDATE)[1]?.body).toEqual({
    name: 'First consultation (long)',
    was: { name: 'Intake' },
  })
})

describe('deleting', () => {
  test.each([
    [0, 'It has no future appointments.'],
    [1, 'Its future appointment stays as booked.'],
    [7, 'Its 7 future appointments stay as booked.'],
  ])('explains what happens to %d upcoming appointments', async (future_appointments, sentence) => {
    const { user, api } = renderPanel([consultation])
    api.answer(USAGE, { future_appointments })
    const question = await ask(user)
    expect(await question.findByText(sentence)).toBeDefined()
  })

  test('asks for a confirmation, then deletes the type', async () => {
    const { user, api } = renderPanel([consultation])
    const question = await ask(user)
    expect(question.getByText('Are you sure you want to delete this appointment type?')).toBeDefined()
    api.answer(DELETE, undefined)
    api.answer(LIST, { appointment_types: [] })
    const before = api.to(OFFERED_TIMES).length
    await user.click(question.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Appointment type deleted successfully')).toBeDefined()
    expect(await screen.findByText('No appointment types created yet')).toBeDefined()
    await waitFor(() => expect(api.to(OFFERED_TIMES).length).toBeGreaterThan(before))
  })

  test('cancelling sends nothing', async () => {
    const { user, api } = renderPanel([consultation])
    const question = await ask(user)
    await user.click(question.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(api.to(DELETE)).toEqual([])
  })

  test('a refusal shows the reason', async () => {
    const { user, api } = renderPanel([consultation])
    const question = await ask(user)
    api.answer(DELETE, errorResponse('server.unexpected'))
    await user.click(question.getByRole('button', { name: 'Delete' }))
    const sentence = 'Failed to delete appointment type: Something went wrong. Please try again.'
    expect(await screen.findByText(sentence)).toBeDefined()
  })

  async function ask(user: ReturnType<typeof renderPanel>['user']) {
    await user.click(await screen.findByRole('button', { name: 'Delete First consultation' }))
    return within(await screen.findByRole('alertdialog'))
  }
})

function renderPanel(
  types: ReturnType<typeof makeAppointmentType>[],
  providers = { stripe_connected: false, paypal_connected: false },
) {
  const api = stubApi({
    [LIST]: { appointment_types: types, ...providers },
    [PLACES]: { calendar_locations: [makeCalendarLocation()], withdrawn: [] },
    [OWN_PLACES]: { locations: [makeLocation(), LOFT] },
    [USAGE]: { future_appointments: 0 },
    [WEEK]: {
      ...NEW_SLOT_SETTINGS,
      availability: [],
      appointment_types: [],
    },
    [OFFERED_TIMES]: {},
  })
  const { user } = renderComponent(
    <>
      <AppointmentTypesPanel calendar={CALENDAR} />
      <OfferedTimes />
    </>,
  )
  return { user, api }
}
