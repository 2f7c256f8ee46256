// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import type { AppointmentRow, AppointmentsResponse } from '#contract/appointments/appointments.ts'
import { enterText } from '#web/testing/enter-text.ts'
import { CALENDAR_ID, makeAppointment } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, heldResponse, type SentRequest, stubApi } from '#web/testing/stub-api.ts'
import { AppointmentsCard } from './appointments-card.tsx'
import { type AppointmentsView, DEFAULT_APPOINTMENTS_VIEW } from './appointments-view.ts'
import { setRowDensity } from './row-density.ts'

const LIST = `GET /api/calendars/${CALENDAR_ID}/appointments`

describe('a compact row', () => {
  test('it shows the date above it, time and length, customer, type with its place, and the badges', async () => {
    const appointment = makeAppointment({ payment_status: 'pending' })
    renderCard(answerWith([appointment]))
    const row = within(await screen.findByRole('article', { name: 'Ada Lovelace, December 1, 2026' }))
    expect(screen.getByRole('heading', { name: /December 1, 2026/ })).toBeDefined()
    expect(row.getByText('9:30 AM').closest('time')?.dateTime).toBe('2026-12-01T09:30:00Z')
    expect(row.getByText('45 min')).toBeDefined()
    expect(row.getByRole('button', { name: 'Ada Lovelace' }).title).toBe('Ada Lovelace')
    expect(row.getByText('First consultation · Harley Street Practice')).toBeDefined()
    for (const badge of ['Confirmed', 'Unpaid']) expect(row.getByText(badge)).toBeDefined()
    // The price is beside the badges, or beside the service where the row is narrow. CSS hides the other.
    expect(row.getAllByText(/€40.00$/).map(({ textContent }) => textContent)).toEqual(['· €40.00', '€40.00'])
    // The time zone is shown once, above the rows.
    expect(row.queryByText('London time (GMT)')).toBeNull()
    expect(screen.getByText('London time (GMT)')).toBeDefined()
    for (const detail of ['ada@example.org', 'Client #C1764000000000', 'Since last week.']) {
      expect(row.queryByText(detail)).toBeNull()
    }
  })

  test.each([
    ['Online session', 'Online session'],
    ['First consultation', 'First consultation · Online'],
  ])('an online appointment says so once: %s', async (name, line) => {
    const type = { name, is_online: true, price: null, location: null }
    renderCard(answerWith([makeAppointment({ is_online: true, location: null, appointment_types: type })]))
    expect(await screen.findByText(line)).toBeDefined()
  })

  test('half of whose payment went back says so and does not say that it is paid', async () => {
    const refund = { returned: 20, due: 20, percent: 50, failure: null, by_hand: false }
    renderCard(answerWith([makeAppointment({ status: 'cancelled', payment_status: 'paid', refund })]))
    const row = within(await screen.findByRole('article'))
    expect(row.getByText('Cancelled')).toBeDefined()
    expect(row.getByText('Partly refunded')).toBeDefined()
    expect(row.queryByText('Paid')).toBeNull()
  })

  test('rows of a day are under one heading, and each day has its own', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-27T12:00:00Z') })
    const ids = ['1', '2', '3'].map((digit) => makeAppointment().id.slice(0, -1) + digit)
    const [one, two, other] = ids.map((id) => makeAppointment({ id }))
    if (one === undefined || two === undefined || other === undefined) throw new Error('three were made')
    renderCard(answerWith([one, two, { ...other, date: '2026-12-02', starts_at: '2026-12-02T09:30:00Z' }]))
    await screen.findAllByRole('article')
    const headings = screen.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)
    expect(headings).toEqual(['Tuesday, December 1, 2026London time (GMT)', 'Wednesday, December 2, 2026'])
  })

  test.each([
    ['a request to cancel is reviewed', { status: 'pending_cancellation' }, 'Review'],
    ['a paid hold is confirmed', { status: 'pending_payment', payment_status: 'paid' }, 'Confirm'],
    ['an unpaid one is marked as paid', { payment_status: 'pending' }, 'Mark as Paid'],
    ['a cancelled one is restored', { status: 'cancelled', payment_status: 'pending' }, 'Restore'],
    ['one to come is moved', {}, 'Move'],
  ] as const)('its main action: %s', async (_what, state, label) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-30T12:00:00Z') })
    renderCard(answerWith([makeAppointment(state)]))
    const row = within(await screen.findByRole('article'))
    const buttons = row
      .getAllByRole('button')
      .map((button) => button.textContent || button.getAttribute('aria-label'))
    expect(buttons).toEqual(['Ada Lovelace', label, 'Actions for Ada Lovelace'])
  })

  test('its menu has every action', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-30T12:00:00Z') })
    const { user } = renderCard(answerWith([makeAppointment({ payment_status: 'pending' })]))
    await user.click(await screen.findByRole('button', { name: 'Actions for Ada Lovelace' }))
    const items = await screen.findAllByRole('menuitem')
    expect(items.map((item) => item.textContent)).toEqual([
      'Move',
      'Cancel',
      'Mark as Paid',
      'Mark as Failed',
      'Mark as Not Required',
    ])
  })
})

