import { randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import { PROBLEMS, type ProblemCode } from '#contract/shared/problem.ts'
import {
  makeFakeProviders,
  makePaidCalendar,
  type PaidCalendar,
  payByCard,
  waitForPayment,
} from '#tests/support/checkouts.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { readBulkChangeSummaryEmail } from '#tests/support/many-changes.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  startMeridian,
  TEST_MONDAY,
} from '#tests/support/meridian.ts'
import { HALF_REFUND_POLICY, manageTokenOf, savePolicy } from '#tests/support/policies.ts'
import { waitUntilEmailsSent } from '#tests/support/race-track.ts'
import { addAppointment, addAppointments, addAppointmentType } from '#tests/support/stored-rows.ts'
import { runManyChange } from './jobs.ts'

const providers = makeFakeProviders()
let calendar: { id: string; slug: string }

setUpOwner({ providers, env: { DEFAULT_PLAN: 'enterprise' } })
beforeEach(async () => {
  calendar = await makeCalendar(meridian, owner)
})

const TUESDAY = { from: '2027-01-05', to: '2027-01-05' }

describe('cancelling all appointments of a day (rule A21)', () => {
  test('tells each customer once, in the words of the owner, and the owner nothing', async () => {
    const ids = [await bookAt('2027-01-05T09:00:00Z', 'ada'), await bookAt('2027-01-05T11:00:00Z', 'grace')]
    const before = await bookAt('2027-01-04T16:00:00Z', 'early')
    const after = await bookAt('2027-01-06T09:00:00Z', 'late')
    expect(
      (await readEffect()).appointments.map(({ customer_name, paid }: Effect) => [customer_name, paid]),
    ).toEqual([
      ['ada', null],
      ['grace', null],
    ])
    const { id } = (await change({ kind: 'cancel', message: 'I am ill.\nSorry!' })).json()
    expect(await finish(id)).toMatchObject({ total: 2, done: 2, skipped: [] })
    await waitUntilEmailsSent(meridian.database)
    for (const appointmentId of ids) {
      expect(await read(appointmentId)).toMatchObject({ status: 'cancelled', sequence: 1 })
      const mails = mailsAbout(appointmentId, 'Appointment cancelled')
      expect(mails.map(({ to }) => to.address)).toEqual([expect.stringContaining('@example.com')])
      expect(mails[0]?.text).toContain('I am ill.')
      expect(mails[0]?.text).toContain('Sorry!')
    }
    for (const appointmentId of [before, after]) {
      expect(await read(appointmentId)).toMatchObject({ status: 'confirmed' })
    }
    expect(await readHistory(ids[0] ?? '')).toEqual(['You cancelled the appointment.'])
  })

  test('twice with one request is one change', async () => {
    await bookAt('2027-01-05T09:00:00Z', 'ada')
    const body = { id: randomUUID(), kind: 'cancel', message: '' }
    const answers = await Promise.all([change(body), change(body)])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([202, 202])
    await finish(body.id)
    expect((await change(body)).json()).toMatchObject({ total: 1, done: 1 })
  })

  test('is not begun when the appointments are not those that the owner saw', async () => {
    expectRefusal(await change({ kind: 'cancel', message: '' }), 'many_change.none')
    const { digest } = await readEffect()
    const id = await bookAt('2027-01-05T09:00:00Z', 'ada')
    expectRefusal(await change({ kind: 'cancel', digest, message: '' }), 'many_change.changed_meanwhile')
    expect(await read(id)).toMatchObject({ status: 'confirmed' })
    for (const range of [
      { from: '2027-01-06', to: '2027-01-05' },
      { from: '2027-01-01', to: '2027-02-01' },
    ]) {
      expectRefusal(await change({ kind: 'cancel', message: '', ...range }), 'many_change.range')
    }
  })

  test('is not begun when as many others have booked meanwhile, or one was moved to another hour', async () => {
    const ada = await bookAt('2027-01-05T09:00:00Z', 'ada')
    const { digest } = await readEffect()
    const cancelled = await owner.post(`/api/calendars/${calendar.id}/appointments/${ada}/actions`, {
      action: 'cancel',
      was: { status: 'confirmed', payment_status: 'not_required' },
    })
    expect(cancelled.statusCode, cancelled.body).toBe(200)
    const grace = await bookAt('2027-01-05T09:00:00Z', 'grace')
    const refused = 'many_change.changed_meanwhile'
    expectRefusal(await change({ kind: 'cancel', digest, message: '' }), refused)
    expect(await read(grace)).toMatchObject({ status: 'confirmed' })
    const seen = (await readEffect()).digest
    expect((await moveByCustomer(grace, '2027-01-05T11:00:00Z')).statusCode).toBe(200)
    expectRefusal(await change({ kind: 'cancel', digest: seen, message: '' }), refused)
  })

  test('is not begun when other money would go back than the owner saw', async () => {
    const id = await addAppointment(meridian, calendar.id, {
      startsAt: '2027-01-05T14:00:00Z',
      price_cents: 4_000,
      payment_status: 'pending',
      policy: JSON.stringify(HALF_REFUND_POLICY),
      policy_text: JSON.stringify(['Half goes back.']),
    })
    const unpaid = (await readEffect()).digest
    await meridian.database.execute(`update appointments set payment_status = 'paid' where id = $1`, [id])
    const refused = 'many_change.changed_meanwhile'
    expectRefusal(await change({ kind: 'cancel', digest: unpaid, message: '' }), refused)
    const { digest, appointments } = await readEffect()
    expect(appointments).toMatchObject([{ paid: 40, refund_by_policy: 20 }])
    meridian.clock.ms = Date.parse('2027-01-05T13:00:00Z')
    expectRefusal(await change({ kind: 'cancel', digest, message: '', refund: 'policy' }), refused)
    expect((await readEffect()).appointments).toMatchObject([{ paid: 40, refund_by_policy: 0 }])
  })

  test('counts the days in the zone of the calendar, also where clocks change', async () => {
    await meridian.database.execute(`update calendars set timezone = 'America/New_York' where id = $1`, [
      calendar.id,
    ])
    meridian.clock.ms = Date.parse('2027-11-01T08:00:00Z')
    // The clocks go back on Sunday, November 7, so the day has 25 hours.
    await addAppointment(meridian, calendar.id, { startsAt: '2027-11-07T04:00:00Z' })
    await addAppointment(meridian, calendar.id, { startsAt: '2027-11-08T04:30:00Z' })
    await addAppointment(meridian, calendar.id, { startsAt: '2027-11-08T05:00:00Z' })
    const effect = await readEffect({ from: '2027-11-07', to: '2027-11-07' })
    expect(effect.appointments.map(({ starts_at }: Effect) => starts_at)).toEqual([
      '2027-11-07T04:00:00.000Z',
      '2027-11-08T04:30:00.000Z',
    ])
  })

  test('leaves alone what was cancelled, moved or has begun meanwhile, and says why', async () => {
    const stays = await startMeridian({ hasWorkers: false, env: { DEFAULT_PLAN: 'enterprise' } })
    try {
      const its = await makeOwner(stays)
      const { id: calendarId, slug } = await makeCalendar(stays, its)
      const ids: string[] = []
      for (const hour of ['09', '10', '11', '12']) {
        ids.push((await bookAppointment(stays, slug, { starts_at: `2027-01-05T${hour}:00:00Z` })).json().id)
      }
      const changeId = randomUUID()
      const answer = await stays.as(its).post(`/api/calendars/${calendarId}/many-changes`, {
        ...TUESDAY,
        id: changeId,
        kind: 'cancel',
        digest: await readBulkChangeSummaryEmail(stays, its, { ...TUESDAY, calendarId }),
        message: '',
      })
      expect(answer.statusCode, answer.body).toBe(202)
      await stays.database.execute(`update appointments set status = 'cancelled' where id = $1`, [ids[0]])
      await stays.as(its).post(`/api/calendars/${calendarId}/appointments/${ids[1]}/move`, {
        starts_at: '2027-01-06T10:00:00Z',
        expected_starts_at: '2027-01-05T10:00:00Z',
      })
      stays.clock.ms = Date.parse('2027-01-05T11:00:00Z')
      await runManyChange(stays.deps, { calendarId, changeId })
      const url = `/api/calendars/${calendarId}/many-changes/${changeId}`
      const progress = (await stays.as(its).get(url)).json()
      expect(progress).toMatchObject({ total: 4, done: 1 })
      expect(progress.finished_at).not.toBeNull()
      expect(progress.skipped.map(({ reason }: { reason: string }) => reason)).toEqual([
        'It has been cancelled.',
        'It has been moved.',
        'It has started.',
      ])
      // A second run, as after a crash, sends no email twice.
      await runManyChange(stays.deps, { calendarId, changeId })
      const sql = `select count(*)::int as count from appointment_messages where kind = 'cancelled' and calendar_id = $1`
      expect((await stays.database.execute(sql, [calendarId])).rows).toEqual([{ count: 1 }])
    } finally {
      await stays.stop()
    }
  })

  test.each([
    ['all', 4_000],
    ['policy', 2_000],
  ])('gives back %s of what was paid: %d', async (refund, cents) => {
    const paid: PaidCalendar = await makePaidCalendar(meridian, owner)
    await savePolicy(meridian, owner, paid, HALF_REFUND_POLICY)
    const { id } = await payByCard(meridian, paid, providers.stripe)
    const startsAt = new Date(TEST_MONDAY + 30 * 3_600_000)
    const set = `update appointments set starts_at = $2, ends_at = $2::timestamptz + interval '30 minutes',
      blocked = tstzrange($2, $2::timestamptz + interval '30 minutes') where id = $1`
    await meridian.database.execute(set, [id, startsAt])
    calendar = paid
    const effect = await readEffect()
    expect(effect.appointments).toMatchObject([{ paid: 40, refund_by_policy: 20 }])
    const answer = (await change({ kind: 'cancel', message: '', refund })).json()
    await finish(answer.id)
    const { payment } = await waitForPayment(meridian, id, ({ refunded_cents }) => refunded_cents > 0)
    expect(payment.refunded_cents).toBe(cents)
  })

  test('is for the owner of the calendar only', async () => {
    const stranger = await makeOwner(meridian)
    const url = `/api/calendars/${calendar.id}/many-changes`
    const payload = { ...TUESDAY, id: randomUUID(), kind: 'cancel', digest: 'unseen', message: '' }
    expectRefusal(await stranger.post(url, payload), 'calendar.forbidden')
    expectRefusal(await owner.get(`${url}/${payload.id}`), 'many_change.not_found')
  })
})

