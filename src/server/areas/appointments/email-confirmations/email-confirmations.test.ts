import { beforeEach, expect, test } from 'vitest'
import type { CreateBookingResponse } from '#contract/appointments/bookings.ts'
import { EMAIL_CONFIRMATION_MS } from '#core/appointments/hold.ts'
import { releaseExpiredHolds } from '#server/areas/payments/checkouts/end-checkouts.ts'
import { sendAppointmentAction } from '#tests/support/act-on.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { GENEROUS_BUDGETS } from '#tests/support/generous-budgets.ts'
import { makeBookingBody, TEST_MONDAY } from '#tests/support/meridian.ts'

const budgets = 'email_codes=5,email_code_mails=2,open_holds_client=3,open_holds_email=3,email_unanswered=3'
setUpCalendar({
  env: { DEFAULT_PLAN: 'enterprise', BUDGETS: `${GENEROUS_BUDGETS},${budgets}` },
})
beforeEach(async () => {
  clients += 1
  grace = { name: 'Grace Hopper', email: `grace-${clients}@example.com` }
  meridian.mails.length = 0
  const changed = await owner.patch(`/api/calendars/${calendar.id}`, { email_confirmation_required: true })
  expect(changed.json()).toMatchObject({ email_confirmation_required: true })
})

let grace = { name: 'Grace Hopper', email: '' }

/** Books Monday 09:00 and reads the code from the email. */
async function bookForCode(body: Record<string, unknown> = {}) {
  const answer = await bookHere(body)
  expect(answer.statusCode, answer.body).toBe(201)
  const appointment = answer.json<CreateBookingResponse>()
  return { appointment, code: await readCode(appointment) }
}

async function readCode({ manage_token }: CreateBookingResponse): Promise<string> {
  const mail = await meridian.waitForMail(({ messageId, subject, text }) => {
    return messageId !== '' && text.includes(`/manage/${manage_token}`) && / is your code /.test(subject)
  })
  return mail.subject.slice(0, 6)
}

/** Each test uses another IP address, because open holds are counted over all calendars. */
let clients = 0

function bookHere(body: Record<string, unknown>, headers: Record<string, string> = {}) {
  return meridian.request({
    method: 'POST',
    url: `/api/public/calendars/${calendar.slug}/appointments`,
    remoteAddress: `203.0.113.${clients}`,
    headers,
    payload: makeBookingBody({ customer: grace, ...body }),
  })
}

function confirm(id: string, code: string) {
  return meridian.post(`/api/public/appointments/${id}/email-confirmation`, { code })
}

async function listTimes(): Promise<string[]> {
  const answer = await meridian.get(`/api/public/calendars/${calendar.slug}/slots?date=2027-01-04`)
  return answer
    .json<{ slots: { starts_at: string }[] }>()
    .slots.map(({ starts_at }) => new Date(starts_at).toISOString())
}

test('a booking is held until its code is typed, and nobody is told of it before', async () => {
  const { appointment, code } = await bookForCode()
  expect(appointment).toMatchObject({
    status: 'pending_payment',
    confirm_email_until: new Date(TEST_MONDAY + EMAIL_CONFIRMATION_MS).toISOString(),
  })
  expect(code).toMatch(/^\d{6}$/)
  expect(await listTimes()).not.toContain(appointment.starts_at)
  expect(meridian.mails.map(({ to }) => to.address)).toEqual([grace.email])

  const confirmed = await confirm(appointment.id, ` ${toFullWidth(code.slice(0, 3))} ${code.slice(3)} `)
  expect(confirmed.json()).toMatchObject({
    id: appointment.id,
    status: 'confirmed',
    confirm_email_until: null,
  })
  await meridian.waitForMail(({ subject }) => subject.startsWith('Booking confirmed'))
  await meridian.waitForMail(
    ({ to, subject }) => to.address === owner.email && subject.startsWith('New booking'),
  )
})

