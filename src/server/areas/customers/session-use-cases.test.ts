import type { LightMyRequestResponse } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import { PROBLEMS, type ProblemCode } from '#contract/shared/problem.ts'
import { RETENTION_MINUTES } from '#contract/shared/retention.ts'
import { BUDGETS } from '#core/shared/budgets.ts'
import { DAY_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { GENEROUS_BUDGETS } from '#tests/support/generous-budgets.ts'
import { bookAppointment, makeCalendar, TEST_MONDAY, toCookieHeader } from '#tests/support/meridian.ts'
import { makeQuestion } from '#tests/support/questions.ts'
import { waitUntilEmailsSent } from '#tests/support/race-track.ts'

const NINE = '2027-01-04T09:00:00Z'
const TEN = '2027-01-04T10:00:00Z'
const NOTES = 'It hurts when I climb stairs.'
const PHONE = '+44 20 7946 0958'

/** A customer that no other test uses. */
let email: string
let customers = 0

const counted = ['customer_codes', 'customer_code_mails'] as const
const amounts = counted.map((name) => `${name}=${BUDGETS[name].max}`).join()
const env = { DEFAULT_PLAN: 'enterprise', BUDGETS: `${GENEROUS_BUDGETS},${amounts}` }
setUpCalendar({ env })
beforeEach(async () => {
  customers += 1
  email = `customer-${customers}@example.com`
})

describe('a code of an email', () => {
  test('shows all appointments with this calendar, past and to come, each with its link', async () => {
    const first = await bookAt(NINE)
    const second = await bookAt(TEN)
    const elsewhere = await makeCalendar(meridian, owner)
    await bookAppointment(meridian, elsewhere.slug, { customer: { name: 'Grace', email } })
    await bookAppointment(meridian, calendar.slug, { starts_at: '2027-01-04T11:00:00Z' })
    meridian.clock.ms = Date.parse(NINE)
    const cookie = await confirm(second.manage_token)
    const { appointments, is_complete } = (await ask(second.manage_token, 'appointments', cookie)).json()
    expect(is_complete).toBe(true)
    expect(appointments).toMatchObject([
      { id: second.id, standing: 'upcoming', token: second.manage_token },
      { id: first.id, standing: 'past', token: first.manage_token },
    ])
    expect((await ask(first.manage_token, '', cookie)).json().is_confirmed).toBe(true)
  })

  test('is needed: without it, or with the link alone, nothing about other appointments is told', async () => {
    const { manage_token } = await bookAt(NINE)
    for (const what of ['appointments', 'record']) {
      expectRefusal(await ask(manage_token, what), 'manage.session_needed')
    }
    expectRefusal(await send('DELETE', manage_token, 'record'), 'manage.session_needed')
  })

  test('begins a session of this host alone, which scripts cannot read and other sites cannot use', async () => {
    const { manage_token } = await bookAt(NINE)
    const answer = await typeCode(manage_token, await receiveCode(manage_token))
    expect(answer.headers['set-cookie']).toMatch(
      /^meridian\.customer=[\w.-]+; Max-Age=1800; Path=\/api\/public\/manage; HttpOnly; SameSite=Strict$/,
    )
  })

  test('opens nothing of another customer, of another calendar, or with a cookie that was made up', async () => {
    const { manage_token } = await bookAt(NINE)
    const cookie = await confirm(manage_token)
    const stranger = (await bookAppointment(meridian, calendar.slug, { starts_at: TEN })).json()
    expectRefusal(await ask(stranger.manage_token, 'appointments', cookie), 'manage.session_needed')
    const elsewhere = await makeCalendar(meridian, owner)
    const there = (
      await bookAppointment(meridian, elsewhere.slug, { customer: { name: 'Grace', email } })
    ).json()
    expectRefusal(await ask(there.manage_token, 'appointments', cookie), 'manage.session_needed')
    const later = cookie.replace(/\d{13}/, (end) => String(Number(end) + DAY_MS))
    expectRefusal(await ask(manage_token, 'appointments', later), 'manage.session_needed')
  })

  test('is forgotten after half an hour, when its customer leaves, and when the address changes', async () => {
    const { id, manage_token } = await bookAt(NINE)
    const cookie = await confirm(manage_token)
    meridian.clock.ms += RETENTION_MINUTES.customerSession * MINUTE_MS
    expectRefusal(await ask(manage_token, 'appointments', cookie), 'manage.session_needed')
    meridian.clock.ms = TEST_MONDAY
    expect((await ask(manage_token, 'appointments', cookie)).statusCode).toBe(200)
    const left = await send('DELETE', manage_token, 'session')
    expect(left.headers['set-cookie']).toMatch(/^meridian\.customer=; Max-Age=0; /)
    await giveAddress(id, `new-${email}`)
    const token = meridian.deps.manageLinks.tokenOf({ appointmentId: id, rotation: 1 })
    expectRefusal(await ask(token, 'appointments', cookie), 'manage.session_needed')
  })

  test('is good for 15 to 30 minutes, with blanks too, and is sent to the address of the customer', async () => {
    const { manage_token } = await bookAt(NINE)
    const code = await receiveCode(manage_token)
    meridian.clock.ms += 15 * MINUTE_MS
    expect((await typeCode(manage_token, ` ${code.slice(0, 3)} ${code.slice(3)}`)).statusCode).toBe(204)
    expect((await typeCode(manage_token, toFullWidth(code))).statusCode).toBe(204)
    meridian.clock.ms += 15 * MINUTE_MS
    expectRefusal(await typeCode(manage_token, code), 'confirmation.wrong_code')
  })

  test('is counted before it is checked, so that nobody guesses it', async () => {
    const { manage_token } = await bookAt(NINE)
    const code = await receiveCode(manage_token)
    const wrong = code === '000000' ? '000001' : '000000'
    for (let i = 0; i < BUDGETS.customer_codes.max; i += 1) {
      expectRefusal(await typeCode(manage_token, wrong), 'confirmation.wrong_code')
    }
    expectRefusal(await typeCode(manage_token, code), 'manage.too_many_codes')
  })

  test('is sent a few times an hour, and not where there is no address or emails were stopped', async () => {
    const { id, manage_token } = await bookAt(NINE)
    for (let i = 0; i < BUDGETS.customer_code_mails.max; i += 1) {
      meridian.clock.ms += 1_000
      expect((await send('POST', manage_token, 'code')).statusCode).toBe(204)
    }
    expectRefusal(await send('POST', manage_token, 'code'), 'manage.codes_sent_often')
    const link = meridian.deps.recipientKeys.linkOf(email)
    await meridian.post('/api/public/email-stops', { link })
    expectRefusal(await send('POST', manage_token, 'code'), 'manage.no_code')
    await meridian.database.execute(
      'update customers set email = null where id = (select customer_id from appointments where id = $1)',
      [id],
    )
    expectRefusal(await send('POST', manage_token, 'code'), 'manage.no_email')
  })
})

describe('what is stored about a customer', () => {
  test('is taken along as one file, with the messages about each appointment', async () => {
    const { id, manage_token } = await bookAt(NINE)
    // The test clock stands still, and messages with the same time have no fixed order.
    meridian.clock.ms += 1
    const cookie = await confirm(manage_token)
    const record = (await ask(manage_token, 'record', cookie)).json()
    expect(record).toMatchObject({
      calendar: { name: calendar.name },
      customer: { name: 'Grace Hopper', email, phone: PHONE },
      appointments: [{ id, starts_at: '2027-01-04T09:00:00.000Z', notes: NOTES, phone: PHONE, payments: [] }],
    })
    const kinds = record.appointments[0].messages.map(({ kind }: { kind: string }) => kind)
    expect(kinds).toEqual(['booking_confirmation', 'customer_code'])
  })

  test('has the answers to questions in the file; of private ones, which a mailbox must not give away, only the question', async () => {
    const open = makeQuestion('Who referred you?')
    const secret = makeQuestion('What brings you here?', { is_private: true })
    const questions = [open, secret]
    await meridian.as(owner).put(`/api/calendars/${calendar.id}/questions`, { questions })
    const answers = questions.map(({ id }) => ({ question_id: id, value: [`Answer to ${id}`] }))
    const { manage_token } = await bookAt(NINE, { answers })
    const record = await ask(manage_token, 'record', await confirm(manage_token))
    expect(record.json().appointments[0].answers).toEqual([
      { label: open.label, is_private: false, value: [`Answer to ${open.id}`] },
      { label: secret.label, is_private: true, value: null },
    ])
  })

  test('is erased when nothing is ahead: nothing names them any more, and what accounting needs stays', async () => {
    const { id, manage_token, booking_reference } = await bookAt(NINE, { title: 'My secret trouble' })
    const cookie = await confirm(manage_token)
    expectRefusal(await send('DELETE', manage_token, 'record', cookie), 'customer.appointments_ahead')
    await act(id, 'cancel')
    await meridian.waitForMail(({ to, subject }) => to.address === email && /cancelled/.test(subject))
    const erased = await send('DELETE', manage_token, 'record', cookie)
    expect(erased.statusCode, erased.body).toBe(204)
    expect(erased.headers['set-cookie']).toContain('Max-Age=0')
    const stored = await readAllTables()
    for (const personal of [email, 'Grace Hopper', PHONE, NOTES, 'My secret trouble']) {
      expect(stored).not.toContain(personal)
    }
    expect(stored).toContain(booking_reference)
    const { rows } = await meridian.database.execute(
      'select starts_at, status, link_rotation from appointments where id = $1',
      [id],
    )
    expect(rows).toEqual([{ starts_at: new Date(NINE), status: 'cancelled', link_rotation: 0 }])
  })

  test('is gone for each link and for the bare id, and each link says so', async () => {
    const first = await bookAt(NINE)
    const second = await bookAt(TEN)
    const cookie = await confirm(first.manage_token)
    meridian.clock.ms = Date.parse(TEN) + DAY_MS
    const again = await confirm(first.manage_token)
    expect(again).not.toBe(cookie)
    expect((await send('DELETE', first.manage_token, 'record', again)).statusCode).toBe(204)
    for (const { manage_token } of [first, second]) {
      expectRefusal(await ask(manage_token, ''), 'manage.erased')
      expectRefusal(await ask(manage_token, 'record', again), 'manage.erased')
      expectRefusal(await send('DELETE', manage_token, 'record', again), 'manage.erased')
    }
    const byId = await meridian.get(`/api/public/appointments/${second.id}`)
    expectRefusal(byId, 'appointment.not_found')
  })

  test('is not written to any more: a message that has not left is taken back', async () => {
    const { id, manage_token } = await bookAt(NINE)
    const cookie = await confirm(manage_token)
    meridian.clock.ms = Date.parse(NINE) + DAY_MS
    const again = await confirm(manage_token)
    expect(again).not.toBe(cookie)
    // Waits for the workers, because one that is still sending the confirmation would mark it as sent.
    await waitUntilEmailsSent(meridian.database)
    await meridian.database.execute(
      "update appointment_messages set state = 'failed', last_error = 'Grace is unknown here' where appointment_id = $1 and kind = 'booking_confirmation'",
      [id],
    )
    await send('DELETE', manage_token, 'record', again)
    const { rows } = await meridian.database.execute(
      "select state, drop_reason, last_error from appointment_messages where appointment_id = $1 and kind = 'booking_confirmation'",
      [id],
    )
    expect(rows).toEqual([{ state: 'dropped', drop_reason: 'no_address', last_error: null }])
  })

  test('begins anew when the same person books again', async () => {
    const { manage_token } = await bookAt(NINE)
    meridian.clock.ms = Date.parse(NINE) + DAY_MS
    await send('DELETE', manage_token, 'record', await confirm(manage_token))
    const again = await bookAt('2027-01-06T10:00:00Z')
    const cookie = await confirm(again.manage_token)
    const { appointments } = (await ask(again.manage_token, 'appointments', cookie)).json()
    expect(appointments.map(({ id }: { id: string }) => id)).toEqual([again.id])
  })
})

type Booked = { readonly id: string; readonly manage_token: string; readonly booking_reference: string }

async function bookAt(starts_at: string, body: object = {}): Promise<Booked> {
  const customer = { name: 'Grace Hopper', email, phone: PHONE }
  const answer = await bookAppointment(meridian, calendar.slug, {
    starts_at,
    customer,
    description: NOTES,
    ...body,
  })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json()
}

/** Requests a code and reads it from the email. */
async function receiveCode(token: string): Promise<string> {
  const before = meridian.mails.length
  const answer = await send('POST', token, 'code')
  expect(answer.statusCode, answer.body).toBe(204)
  const mail = await meridian.waitForMail(
    (one) =>
      meridian.mails.indexOf(one) >= before &&
      one.to.address === email &&
      / is your code for your appointments /.test(one.subject),
  )
  return mail.subject.slice(0, 6)
}

function typeCode(token: string, code: string): Promise<LightMyRequestResponse> {
  return meridian.post(`/api/public/manage/${token}/session`, { code })
}

/** Confirms a code and returns the session's cookie. */
async function confirm(token: string): Promise<string> {
  const answer = await typeCode(token, await receiveCode(token))
  expect(answer.statusCode, answer.body).toBe(204)
  return toCookieHeader(answer)
}

function ask(token: string, what: string, cookie?: string): Promise<LightMyRequestResponse> {
  return meridian.as({ cookie }).get(`/api/public/manage/${token}${what === '' ? '' : `/${what}`}`)
}

function send(
  method: 'POST' | 'DELETE',
  token: string,
  what: string,
  cookie?: string,
): Promise<LightMyRequestResponse> {
  return meridian.request({ method, url: `/api/public/manage/${token}/${what}`, cookie })
}

async function act(id: string, action: string): Promise<void> {
  const url = `/api/calendars/${calendar.id}/appointments/${id}/actions`
  const answer = await owner.post(url, { action })
  expect(answer.statusCode, answer.body).toBe(200)
}

/** Corrects the customer's address, as the owner does. */
async function giveAddress(id: string, address: string): Promise<void> {
  const { customer_id } = await meridian.database.db
    .selectFrom('appointments')
    .select('customer_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const url = `/api/calendars/${calendar.id}/customers/${customer_id}`
  const payload = { email: address }
  const answer = await owner.patch(url, payload)
  expect(answer.statusCode, answer.body).toBe(200)
}

/** Returns all rows of all tables as one text; for tables that have a calendar, only the rows of this calendar. */
async function readAllTables(): Promise<string> {
  const { rows } = await meridian.database.execute(
    "select table_name from information_schema.columns where table_schema = 'public' and column_name = 'calendar_id'",
  )
  const texts = await collectTexts(rows.map((row) => String(row.table_name)))
  return texts.join('\n')
}

async function collectTexts(tables: readonly string[]): Promise<string[]> {
  const texts: string[] = []
  for (const table of tables) {
    const { rows } = await meridian.database.execute(`select * from ${table} where calendar_id = $1`, [
      calendar.id,
    ])
    texts.push(JSON.stringify(rows))
  }
  return texts
}

function expectRefusal(answer: LightMyRequestResponse, code: ProblemCode): void {
  expect([answer.statusCode, answer.json().code]).toEqual([PROBLEMS[code].status, code])
}

/** Converts digits to full-width forms, as a Japanese keyboard types them. */
function toFullWidth(digits: string): string {
  return digits.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
}
