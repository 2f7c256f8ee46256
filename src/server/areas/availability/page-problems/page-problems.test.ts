import { expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { MAIL_ORIGIN } from '#tests/support/appointment-mail-facts.ts'
import { addExternalCalendar, addExternalEvent } from '#tests/support/external-calendar-rows.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { makeCalendar, makeOwner } from '#tests/support/meridian.ts'
import { addAppointment, addAppointmentType, connectStripe } from '#tests/support/stored-rows.ts'
import { sendPageProblemMail } from './jobs.ts'
import { checkPages } from './use-cases.ts'

setUpOwner({ env: { ROLE: 'web', DEFAULT_PLAN: 'enterprise' }, owner: { lifetime: 'test' } })

test('an owner gets one email about a problem, and another when it is back after it was solved', async () => {
  const calendar = await makeOldCalendar()
  expect(await checkAndSend()).toEqual([])
  const removed = await removeHours(calendar)
  const [mail, ...others] = await checkAndSend()
  expect(others).toEqual([])
  expect(mail?.to.address).toBe(owner.email)
  expect(mail?.subject).toBe(`Customers may not be able to book: ${calendar.name}`)
  expect(mail?.text).toContain(`${calendar.name} has no opening hours, so customers find no times.`)
  expect(mail?.text).toContain(`https://book.example/calendar/${calendar.id}/settings?tab=availability`)
  expect(await checkAndSend()).toEqual([])

  await meridian.database.db.insertInto('availability').values(removed).execute()
  expect(await checkAndSend()).toEqual([])
  await removeHours(calendar)
  expect(await checkAndSend()).toHaveLength(1)
})

test('the list has the problems of the owner’s pages, without those solved since the check', async () => {
  const calendar = await makeOldCalendar()
  const long = await addAppointmentType(meridian, calendar.id, { name: 'Retreat', duration: 600 })
  const paid = { name: 'Session', price_cents: 9000, payment_required: true }
  await addAppointmentType(meridian, calendar.id, paid)
  expect(await listProblems()).toEqual([])
  await checkAndSend()
  const ofCalendar = { calendar_id: calendar.id, calendar_name: calendar.name, missed_date: null }
  const unpaid = { ...ofCalendar, kind: 'no_payment_account', appointment_type_name: 'Session' }
  expect(await listProblems()).toEqual([
    unpaid,
    { ...ofCalendar, kind: 'type_never_fits', appointment_type_name: 'Retreat' },
  ])
  const stranger = await makeOwner(meridian)
  expect((await stranger.get('/api/page-problems')).json()).toEqual({ problems: [] })

  await meridian.database.db.deleteFrom('appointment_types').where('id', '=', long).execute()
  expect(await listProblems()).toEqual([unpaid])
  await connectStripe(meridian, calendar.id)
  expect(await listProblems()).toEqual([])
})

test('a limit smaller than an appointment is a problem, until the owner raises it', async () => {
  const calendar = await makeOldCalendar()
  const path = `/api/calendars/${calendar.id}`
  const limit = { most: 30, unit: 'minutes', period: 'day' }
  const limitTo = (most: number) =>
    owner.patch(`${path}/slot-settings`, { booking_limits: [{ ...limit, most }] })
  const limitPage = await limitTo(20)
  expect(limitPage.statusCode, limitPage.body).toBe(200)
  const [ofPage] = await checkAndSend()
  expect(ofPage?.text).toContain(
    `A limit of ${calendar.name} allows fewer minutes than any appointment takes`,
  )

  await addAppointmentType(meridian, calendar.id, { name: 'Call', duration: 30 })
  const visit = await addAppointmentType(meridian, calendar.id, { name: 'Visit', duration: 60 })
  await limitTo(30)
  const [ofType] = await checkAndSend()
  expect(ofType?.text).toContain(`A limit of ${calendar.name} allows fewer minutes than Visit takes`)
  expect(ofType?.text).toContain(`https://book.example/calendar/${calendar.id}/settings?tab=availability`)

  await owner.patch(`${path}/appointment-types/${visit}`, { booking_limits: [limit] })
  await checkAndSend()
  const ofVisit = { calendar_id: calendar.id, appointment_type_name: 'Visit' }
  expect(await listProblems()).toMatchObject([
    { ...ofVisit, kind: 'type_exceeds_limit' },
    { ...ofVisit, kind: 'type_limit_too_small' },
  ])
  await limitTo(60)
  expect(await listProblems()).toMatchObject([{ ...ofVisit, kind: 'type_limit_too_small' }])
  await owner.patch(`${path}/appointment-types/${visit}`, { booking_limits: [] })
  expect(await listProblems()).toEqual([])
})

test('a week taken by an external event is a problem, and a week taken by appointments is not', async () => {
  const full = await makeOldCalendar()
  const away = await makeOldCalendar()
  for (let day = 0; day < 12; day++) {
    const startsAt = new Date(meridian.clock.ms + day * DAY_MS).toISOString()
    await addAppointment(meridian, full.id, { startsAt, minutes: 600 })
  }
  const external = await addExternalCalendar(meridian, owner, away.id)
  await addExternalEvent(meridian, external.id, {
    startsAt: new Date(meridian.clock.ms - DAY_MS).toISOString(),
    endsAt: new Date(meridian.clock.ms + 12 * DAY_MS).toISOString(),
  })
  await checkAndSend()
  expect(await listProblems()).toMatchObject([{ calendar_id: away.id, kind: 'taken_elsewhere' }])
})

test('a calendar of less than a day, and one that takes no bookings, is left alone', async () => {
  const fresh = await makeCalendar(meridian, owner)
  await setUp(fresh, { created_at: new Date(meridian.clock.ms - DAY_MS + 60_000) })
  const off = await makeOldCalendar()
  await setUp(off, { takes_bookings: false })
  await removeHours(fresh)
  await removeHours(off)
  expect(await checkAndSend()).toEqual([])
})

async function makeOldCalendar(): Promise<Calendar> {
  const calendar = await makeCalendar(meridian, owner)
  await setUp(calendar, { created_at: new Date(meridian.clock.ms - 2 * DAY_MS) })
  return calendar
}

function setUp(calendar: Calendar, values: { created_at?: Date; takes_bookings?: boolean }) {
  return meridian.database.db.updateTable('calendars').set(values).where('id', '=', calendar.id).execute()
}

function removeHours({ id }: Calendar) {
  return meridian.database.db
    .deleteFrom('availability')
    .where('calendar_id', '=', id)
    .returningAll()
    .execute()
}

async function listProblems() {
  return (await owner.get('/api/page-problems')).json().problems
}

/** Checks all pages once and returns the emails that the owner gets. */
async function checkAndSend(): Promise<OutgoingMail[]> {
  const sent: OutgoingMail[] = []
  const queued: { calendarId: string; foundAt: string }[] = []
  const insert = async (_trx: unknown, _job: unknown, payloads: readonly object[]) => {
    queued.push(...(payloads as typeof queued)) // The check queues no other jobs.
  }
  meridian.clock.ms += 1_000
  await checkPages({ ...meridian.deps, jobs: { insert } })
  const mailer = { send: async (mail: OutgoingMail) => void sent.push(mail), close: async () => {} }
  for (const job of queued) {
    await sendPageProblemMail(
      { ...meridian.deps, mailer, origin: MAIL_ORIGIN, baseUrl: 'https://book.example' },
      job,
    )
  }
  return sent.filter(({ to }) => to.address === owner.email)
}
