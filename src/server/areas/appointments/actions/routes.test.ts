import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { AppointmentActionBody } from '#contract/appointments/appointment-actions.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import type { AppointmentAction } from '#core/appointments/appointment-actions.ts'
import type { AppointmentStatus, PaymentStatus } from '#server/platform/db/schema.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  PRODUCTION_SETTINGS,
  TEST_MONDAY,
} from '#tests/support/meridian.ts'
import { waitUntil } from '#tests/support/race-track.ts'
import { addAppointment, addLocation, type StoredAppointment } from '#tests/support/stored-rows.ts'

setUpCalendar({
  env: { ...PRODUCTION_SETTINGS, DEFAULT_PLAN: 'enterprise', BASE_URL: 'https://book.example' },
  calendar: 'file',
})

const CUSTOMER_AND_OWNER = {
  confirmed: ['booking_confirmation', 'owner_confirmed'],
  restored: ['owner_restored', 'restored'],
  cancelled: ['cancelled', 'owner_cancelled'],
}

describe('each row of the table of status actions', () => {
  test.each([
    ['cancel', 'confirmed', 'pending', 'cancelled', 'cancelled'],
    ['cancel', 'pending_payment', 'paid', 'cancelled', 'cancelled'],
    ['approve_cancellation', 'pending_cancellation', 'paid', 'cancelled', 'cancelled'],
    ['restore', 'cancelled', 'refunded', 'confirmed', 'restored'],
    ['confirm', 'pending_payment', 'paid', 'confirmed', 'confirmed'],
  ] as const)('%s makes of %s, %s: %s, and both are told that it is %s', async (...row) => {
    const [action, status, payment_status, result, announced] = row
    const id = await add({ status, payment_status })
    const response = await act(id, { action, was: { status, payment_status } })
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json()).toEqual({
      id,
      status: result,
      payment_status,
      announced,
      email: 'queued',
      warning: null,
    })
    expect(await read(id)).toMatchObject({ status: result, payment_status, sequence: 1 })
    expect(await queuedKinds(id)).toEqual(CUSTOMER_AND_OWNER[announced])
  })

  test('deny_cancellation confirms again, and tells the customer without a new revision', async () => {
    const id = await add({ status: 'pending_cancellation' })
    const response = await act(id, { action: 'deny_cancellation' })
    expect(response.json()).toMatchObject({
      status: 'confirmed',
      announced: 'cancellation_denied',
      email: 'queued',
    })
    expect(await read(id)).toMatchObject({ status: 'confirmed', sequence: 0 })
    expect(await queuedKinds(id)).toEqual(['cancellation_denied'])
  })
})

test('each action, and a request to cancel, has a line in the history', async () => {
  const id = await add({ status: 'confirmed', payment_status: 'pending' })
  await actOk(id, 'cancel')
  await actOk(id, 'restore')
  await actOk(id, 'mark_failed')
  await actOk(id, 'mark_pending')
  await actOk(id, 'mark_not_required')
  await actOk(id, 'mark_paid')
  const requested = await meridian.post(`/api/public/appointments/${id}/cancellation-request`)
  expect(requested.statusCode, requested.body).toBe(200)
  await actOk(id, 'deny_cancellation')
  await actOk(id, 'refund')
  // The test clock stands still, so all entries have the same time and no fixed order.
  expect((await historyOf(id)).sort()).toEqual(
    [
      'You cancelled the appointment.',
      'You restored the appointment.',
      'You marked the payment as failed.',
      'You marked the payment as pending.',
      'You marked the payment as not required.',
      'You marked the appointment as paid.',
      'The customer asked to cancel the appointment.',
      'You denied the cancellation, so the appointment is still on.',
      'You refunded the payment.',
    ].sort(),
  )
  const other = await add({ status: 'pending_cancellation' })
  await actOk(other, 'approve_cancellation')
  expect(await historyOf(other)).toEqual(['You approved the cancellation.'])
  const held = await add({ status: 'pending_payment', payment_status: 'paid' })
  await actOk(held, 'confirm')
  expect(await historyOf(held)).toEqual(['You confirmed the appointment.'])
})

test('an action that has led where it leads already leaves no second line', async () => {
  const id = await add({ status: 'confirmed', payment_status: 'pending' })
  const seen = { action: 'cancel', was: { status: 'confirmed', payment_status: 'pending' } } as const
  for (let times = 0; times < 2; times++) expect((await act(id, seen)).statusCode).toBe(200)
  expect(await historyOf(id)).toEqual(['You cancelled the appointment.'])
})