describe('comfortable rows', () => {
  test('have everything in the row, and the choice is remembered', async () => {
    const { user } = renderCard(answerWith([makeAppointment()]))
    await user.click(await screen.findByRole('combobox', { name: 'Rows' }))
    await user.click(await screen.findByRole('option', { name: 'Comfortable' }))
    const row = within(await screen.findByRole('article'))
    expect(row.getByText('ada@example.org')).toBeDefined()
    expect(row.getByRole('button', { name: 'Cancel' })).toBeDefined()
    expect(screen.getByText('London time (GMT)')).toBeDefined()
    cleanup()
    renderCard(answerWith([makeAppointment()]))
    expect(within(await screen.findByRole('article')).getByText('Since last week.')).toBeDefined()
    setRowDensity('compact')
  })
})

describe('the details of an appointment', () => {
  test('they show date, times with their zone, customer, type, place and description', async () => {
    const details = await renderDetails(makeAppointment())
    expect(details.getByText('December 1, 2026')).toBeDefined()
    expect(details.getByText('9:30 AM').closest('time')?.dateTime).toBe('2026-12-01T09:30:00Z')
    expect(details.getByText('10:15 AM')).toBeDefined()
    expect(details.getByText('Tuesday')).toBeDefined()
    expect(details.getByText('London time (GMT)')).toBeDefined()
    expect(details.getByText('“My back”')).toBeDefined()
    expect(details.getByText('Ada Lovelace')).toBeDefined()
    expect(details.getByText('Client #C1764000000000').className).toContain('rounded-full')
    // Find the link by its text, because happy-dom treats a <wbr> as a block and puts a space into the accessible name.
    expect(details.getByText('ada@example.org').closest('a')?.getAttribute('href')).toBe(
      'mailto:ada@example.org',
    )
    expect(details.getByRole('link', { name: '+44 20 7946 0958' }).getAttribute('href')).toBe(
      'tel:+442079460958',
    )
    expect(details.getByText('+44 20 7946 0958').dir).toBe('ltr')
    expect(details.getByText('First consultation')).toBeDefined()
    expect(details.getByText('€40.00')).toBeDefined()
    expect(details.getByText('Harley Street Practice, 10 Harley Street, London')).toBeDefined()
    expect(details.getByText('Since last week.')).toBeDefined()
    expect(details.queryByText('Online')).toBeNull()
  })

  test('a customer without name and address is said to be so', async () => {
    const customers = {
      id: '77777777-7777-4777-8777-777777777778',
      name: '',
      email: '',
      phone: null,
      phone_numbers: [],
      client_id: 'C1',
    }
    const details = await renderDetails(makeAppointment({ customers }))
    expect(details.getByText('Unknown')).toBeDefined()
    expect(details.getByText('No email')).toBeDefined()
    expect(details.getAllByRole('link').map((link) => link.textContent)).toEqual([
      'All appointments of this customer',
    ])
  })

  test('an online type is marked, and nothing is shown for a price of nothing', async () => {
    const agreed = { is_online: true, price: 0, location: null }
    const type = { name: 'Check-in', ...agreed }
    const details = await renderDetails(makeAppointment({ appointment_types: type, ...agreed }))
    expect(details.getByText('Online')).toBeDefined()
    expect(details.queryByText(/€/)).toBeNull()
  })

  test('the fee note of a type without a price is shown in its place', async () => {
    const details = await renderDetails(makeAppointment({ price: null, fee_note: '€90, in cash' }))
    expect(details.getByText('€90, in cash').previousElementSibling?.textContent).toBe('Price')
  })

  test('without a type it shows the title, and the place, Online and the price all the same', async () => {
    const agreed = { is_online: true, price: 40, currency: 'gbp' }
    const details = await renderDetails(makeAppointment({ appointment_types: null, ...agreed }))
    expect(details.getByText('My back')).toBeDefined()
    expect(details.getByText('Harley Street Practice, 10 Harley Street, London')).toBeDefined()
    expect(details.getByText('Online')).toBeDefined()
    expect(details.getByText('£40.00')).toBeDefined()
  })

  test.each([
    ['confirmed', 'not_required', 'Confirmed', 'No payment required'],
    ['cancelled', 'refunded', 'Cancelled', 'Refunded'],
    ['pending_cancellation', 'paid', 'Cancellation pending', 'Paid'],
    ['pending_payment', 'pending', 'Awaiting payment', 'Unpaid'],
    ['cancelled', 'failed', 'Cancelled', 'Payment failed'],
  ] as const)('%s and %s read "%s" and "%s"', async (status, payment_status, first, second) => {
    const details = await renderDetails(makeAppointment({ status, payment_status }))
    expect(details.getByText(first)).toBeDefined()
    expect(details.getByText(second)).toBeDefined()
  })

  test('what was paid in a sandbox says that no real money moved', async () => {
    const details = await renderDetails(makeAppointment({ payment_status: 'paid', paid_in_sandbox: true }))
    expect(details.getByText('Paid')).toBeDefined()
    expect(details.getByText('Sandbox: no real money moves')).toBeDefined()
  })

  test('booking reference and payment id are copied', async () => {
    const { user } = renderOpen(makeAppointment({ stripe_payment_intent_id: 'pi_123' }))
    await user.click(await screen.findByRole('button', { name: 'Copy booking reference BK-1764000000000' }))
    expect(await screen.findByText('Booking reference copied to clipboard')).toBeDefined()
    expect(await navigator.clipboard.readText()).toBe('BK-1764000000000')
    await user.click(screen.getByRole('button', { name: 'Copy payment id pi_123' }))
    expect(await screen.findByText('Payment ID copied to clipboard')).toBeDefined()
    expect(await navigator.clipboard.readText()).toBe('pi_123')
  })

  async function renderDetails(appointment: AppointmentRow) {
    renderOpen(appointment)
    await screen.findByRole('article')
    return within(screen.getByRole('region', { name: 'Appointment' }))
  }

  function renderOpen(appointment: AppointmentRow) {
    stubApi({ [LIST]: answerWith([appointment]) })
    const choice = { ...DEFAULT_APPOINTMENTS_VIEW, appointment: appointment.id }
    return renderComponent(<AppointmentsCard calendarId={CALENDAR_ID} choice={choice} />)
  }
})