describe('a change of several calendars (rule A21)', () => {
  test('is one: each customer of each is told once, and the progress is that of all', async () => {
    const [first, second, empty] = [calendar, await openCalendar(), await openCalendar()]
    const ids = [await bookAt('2027-01-05T09:00:00Z', 'ada'), await bookAt('2027-01-05T11:00:00Z', 'grace')]
    calendar = second
    ids.push(await bookAt('2027-01-05T09:00:00Z', 'alan'))
    calendar = first
    const others = [await seenOn(second.id), await seenOn(empty.id)]
    const body = { id: randomUUID(), kind: 'cancel', message: 'I am ill.', others }
    const answers = await Promise.all([change(body), change(body)])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([202, 202])
    expect(await finish(body.id)).toMatchObject({ total: 3, done: 3, skipped: [] })
    expect((await change(body)).json()).toMatchObject({ total: 3, done: 3 })
    await waitUntilEmailsSent(meridian.database)
    for (const id of ids) {
      expect(await read(id)).toMatchObject({ status: 'cancelled', sequence: 1 })
      expect(mailsAbout(id, 'Appointment cancelled')).toHaveLength(1)
    }
    // The change is stored even for the calendar without appointments (rule A24).
    const changed = 'select calendar_id from many_changes where id = $1'
    const { rows } = await meridian.database.execute(changed, [body.id])
    expect(new Set(rows.map(({ calendar_id }) => calendar_id))).toEqual(
      new Set([first.id, second.id, empty.id]),
    )
  })

  test('is made on none of them when one has changed meanwhile', async () => {
    const [first, second] = [calendar, await openCalendar()]
    const ids = [await bookAt('2027-01-05T09:00:00Z', 'ada')]
    calendar = second
    const others = [await seenOn(second.id)]
    ids.push(await bookAt('2027-01-05T09:00:00Z', 'alan'))
    calendar = first
    const body = { id: randomUUID(), kind: 'cancel', message: '', others }
    expectRefusal(await change(body), 'many_change.changed_meanwhile')
    for (const id of ids) expect(await read(id)).toMatchObject({ status: 'confirmed' })
    const rows = await meridian.database.execute('select id from many_changes where id = $1', [body.id])
    expect(rows.rows).toEqual([])
  })

  test('has at most 500 appointments in all', async () => {
    const second = await openCalendar()
    for (const { id } of [calendar, second]) {
      const starts = Array.from({ length: 260 }, (_, i) => ({
        startsAt: new Date(Date.parse('2027-01-05T00:00:00Z') + i * 300_000).toISOString(),
        minutes: 5,
      }))
      await addAppointments(meridian, id, starts)
    }
    const others = [await seenOn(second.id)]
    expectRefusal(await change({ kind: 'cancel', message: '', others }), 'many_change.too_many')
  })

  test('is refused with a calendar of somebody else, and with one that nobody has', async () => {
    const stranger = await makeOwner(meridian)
    const foreign = await makeCalendar(meridian, stranger)
    const appointmentId = await bookAt('2027-01-05T09:00:00Z', 'ada')
    const withOther = (calendar_id: string) =>
      change({ kind: 'cancel', message: '', others: [{ calendar_id, digest: 'unseen' }] })
    expectRefusal(await withOther(foreign.id), 'calendar.forbidden')
    expectRefusal(await withOther(randomUUID()), 'calendar.not_found')
    expect((await withOther('nobody')).statusCode).toBe(404)
    expect(await read(appointmentId)).toMatchObject({ status: 'confirmed' })
  })
})

