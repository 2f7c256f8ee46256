// @vitest-environment happy-dom
import { useQuery } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import type { BulkChangePreview } from '#contract/appointments/whole-days.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { availabilityKey } from '#web/kit/availability-query.ts'
import { CALENDAR_ID, makeCalendar } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, stubApi } from '#web/testing/stub-api.ts'
import { BulkChangeButton } from './many-change-button.tsx'

const OTHER_ID = '00000000-0000-4000-8000-000000000102'
const EFFECT = `GET /api/calendars/${CALENDAR_ID}/many-changes/effect`
const OTHER_EFFECT = `GET /api/calendars/${OTHER_ID}/many-changes/effect`
const CHANGE = `POST /api/calendars/${CALENDAR_ID}/many-changes`

test('all calendars are changed at once, and the effect of all is shown in order', async () => {
  const { api, user } = await open()
  expect(await screen.findByText('2 appointments. 2 customers get an email.')).toBeTruthy()
  const rows = within(screen.getByRole('list', { name: 'Appointments' })).getAllByRole('listitem')
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/9:00.*AlanTalks$/),
    expect.stringMatching(/10:00.*GraceDr[.] Grey$/),
  ])
  await user.click(screen.getByRole('button', { name: 'Cancel 2 appointments' }))
  expect(await screen.findByText('0 of 2 cancelled...')).toBeTruthy()
  expect(api.to(CHANGE)[0]?.body).toMatchObject({
    digest: 'of Grace',
    others: [{ calendar_id: OTHER_ID, digest: 'of Alan' }],
  })
})

test('a calendar that is not ticked is left alone', async () => {
  const { api, user } = await open()
  await screen.findByText('2 appointments. 2 customers get an email.')
  await user.click(screen.getByRole('checkbox', { name: 'Talks' }))
  expect(await screen.findByText('1 appointment. 1 customer gets an email.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Cancel 1 appointment' }))
  await screen.findByText('0 of 2 cancelled...')
  expect(api.to(CHANGE)[0]?.body).toMatchObject({ digest: 'of Grace', others: [] })
  expect(screen.queryByText('Choose at least one calendar.')).toBeNull()
})

test('without a calendar nothing can be changed', async () => {
  const { user } = await open()
  await screen.findByText('2 appointments. 2 customers get an email.')
  for (const name of ['Dr. Grey', 'Talks']) await user.click(screen.getByRole('checkbox', { name }))
  expect(screen.getByText('Choose at least one calendar.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Cancel appointments' })).toHaveProperty('disabled', true)
})

test('an effect that cannot be read of one calendar is that of none', async () => {
  const { api, user } = await open({ [OTHER_EFFECT]: errorResponse('many_change.too_many') })
  await screen.findByText('Failed to load the appointments')
  expect(screen.getByRole('button', { name: 'Cancel appointments' })).toHaveProperty('disabled', true)
  api.answer(OTHER_EFFECT, effectOf('Alan', '09'))
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('2 appointments. 2 customers get an email.')).toBeTruthy()
})

test.each([
  ['', 'Please choose both days.'],
  ['2020-01-01', 'The last day can’t be before the first day.'],
  ['2099-01-01', 'Please choose at most 31 days.'],
])('a last day of “%s” is refused before anybody is asked', async (day, sentence) => {
  const { api } = await open()
  await screen.findByText('2 appointments. 2 customers get an email.')
  const asked = api.to(EFFECT).length
  fireEvent.change(screen.getByLabelText(/^Last day/), { target: { value: day } })
  expect(screen.getByText(sentence)).toBeTruthy()
  expect(screen.getByRole('button', { name: /^Cancel (\d|app)/ })).toHaveProperty('disabled', true)
  expect(api.to(EFFECT)).toHaveLength(asked)
})

test('an owner of one calendar is asked for none', async () => {
  stubApi({ [EFFECT]: effectOf('Grace', '10') })
  const { user } = renderComponent(<BulkChangeButton calendars={[makeCalendar()]} />)
  await user.click(screen.getByRole('button', { name: 'Change whole days' }))
  expect(await screen.findByText('1 appointment. 1 customer gets an email.')).toBeTruthy()
  expect(screen.queryByRole('group', { name: 'Calendars' })).toBeNull()
})

test.each([true, false])('the days are closed unless the owner says otherwise: %s', async (isClosed) => {
  const { api, user } = await open()
  await screen.findByText('2 appointments. 2 customers get an email.')
  expect(closing()).toHaveProperty('checked', true)
  screen.getByText('Nobody can book these days until you reopen them under Availability.')
  if (!isClosed) await user.click(closing())
  await user.click(screen.getByRole('button', { name: 'Cancel 2 appointments' }))
  await screen.findByText('0 of 2 cancelled...')
  expect(api.to(CHANGE)[0]?.body).toMatchObject({ close_days: isClosed })
})

