// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test } from 'vitest'
import type { AppointmentRow, AppointmentsResponse } from '#contract/appointments/appointments.ts'
import { enterText } from '#web/testing/enter-text.ts'
import { CALENDAR_ID, makeAppointment } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, heldResponse, type SentRequest, stubApi } from '#web/testing/stub-api.ts'
import { AppointmentsCard } from './appointments-card.tsx'
import { type AppointmentsView, DEFAULT_APPOINTMENTS_VIEW } from './appointments-view.ts'

const LIST = `GET /api/calendars/${CALENDAR_ID}/appointments`

describe('a row', () => {
  test('it shows date, times with their zone, customer, type, place and description', async () => {
    const row = await renderRow(makeAppointment())
    expect(row.getByText('December 1, 2026')).toBeDefined()
    expect(row.getByText('9:30 AM').closest('time')?.dateTime).toBe('2026-12-01T09:30:00Z')
    expect(row.getByText('10:15 AM')).toBeDefined()
    expect(row.getByText('Tuesday')).toBeDefined()
    // The time zone is shown once, above the rows.
    expect(row.queryByText('London time (GMT)')).toBeNull()
    expect(screen.getByText('London time (GMT)')).toBeDefined()
    expect(row.getByText('“My back”')).toBeDefined()
    expect(row.getByText('Ada Lovelace')).toBeDefined()
    expect(row.getByText('Client #C1764000000000').className).toContain('rounded-full')
    // Find the link by its text, because happy-dom treats a <wbr> as a block and puts a space into the accessible name.
    expect(row.getByText('ada@example.org').closest('a')?.getAttribute('href')).toBe('mailto:ada@example.org')
    expect(row.getByRole('link', { name: '+44 20 7946 0958' }).getAttribute('href')).toBe('tel:+442079460958')
    expect(row.getByText('+44 20 7946 0958').dir).toBe('ltr')
    expect(row.getByText('First consultation')).toBeDefined()
    expect(row.getByText('€40.00')).toBeDefined()
    expect(row.getByText('Harley Street Practice, 10 Harley Street, London')).toBeDefined()
    expect(row.getByText('Since last week.')).toBeDefined()
    expect(row.queryByText('Online')).toBeNull()
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
    const row = await renderRow(makeAppointment({ customers }))
    expect(row.getByText('Unknown')).toBeDefined()
    expect(row.getByText('No email')).toBeDefined()
    expect(row.getAllByRole('link').map((link) => link.textContent)).toEqual(['Unknown'])
  })

  test('an online type is marked, and nothing is shown for a price of nothing', async () => {
    const agreed = { is_online: true, price: 0, location: null }
    const type = { name: 'Check-in', ...agreed }
    const row = await renderRow(makeAppointment({ appointment_types: type, ...agreed }))
    expect(row.getByText('Online')).toBeDefined()
    expect(row.queryByText(/€/)).toBeNull()
  })

  test('without a type it shows the title, and the place, Online and the price all the same', async () => {
    const agreed = { is_online: true, price: 40, currency: 'gbp' }
    const row = await renderRow(makeAppointment({ appointment_types: null, ...agreed }))
    expect(row.getByText('My back')).toBeDefined()
    expect(row.getByText('Harley Street Practice, 10 Harley Street, London')).toBeDefined()
    expect(row.getByText('Online')).toBeDefined()
    expect(row.getByText('£40.00')).toBeDefined()
  })

  test.each([
    ['confirmed', 'not_required', 'Confirmed', 'No Payment Required'],
    ['cancelled', 'refunded', 'Cancelled', 'Refunded'],
    ['pending_cancellation', 'paid', 'Cancellation Pending', 'Paid'],
    ['pending_payment', 'pending', 'Awaiting Payment', 'Payment Pending'],
    ['cancelled', 'failed', 'Cancelled', 'Payment Failed'],
  ] as const)('%s and %s read "%s" and "%s"', async (status, payment_status, first, second) => {
    const row = await renderRow(makeAppointment({ status, payment_status }))
    expect(row.getByText(first)).toBeDefined()
    expect(row.getByText(second)).toBeDefined()
  })

  test('what was paid in a sandbox says that no real money moved', async () => {
    const row = await renderRow(makeAppointment({ payment_status: 'paid', paid_in_sandbox: true }))
    expect(row.getByText('Paid')).toBeDefined()
    expect(row.getByText('Sandbox: no real money moves')).toBeDefined()
  })

  test('booking reference and payment id are copied', async () => {
    const { user } = renderCard(answerWith([makeAppointment({ stripe_payment_intent_id: 'pi_123' })]))
    await user.click(await screen.findByRole('button', { name: 'Copy booking reference BK-1764000000000' }))
    expect(await screen.findByText('Booking reference copied to clipboard')).toBeDefined()
    expect(await navigator.clipboard.readText()).toBe('BK-1764000000000')
    await user.click(screen.getByRole('button', { name: 'Copy payment id pi_123' }))
    expect(await screen.findByText('Payment ID copied to clipboard')).toBeDefined()
    expect(await navigator.clipboard.readText()).toBe('pi_123')
  })

  async function renderRow(appointment: AppointmentRow) {
    renderCard(answerWith([appointment]))
    return within(await screen.findByRole('article'))
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
  // The error appears both in place of the list and as a toast.
  expect(await screen.findAllByText('Failed to load appointments')).toHaveLength(2)
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

/** Returns a response in which each page has one appointment, whose description names the filter and the page. */
function pageOf(total: number) {
  return ({ search }: SentRequest): AppointmentsResponse => {
    const page = Number(search.get('page'))
    const description = `${search.get('filter')} ${page}`
    const appointments = (page - 1) * 10 < total ? [makeAppointment({ description })] : []
    return { appointments, total, page, page_size: 10 }
  }
}