describe('offering other times (rule A23)', () => {
  test('names three free times after these days, and not the same ones to everybody', async () => {
    const ids = [await bookAt('2027-01-05T09:00:00Z', 'ada'), await bookAt('2027-01-05T11:00:00Z', 'grace')]
    const { id } = (await change({ kind: 'offer', message: 'I am ill.' })).json()
    expect(await finish(id)).toMatchObject({ total: 2, done: 2, moved: 0 })
    const offers = await Promise.all(ids.map(readOffer))
    expect(offers.map(({ times }) => times.length)).toEqual([3, 3])
    expect(new Set(offers.flatMap(({ times }) => times)).size).toBe(6)
    for (const { times } of offers) expect(times.every((time) => time >= '2027-01-06')).toBe(true)
    const mail = await meridian.waitForMail(
      ({ subject, to }) =>
        subject.startsWith('Please choose another time') && to.address === 'ada@example.com',
    )
    expect(mail.text).toContain('I am ill.')
    expect(mail.text).toContain('Wednesday, January 6, 2027 at 9:00 AM')
    const [wednesday, thursday] = offers[0]?.times ?? []
    expect([wednesday, thursday]).toEqual(['2027-01-06T09:00:00.000Z', '2027-01-07T12:00:00.000Z'])
    const page = `/manage/${manageTokenOf(meridian, ids[0] ?? '')}`
    expect(mail.text).toContain(`2027 at 9:00 AM (GMT): http://localhost:3000${page}?start=`)
    expect(mail.text).toContain(`${page}?start=${encodeURIComponent(wednesday ?? '')}#email=`)
    expect(mail.text).toContain(`Choose another time:\nhttp://localhost:3000${page}#email=`)
    expect(await read(ids[0] ?? '')).toMatchObject({ status: 'confirmed', sequence: 0 })
  })

  test('lets the customer choose whatever the policy says, and ends when they did', async () => {
    await savePolicy(meridian, owner, calendar, { ...HALF_REFUND_POLICY, moving: { kind: 'never' } })
    const appointmentId = await bookAt('2027-01-05T09:00:00Z', 'ada')
    expect(await readTerms(appointmentId)).toMatchObject({ obstacle: 'not_allowed', offer: null })
    const { id } = (await change({ kind: 'offer', message: '' })).json()
    await finish(id)
    const { times } = await readOffer(appointmentId)
    // Another customer takes one of the times in the meantime.
    await bookAt(times[0] ?? '', 'grace')
    expect((await readOffer(appointmentId)).times).toEqual(times.slice(1))
    const moved = await moveByCustomer(appointmentId, times[1] ?? '')
    expect(moved.statusCode, moved.body).toBe(200)
    expect(await readTerms(appointmentId)).toMatchObject({ obstacle: 'not_allowed', offer: null })
    expect((await readProgress(id)).moved).toBe(1)
  })

  test('keeps its customer off the days on which the owner cannot come, and the owner free', async () => {
    const appointmentId = await bookAt('2027-01-05T09:00:00Z', 'ada')
    const days = { from: '2027-01-05', to: '2027-01-06' }
    const { id } = (await change({ ...days, kind: 'offer', message: '' })).json()
    await finish(id)
    const link = `/api/public/manage/${manageTokenOf(meridian, appointmentId)}`
    const open = (await meridian.get(`${link}/days?from=2027-01-04&to=2027-01-07`)).json()
    expect(open.days.map((day: { open_slots: number }) => day.open_slots > 0)).toEqual([
      true,
      false,
      false,
      true,
    ])
    expect((await meridian.get(`${link}/slots?date=2027-01-06`)).json().slots).toEqual([])
    const absent = 'appointment.move_absent'
    expectRefusal(await moveByCustomer(appointmentId, '2027-01-05T11:00:00Z'), absent)
    expectRefusal(await moveByCustomer(appointmentId, '2027-01-06T11:00:00Z'), absent)
    const thursday = '2027-01-07T11:00:00Z'
    expect((await moveByCustomer(appointmentId, thursday)).statusCode).toBe(200)
    // The owner is still away on these days.
    expectRefusal(await moveByCustomer(appointmentId, '2027-01-06T11:00:00Z', thursday), absent)
    const byOwner = await owner.post(`/api/calendars/${calendar.id}/appointments/${appointmentId}/move`, {
      starts_at: '2027-01-05T15:00:00Z',
      expected_starts_at: thursday,
    })
    expect(byOwner.statusCode, byOwner.body).toBe(200)
    await bookAt('2027-01-06T11:00:00Z', 'grace')
  })

  test('leads its customer to the first suggested time, or to the first that is free after these days', async () => {
    const appointmentId = await bookAt('2027-01-05T09:00:00Z', 'ada')
    const { id } = (await change({ kind: 'offer', message: '' })).json()
    await finish(id)
    const { times, opens_at } = await readOffer(appointmentId)
    expect(opens_at).toBe(times[0])
    for (const time of times) await bookAt(time, 'grace')
    expect(await readOffer(appointmentId)).toMatchObject({ times: [], opens_at: '2027-01-06T09:30:00.000Z' })
    await meridian.database.execute('delete from availability where calendar_id = $1', [calendar.id])
    expect(await readOffer(appointmentId)).toMatchObject({ times: [], opens_at: '2027-01-06T00:00:00.000Z' })
  })

  test('also goes to the customers of a deleted type, and of a calendar that takes no new bookings', async () => {
    const appointment_type_id = await addAppointmentType(meridian, calendar.id, { duration: 45 })
    const appointmentId = await bookAt('2027-01-05T09:00:00Z', 'ada', { appointment_type_id })
    await owner.delete(`/api/calendars/${calendar.id}/appointment-types/${appointment_type_id}`)
    await meridian.database.execute('update calendars set is_paused = true where id = $1', [calendar.id])
    const { id } = (await change({ kind: 'offer', message: '' })).json()
    await finish(id)
    const { times } = await readOffer(appointmentId)
    expect(times).toHaveLength(3)
    const moved = await moveByCustomer(appointmentId, times[1] ?? '')
    expect(moved.json(), moved.body).toMatchObject({ starts_at: times[1] })
  })

  test('leaves alone who cannot choose a time, and the owner reads why before and after', async () => {
    const asked = await bookAt('2027-01-05T09:00:00Z', 'ada')
    const waits = await bookAt('2027-01-05T10:00:00Z', 'alan')
    const can = await bookAt('2027-01-05T11:00:00Z', 'grace')
    const url = `/api/public/appointments/${asked}/cancellation-request`
    expect((await meridian.post(url)).statusCode).toBe(200)
    const holding = `update appointments set status = 'pending_payment', payment_status = 'paid' where id = $1`
    await meridian.database.execute(holding, [waits])
    const reasons = [
      'The customer has asked to cancel: please answer.',
      'It’s paid but not confirmed: please confirm it.',
    ]
    const { appointments } = await readEffect()
    expect(appointments.map((one: { no_offer_reason: string }) => one.no_offer_reason)).toEqual([
      ...reasons,
      null,
    ])
    const { id } = (await change({ kind: 'offer', message: '' })).json()
    expect(await finish(id)).toMatchObject({
      total: 3,
      done: 1,
      skipped: [
        { customer_name: 'ada', reason: reasons[0] },
        { customer_name: 'alan', reason: reasons[1] },
      ],
    })
    const told = `select appointment_id from appointment_messages where kind = 'new_times' and calendar_id = $1`
    expect((await meridian.database.execute(told, [calendar.id])).rows).toEqual([{ appointment_id: can }])
    expect(await read(asked)).toMatchObject({ status: 'pending_cancellation' })
  })
})