test('the hours of each calendar are loaded anew, because its days may be closed', async () => {
  const loaded: Record<string, number> = { [CALENDAR_ID]: 0, [OTHER_ID]: 0 }
  const { user } = await open(
    {},
    [CALENDAR_ID, OTHER_ID].map((id) => (
      <Hours
        key={id}
        calendarId={id}
        onLoad={() => {
          loaded[id] = (loaded[id] ?? 0) + 1
        }}
      />
    )),
  )
  await screen.findByText('2 appointments. 2 customers get an email.')
  const before = { ...loaded }
  await user.click(screen.getByRole('button', { name: 'Cancel 2 appointments' }))
  await screen.findByText('0 of 2 cancelled...')
  for (const id of [CALENDAR_ID, OTHER_ID]) expect(loaded[id]).toBe((before[id] ?? 0) + 1)
})

test('the owner reads why a calendar has no room for closed days, and nothing has begun', async () => {
  const { user } = await open({ [CHANGE]: errorResponse('special_days.too_many') })
  await screen.findByText('2 appointments. 2 customers get an email.')
  await user.click(screen.getByRole('button', { name: 'Cancel 2 appointments' }))
  await screen.findByText(PROBLEMS['special_days.too_many'].title)
  screen.getByRole('button', { name: 'Cancel 2 appointments' })
})

test('the waiting list is offered days that stay open, only when the owner says so', async () => {
  for (const isTicked of [false, true]) {
    const { api, user } = await open()
    await screen.findByText('2 appointments. 2 customers get an email.')
    await user.click(closing())
    expect(forWaitingList()).toHaveProperty('checked', false)
    if (isTicked) await user.click(forWaitingList())
    await user.click(screen.getByRole('button', { name: 'Cancel 2 appointments' }))
    await screen.findByText('0 of 2 cancelled...')
    expect(api.to(CHANGE)[0]?.body).toMatchObject({ close_days: false, for_waiting_list: isTicked })
    cleanup()
  }
})

test('closed days are not for the waiting list, and the owner reads why', async () => {
  const { api, user } = await open()
  await screen.findByText('2 appointments. 2 customers get an email.')
  expect(forWaitingList()).toHaveProperty('disabled', true)
  expect(describing(forWaitingList())).toMatch(/^Closed days have no times to offer[.]/)
  await user.click(closing())
  expect(describing(forWaitingList())).toMatch(/^If not, open offers for these days/)
  await user.click(forWaitingList())
  await user.click(closing())
  expect(forWaitingList()).toMatchObject({ disabled: true, checked: false })
  await user.click(screen.getByRole('button', { name: 'Cancel 2 appointments' }))
  await screen.findByText('0 of 2 cancelled...')
  expect(api.to(CHANGE)[0]?.body).toMatchObject({ close_days: true, for_waiting_list: false })
})

test.each(['Cancel them', 'Offer other times'])(
  'the owner reads that the days stay open for bookings, when they do: “%s”',
  async (kind) => {
    const { user } = await open()
    await user.click(screen.getByRole('radio', { name: kind }))
    expect(screen.queryByText(/can still book these days/)).toBeNull()
    await user.click(closing())
    screen.getByText(/^Other customers can still book these days[.]/)
  },
)

test('an owner without appointments on these days reads where they are closed', async () => {
  const none = { digest: 'of nobody', appointments: [] }
  await open({ [EFFECT]: none, [OTHER_EFFECT]: none })
  await screen.findByText('No upcoming appointments on these days')
  screen.getByText('You can close days without appointments under Availability.')
})

test('what was paid goes back whole, unless the owner leaves it to the policies', async () => {
  const paid = { paid: 40, refund_by_policy: 20 }
  const { api, user } = await open({
    [EFFECT]: effectOf('Grace', '10', paid),
    [OTHER_EFFECT]: effectOf('Alan', '09', { ...paid, refund_by_policy: 0 }),
  })
  const choice = await screen.findByRole('group', { name: 'Refunds' })
  expect(within(choice).getByRole('radio', { name: 'Full refunds: €80.00' })).toHaveProperty('checked', true)
  await user.click(within(choice).getByRole('radio', { name: 'Refunds by policy: €20.00' }))
  await user.click(screen.getByRole('button', { name: 'Cancel 2 appointments' }))
  await screen.findByText('0 of 2 cancelled...')
  expect(api.to(CHANGE)[0]?.body).toMatchObject({ kind: 'cancel', refund: 'policy' })
})

test('money is no question where nobody paid, or where other times are offered', async () => {
  const { user } = await open({ [EFFECT]: effectOf('Grace', '10', { paid: 40, refund_by_policy: 0 }) })
  await screen.findByRole('group', { name: 'Refunds' })
  await user.click(screen.getByRole('radio', { name: 'Offer other times' }))
  expect(screen.queryByRole('group', { name: 'Refunds' })).toBeNull()
  await user.click(screen.getByRole('radio', { name: 'Cancel them' }))
  await user.click(screen.getByRole('checkbox', { name: 'Dr. Grey' }))
  expect(await screen.findByText('1 appointment. 1 customer gets an email.')).toBeTruthy()
  expect(screen.queryByRole('group', { name: 'Refunds' })).toBeNull()
})