describe('the filter', () => {
  test.each([
    ['Upcoming', 'upcoming', "You don't have any upcoming appointments."],
    ['Past', 'past', "You don't have any past appointments."],
    ['All appointments', 'all', "You don't have any appointments yet."],
  ])('%s asks for %s and has an empty state of its own', async (label, filter, hint) => {
    const { user, api } = renderCard(answerWith([]))
    await choose(user, label)
    expect(await screen.findByText(hint)).toBeDefined()
    expect(screen.getByText('No appointments found')).toBeDefined()
    expect(api.sent.at(-1)?.search.get('filter')).toBe(filter)
  })

  test('changing it starts at the first page again', async () => {
    const { user, api } = renderCard(pageOf(30))
    await user.click(await screen.findByRole('button', { name: 'Page 3' }))
    await choose(user, 'All appointments')
    await screen.findByText('all 1')
    const { search } = api.sent.at(-1) ?? {}
    expect([search?.get('filter'), search?.get('page')]).toEqual(['all', '1'])
  })

  async function choose(user: ReturnType<typeof renderCard>['user'], label: string) {
    await user.click(screen.getByRole('combobox', { name: 'Show' }))
    await user.click(await screen.findByRole('option', { name: label }))
  }
})

describe('pages', () => {
  test('there are as many as the total fills, and each is asked for by its number', async () => {
    const { user } = renderCard(pageOf(21))
    await screen.findByText('upcoming 1')
    const numbers = screen.getAllByRole('button', { name: /^Page \d/ }).map((button) => button.textContent)
    expect(numbers).toEqual(['1', '2', '3'])
    await user.click(screen.getByRole('button', { name: 'Next page' }))
    expect(await screen.findByText('upcoming 2')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Previous page' }))
    expect(await screen.findByText('upcoming 1')).toBeDefined()
  })

  test('one page needs no page numbers', async () => {
    renderCard(pageOf(10))
    await screen.findByText('upcoming 1')
    expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull()
  })

  test('when the last page has gone meanwhile, the one before is shown', async () => {
    const { user, api } = renderCard(pageOf(21))
    await screen.findByText('upcoming 1')
    api.answer(LIST, pageOf(20))
    await user.click(screen.getByRole('button', { name: 'Page 3' }))
    expect(await screen.findByText('upcoming 2')).toBeDefined()
  })

  test('a page beyond the last is left once, however often the address makes the card render meanwhile', async () => {
    const chosen: AppointmentsView[] = []
    stubApi({ [LIST]: pageOf(4) })
    renderComponent(
      <SlowAddress
        first={{ ...DEFAULT_APPOINTMENTS_VIEW, page: 2 }}
        onChoose={(choice) => chosen.push(choice)}
      />,
    )
    expect(await screen.findByText('upcoming 1')).toBeDefined()
    expect(chosen).toEqual([DEFAULT_APPOINTMENTS_VIEW])
  })
})

describe('the search', () => {
  test('asks once typing rests, from the first page, with the filter that is chosen', async () => {
    const { user, api } = renderCard(pageOf(30))
    await user.click(await screen.findByRole('button', { name: 'Page 3' }))
    await screen.findByText('upcoming 3')
    await enterText(user, screen.getByRole('searchbox', { name: 'Search' }), '  Ada L ')
    await waitFor(() => expect(api.sent.at(-1)?.search.get('search')).toBe('Ada L'))
    expect(api.sent.at(-1)?.search.get('page')).toBe('1')
    const searches = api.to(LIST).map(({ search }) => search.get('search'))
    expect(new Set(searches)).toEqual(new Set([null, 'Ada L']))
  })

  test('that finds nothing names what was searched for, and brings everything back', async () => {
    const { user, api } = renderCard(answerWith([]))
    const field = await screen.findByRole('searchbox', { name: 'Search' })
    await user.type(field, 'nobody{Enter}')
    expect(await screen.findByText('Nothing upcoming matches “nobody”.')).toBeDefined()
    expect(screen.getByText('No appointments found')).toBeDefined()
    await user.click(screen.getAllByRole('button', { name: 'Clear search' }).at(-1) as HTMLElement)
    expect(await screen.findByText("You don't have any upcoming appointments.")).toBeDefined()
    expect(api.to(LIST).at(-1)?.search.has('search')).toBe(false)
    expect(field).toHaveProperty('value', '')
  })

  test('cleared just before the view is switched is cleared in the address, too', async () => {
    const chosen: AppointmentsView[] = []
    stubApi({ [LIST]: answerWith([]) })
    const first = { ...DEFAULT_APPOINTMENTS_VIEW, search: 'ada' }
    const { user } = renderComponent(<SlowAddress first={first} onChoose={(choice) => chosen.push(choice)} />)
    await user.clear(screen.getByRole('searchbox', { name: 'Search' }))
    await user.click(screen.getByRole('button', { name: 'Week' }))
    expect(chosen.at(-1)).toEqual({ ...DEFAULT_APPOINTMENTS_VIEW, view: 'week' })
  })

  test('is cleared by its cross and by Escape', async () => {
    const { user } = renderCard(answerWith([]))
    const field = await screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search' })
    await user.type(field, 'ada')
    await user.click(screen.getByRole('button', { name: 'Clear search' }))
    expect(field.value).toBe('')
    expect(document.activeElement).toBe(field)
    await user.type(field, 'ada{Escape}')
    expect(field.value).toBe('')
  })
})

test('what is filtered and searched is what is exported', async () => {
  const { user } = renderCard(answerWith([makeAppointment()]))
  const link = await screen.findByRole('link', { name: 'Export CSV' })
  expect(link.getAttribute('href')).toBe(`/api/calendars/${CALENDAR_ID}/appointments.csv?filter=upcoming`)
  await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'a&b{Enter}')
  await waitFor(() =>
    expect(link.getAttribute('href')).toBe(
      `/api/calendars/${CALENDAR_ID}/appointments.csv?filter=upcoming&search=a%26b`,
    ),
  )
})

