import { beforeEach, describe, expect, test } from 'vitest'
import type { CreateBookingResponse } from '#contract/appointments/bookings.ts'
import type { CustomerAppointment } from '#contract/appointments/customer-page.ts'
import type { CustomerListResponse } from '#contract/customers/customers.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { addExternalCalendar } from '#tests/support/external-calendar-rows.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar } from '#tests/support/meridian.ts'
import { waitUntilEmailsSent } from '#tests/support/race-track.ts'
import { addAppointment } from '#tests/support/stored-rows.ts'
import { joinWaitingListAndConfirm, listWaitingListEntries } from '#tests/support/waiting.ts'

const NINE = '2027-01-04T09:00:00Z'
const TEN = '2027-01-04T10:00:00Z'

/** Email addresses that are new in each test: the one entered at the booking, and its correction. */
let earlier: string
let later: string
let people = 0

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })
beforeEach(async () => {
  people += 1
  earlier = `typo-${people}@example.com`
  later = `right-${people}@example.com`
})

describe('a corrected email address', () => {
  test('ends the link of each appointment, past ones too, and what the bare id opens', async () => {
    const [first, second] = [await bookAt(NINE), await bookAt(TEN)]
    meridian.clock.ms = Date.parse('2027-01-04T09:40:00Z')
    await correct({ email: later })
    for (const { id, manage_token } of [first, second]) {
      expectRefusal(await open(manage_token), 'manage.replaced')
      expectRefusal(await meridian.get(`/api/public/appointments/${id}`), 'appointment.not_found')
      const token = meridian.deps.manageLinks.tokenOf({ appointmentId: id, rotation: 1 })
      expect((await open(token)).json().appointment.id).toBe(id)
    }
  })

  test('gets one message about the next appointment, with links that open', async () => {
    await bookAt(TEN)
    const next = await bookAt(NINE)
    // Waits for unsent emails, which would otherwise go to the corrected address.
    await waitUntilEmailsSent(meridian.database)
    await correct({ email: later })
    const mail = await meridian.waitForMail(({ to }) => to.address === later)
    expect(mail.text).toContain('You have 1 more besides the appointment below.')
    const links = [...mail.text.matchAll(/\/manage\/([\w-]+)/g)].map(([, token = '']) => token)
    expect(new Set(links)).toEqual(
      new Set([meridian.deps.manageLinks.tokenOf({ appointmentId: next.id, rotation: 1 })]),
    )
    // The bare id is no longer valid, so the email's cancellation link must be the signed one too.
    expect(mail.text).not.toContain(`/cancel/${next.id}`)
    expect(String(mail.attachments[0]?.content)).not.toContain(`/cancel/${next.id}`)
    await waitUntilEmailsSent(meridian.database)
    expect(await messagesOf(next.id, 'new_address')).toMatchObject([{ state: 'sent' }])
  })

  test('gets nothing when nothing is ahead', async () => {
    const { id } = await bookAt(NINE)
    meridian.clock.ms = Date.parse(TEN)
    await correct({ email: later })
    expect(await messagesOf(id, 'new_address')).toEqual([])
  })

  test('gets what waited for the earlier one', async () => {
    const { id } = await bookAt(NINE)
    await waitUntilEmailsSent(meridian.database)
    await meridian.database.execute(
      `update appointment_messages set state = 'waiting', waits_for = 'email_stopped', recipient_key = 'x',
         waits_until = '2027-01-05T00:00:00Z' where appointment_id = $1 and recipient = 'customer'`,
      [id],
    )
    await correct({ email: later })
    await meridian.waitForMail(
      ({ to, subject }) => to.address === later && subject.startsWith('Booking confirmed'),
    )
  })

  test('is not told twice when it is corrected twice before anything is sent', async () => {
    const { id } = await bookAt(NINE)
    await correct({ email: later })
    await waitUntilEmailsSent(meridian.database)
    await meridian.database.execute(
      `update appointment_messages set state = 'waiting', waits_until = '2027-01-05T00:00:00Z', waits_for = 'email_owner',
         recipient_key = 'x'
       where appointment_id = $1 and kind = 'new_address'`,
      [id],
    )
    meridian.clock.ms += 1_000
    await correct({ email: `again-${later}` })
    await waitUntilEmailsSent(meridian.database)
    expect((await messagesOf(id, 'new_address')).map(({ state }) => state).sort()).toEqual([
      'dropped',
      'sent',
    ])
  })

  test('in another spelling is the same: nothing ends and nobody is told', async () => {
    const { id, manage_token } = await bookAt(NINE)
    await correct({ email: ` ${earlier.toUpperCase()} ` })
    expect((await open(manage_token)).statusCode).toBe(200)
    expect(await messagesOf(id, 'new_address')).toEqual([])
    expect((await find()).email).toBe(earlier.toUpperCase())
  })

  test('of another record is refused, whatever its spelling, and nothing changes', async () => {
    const { manage_token } = await bookAt(NINE)
    await bookAt(TEN, { name: 'Alan Turing', email: later })
    const refused = await change({ email: later.toUpperCase(), name: 'Grace B. Hopper' })
    expectRefusal(refused, 'customer.address_taken', 'email')
    expect(await find()).toMatchObject({ name: 'Grace Hopper', email: earlier })
    expect((await open(manage_token)).statusCode).toBe(200)
    const elsewhere = await makeCalendar(meridian, owner)
    await bookAppointment(meridian, elsewhere.slug, { customer: { name: 'Alan', email: `else-${later}` } })
    expect((await change({ email: `else-${later}` })).statusCode).toBe(200)
  })

  test('goes to one of two who ask for it at once', async () => {
    await bookAt(NINE)
    await bookAt(TEN, { name: 'Alan Turing', email: `alan-${later}` })
    const ids = (await list()).customers.map(({ id }) => id)
    const answers = await Promise.all(ids.map((id) => change({ email: later }, id)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  })

  test('is where a place on the waiting list is, and the earlier address books as somebody new', async () => {
    await bookAt(NINE)
    await joinWaitingListAndConfirm(meridian, calendar.slug, { email: earlier })
    await correct({ email: later })
    const { entries } = await listWaitingListEntries(meridian, owner, calendar)
    expect(entries.map(({ customer_email }) => customer_email)).toEqual([later])
    await bookAt(TEN)
    expect((await list()).total).toBe(2)
  })

  test('can be taken away: links end, and nothing is sent', async () => {
    const { id, manage_token } = await bookAt(NINE)
    await joinWaitingListAndConfirm(meridian, calendar.slug, { email: earlier })
    expect((await change({ email: '' })).json().email).toBeNull()
    expectRefusal(await open(manage_token), 'manage.replaced')
    expect(await messagesOf(id, 'new_address')).toEqual([])
    expect((await listWaitingListEntries(meridian, owner, calendar)).entries).toEqual([])
  })

  test('ends links also when there were as many before as fit', async () => {
    const { id } = await bookAt(NINE)
    await meridian.database.execute('update appointments set link_rotation = 65535 where id = $1', [id])
    const last = meridian.deps.manageLinks.tokenOf({ appointmentId: id, rotation: 65_535 })
    expect((await open(last)).statusCode).toBe(200)
    await correct({ email: later })
    expectRefusal(await open(last), 'manage.replaced')
    expectRefusal(await meridian.get(`/api/public/appointments/${id}`), 'appointment.not_found')
  })
})

describe('the link that replaces another', () => {
  test.each(['a corrected address', 'a record put together with another'])(
    'asks to cancel and is answered, after %s',
    async (what) => {
      const { id } = await bookAt(NINE)
      if (what === 'a corrected address') await correct({ email: later })
      else await putTogether()
      const url = `/api/public/manage/${meridian.deps.manageLinks.tokenOf({ appointmentId: id, rotation: 1 })}`
      const { way, refund } = (await meridian.get(url)).json<CustomerAppointment>().cancellation
      expect([way, refund]).toEqual(['by_request', null])
      const payload = { way, refund_amount: null }
      const answers = [1, 2].map(() => meridian.post(`${url}/cancel`, payload))
      for (const answer of await Promise.all(answers)) {
        expect(answer.statusCode, answer.body).toBe(200)
        expect(answer.json().standing).toBe('pending_cancellation')
      }
      expect(await messagesOf(id, 'owner_cancellation_request')).toHaveLength(1)
    },
  )
})

describe('a corrected name or phone number', () => {
  test('goes into what is ahead and had the former one, and nowhere else', async () => {
    const first = await bookAt(NINE)
    const ahead = await bookAt(TEN)
    const other = await bookAt('2027-01-04T11:00:00Z', { name: 'Her daughter', email: earlier, phone: '555' })
    meridian.clock.ms = Date.parse(NINE)
    await correct({ name: 'Grace B. Hopper', phone: '+44 20 7946 0000' })
    expect(await namesOf([first, ahead, other])).toEqual([
      ['Grace Hopper', null],
      ['Grace B. Hopper', '+44 20 7946 0000'],
      ['Her daughter', '555'],
    ])
    expect((await open(ahead.manage_token)).statusCode).toBe(200)
  })

  test('is found, and the list has it', async () => {
    await bookAt(NINE)
    await correct({ name: 'Grace Murray' })
    const { customers } = (await ask('GET', '/customer-list?search=murray')).json()
    expect(customers).toMatchObject([{ name: 'Grace Murray', email: earlier }])
  })
})

test('the history of what is ahead says what was corrected, and names nobody', async () => {
  const { id } = await bookAt(NINE)
  const over = await addAppointment(meridian, calendar.id, { startsAt: '2020-01-06T10:00:00Z' })
  await correct({ email: later, name: 'Grace Murray' })
  const historyOf = async (appointment: string) =>
    (await ask('GET', `/appointments/${appointment}/history`)).json().entries
  expect(await historyOf(id)).toMatchObject([
    { caused_by: 'owner', text: 'You corrected the customer’s name and email address.' },
  ])
  expect(JSON.stringify(await historyOf(id))).not.toMatch(/example[.]com|Murray/)
  expect(await historyOf(over)).toEqual([])
})

test('an event in an external calendar is written again, and that of a past appointment is left', async () => {
  const [past, ahead] = [await bookAt(NINE), await bookAt(TEN)]
  await addExternalCalendar(meridian, owner, calendar.id, { used: { writes_events: true } })
  meridian.clock.ms = Date.parse(NINE)
  await correct({ email: later })
  const rows = await meridian.database.db
    .selectFrom('appointments')
    .select(['id', 'needs_google_sync'])
    .where('calendar_id', '=', calendar.id)
    .execute()
  const isNeeded = ({ id }: { id: string }) => rows.find((row) => row.id === id)?.needs_google_sync
  expect([isNeeded(past), isNeeded(ahead)]).toEqual([false, true])
})

test('the same correction twice is one', async () => {
  const { id } = await bookAt(NINE)
  const was = { name: 'Grace Hopper', email: earlier, phone: '' }
  const payload = { name: 'Grace Hopper', email: later, phone: '', was }
  expect((await change(payload)).statusCode).toBe(200)
  const again = await change(payload)
  expect([again.statusCode, again.json().code]).toEqual([409, 'request.changed_meanwhile'])
  expect((await change({ email: later })).statusCode).toBe(200)
  expect((await ask('GET', `/appointments/${id}/history`)).json().entries).toHaveLength(1)
})

test.each([
  ['no name', { name: '  ' }],
  ['a name that is too long', { name: 'x'.repeat(LIMITS.personName + 1) }],
  ['no address', { email: 'grace at example' }],
  ['an address that is too long', { email: `${'x'.repeat(LIMITS.email)}@example.com` }],
  ['a number that is too long', { phone: '5'.repeat(LIMITS.phone + 1) }],
  ['a line break', { name: 'Grace\r\nBcc: all' }],
])('%s is refused, and nothing changes', async (_what, payload) => {
  await bookAt(NINE)
  expect((await change(payload)).statusCode).toBe(400)
  expect(await find()).toMatchObject({ name: 'Grace Hopper', email: earlier, phone: null })
})

test('an erased customer is not corrected', async () => {
  await bookAt(NINE)
  meridian.clock.ms = Date.parse(TEN)
  const { id } = await find()
  expect((await ask('DELETE', `/customers/${id}/record`)).statusCode).toBe(204)
  expectRefusal(await change({ name: 'Grace' }, id), 'customer.erased')
})

async function bookAt(
  starts_at: string,
  customer: { name: string; email: string; phone?: string } = { name: 'Grace Hopper', email: earlier },
): Promise<CreateBookingResponse & { manage_token: string }> {
  const answer = await bookAppointment(meridian, calendar.slug, { starts_at, customer })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json()
}

function ask(method: 'GET' | 'PATCH' | 'POST' | 'DELETE', path: string, payload?: object) {
  const url = `/api/calendars/${calendar.id}${path}`
  return meridian.request({ method, url, cookie: owner.cookie, ...(payload && { payload }) })
}

async function list(): Promise<CustomerListResponse> {
  return (await ask('GET', '/customer-list')).json()
}

/** Finds the customer of the current test. */
async function find() {
  const found = (await list()).customers.find(({ name }) => name.startsWith('Grace'))
  if (found === undefined) throw new Error('the customer is not listed')
  return found
}

async function change(payload: object, id?: string) {
  return ask('PATCH', `/customers/${id ?? (await find()).id}`, payload)
}

async function correct(payload: object): Promise<void> {
  const answer = await change(payload)
  expect(answer.statusCode, answer.body).toBe(200)
}

/** Merges the customer of the current test into another record, which has a different address. */
async function putTogether(): Promise<void> {
  const { id: goneId } = await find()
  await bookAt(TEN, { name: 'Ada Lovelace', email: later })
  const kept = (await list()).customers.find(({ email }) => email === later)
  const answer = await ask('POST', `/customers/${kept?.id}/merge`, { other_id: goneId })
  expect(answer.statusCode, answer.body).toBe(200)
}

function open(token: string) {
  return meridian.get(`/api/public/manage/${token}`)
}

async function messagesOf(appointmentId: string, kind: string): Promise<{ state: string }[]> {
  return meridian.database.db
    .selectFrom('appointment_messages')
    .select('state')
    .where('appointment_id', '=', appointmentId)
    .where('kind', '=', kind)
    .execute()
}

async function namesOf(bookings: readonly { id: string }[]): Promise<(string | null)[][]> {
  const rows = await meridian.database.db
    .selectFrom('appointments')
    .select(['id', 'customer_name', 'customer_phone'])
    .where('calendar_id', '=', calendar.id)
    .execute()
  return bookings.map(({ id }) => {
    const row = rows.find((one) => one.id === id)
    return [row?.customer_name ?? null, row?.customer_phone ?? null]
  })
}