describe('repeated changes (rules A21 and A23)', () => {
  test('leave one live message to each customer: the last one, which counts for the owner', async () => {
    const stays = await startMeridian({
      hasWorkers: false,
      undoSeconds: 30,
      env: { DEFAULT_PLAN: 'enterprise' },
    })
    try {
      const its = await makeOwner(stays)
      const { id: calendarId, slug } = await makeCalendar(stays, its)
      const { id } = (await bookAppointment(stays, slug, { starts_at: '2027-01-05T09:00:00Z' })).json()
      const offer = async (message: string) => {
        stays.clock.ms += 1
        const changeId = randomUUID()
        const digest = await readBulkChangeSummaryEmail(stays, its, { ...TUESDAY, calendarId })
        const payload = { ...TUESDAY, id: changeId, kind: 'offer', digest, message }
        const answer = await stays.as(its).post(`/api/calendars/${calendarId}/many-changes`, payload)
        expect(answer.statusCode, answer.body).toBe(202)
        await runManyChange(stays.deps, { calendarId, changeId })
      }
      const readMessages = async () => {
        const text = `select details ->> 'note' as note, state, caused_by from appointment_messages
          where appointment_id = $1 and kind = 'new_times' order by created_at`
        return (await stays.database.execute(text, [id])).rows
      }
      for (const message of ['First', 'Second', 'Third']) await offer(message)
      const live = [
        { note: 'First', state: 'dropped', caused_by: 'owner' },
        { note: 'Second', state: 'dropped', caused_by: 'owner' },
        { note: 'Third', state: 'queued', caused_by: 'owner' },
      ]
      expect(await readMessages()).toEqual(live)
      // Undoing a move makes only the last sent message valid again.
      for (const [from, to] of [
        ['2027-01-05T09:00:00Z', '2027-01-05T10:00:00Z'],
        ['2027-01-05T10:00:00Z', '2027-01-05T09:00:00Z'],
      ]) {
        const moved = await stays.as(its).post(`/api/calendars/${calendarId}/appointments/${id}/move`, {
          expected_starts_at: from,
          starts_at: to,
        })
        expect(moved.statusCode, moved.body).toBe(200)
      }
      expect(await readMessages()).toEqual(live)
    } finally {
      await stays.stop()
    }
  })

  test('have a budget for each owner, which neither a repetition nor a refusal uses', async () => {
    const stays = await startMeridian({
      hasWorkers: false,
      env: { DEFAULT_PLAN: 'enterprise', BUDGETS: 'many_changes=2' },
    })
    try {
      const its = await makeOwner(stays)
      const { id: calendarId, slug } = await makeCalendar(stays, its)
      await bookAppointment(stays, slug, { starts_at: '2027-01-05T09:00:00Z' })
      const digest = await readBulkChangeSummaryEmail(stays, its, { ...TUESDAY, calendarId })
      const send = (body: object) =>
        stays.as(its).post(`/api/calendars/${calendarId}/many-changes`, {
          ...TUESDAY,
          id: randomUUID(),
          kind: 'offer',
          digest,
          message: '',
          ...body,
        })
      const id = randomUUID()
      for (const body of [{ id }, { id }, {}]) expect((await send(body)).statusCode).toBe(202)
      expectRefusal(await send({ digest: 'of others' }), 'many_change.changed_meanwhile')
      const refused = await send({})
      expectRefusal(refused, 'many_change.too_often')
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      expect((await send({ id })).statusCode).toBe(202)
      stays.clock.ms += 24 * 3_600_000
      expect((await send({})).statusCode).toBe(202)
    } finally {
      await stays.stop()
    }
  })
})