test('other buttons have their place in the head of the card', () => {
  stubApi({ [LIST]: answerWith([]) })
  renderComponent(
    <AppointmentsCard calendarId={CALENDAR_ID} actions={<button type="button">New one</button>} />,
  )
  expect(screen.getByRole('button', { name: 'New one' })).toBeDefined()
})

test('while it loads it says so', () => {
  renderCard(heldResponse({}).answer)
  expect(screen.getByText('Loading appointments...')).toBeDefined()
})

test('when it cannot be loaded it says so and can be asked again', async () => {
  const { user, api } = renderCard(errorResponse('calendar.forbidden'))
  expect(await screen.findAllByText('Failed to load appointments')).toHaveLength(1)
  api.answer(LIST, answerWith([makeAppointment()]))
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Ada Lovelace')).toBeDefined()
})

/** Stores the choice as the router does: renders immediately because navigation is pending, and has the new URL later. */
function SlowAddress({
  first,
  onChoose,
}: {
  first: AppointmentsView
  onChoose: (choice: AppointmentsView) => void
}) {
  const [choice, setChoice] = useState(first)
  const [, setRenders] = useState(0)
  return (
    <AppointmentsCard
      calendarId={CALENDAR_ID}
      choice={choice}
      onChoose={(next) => {
        onChoose(next)
        setRenders((count) => count + 1)
        setTimeout(() => setChoice(next), 20)
      }}
    />
  )
}

function renderCard(answer: unknown) {
  const api = stubApi({ [LIST]: answer })
  const { user } = renderComponent(<AppointmentsCard calendarId={CALENDAR_ID} />)
  return { user, api }
}

function answerWith(appointments: AppointmentRow[]): AppointmentsResponse {
  return { appointments, total: appointments.length, page: 1, page_size: 10 }
}

/** Returns a response in which each page has one appointment, whose customer is named after the filter and the page. */
function pageOf(total: number) {
  return ({ search }: SentRequest): AppointmentsResponse => {
    const page = Number(search.get('page'))
    const customers = { ...makeAppointment().customers, name: `${search.get('filter')} ${page}` }
    const appointments = (page - 1) * 10 < total ? [makeAppointment({ customers })] : []
    return { appointments, total, page, page_size: 10 }
  }
}