test('a cancellation of an appointment that was moved meanwhile is refused, and what concerns the money is not', async () => {
  const id = await add({ status: 'confirmed', payment_status: 'pending' })
  const was = { status: 'confirmed', payment_status: 'pending', starts_at: '2027-02-01T09:00:00Z' } as const
  expectRefusal(await act(id, { action: 'cancel', was }), 'appointment.changed_meanwhile')
  expect(await read(id)).toMatchObject({ status: 'confirmed' })
  expect((await act(id, { action: 'mark_paid', was })).statusCode).toBe(200)
})

describe('each row of the table of payment actions', () => {
  test.each([
    ['mark_paid', 'confirmed', 'pending', 'confirmed', 'paid', null],
    ['mark_paid', 'pending_payment', 'pending', 'confirmed', 'paid', 'confirmed'],
    ['mark_paid', 'cancelled', 'failed', 'confirmed', 'paid', 'restored'],
    ['refund', 'confirmed', 'paid', 'cancelled', 'refunded', 'cancelled'],
    ['refund', 'cancelled', 'paid', 'cancelled', 'refunded', null],
    ['mark_failed', 'confirmed', 'pending', 'cancelled', 'failed', 'cancelled'],
    ['mark_pending', 'confirmed', 'not_required', 'pending_payment', 'pending', null],
    ['mark_pending', 'cancelled', 'failed', 'pending_payment', 'pending', 'restored'],
    ['mark_not_required', 'confirmed', 'pending', 'confirmed', 'not_required', null],
    ['mark_paid', 'pending_cancellation', 'pending', 'pending_cancellation', 'paid', null],
    ['refund', 'pending_cancellation', 'paid', 'pending_cancellation', 'refunded', null],
    ['mark_failed', 'pending_cancellation', 'pending', 'pending_cancellation', 'failed', null],
    ['mark_pending', 'pending_cancellation', 'failed', 'pending_cancellation', 'pending', null],
  ] as const)('%s makes of %s, %s: %s, %s, announced as %s', async (...row) => {
    const [action, status, payment_status, toStatus, toPayment, announced] = row
    const id = await add({ status, payment_status })
    const response = await act(id, { action, was: { status, payment_status } })
    expect(response.statusCode, response.body).toBe(200)
    const result = { status: toStatus, payment_status: toPayment }
    expect(response.json()).toMatchObject({ ...result, announced })
    expect(await read(id)).toMatchObject({ ...result, sequence: announced === null ? 0 : 1 })
    expect(await queuedKinds(id)).toEqual(announced === null ? [] : CUSTOMER_AND_OWNER[announced])
  })

  test('a hold that the owner decides about does not end by itself any more', async () => {
    const id = await add({
      status: 'pending_payment',
      payment_status: 'pending',
      hold_expires_at: new Date(TEST_MONDAY + 300_000),
    })
    await actOk(id, 'mark_not_required')
    expect(await read(id)).toMatchObject({ status: 'pending_payment', hold_expires_at: null })
  })
})

test('every state refuses what its buttons do not offer, and nothing changes', async () => {
  const refused: [AppointmentAction, AppointmentStatus, PaymentStatus][] = [
    ['cancel', 'pending_payment', 'pending'],
    ['restore', 'confirmed', 'pending'],
    ['confirm', 'pending_payment', 'pending'],
    ['approve_cancellation', 'confirmed', 'pending'],
    ['refund', 'confirmed', 'pending'],
    ['mark_failed', 'confirmed', 'paid'],
    ['mark_not_required', 'confirmed', 'paid'],
  ]
  for (const [action, status, payment_status] of refused) {
    const id = await add({ status, payment_status })
    const before = await read(id)
    const response = await act(id, { action })
    expect([response.statusCode, response.json().code]).toEqual([409, 'appointment.action_not_offered'])
    expect(await read(id)).toEqual(before)
    expect(await queuedKinds(id)).toEqual([])
  }
})