test('customers without an email address are named, with their phone numbers', async () => {
  await open({
    [EFFECT]: effectOf('Grace', '10', { email: null, phone: '+44 20 7946 0958' }),
    [OTHER_EFFECT]: effectOf('Alan', '09', { email: null }),
  })
  expect(await screen.findByText('2 appointments. 0 customers get an email.')).toBeTruthy()
  screen.getByText('These customers have no email address. Please tell them yourself.')
  screen.getByText('Alan · Grace, +44 20 7946 0958')
})

test('customers are counted by their addresses, also where one has several appointments', async () => {
  const [first, second] = [effectOf('Grace', '10'), effectOf('Grace', '11', { email: 'Grace@Example.org' })]
  const { appointments } = effectOf('Alan', '09')
  await open({
    [EFFECT]: { ...first, appointments: [...first.appointments, ...second.appointments] },
    [OTHER_EFFECT]: { digest: 'other', appointments },
  })
  expect(await screen.findByText('3 appointments. 2 customers get 3 emails.')).toBeTruthy()
})

test('a customer without an address who has several appointments is named once', async () => {
  const [first, second] = ['10', '11'].map((hour) =>
    effectOf('Grace', hour, { email: null, phone: '+44 20 7946 0958' }),
  )
  await open({
    [EFFECT]: {
      digest: 'both',
      appointments: [...(first?.appointments ?? []), ...(second?.appointments ?? [])],
    },
    [OTHER_EFFECT]: { digest: 'none', appointments: [] },
  })
  expect(await screen.findByText('2 appointments. 0 customers get an email.')).toBeTruthy()
  screen.getByText('Grace, +44 20 7946 0958')
})

test('who cannot choose another time is named with the reason, and is not counted', async () => {
  const reason = 'The customer has asked to cancel: please answer.'
  const { api, user } = await open({ [EFFECT]: effectOf('Grace', '10', { no_offer_reason: reason }) })
  await screen.findByText('2 appointments. 2 customers get an email.')
  expect(screen.queryByText('These appointments won’t change')).toBeNull()
  await user.click(screen.getByRole('radio', { name: 'Offer other times' }))
  expect(await screen.findByText('2 appointments. 1 customer gets an email.')).toBeTruthy()
  screen.getByText('These appointments won’t change')
  expect(screen.getByText(new RegExp(reason)).textContent).toBe(`Grace: ${reason}`)
  await user.click(screen.getByRole('button', { name: 'Offer other times for 1 appointment' }))
  await screen.findByText('0 of 2 cancelled...')
  // The owner has seen the previews of both calendars.
  expect(api.to(CHANGE)[0]?.body).toMatchObject({
    kind: 'offer',
    digest: 'of Grace',
    others: [{ calendar_id: OTHER_ID, digest: 'of Alan' }],
  })
})

function closing(): HTMLElement {
  return screen.getByRole('checkbox', { name: 'Close these days for new bookings' })
}

function forWaitingList(): HTMLElement {
  return screen.getByRole('checkbox', { name: 'Offer these days to the waiting list' })
}

function describing(control: HTMLElement): string {
  return document.getElementById(control.getAttribute('aria-describedby') ?? '')?.textContent ?? ''
}

/** Renders a part of the page that depends on a calendar's opening hours. Calls `onLoad` each time they are loaded. */
function Hours({ calendarId, onLoad }: { calendarId: string; onLoad: () => void }) {
  useQuery({
    queryKey: [...availabilityKey(calendarId), 'week'],
    queryFn: () => {
      onLoad()
      return null
    },
  })
  return null
}

async function open(answers: Record<string, unknown> = {}, beside: ReactNode = null) {
  const id = '00000000-0000-4000-8000-000000000601'
  const progress = { id, kind: 'cancel', total: 2, done: 0, moved: 0, finished_at: null, skipped: [] }
  const api = stubApi({
    [EFFECT]: effectOf('Grace', '10'),
    [OTHER_EFFECT]: effectOf('Alan', '09'),
    [CHANGE]: () => Response.json(progress, { status: 202 }),
    [`GET /api/calendars/${CALENDAR_ID}/many-changes/${id}`]: progress,
    ...answers,
  })
  const calendars = [makeCalendar(), makeCalendar({ id: OTHER_ID, name: 'Talks' })]
  const { user } = renderComponent(
    <>
      <BulkChangeButton calendars={calendars} />
      {beside}
    </>,
  )
  await user.click(screen.getByRole('button', { name: 'Change whole days' }))
  return { api, user }
}

type Concerned = BulkChangePreview['appointments'][number]

function effectOf(customer_name: string, hour: string, over: Partial<Concerned> = {}): BulkChangePreview {
  return {
    digest: `of ${customer_name}`,
    appointments: [
      {
        id: `00000000-0000-4000-8000-0000000007${hour}`,
        starts_at: `2027-01-05T${hour}:00:00Z`,
        ends_at: `2027-01-05T${hour}:30:00Z`,
        time_zone: 'Europe/London',
        hour_cycle: 'h12',
        customer_name,
        email: `${customer_name.toLowerCase()}@example.org`,
        phone: null,
        paid: null,
        refund_by_policy: null,
        currency: 'eur',
        no_offer_reason: null,
        ...over,
      },
    ],
  }
}