test('the same code typed twice books once and is answered alike', async () => {
  const { appointment, code } = await bookForCode()
  const [first, second] = await Promise.all([confirm(appointment.id, code), confirm(appointment.id, code)])
  expect([first.statusCode, second.statusCode]).toEqual([200, 200])
  const { rows } = await meridian.database.execute(
    `select count(*)::integer as count from appointment_messages where appointment_id = $1 and kind = 'booking_confirmation'`,
    [appointment.id],
  )
  expect(rows).toEqual([{ count: 1 }])
})

test('a wrong code is refused, and after five of any kind the right one is not looked at any more', async () => {
  const { appointment, code } = await bookForCode()
  const wrong = code === '000000' ? '000001' : '000000'
  const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(appointment.id, wrong)))
  const codes = answers.map((answer) => answer.json<{ code: string }>().code)
  expect(codes.filter((one) => one === 'confirmation.wrong_code')).toHaveLength(5)
  expect(codes.filter((one) => one === 'confirmation.too_many_codes')).toHaveLength(15)
  expectRefusal(await confirm(appointment.id, code), 'confirmation.too_many_codes')
})

test('a code that comes too late confirms nothing, and the time is free again', async () => {
  const { appointment, code } = await bookForCode()
  meridian.clock.ms += EMAIL_CONFIRMATION_MS + 1
  await releaseExpiredHolds(meridian.deps)
  expect(await listTimes()).toContain(appointment.starts_at)
  expectRefusal(await confirm(appointment.id, code), 'confirmation.too_late')
})

test.each(['mark_paid', 'mark_pending'] as const)(
  'the code is right also after the owner chose %s, and the booking counts',
  async (action) => {
    const { appointment, code } = await bookForCode()
    const decided = await sendAppointmentAction({ meridian, owner, calendar }, appointment.id, { action })
    expect(decided.statusCode, decided.body).toBe(200)
    const answer = await confirm(appointment.id, code)
    expect(answer.json()).toMatchObject({ id: appointment.id, status: 'confirmed' })
    expect(await listTimes()).not.toContain(appointment.starts_at)
  },
)

test('the code of a booking that its owner cancelled confirms nothing', async () => {
  const { appointment, code } = await bookForCode()
  const failed = await sendAppointmentAction({ meridian, owner, calendar }, appointment.id, {
    action: 'mark_failed',
  })
  expect(failed.statusCode, failed.body).toBe(200)
  expectRefusal(await confirm(appointment.id, code), 'confirmation.too_late')
  expect(await listTimes()).toContain(new Date(appointment.starts_at).toISOString())
})

test('the code is sent once more at most twice, always the same one', async () => {
  const { appointment, code } = await bookForCode()
  const again = () => meridian.post(`/api/public/appointments/${appointment.id}/email-confirmation/code`)
  meridian.mails.length = 0
  meridian.clock.ms += 1_000
  expect((await again()).statusCode).toBe(204)
  expect(await readCode(appointment)).toBe(code)
  meridian.clock.ms += 1_000
  expect((await again()).statusCode).toBe(204)
  expectRefusal(await again(), 'confirmation.sent_often')
})

test('a second booking of the same person gives the first time back', async () => {
  const { appointment } = await bookForCode()
  const second = await bookForCode({ starts_at: '2027-01-04T11:00:00Z' })
  expect(await listTimes()).toContain(appointment.starts_at)
  expect((await confirm(second.appointment.id, second.code)).statusCode).toBe(200)
})

test('a second booking of the very time that the same person holds is not refused, and only its code counts', async () => {
  const { appointment: first, code } = await bookForCode()
  const { appointment: second } = await bookForCode({ description: 'By the window' })
  expect(second.starts_at).toBe(first.starts_at)
  expectRefusal(await confirm(first.id, code), 'confirmation.too_late')
  const elsewhere = { remoteAddress: '198.51.100.77', payload: makeBookingBody({ customer: grace }) }
  const url = `/api/public/calendars/${calendar.slug}/appointments`
  expectRefusal(await meridian.request({ method: 'POST', url, ...elsewhere }), 'booking.slot_unavailable')
  expectRefusal(
    await bookHere({ customer: { name: 'Ada', email: `ada-${clients}@example.com` } }),
    'booking.slot_unavailable',
  )
})