describe('messages', () => {
  test('a cancellation and a restoration reach both calendars, each time as a later revision', async () => {
    const booked = (
      await bookAppointment(meridian, calendar.slug, {
        starts_at: '2027-01-05T12:00:00Z',
        description: 'Knee',
      })
    ).json()
    await actOk(booked.id, 'cancel')
    const cancelled = await mailOf(booked.id, 'cancelled', 1)
    expect(cancelled.to.address).toBe('grace@example.com')
    expect(cancelled.subject).toContain('Appointment cancelled: Tuesday, January 5, 12:00 PM')
    expectFile(cancelled.attachments[0]?.content, booked.id, ['METHOD:CANCEL', 'SEQUENCE:1'])
    const ownersCancelled = await mailOf(booked.id, 'owner_cancelled', 1)
    expect(ownersCancelled.to.address).toBe(owner.email)
    expectFile(ownersCancelled.attachments[0]?.content, booked.id, ['METHOD:CANCEL', 'SEQUENCE:1'])

    await actOk(booked.id, 'restore')
    const restored = await mailOf(booked.id, 'restored', 2)
    expect(restored.subject).toContain('Appointment restored: Tuesday, January 5, 12:00 PM')
    expect(restored.text).toContain('is restored and takes place at the original time')
    expectFile(restored.attachments[0]?.content, booked.id, ['METHOD:REQUEST', 'SEQUENCE:2'])
    const ownersRestored = await mailOf(booked.id, 'owner_restored', 2)
    expect(ownersRestored.text).toContain('Its time is no longer free.')
    expectFile(ownersRestored.attachments[0]?.content, booked.id, ['METHOD:PUBLISH', 'SEQUENCE:2'])
  })

  test('a denied request tells the customer that the appointment stands, and changes no calendar', async () => {
    const id = await add({ status: 'pending_cancellation' })
    await actOk(id, 'deny_cancellation')
    const mail = await mailOf(id, 'cancellation_denied', 0)
    expect(mail.subject).toMatch(/^Your appointment is still on: /)
    expect(mail.text).toContain('The request was denied, so your appointment is still on.')
    expect(mail.attachments).toEqual([])
  })

  test('a payment that arrives confirms by mail what waited for it', async () => {
    const id = await add({ status: 'pending_payment', payment_status: 'pending', price_cents: 4_000 })
    await actOk(id, 'mark_paid')
    const mail = await mailOf(id, 'booking_confirmation', 1)
    expect(mail.text).toContain('€40.00, Paid')
    expect((await mailOf(id, 'owner_confirmed', 1)).subject).toMatch(/^Appointment confirmed: /)
  })

  test('nobody is told about what is over, and the answer claims no message', async () => {
    const id = await add({ startsAt: '2027-01-04T07:30:00Z' })
    expect((await act(id, { action: 'cancel' })).json()).toMatchObject({ status: 'cancelled', email: 'none' })
    expect(await queuedKinds(id)).toEqual([])
  })

  test('what is just going on is not over', async () => {
    const id = await add({ startsAt: '2027-01-04T07:45:00Z' })
    expect((await act(id, { action: 'cancel' })).json()).toMatchObject({ email: 'queued' })
  })

  test('a customer without an address gets none, and the owner is told to tell them', async () => {
    const id = await add()
    await meridian.database.db
      .updateTable('customers')
      .set({ email: null })
      .where('id', '=', (await read(id)).customer_id)
      .execute()
    expect((await act(id, { action: 'cancel' })).json()).toMatchObject({ email: 'none' })
    const mail = await mailOf(id, 'owner_cancelled', 1)
    expect(mail.text).toContain('Stored Customer has no email address, so please tell them yourself.')
    // Wait for the job, because the email could still be sent until it has run.
    await waitUntil(async () => (await stateOf(id, 'cancelled')) !== 'queued')
    expect(await stateOf(id, 'cancelled')).toBe('dropped')
    // Every email about the appointment contains its reference, so this would also find an email to the customer.
    const { booking_reference } = await read(id)
    const whole = new RegExp(`${booking_reference}\\b`) // BK-3 must not match BK-30.
    const mails = meridian.mails.filter(({ text }) => whole.test(text))
    expect(mails.map(({ to }) => to.address)).toEqual([owner.email])
  })
})

