// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { CALENDAR_ID, makeCalendar, makeOutlook } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, stubApi } from '#web/testing/stub-api.ts'
import { BookingPageCard } from './booking-page-card.tsx'
import { GeneralPanel } from './general-panel.tsx'

const OUTLOOK = `GET /api/calendars/${CALENDAR_ID}/outlook`
const UPDATE = `PATCH /api/calendars/${CALENDAR_ID}`
const DELETE = `DELETE /api/calendars/${CALENDAR_ID}`

test('shows the details of the calendar', () => {
  renderPanel()
  const shown = screen.getAllByRole('definition').map((value) => value.textContent)
  expect(shown).toEqual([
    'Dr. Grey',
    'dr-grey',
    'Movement and back pain.',
    'Therapist',
    'Meredith Grey',
    'London (Europe/London)',
    'November 2, 2026',
  ])
})

test('shows which details are not set', () => {
  renderPanel(
    makeCalendar({
      description: null,
      category: null,
      professional_first_name: null,
      professional_last_name: null,
    }),
  )
  expect(screen.getAllByText('Not set')).toHaveLength(3)
})

test('quick actions lead to the tabs that the specification names', () => {
  renderPanel()
  const links = within(screen.getByRole('navigation', { name: 'Quick actions' })).getAllByRole('link')
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual(
    [
      ['Availability', 'availability'],
      ['Appointment Types', 'types'],
      ['Payments', 'payments'],
      ['Domains', 'domains'],
    ].map(([name, tab]) => [name, `/calendar/${CALENDAR_ID}/settings?tab=${tab}`]),
  )
})

test('the owner turns bookings off', async () => {
  const api = stubApi({ [UPDATE]: makeCalendar({ takes_bookings: false }) })
  const { user } = renderPanel()
  await user.click(screen.getByRole('switch', { name: /^Take bookings/ }))
  expect(await screen.findByText('Booking settings updated')).toBeDefined()
  expect(api.to(UPDATE).map(({ body }) => body)).toEqual([{ takes_bookings: false }])
})

test('the owner chooses between two clocks, shown as examples', async () => {
  const api = stubApi({ [UPDATE]: makeCalendar({ hour_cycle: 'h23' }) })
  const { user } = renderPanel()
  const clock = within(screen.getByRole('group', { name: 'Clock' }))
  expect(clock.getByRole('radio', { name: '3:00 PM' })).toHaveProperty('checked', true)
  await user.click(clock.getByRole('radio', { name: '15:00' }))
  expect(await screen.findByText('Clock updated')).toBeDefined()
  expect(api.to(UPDATE).map(({ body }) => body)).toEqual([{ hour_cycle: 'h23' }])
})

test('a chosen clock is marked before the answer arrives', () => {
  stubApi({ [UPDATE]: makeCalendar({ hour_cycle: 'h23' }) })
  renderPanel()
  const chosen = screen.getByRole('radio', { name: '15:00' })
  fireEvent.click(chosen)
  expect(chosen).toHaveProperty('checked', true)
})

test('a calendar that takes no bookings says so, and one press turns them on', async () => {
  const api = stubApi({ [UPDATE]: makeCalendar() })
  const { user } = renderComponent(<BookingPageCard calendar={makeCalendar({ takes_bookings: false })} />)
  expect(screen.getByText('This calendar isn’t taking bookings')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Take bookings' }))
  expect(await screen.findByText('Customers can book now')).toBeDefined()
  expect(api.to(UPDATE).map(({ body }) => body)).toEqual([{ takes_bookings: true }])
})

test('the calendar is deleted after a confirmation, with a toast, and the page is left', async () => {
  const api = stubApi({ [DELETE]: undefined })
  const { user, onDeleted } = renderPanel()
  await deleteIt(user)
  await waitFor(() => expect(onDeleted).toHaveBeenCalledTimes(1))
  expect(screen.getByText('Calendar deleted successfully')).toBeDefined()
  expect(api.to(DELETE)).toHaveLength(1)
})

test('a failed deletion shows an error and stays on the page', async () => {
  stubApi({ [DELETE]: errorResponse('server.unexpected') })
  const { user, onDeleted } = renderPanel()
  await deleteIt(user)
  expect(await screen.findByText('Failed to delete calendar. Please try again.')).toBeDefined()
  expect(onDeleted).not.toHaveBeenCalled()
})

test.each([
  [0, 0, 'There are no upcoming appointments.'],
  [1, 0, '1 future appointment will be cancelled, and we’ll email the customer.'],
  [3, 0, '3 future appointments will be cancelled, and we’ll email the customers.'],
  [
    3,
    1,
    '3 future appointments will be cancelled, and we’ll email the customers. 1 of them has no email address, so please tell them yourself.',
  ],
  [
    1,
    1,
    '1 future appointment will be cancelled. Its customer has no email address, so please tell them yourself.',
  ],
  [
    2,
    2,
    '2 future appointments will be cancelled. Their customers have no email addresses, so please tell them yourself.',
  ],
])(
  'the confirmation counts %i upcoming appointments, %i without an email address',
  async (ahead, without, sentence) => {
    stubApi({ [OUTLOOK]: makeOutlook({ future_appointments: ahead, without_email: without }) })
    const { user } = renderPanel()
    await user.click(screen.getByRole('button', { name: 'Delete Calendar' }))
    expect(await within(await screen.findByRole('alertdialog')).findByText(sentence)).toBeDefined()
  },
)

test.each([
  [1, 1, 'It is paid for.'],
  [3, 1, '1 of them is paid for.'],
  [3, 2, '2 of them are paid for.'],
])(
  'the confirmation says of %i appointments that %i are paid and not refunded',
  async (ahead, paid, sentence) => {
    stubApi({ [OUTLOOK]: makeOutlook({ future_appointments: ahead, paid }) })
    const { user } = renderPanel()
    await user.click(screen.getByRole('button', { name: 'Delete Calendar' }))
    const question = await screen.findByRole('alertdialog')
    const whole = `${sentence} Deleting doesn’t refund anything. To refund customers, cancel before you delete.`
    expect(await within(question).findByText(whole, { exact: false })).toBeDefined()
  },
)

test('a failed count does not prevent a deletion', async () => {
  stubApi({ [OUTLOOK]: errorResponse('request.too_many') })
  const { user } = renderPanel()
  await user.click(screen.getByRole('button', { name: 'Delete Calendar' }))
  const sentence = 'Its future appointments will be cancelled, and we’ll email the customers.'
  expect(await screen.findByText(sentence)).toBeDefined()
})

test('the booking page card copies the link', async () => {
  const { user } = renderComponent(<BookingPageCard calendar={makeCalendar()} />)
  await user.click(screen.getByRole('button', { name: 'Copy link' }))
  expect(await screen.findByText('Copied to clipboard!')).toBeDefined()
  expect(await navigator.clipboard.readText()).toBe('https://meridian.example/book/dr-grey')
})

function renderPanel(calendar = makeCalendar()) {
  const onDeleted = vi.fn(async () => undefined)
  const { user } = renderComponent(<GeneralPanel calendar={calendar} onDeleted={onDeleted} />)
  return { user, onDeleted }
}

async function deleteIt(user: ReturnType<typeof renderPanel>['user']) {
  await user.click(screen.getByRole('button', { name: 'Delete Calendar' }))
  const question = within(await screen.findByRole('alertdialog'))
  await user.click(question.getByRole('button', { name: 'Delete Calendar' }))
}
