import type { LightMyRequestResponse } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { PROBLEMS, type ProblemCode } from '#contract/shared/problem.ts'
import { BUDGETS } from '#core/shared/budgets.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { GENEROUS_BUDGETS } from '#tests/support/generous-budgets.ts'
import { bookAppointment, makeCalendar } from '#tests/support/meridian.ts'
import { addAppointmentType } from '#tests/support/stored-rows.ts'

const IN_MARCH = { starts_at: '2027-03-01T09:00:00Z' }

let calendar: Calendar

const counted = ['manage_links', 'manage_changes'] as const
const amounts = counted.map((name) => `${name}=${BUDGETS[name].max}`).join()
const env = { DEFAULT_PLAN: 'enterprise', BUDGETS: `${GENEROUS_BUDGETS},${amounts}` }
setUpOwner({ env })
beforeEach(async () => {
  calendar = await makeCalendar(meridian, owner, { name: 'Harley Street' })
})

describe('the signed link of an appointment', () => {
  test('shows what, when, where and what it cost, to its customer alone', async () => {
    const appointment_type_id = await addAppointmentType(meridian, calendar.id, { price_cents: 4_000 })
    const { id, manage_token } = (
      await bookAppointment(meridian, calendar.slug, { appointment_type_id })
    ).json()
    const answer = await open(manage_token)
    expect(answer.json()).toMatchObject({
      standing: 'upcoming',
      moved_from: null,
      can_change: true,
      is_confirmed: false,
      customer: { name: 'Grace Hopper', phone: null, email_hint: 'g•••@example.com' },
      appointment: { id, starts_at: '2027-01-04T09:00:00.000Z', appointment_type_price: 40 },
      link_ends_at: '2027-04-04T09:30:00.000Z',
    })
    expect(answer.body).not.toContain('grace@')
  })

  test('is the same in each email, also in one that is written weeks later', async () => {
    const customer = { name: 'Grace Hopper', email: 'weeks.later@example.com' }
    const { id, manage_token } = (
      await bookAppointment(meridian, calendar.slug, { ...IN_MARCH, customer })
    ).json()
    const findMail = (subject: string) =>
      meridian.waitForMail((one) => one.to.address === customer.email && one.subject.startsWith(subject))
    const first = await findMail('Booking confirmed')
    meridian.clock.ms += 21 * DAY_MS
    await act(id, 'cancel')
    for (const mail of [first, await findMail('Appointment cancelled')]) {
      expect(mail.text).toContain(`http://localhost:3000/manage/${manage_token}#email=`)
      expect(mail.text).not.toContain('/confirmation?appointment_id=')
    }
  })

  test('is in no log and in no cache, names nobody, and is passed on to no other site', async () => {
    const { manage_token } = (await bookAppointment(meridian, calendar.slug)).json()
    const answer = await open(manage_token)
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
    expect(meridian.logLines.join('\n')).not.toContain(manage_token)
    expect(Buffer.from(manage_token, 'base64url').toString('latin1')).not.toMatch(/grace|hopper/i)
  })

  test('is not given to somebody who has the id alone', async () => {
    const { id, manage_token } = (await bookAppointment(meridian, calendar.slug)).json()
    const answer = await meridian.get(`/api/public/appointments/${id}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.body).not.toContain(manage_token)
  })

  test('says of an appointment that was cancelled that it is', async () => {
    const { id, manage_token } = (await bookAppointment(meridian, calendar.slug)).json()
    await act(id, 'cancel')
    expect((await open(manage_token)).json()).toMatchObject({ standing: 'cancelled', can_change: false })
    expectRefusal(await change(manage_token, { phone: '1' }), 'manage.not_changeable')
    expectRefusal(await openFile(manage_token), 'manage.not_booked')
  })

  test('shows the present time of an appointment that was moved twice, whichever email led to it', async () => {
    const { id, manage_token } = (await bookAppointment(meridian, calendar.slug)).json()
    await move(id, '2027-01-04T09:00:00Z', '2027-01-05T14:00:00Z')
    await move(id, '2027-01-05T14:00:00Z', '2027-01-06T11:00:00Z')
    expect((await open(manage_token)).json()).toMatchObject({
      appointment: { starts_at: '2027-01-06T11:00:00.000Z' },
      moved_from: '2027-01-05T14:00:00.000Z',
    })
  })

  test('says of one that has begun that it is past, and of one that waits for an answer that it does', async () => {
    const { id, manage_token } = (await bookAppointment(meridian, calendar.slug)).json()
    await meridian.post(`/api/public/appointments/${id}/cancellation-request`)
    expect((await open(manage_token)).json().standing).toBe('pending_cancellation')
    await act(id, 'deny_cancellation')
    meridian.clock.ms = Date.parse('2027-01-04T09:00:00Z')
    expect((await open(manage_token)).json()).toMatchObject({ standing: 'past', can_change: false })
  })

  test('ends 90 days after the appointment, and so does the bare id', async () => {
    const { id, manage_token } = (await bookAppointment(meridian, calendar.slug)).json()
    meridian.clock.ms = Date.parse('2027-01-04T09:30:00Z') + 90 * DAY_MS
    expect((await open(manage_token)).statusCode).toBe(200)
    meridian.clock.ms += 1
    expectRefusal(await open(manage_token), 'manage.ended')
    const byId = await meridian.get(`/api/public/appointments/${id}`)
    expectRefusal(byId, 'appointment.not_found')
  })

  test('of a hold that ended says that its time was given back', async () => {
    await meridian.database.execute('update calendars set email_confirmation_required = true where id = $1', [
      calendar.id,
    ])
    const { id, manage_token } = (await bookAppointment(meridian, calendar.slug)).json()
    expect((await open(manage_token)).json().standing).toBe('awaits_email_code')
    await meridian.database.execute('update appointments set released_at = now() where id = $1', [id])
    expectRefusal(await open(manage_token), 'manage.given_back')
  })

  test('of an appointment that is gone with its calendar leads to none', async () => {
    const { manage_token } = (await bookAppointment(meridian, calendar.slug)).json()
    expect((await owner.delete(`/api/calendars/${calendar.id}`)).statusCode).toBe(204)
    expectRefusal(await open(manage_token), 'manage.not_found')
  })

  test('that is guessed, cut off or put together from two leads to no appointment', async () => {
    const { id, manage_token } = (await bookAppointment(meridian, calendar.slug)).json()
    const other = (
      await bookAppointment(meridian, calendar.slug, { starts_at: '2027-01-04T10:00:00Z' })
    ).json()
    const mixed = other.manage_token.slice(0, 24) + manage_token.slice(24)
    for (const token of ['x', id, 'A'.repeat(44), manage_token.slice(0, -1), `${manage_token}A`, mixed]) {
      expectRefusal(await open(token), 'manage.not_found')
    }
    for (const request of [change(mixed, { phone: '1' }), openFile(mixed), send(mixed, 'POST', 'code')]) {
      expectRefusal(await request, 'manage.not_found')
    }
  })

  test('still opens where too many were guessed from', async () => {
    const { manage_token } = (await bookAppointment(meridian, calendar.slug)).json()
    const remoteAddress = '198.51.100.7'
    const guess = () => meridian.request({ url: '/api/public/manage/guessed', remoteAddress })
    for (let i = 0; i < BUDGETS.manage_links.max; i += 1) expectRefusal(await guess(), 'manage.not_found')
    expectRefusal(await guess(), 'manage.too_many')
    const answer = await meridian.request({ url: `/api/public/manage/${manage_token}`, remoteAddress })
    expect(answer.statusCode).toBe(200)
  })

  test('is replaced when the address of the customer changes, and the bare id opens nothing from then on', async () => {
    const { id, manage_token } = (await bookAppointment(meridian, calendar.slug)).json()
    await giveAddress(id, 'grace.new@example.com')
    expectRefusal(await open(manage_token), 'manage.replaced')
    const url = `/api/public/appointments/${id}`
    expectRefusal(await meridian.get(url), 'appointment.not_found')
    const asked = await meridian.post(`${url}/cancellation-request`)
    expectRefusal(asked, 'appointment.not_found')
    const token = meridian.deps.manageLinks.tokenOf({ appointmentId: id, rotation: 1 })
    const seen = { way: 'by_request', refund_amount: null }
    const cancelUrl = `/api/public/manage/${token}/cancel`
    const byLink = await meridian.post(cancelUrl, seen)
    expect(byLink.json().standing).toBe('pending_cancellation')
    await act(id, 'approve_cancellation')
    const mail = await meridian.waitForMail(({ to }) => to.address === 'grace.new@example.com')
    expect(mail.text).toContain(`/manage/${token}#email=`)
    expect((await open(token)).json().standing).toBe('cancelled')
  })
})

describe('what a customer changes', () => {
  test('is at this appointment alone, and the owner reads it in the history', async () => {
    const { id, manage_token } = (await bookAppointment(meridian, calendar.slug)).json()
    const answer = await change(manage_token, {
      phone: ' +44 20 7946 0958 ',
      time_zone: 'America/New_York',
      description: 'The left knee.',
    })
    expect(answer.json()).toMatchObject({
      customer: { phone: '+44 20 7946 0958' },
      appointment: { customer_time_zone: 'America/New_York', description: 'The left knee.' },
    })
    const record = await meridian.database.db
      .selectFrom('appointments')
      .innerJoin('customers', 'customers.id', 'appointments.customer_id')
      .select(['customers.phone', 'appointments.customer_phone'])
      .where('appointments.id', '=', id)
      .executeTakeFirstOrThrow()
    expect(record).toEqual({ phone: null, customer_phone: '+44 20 7946 0958' })
    expect(await readHistory(id)).toEqual([
      'The customer changed the phone number, the time zone and the notes.',
    ])
  })

  test('is the title where the form asks for one, and an emptied one is what the form is filled with', async () => {
    const appointment_type_id = await addAppointmentType(meridian, calendar.id, { name: 'First visit' })
    const { id, manage_token } = (
      await bookAppointment(meridian, calendar.slug, { appointment_type_id })
    ).json()
    expect((await change(manage_token, { title: 'My back' })).json().appointment.title).toBe('My back')
    expect(await readTyped(id)).toBe('My back')
    expect((await change(manage_token, { title: '' })).json().appointment.title).toBe('First visit')
    expect(await readTyped(id)).toBeNull()
  })

  test('is not the title where the form does not ask for one', async () => {
    const plain = await makeCalendar(meridian, owner, { appointment_title_required: false })
    const { manage_token, title } = (await bookAppointment(meridian, plain.slug)).json()
    expect((await change(manage_token, { title: 'My back' })).json()).toMatchObject({
      has_title: false,
      appointment: { title },
    })
  })

  test('tells nobody when nothing differs', async () => {
    const { id, manage_token } = (await bookAppointment(meridian, calendar.slug)).json()
    expect((await change(manage_token, { phone: null, description: '' })).statusCode).toBe(200)
    expect(await readHistory(id)).toEqual([])
  })

  test('does not overwrite unseen what was changed in another window', async () => {
    const { manage_token } = (await bookAppointment(meridian, calendar.slug)).json()
    await change(manage_token, { phone: '1' })
    const stale = await change(manage_token, { phone: '2', was: { phone: '' } })
    expectRefusal(stale, 'request.changed_meanwhile')
    expect((await change(manage_token, { phone: '2', was: { phone: '1' } })).statusCode).toBe(200)
  })

  test('is refused for a zone that nobody knows, a text that is too long, and too often', async () => {
    const { manage_token } = (await bookAppointment(meridian, calendar.slug)).json()
    expectRefusal(await change(manage_token, { time_zone: 'Mars/Base' }), 'calendar.time_zone_unknown')
    expect((await change(manage_token, { description: 'x'.repeat(100_000) })).statusCode).toBe(413)
    expectRefusal(await change(manage_token, { phone: 'x'.repeat(41) }), 'request.invalid')
    for (let i = 1; i < BUDGETS.manage_changes.max; i += 1) {
      expect((await change(manage_token, { phone: String(i) })).statusCode).toBe(200)
    }
    expectRefusal(await change(manage_token, { phone: 'once more' }), 'manage.changed_often')
    expect((await open(manage_token)).statusCode).toBe(200)
  })

  test('ends when the appointment begins', async () => {
    const { manage_token } = (await bookAppointment(meridian, calendar.slug)).json()
    meridian.clock.ms = Date.parse('2027-01-04T09:00:00Z')
    expectRefusal(await change(manage_token, { phone: '1' }), 'manage.not_changeable')
  })
})

test('the calendar file has the UID of the emails, no attendees, and no link that a stranger typed', async () => {
  const description = 'See https://evil.example/now'
  const { id, manage_token } = (await bookAppointment(meridian, calendar.slug, { description })).json()
  const answer = await openFile(manage_token)
  expect(answer.headers['content-type']).toBe('text/calendar; charset=utf-8; method=PUBLISH')
  expect(answer.headers['content-disposition']).toBe('attachment; filename="appointment.ics"')
  const file = answer.body.replaceAll('\r\n ', '')
  expect(file).toContain(`UID:${id}@localhost`)
  expect(file).toContain(`URL;VALUE=URI:http://localhost:3000/manage/${manage_token}`)
  expect(file).not.toContain('ATTENDEE')
  expect(file).not.toContain('evil.example')
})

function open(token: string): Promise<LightMyRequestResponse> {
  return meridian.get(`/api/public/manage/${token}`)
}

function openFile(token: string): Promise<LightMyRequestResponse> {
  return meridian.get(`/api/public/manage/${token}/appointment.ics`)
}

function change(token: string, payload: object): Promise<LightMyRequestResponse> {
  return meridian.patch(`/api/public/manage/${token}`, payload)
}

function send(token: string, method: 'POST' | 'DELETE', what: string): Promise<LightMyRequestResponse> {
  return meridian.request({ method, url: `/api/public/manage/${token}/${what}` })
}

async function act(id: string, action: string): Promise<void> {
  const url = `/api/calendars/${calendar.id}/appointments/${id}/actions`
  const answer = await owner.post(url, { action })
  expect(answer.statusCode, answer.body).toBe(200)
}

async function move(id: string, expected_starts_at: string, starts_at: string): Promise<void> {
  const url = `/api/calendars/${calendar.id}/appointments/${id}/move`
  const payload = { expected_starts_at, starts_at }
  const answer = await owner.post(url, payload)
  expect(answer.statusCode, answer.body).toBe(200)
}

/** Changes the customer's email address, with the same effect as a merge with a record that has a different address. */
async function giveAddress(id: string, address: string): Promise<void> {
  const { rows } = await meridian.database.execute(
    'update appointments set link_rotation = link_rotation + 1 where id = $1 returning customer_id',
    [id],
  )
  await meridian.database.execute('update customers set email = $2 where id = $1', [
    rows[0]?.customer_id,
    address,
  ])
}

async function readHistory(id: string): Promise<string[]> {
  const url = `/api/calendars/${calendar.id}/appointments/${id}/history`
  const { entries } = (await owner.get(url)).json()
  return entries.map(({ text }: { text: string }) => text)
}

async function readTyped(id: string): Promise<string | null> {
  const row = await meridian.database.db
    .selectFrom('appointments')
    .select('typed_title')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.typed_title
}

function expectRefusal(answer: LightMyRequestResponse, code: ProblemCode): void {
  expect([answer.statusCode, answer.json().code]).toEqual([PROBLEMS[code].status, code])
}