test('a hold that its customer gives back is free at once, also for another address of theirs', async () => {
  const { appointment, code } = await bookForCode({
    customer: { ...grace, email: `typo-${clients}@example.com` },
  })
  expect((await meridian.delete(`/api/public/appointments/${appointment.id}`)).statusCode).toBe(204)
  expect(await listTimes()).toContain(appointment.starts_at)
  expectRefusal(await confirm(appointment.id, code), 'confirmation.too_late')
  const { appointment: right, code: rightCode } = await bookForCode()
  expect(right.starts_at).toBe(appointment.starts_at)
  expect((await confirm(right.id, rightCode)).json()).toMatchObject({ status: 'confirmed' })
  // A request that releases a hold does not release a booked time.
  const again = { method: 'DELETE', url: `/api/public/appointments/${right.id}` } as const
  expectRefusal(await meridian.request(again), 'appointment.not_pending_payment')
})

test('an address that no code can be sent to is told so at once, until its reader opens a link', async () => {
  const key = meridian.deps.recipientKeys.keyOf(grace.email)
  const use = { budget: 'email_unanswered', subject: key } as const
  for (let i = 0; i < 3; i += 1) expect(await meridian.deps.budgets.spend([use])).toBeNull()
  expectRefusal(await bookHere({}), 'confirmation.no_email')
  expect(await listTimes()).toContain('2027-01-04T09:00:00.000Z')
  const link = meridian.deps.recipientKeys.linkOf(grace.email)
  const open = (path: string) => meridian.post(`/api/public/${path}`, { link })
  expect((await open('email-answers')).statusCode).toBe(204)
  expect((await bookHere({})).statusCode).toBe(201)
  expect((await open('email-stops')).statusCode).toBe(204)
  expectRefusal(await bookHere({ starts_at: '2027-01-04T10:00:00Z' }), 'confirmation.no_email')
})

test('one stranger holds no more times by bookings without a code than by payments', async () => {
  const answers = []
  for (let i = 0; i < 6; i += 1) {
    const customer = { name: 'No Body', email: `nobody-${i}@evil.example` }
    const starts_at = new Date(TEST_MONDAY + (60 + 30 * i) * 60_000).toISOString()
    answers.push(await bookHere({ starts_at, customer }))
  }
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 429, 429, 429])
})

test('the owner of the calendar is asked for no code', async () => {
  const answer = await bookHere({}, { cookie: owner.cookie })
  expect(answer.json()).toMatchObject({ status: 'confirmed', confirm_email_until: null })
})

test('the code of one booking does not confirm another', async () => {
  const first = await bookForCode()
  const second = await bookForCode({
    starts_at: '2027-01-04T12:00:00Z',
    customer: { name: 'Ada', email: 'ada@example.com' },
  })
  if (first.code !== second.code) {
    expectRefusal(await confirm(second.appointment.id, first.code), 'confirmation.wrong_code')
  }
  expect(await confirm('00000000-0000-4000-8000-000000000000', first.code)).toMatchObject({ statusCode: 404 })
})

test('the owner sees that a time waits for the code of an email, and not for a payment', async () => {
  const { appointment, code } = await bookForCode()
  const list = async () => {
    const answer = await owner.get(`/api/calendars/${calendar.id}/appointments`)
    return answer.json<{ appointments: { awaits_email_code: boolean }[] }>().appointments
  }
  expect(await list()).toMatchObject([{ awaits_email_code: true }])
  await confirm(appointment.id, code)
  expect(await list()).toMatchObject([{ awaits_email_code: false }])
})

/** Converts digits to full-width forms, as a Japanese keyboard types them. */
function toFullWidth(digits: string): string {
  return digits.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
}