describe('time that is taken again', () => {
  const WAYS_OUT = [
    ['restore', 'pending', 'confirmed'],
    ['mark_paid', 'pending', 'confirmed'],
    ['mark_pending', 'failed', 'pending_payment'],
  ] as const

  test.each(WAYS_OUT)('%s is refused when somebody else has it, and nothing changes', async (...row) => {
    const [action, payment_status] = row
    const startsAt = nextTime()
    const id = await add({ startsAt, status: 'cancelled', payment_status })
    await add({ startsAt })
    const response = await act(id, { action })
    expect([response.statusCode, response.json().title]).toEqual([
      409,
      PROBLEMS['appointment.restore_conflict'].title,
    ])
    expect(await read(id)).toMatchObject({ status: 'cancelled', payment_status, sequence: 0 })
    expect(await queuedKinds(id)).toEqual([])
    expect(await countTransactions(id)).toBe(0)
  })

  test.each(WAYS_OUT)('%s blocks it with the buffer as it is now', async (action, payment_status, status) => {
    const own = await makeCalendar(meridian, owner)
    await setBuffer(own, 20)
    const id = await add({ status: 'cancelled', payment_status }, own)
    await actOk(id, action, own)
    expect(await read(id)).toMatchObject({ status, needs_google_sync: false, minutes: 50 })
  })

  test('the buffer stays free on both sides, and is not asked for where it is not', async () => {
    const own = await makeCalendar(meridian, owner)
    await add({ startsAt: '2027-02-01T10:00:00Z' }, own)
    const before = await add({ startsAt: '2027-02-01T09:25:00Z', status: 'cancelled' }, own)
    const after = await add({ startsAt: '2027-02-01T10:35:00Z', status: 'cancelled' }, own)
    await setBuffer(own, 10)
    expect((await act(before, { action: 'restore' }, own)).statusCode).toBe(409)
    expect((await act(after, { action: 'restore' }, own)).statusCode).toBe(409)
    await setBuffer(own, 5)
    expect((await act(before, { action: 'restore' }, own)).statusCode).toBe(200)
    expect((await act(after, { action: 'restore' }, own)).statusCode).toBe(200)
  })

  test('an exclusive place that another calendar has meanwhile is in the way, without a buffer', async () => {
    const [mine, theirs] = [await makeCalendar(meridian, owner), await makeCalendar(meridian, owner)]
    await setBuffer(mine, 30)
    const conflict_location_id = await addLocation(meridian, owner)
    const at = (startsAt: string) => ({ startsAt, conflict_location_id })
    await add(at('2027-02-01T10:00:00Z'), theirs)
    const same = await add({ ...at('2027-02-01T10:15:00Z'), status: 'cancelled' }, mine)
    const next = await add({ ...at('2027-02-01T10:30:00Z'), status: 'cancelled' }, mine)
    expect((await act(same, { action: 'restore' }, mine)).json().code).toBe('appointment.restore_conflict')
    expect((await act(next, { action: 'restore' }, mine)).statusCode).toBe(200)
  })

  test('cancelled ones, ended holds and its own former time are not in the way', async () => {
    const startsAt = nextTime()
    await add({ startsAt, status: 'cancelled' })
    const ended = new Date(TEST_MONDAY)
    await add({ startsAt, status: 'pending_payment', hold_expires_at: ended, released_at: ended })
    const id = await add({ startsAt })
    await actOk(id, 'cancel')
    await actOk(id, 'restore')
    expect(await read(id)).toMatchObject({ status: 'confirmed', sequence: 2 })
  })
})

describe('two windows', () => {
  test('the same action from both succeeds twice and tells once', async () => {
    const id = await add()
    const body = { action: 'cancel', was: { status: 'confirmed', payment_status: 'not_required' } } as const
    const answers = await Promise.all([act(id, body), act(id, body)])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(answers.map((answer) => answer.json().email).sort()).toEqual(['none', 'queued'])
    expect(await queuedKinds(id)).toEqual(CUSTOMER_AND_OWNER.cancelled)
    expect(await read(id)).toMatchObject({ sequence: 1 })
  })

  test('an action from a state that is no more is refused in a sentence, and nothing changes', async () => {
    const id = await add({ payment_status: 'pending' })
    const was = { status: 'confirmed', payment_status: 'pending' } as const
    await actOk(id, 'mark_paid')
    const response = await act(id, { action: 'mark_failed', was })
    expect([response.statusCode, response.json().title]).toEqual([
      409,
      PROBLEMS['appointment.changed_meanwhile'].title,
    ])
    expect(await read(id)).toMatchObject({ status: 'confirmed', payment_status: 'paid' })
  })

  test('a customer’s request between looking and clicking is not overlooked', async () => {
    const id = await add()
    const was = { status: 'confirmed', payment_status: 'not_required' } as const
    await meridian.post(`/api/public/appointments/${id}/cancellation-request`)
    expect((await act(id, { action: 'mark_paid', was })).json().code).toBe('appointment.changed_meanwhile')
  })
})