type Effect = { customer_name: string; paid: number | null; starts_at: string }

async function bookAt(starts_at: string, name: string, more: object = {}): Promise<string> {
  const answer = await bookAppointment(meridian, calendar.slug, {
    starts_at,
    ...more,
    customer: { name, email: `${name}@example.com` },
  })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().id
}

function openCalendar(): Promise<{ id: string; slug: string }> {
  return makeCalendar(meridian, owner)
}

async function readEffect(range: object = TUESDAY) {
  const query = new URLSearchParams({ ...range }).toString()
  return (await owner.get(`/api/calendars/${calendar.id}/many-changes/effect?${query}`)).json()
}

/** Requests a change with the current digest, unless `body` says otherwise. */
async function change(body: object): Promise<LightMyRequestResponse> {
  const days = { ...TUESDAY, ...body }
  const digest = await readBulkChangeSummaryEmail(meridian, owner, { ...days, calendarId: calendar.id })
  return owner.post(`/api/calendars/${calendar.id}/many-changes`, { id: randomUUID(), digest, ...days })
}

/** Returns another calendar for a change, with its current digest. */
async function seenOn(calendarId: string): Promise<{ calendar_id: string; digest: string }> {
  return {
    calendar_id: calendarId,
    digest: await readBulkChangeSummaryEmail(meridian, owner, { ...TUESDAY, calendarId }),
  }
}