describe('ids', () => {
  test('another owner’s calendar is forbidden, and its appointment stays', async () => {
    const stranger = await makeOwner(meridian)
    const id = await add()
    const response = await act(id, { action: 'cancel' }, calendar, stranger)
    expect([response.statusCode, response.json().code]).toEqual([403, 'calendar.forbidden'])
    expect(await read(id)).toMatchObject({ status: 'confirmed' })
  })

  test('an appointment is found on its own calendar only; one that is unknown or an ended hold is nobody’s', async () => {
    const other = await makeCalendar(meridian, owner)
    const ended = new Date(TEST_MONDAY)
    const hold = { status: 'pending_payment', hold_expires_at: ended, released_at: ended } as const
    const cases = [
      [await add(), other],
      [await add(hold), calendar],
      [crypto.randomUUID(), calendar],
      ['not-an-id', calendar],
    ] as const
    for (const [id, on] of cases) {
      const response = await act(id, { action: 'mark_paid' }, on)
      expect([response.statusCode, response.json().code]).toEqual([404, 'appointment.not_found'])
    }
  })

  test('an action that does not exist is a 400', async () => {
    const url = `/api/calendars/${calendar.id}/appointments/${await add()}/actions`
    const payload = { action: 'delete' }
    const response = await owner.post(url, payload)
    expect([response.statusCode, response.json().code]).toEqual([400, 'request.invalid'])
  })
})

let hours = 0
/** Returns another time for every appointment, from February 2027 on. */
function nextTime(): string {
  hours += 2
  return new Date(Date.parse('2027-02-01T00:00:00Z') + hours * 3_600_000).toISOString()
}

function add(values: Partial<StoredAppointment> = {}, on = calendar): Promise<string> {
  return addAppointment(meridian, on.id, { startsAt: nextTime(), ...values })
}

function act(id: string, payload: AppointmentActionBody, on = calendar, by = owner) {
  return meridian.as(by).post(`/api/calendars/${on.id}/appointments/${id}/actions`, payload)
}

async function actOk(id: string, action: AppointmentAction, on = calendar): Promise<void> {
  const response = await act(id, { action }, on)
  expect(response.statusCode, response.body).toBe(200)
}

function read(id: string) {
  return meridian.database.db
    .selectFrom('appointments')
    .select([
      'status',
      'payment_status',
      'sequence',
      'hold_expires_at',
      'needs_google_sync',
      'customer_id',
      'booking_reference',
      'updated_at',
      sql<number>`extract(epoch from upper(blocked) - lower(blocked))::integer / 60`.as('minutes'),
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

async function historyOf(id: string): Promise<string[]> {
  const url = `/api/calendars/${calendar.id}/appointments/${id}/history`
  const { entries } = (await owner.get(url)).json()
  return entries.map(({ text }: { text: string }) => text)
}

/** Lists the kinds of the queued messages about an appointment. */
async function queuedKinds(id: string): Promise<unknown[]> {
  const text = `select message.kind from appointment_messages as message
      join pgboss.job on data ->> 'messageId' = message.id::text
    where appointment_id = $1 order by 1`
  return (await meridian.database.execute(text, [id])).rows.map(({ kind }) => kind)
}

/** Returns the state of the message of this kind about an appointment. */
async function stateOf(id: string, kind: string): Promise<unknown> {
  const text = 'select state from appointment_messages where appointment_id = $1 and kind = $2'
  return (await meridian.database.execute(text, [id, kind])).rows[0]?.state
}

async function countTransactions(id: string): Promise<unknown> {
  const text = 'select count(*)::integer as count from payment_transactions where appointment_id = $1'
  return (await meridian.database.execute(text, [id])).rows[0]?.count
}

async function setBuffer({ id }: Calendar, minutes: number): Promise<void> {
  await meridian.database.db
    .updateTable('calendars')
    .set({ buffer_time_minutes: minutes })
    .where('id', '=', id)
    .execute()
}

/** Finds the message about the appointment whose id starts with this text. */
/** Finds the email about an appointment by its `kind` and revision. */
async function mailOf(appointment_id: string, kind: string, sequence: number) {
  const { id } = await meridian.database.db
    .selectFrom('appointment_messages')
    .select('id')
    .where('appointment_id', '=', appointment_id)
    .where('kind', '=', kind)
    .where('sequence', '=', sequence)
    .executeTakeFirstOrThrow()
  return meridian.waitForMail(({ messageId }) => messageId.startsWith(`<${id}`))
}

function expectFile(content: string | undefined, id: string, lines: readonly string[]): void {
  for (const line of [...lines, `UID:${id}@book.example`]) expect(content).toContain(`${line}\r\n`)
}