async function readProgress(id: string) {
  return (await owner.get(`/api/calendars/${calendar.id}/many-changes/${id}`)).json()
}

async function finish(id: string): Promise<unknown> {
  let progress = await readProgress(id)
  for (const endMs = Date.now() + 10_000; progress.finished_at === null && Date.now() < endMs; ) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    progress = await readProgress(id)
  }
  expect(progress.finished_at).not.toBeNull()
  return progress
}

async function readTerms(id: string) {
  return (await meridian.get(`/api/public/manage/${manageTokenOf(meridian, id)}/move`)).json()
}

async function readOffer(id: string): Promise<{ times: string[]; opens_at: string }> {
  return (await readTerms(id)).offer
}

async function moveByCustomer(
  id: string,
  starts_at: string,
  expected_starts_at = '2027-01-05T09:00:00Z',
): Promise<LightMyRequestResponse> {
  return meridian.post(`/api/public/manage/${manageTokenOf(meridian, id)}/move`, {
    starts_at,
    expected_starts_at,
  })
}

function mailsAbout(id: string, subject: string) {
  return meridian.mails.filter(
    (mail) => mail.subject.startsWith(subject) && mail.attachments[0]?.content.includes(id.slice(0, 20)),
  )
}

async function readHistory(id: string): Promise<string[]> {
  const url = `/api/calendars/${calendar.id}/appointments/${id}/history`
  const { entries } = (await owner.get(url)).json()
  return entries.map(({ text }: { text: string }) => text)
}

async function read(id: string) {
  const { rows } = await meridian.database.execute(
    'select status, sequence from appointments where id = $1',
    [id],
  )
  return rows[0]
}

function expectRefusal(answer: LightMyRequestResponse, code: ProblemCode): void {
  expect([answer.statusCode, answer.json().code]).toEqual([PROBLEMS[code].status, code])
}
