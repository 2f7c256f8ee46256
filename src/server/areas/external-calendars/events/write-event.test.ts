import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { syncConnection } from '#server/areas/external-calendars/connections/sync-use-cases.ts'
import { CalendarProviderError } from '#server/ports/external-calendar.ts'
import { findDetailsIncludingEndedHolds } from '#server/records/appointments/details-repository.ts'
import {
  type FakeCalendarProvider,
  makeFakeCalendarProvider,
  PROVIDER_UNAVAILABLE,
} from '#tests/support/fake-calendar-provider.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar, TEST_MONDAY } from '#tests/support/meridian.ts'
import { makeQuestion } from '#tests/support/questions.ts'
import { waitUntil } from '#tests/support/race-track.ts'
import { addAppointmentType } from '#tests/support/stored-rows.ts'
import {
  type CalendarWritingEvents,
  changeEventSettings,
  chooseCalendarToWriteTo,
  connectAccountToWriteTo,
  runEventSweep,
  waitUntilEventsWritten,
} from '#tests/support/written-calendar.ts'
import { pauseEventWrites } from './pending-repository.ts'
import { getOrCreateEventSecret } from './repository.ts'
import { toAppointmentEvent } from './to-appointment-event.ts'

let written: CalendarWritingEvents
let accounts = 0

const provider = makeFakeCalendarProvider({ connectsBy: 'password' })
setUpCalendar({
  env: { DEFAULT_PLAN: 'enterprise' },
  calendarProviders: { caldav: provider },
  owner: { lifetime: 'test' },
})
beforeEach(async () => {
  provider.answer()
  written = await connectAccountToWriteTo(meridian, owner, calendar, `ada-${++accounts}`)
  provider.calls.length = 0
})

const NINE = '2027-01-04T09:00:00Z'
const TUESDAY = '2027-01-05T14:00:00Z'

describe('an appointment is written to the external calendar', () => {
  test('when it is booked, once, with all its details', async () => {
    const appointment_type_id = await addAppointmentType(meridian, calendar.id, { price_cents: 4_000 })
    const answer = await bookAppointment(meridian, calendar.slug, {
      appointment_type_id,
      title: 'First talk',
      description: 'The left knee.',
      customer: { name: 'Grace Hopper', email: 'grace@example.com', phone: '+44 20 7946 0958' },
    })
    const { id, booking_reference } = answer.json()
    await waitUntilEventsWritten(meridian, calendar)
    expect(listEvents()).toEqual([['First talk · Grace Hopper', NINE, '2027-01-04T09:30:00Z', id]])
    const { event } = await readContent(id)
    expect(event).toMatchObject({ icalUid: `${event.secret}@localhost`, timeZone: 'Europe/London' })
    expect(event.description.split('\n\n')).toEqual([
      'Customer: Grace Hopper, grace@example.com, +44 20 7946 0958',
      'Price: €40.00, Payment will be handled manually.',
      'Notes:\n> The left knee.',
      `Booking reference: ${booking_reference}`,
      `Open the appointment: ${event.url}`,
    ])
    expect(countCalls('create')).toBe(1)
  })

  test('with the title Booked and without the customer, if the owner wants that, also events written before', async () => {
    const { id, booking_reference } = (await bookAppointment(meridian, calendar.slug)).json()
    await waitUntilEventsWritten(meridian, calendar)
    await changeEventSettings(meridian, owner, calendar, { hide_customer: true })
    await waitUntil(async () => listEvents()[0]?.[0] === 'Booked')
    await bookAppointment(meridian, calendar.slug, { starts_at: TUESDAY })
    await waitUntilEventsWritten(meridian, calendar)
    expect(listEvents().map(([title]) => title)).toEqual(['Booked', 'Booked'])
    const { event } = await readContent(id, true)
    expect(event).toMatchObject({ title: 'Booked', description: '', location: null })
    expect(JSON.stringify(event)).not.toMatch(new RegExp(`Grace|${booking_reference}`))
  })

  test('without the answer to a private question (rule B36)', async () => {
    const question = makeQuestion('What brings you here?', { is_private: true })
    await owner.put(`/api/calendars/${calendar.id}/questions`, { questions: [question] })
    const answers = [{ question_id: question.id, value: ['Insomnia'] }]
    const { id } = (await bookAppointment(meridian, calendar.slug, { answers })).json()
    const stored = await owner.get(`/api/calendars/${calendar.id}/appointments/${id}/answers`)
    expect(stored.json().answers).toMatchObject([{ value: ['Insomnia'] }])
    await waitUntilEventsWritten(meridian, calendar)
    const { event, hash } = await readContent(id)
    expect((await readStored(id)).content_hash).toBe(hash)
    expect(event.description).toContain('Grace Hopper')
    expect(JSON.stringify([event, provider.list(written.externalId)])).not.toContain('Insomnia')
  })

  test('and a calendar without an external calendar queues no write', async () => {
    const other = await makeCalendar(meridian, owner)
    const { id } = (await bookAppointment(meridian, other.slug)).json()
    expect(await isWaiting(id)).toBe(false)
    const { rows } = await meridian.database.execute(
      `select id from pgboss.job where name = 'appointment-event' and data ->> 'id' = $1`,
      [id],
    )
    expect(rows).toEqual([])
  })

  test('when the owner books, moves, cancels and restores it, as the same event', async () => {
    const { id } = (await bookOwn()).json()
    await waitUntilEventsWritten(meridian, calendar)
    const [first] = provider.list(written.externalId)
    await move(id, TUESDAY)
    await waitUntilEventsWritten(meridian, calendar)
    expect(listEvents()).toEqual([[expect.any(String), TUESDAY, '2027-01-05T14:30:00Z', id]])
    await act(id, 'cancel')
    await waitUntilEventsWritten(meridian, calendar)
    expect(listEvents()).toEqual([])
    await act(id, 'restore')
    await waitUntilEventsWritten(meridian, calendar)
    expect(listEvents()).toEqual([[expect.any(String), TUESDAY, '2027-01-05T14:30:00Z', id]])
    expect(provider.list(written.externalId)[0]?.eventId).toBe(first?.eventId)
  })

  test('not as a hold, but once its email address is confirmed', async () => {
    await meridian.database.execute('update calendars set email_confirmation_required = true where id = $1', [
      calendar.id,
    ])
    const { id, booking_reference } = (await bookAppointment(meridian, calendar.slug)).json()
    expect(await isWaiting(id)).toBe(false)
    const mail = await meridian.waitForMail(
      ({ subject, text }) => / is your code /.test(subject) && text.includes(booking_reference),
    )
    const code = /\b(\d{6})\b/.exec(mail.subject)?.[1] ?? /\b(\d{6})\b/.exec(mail.text)?.[1]
    const confirmed = await meridian.post(`/api/public/appointments/${id}/email-confirmation`, { code })
    expect(confirmed.statusCode, confirmed.body).toBe(200)
    await waitUntilEventsWritten(meridian, calendar)
    expect(listEvents()).toHaveLength(1)
  })

  test('also if it was booked before the calendar was chosen and is upcoming', async () => {
    const other = await makeCalendar(meridian, owner)
    await bookAppointment(meridian, other.slug)
    await bookAppointment(meridian, other.slug, { starts_at: TUESDAY })
    meridian.clock.ms = Date.parse('2027-01-04T12:00:00Z')
    await chooseCalendarToWriteTo(meridian, owner, other, written.externalCalendarId)
    await waitUntilEventsWritten(meridian, other)
    expect(listEvents().map(([, startsAt]) => startsAt)).toEqual([TUESDAY])
  })
})

describe('failures', () => {
  test('200 bookings made during a provider’s outage are all written once when it is back', {
    tags: ['slow'],
  }, async () => {
    provider.fallSilent()
    for (let i = 0; i < 200; i += 1) {
      const starts_at = new Date(Date.parse(NINE) + toMinutes(i) * 60_000).toISOString()
      const answer = await bookAppointment(meridian, calendar.slug, { starts_at })
      expect(answer.statusCode, `${starts_at} ${answer.body}`).toBe(201)
    }
    for (let hour = 0; hour < 24; hour += 1) {
      meridian.clock.ms += 3_600_000
      await sweepThrough()
    }
    expect(await countWaiting()).toBe(200)
    // Writes pause after each failure, so fewer than 200 requests are sent.
    expect(countCalls('create')).toBeLessThan(60)
    provider.answer()
    provider.calls.length = 0
    meridian.clock.ms += 600_000
    // One run writes to one account for at most ten seconds, and one run starts each minute.
    await waitUntil(async () => {
      await sweepThrough()
      const waiting = await countWaiting()
      return waiting === 0 || `${waiting} events`
    })
    expect(countCalls('create')).toBe(200)
    expect(new Set(listEvents().map(([, , , id]) => id)).size).toBe(200)
  })

  test('a process killed after the provider created an event causes no second event', async () => {
    provider.fallSilent()
    const { id } = (await bookAppointment(meridian, calendar.slug)).json()
    const { event } = await readContent(id)
    provider.answer()
    // The response was lost, so nothing was recorded on our side.
    await provider.events?.create(access(), written.externalId, event)
    await move(id, TUESDAY)
    meridian.clock.ms += 600_000
    await sweepThrough()
    expect(listEvents()).toEqual([[expect.any(String), TUESDAY, '2027-01-05T14:30:00Z', id]])
    expect(await isWaiting(id)).toBe(false)
  })

  test('a process killed after the provider changed an event repeats the change', async () => {
    const { id } = (await bookAppointment(meridian, calendar.slug)).json()
    await waitUntilEventsWritten(meridian, calendar)
    const stored = await readStored(id)
    await move(id, TUESDAY)
    await waitUntilEventsWritten(meridian, calendar)
    // Restore the record from before the last write.
    await meridian.database.db
      .updateTable('appointment_events')
      .set(stored)
      .where('appointment_id', '=', id)
      .execute()
    await flag(id)
    await sweepThrough()
    expect(listEvents()).toEqual([[expect.any(String), TUESDAY, '2027-01-05T14:30:00Z', id]])
    expect(await isWaiting(id)).toBe(false)
  })

  test('a slow write that another one overtook does not win', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    provider.delayNext('create', promise)
    const { id } = (await bookAppointment(meridian, calendar.slug)).json()
    await waitUntil(async () => countCalls('create') === 1)
    meridian.clock.ms += 600_000
    await move(id, TUESDAY)
    await waitUntilEventsWritten(meridian, calendar)
    resolve()
    await waitUntil(async () => countCalls('update') >= 1)
    // The process that gets the late response queues another write.
    await waitUntil(async () => {
      await waitUntilEventsWritten(meridian, calendar)
      return listEvents()[0]?.[1] === TUESDAY
    })
    expect(listEvents()).toEqual([[expect.any(String), TUESDAY, '2027-01-05T14:30:00Z', id]])
    expect((await readStored(id)).starts_at).toEqual(new Date(TUESDAY))
  })

  test('writes that fail together count as one failure, and are retried after ten seconds', async () => {
    const fail = (retryAfterMs: number | null) =>
      pauseEventWrites(meridian.database.db, written.connectionId, {
        now: new Date(TEST_MONDAY),
        retryAfterMs,
      })
    for (let i = 0; i < 20; i += 1) await fail(null)
    expect(await findPauseMs()).toBe(10_000)
    await fail(90_000)
    expect(await findPauseMs()).toBe(90_000)
    await fail(null)
    expect(await findPauseMs()).toBe(90_000)
  })

  test('the first successful sync ends the pause, and waiting events are written at once', async () => {
    provider.fallSilent()
    const { id } = (await bookAppointment(meridian, calendar.slug)).json()
    await waitUntil(isPauseStored)
    expect((await syncConnection(meridian.deps, written.connectionId)).kind).toBe('failed')
    provider.answer()
    await sweepThrough()
    expect(listEvents()).toEqual([])
    expect((await syncConnection(meridian.deps, written.connectionId)).kind).toBe('done')
    await waitUntilEventsWritten(meridian, calendar)
    expect(listEvents()).toEqual([[expect.any(String), NINE, '2027-01-04T09:30:00Z', id]])
  })

  test('a Retry-After is respected, even after a successful sync or write', async () => {
    const pause = (retryAfterMs: number | null) =>
      pauseEventWrites(meridian.database.db, written.connectionId, {
        now: new Date(TEST_MONDAY),
        retryAfterMs,
      })
    // Our own pause is longer than the one that the provider requested.
    for (const ms of [0, 10_000, 30_000, 70_000]) {
      await pauseEventWrites(meridian.database.db, written.connectionId, {
        now: new Date(TEST_MONDAY - 150_000 + ms),
        retryAfterMs: null,
      })
    }
    expect(await findPauseMs()).toBe(0)
    await pause(null)
    expect(await findPauseMs()).toBe(160_000)
    await pause(90_000)
    provider.failNext('readChanges', PROVIDER_UNAVAILABLE)
    expect((await syncConnection(meridian.deps, written.connectionId)).kind).toBe('failed')
    expect((await syncConnection(meridian.deps, written.connectionId)).kind).toBe('done')
    expect(await findPauseMs()).toBe(90_000)
    const { id } = (await bookAppointment(meridian, calendar.slug)).json()
    await sweepThrough()
    expect(listEvents()).toEqual([])
    meridian.clock.ms += 90_001
    await sweepThrough()
    await waitUntilEventsWritten(meridian, calendar)
    expect(listEvents()).toEqual([[expect.any(String), NINE, '2027-01-04T09:30:00Z', id]])
    expect(await isPauseStored()).toBe(false)
  })

  test('429 with Retry-After: no request before that time', async () => {
    provider.failNext(
      'create',
      new CalendarProviderError('rate_limited', 'Too fast.', { retryAfterMs: 90_000 }),
    )
    const { id } = (await bookAppointment(meridian, calendar.slug)).json()
    await waitUntil(async () => countCalls('create') === 1)
    await waitUntil(isPauseStored)
    meridian.clock.ms += 60_000
    await sweepThrough()
    expect([await isWaiting(id), countCalls('create')]).toEqual([true, 1])
    meridian.clock.ms += 30_001
    await sweepThrough()
    expect([await isWaiting(id), countCalls('create')]).toEqual([false, 2])
  })

  test('expired access stops the writes and keeps the waiting events; reconnecting writes each once', async () => {
    provider.revoke(written.externalId)
    const { id } = (await bookAppointment(meridian, calendar.slug)).json()
    await waitUntil(async () => (await readConnectionState()) === 'expired')
    provider.calls.length = 0
    await sweepThrough()
    expect([await isWaiting(id), provider.calls]).toEqual([true, []])
    await connectAccountToWriteTo(meridian, owner, calendar, written.externalId)
    await waitUntilEventsWritten(meridian, calendar)
    expect(listEvents()).toHaveLength(1)
    expect(countCalls('create')).toBe(1)
  })

  test('a reconnect after the connection was removed makes no duplicates (ea#1399)', async () => {
    const { id } = (await bookAppointment(meridian, calendar.slug)).json()
    await waitUntilEventsWritten(meridian, calendar)
    await meridian.database.execute('delete from calendar_connections where id = $1', [written.connectionId])
    await connectAccountToWriteTo(meridian, owner, calendar, written.externalId)
    await waitUntilEventsWritten(meridian, calendar)
    expect(listEvents()).toEqual([[expect.any(String), NINE, '2027-01-04T09:30:00Z', id]])
  })

  test('disconnecting with the events removes only events that Meridian wrote', async () => {
    await bookAppointment(meridian, calendar.slug)
    await bookAppointment(meridian, calendar.slug, { starts_at: TUESDAY })
    await waitUntilEventsWritten(meridian, calendar)
    const theirs = provider.put(written.externalId, { startsAt: NINE, endsAt: TUESDAY })
    provider.failNext('remove', PROVIDER_UNAVAILABLE)
    await expect(meridian.deps.removeWrittenEvents(written.connectionId)).rejects.toMatchObject({
      kind: 'unavailable',
    })
    await meridian.deps.removeWrittenEvents(written.connectionId)
    expect(provider.list(written.externalId).map(({ eventId }) => eventId)).toEqual([theirs])
  })

  test('an account whose events cannot be removed is disconnected, and the owner gets an email', async () => {
    await bookAppointment(meridian, calendar.slug)
    await waitUntilEventsWritten(meridian, calendar)
    provider.revoke(written.externalId)
    const answer = await owner.delete(
      `/api/calendars/${calendar.id}/external-calendars/connections/${written.connectionId}?events=remove`,
    )
    expect(answer.statusCode, answer.body).toBe(200)
    const mail = await meridian.waitForMail(({ to, subject }) => {
      return to.address === owner.email && subject.startsWith('Appointment events are still in')
    })
    expect(mail.text).toContain(`You disconnected ${written.externalId}@example.com (CalDAV)`)
    expect(listEvents()).toHaveLength(1)
    expect(await readConnectionState()).toBeUndefined()
  })

  test('deleting a calendar removes the events of its upcoming appointments', async () => {
    await bookAppointment(meridian, calendar.slug)
    await waitUntilEventsWritten(meridian, calendar)
    const answer = await owner.delete(`/api/calendars/${calendar.id}`)
    expect(answer.statusCode, answer.body).toBe(204)
    await waitUntil(async () => listEvents().length === 0)
  })

  test('deleting a calendar while an event is being created leaves no event', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    provider.delayNext('create', promise)
    await bookAppointment(meridian, calendar.slug)
    await waitUntil(async () => countCalls('create') === 1)
    const answer = await owner.delete(`/api/calendars/${calendar.id}`)
    expect(answer.statusCode, answer.body).toBe(204)
    resolve()
    await waitUntil(async () => countCalls('remove') === 1)
    await waitUntil(async () => listEvents().length === 0)
  })

  test('an event that the provider rejects is reported to the owner and not retried forever', async () => {
    provider.failNext('create', new CalendarProviderError('event_refused', 'The title is not allowed.'))
    const { id } = (await bookAppointment(meridian, calendar.slug)).json()
    await waitUntilEventsWritten(meridian, calendar)
    await sweepThrough()
    expect(countCalls('create')).toBe(1)
    const url = `/api/calendars/${calendar.id}/appointments/${id}/history`
    const { entries } = (await owner.get(url)).json()
    expect(entries[0].text).toBe(
      'The appointment isn’t in your external calendar, because the provider rejected it: The title is not allowed. We’ll try again when the appointment changes.',
    )
  })
})

describe('a refusal', () => {
  test.each(['refused', 'address_refused'] as const)(
    'that only the operator can fix (%s) keeps the events waiting',
    async (kind) => {
      const refuse = () => provider.failNext('create', new CalendarProviderError(kind, 'Wrong keys.'))
      refuse()
      const { id } = (await bookAppointment(meridian, calendar.slug)).json()
      await waitUntil(isPauseStored)
      for (let day = 1; day <= 3; day += 1) {
        meridian.clock.ms += 86_400_000
        refuse()
        await sweepThrough()
        expect([await isWaiting(id), countCalls('create')]).toEqual([true, day + 1])
      }
      meridian.clock.ms += 86_400_000
      await sweepThrough()
      expect([await isWaiting(id), listEvents().length]).toEqual([false, 1])
      const url = `/api/calendars/${calendar.id}/appointments/${id}/history`
      expect((await owner.get(url)).json().entries).toEqual([])
    },
  )

  test('of an event stops retrying that version; a later change of the appointment is written', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    provider.delayNext('create', promise)
    provider.failNext('create', new CalendarProviderError('event_refused', 'The time is not allowed.'))
    const { id } = (await bookAppointment(meridian, calendar.slug)).json()
    await waitUntil(async () => countCalls('create') === 1)
    await move(id, TUESDAY)
    resolve()
    await waitUntilEventsWritten(meridian, calendar)
    expect(listEvents()).toEqual([[expect.any(String), TUESDAY, '2027-01-05T14:30:00Z', id]])
  })

  test.each(['forbidden', 'gone', 'refused'] as const)(
    'of one event (%s) does not block the others of the account',
    async (kind) => {
      provider.failNext('create', new CalendarProviderError(kind, 'Not this one.'))
      const { id } = (await bookAppointment(meridian, calendar.slug)).json()
      await waitUntil(async () => (await countFailures(id)) === 1)
      meridian.clock.ms += 30_000
      await bookAppointment(meridian, calendar.slug, { starts_at: TUESDAY })
      await waitUntil(async () => listEvents().some(([, startsAt]) => startsAt === TUESDAY))
      // A failed event is tried again after a minute.
      meridian.clock.ms += 60_000
      await sweepThrough()
      expect(listEvents()).toHaveLength(2)
    },
  )

  test('the sweep does not ask a deleted external calendar', async () => {
    provider.fallSilent()
    await bookAppointment(meridian, calendar.slug)
    await waitUntil(isPauseStored)
    const setGone = (isGone: boolean) =>
      meridian.database.execute('update external_calendars set is_gone = $1 where id = $2', [
        isGone,
        written.externalCalendarId,
      ])
    await setGone(true)
    provider.answer()
    provider.calls.length = 0
    meridian.clock.ms += 600_000
    await sweepThrough()
    expect(provider.calls).toEqual([])
    await setGone(false)
    await sweepThrough()
    expect(listEvents()).toHaveLength(1)
  })
})

describe('changes by the owner at the provider', () => {
  test('with Auto Sync off nothing is written, and turning it on writes what was missed', async () => {
    await changeEventSettings(meridian, owner, calendar, { auto_sync: false })
    await bookAppointment(meridian, calendar.slug)
    await sweepThrough()
    expect(listEvents()).toEqual([])
    await changeEventSettings(meridian, owner, calendar, { auto_sync: true })
    await waitUntilEventsWritten(meridian, calendar)
    expect(listEvents()).toHaveLength(1)
  })

  test('a changed event is overwritten when the appointment moves, but keeps the owner’s title', async () => {
    const { id } = (await bookAppointment(meridian, calendar.slug)).json()
    await waitUntilEventsWritten(meridian, calendar)
    const [event] = provider.list(written.externalId)
    provider.put(written.externalId, {
      id: event?.eventId ?? '',
      title: 'Grace, knee',
      startsAt: NINE,
      endsAt: '2027-01-04T09:30:00Z',
      appointmentId: id,
    })
    await move(id, TUESDAY)
    await waitUntilEventsWritten(meridian, calendar)
    expect(listEvents()).toEqual([['Grace, knee', TUESDAY, '2027-01-05T14:30:00Z', id]])
  })

  test('an event deleted at the moment in which its appointment moved is created again', async () => {
    const { id } = (await bookAppointment(meridian, calendar.slug)).json()
    await waitUntilEventsWritten(meridian, calendar)
    provider.drop(written.externalId, provider.list(written.externalId)[0]?.eventId ?? '')
    await move(id, TUESDAY)
    await waitUntilEventsWritten(meridian, calendar)
    expect(listEvents()).toEqual([[expect.any(String), TUESDAY, '2027-01-05T14:30:00Z', id]])
  })

  test('an event stays in the calendar that it was written to, and is kept up to date there', async () => {
    const { id } = (await bookAppointment(meridian, calendar.slug)).json()
    await waitUntilEventsWritten(meridian, calendar)
    await connectAccountToWriteTo(meridian, owner, calendar, `another-${++accounts}`)
    await waitUntilEventsWritten(meridian, calendar)
    expect(provider.list(`another-${accounts}`)).toEqual([])
    await move(id, TUESDAY)
    await bookAppointment(meridian, calendar.slug)
    await waitUntilEventsWritten(meridian, calendar)
    expect(listEvents()).toEqual([[expect.any(String), TUESDAY, '2027-01-05T14:30:00Z', id]])
    expect(provider.list(`another-${accounts}`)).toHaveLength(1)
  })
})

/**
 * Runs the sweep once, and then waits for the events that a job or the scheduled run had already claimed, because this
 * run skips those. The scheduled run starts at the beginning of a minute.
 */
async function sweepThrough(): Promise<void> {
  await runEventSweep(meridian)
  await waitUntil(async () => {
    const { rows } = await meridian.database.execute('select claim from event_turns where claim is not null')
    return rows.length === 0 || `${rows.length} turns`
  })
}

/** Lists title, start, end and appointment of each event in the external calendar. */
function listEvents(): (string | null | undefined)[][] {
  const toInstant = (ms = 0) => new Date(ms).toISOString().replace('.000Z', 'Z')
  return provider
    .list(written.externalId)
    .map(({ title, occurrences: [time], appointmentId }) => [
      title,
      toInstant(time?.startMs),
      toInstant(time?.endMs),
      appointmentId,
    ])
}

function countCalls(call: FakeCalendarProvider['calls'][number]): number {
  return provider.calls.filter((one) => one === call).length
}

function access() {
  return { credentials: written.externalId, saveCredentials: async (renewed: string) => renewed }
}

/**
 * Returns the minutes from Monday 9:00 to the i-th half hour of the working days after that Monday, with 16 half hours
 * a day.
 */
function toMinutes(i: number): number {
  const day = Math.floor(i / 16)
  return (day + 2 * Math.floor(day / 5)) * 24 * 60 + (i % 16) * 30
}

async function readContent(id: string, hidesCustomer = false) {
  const details = await findDetailsIncludingEndedHolds(meridian.database.db, id)
  if (details === null) throw new Error('no such appointment')
  const secret =
    (await getOrCreateEventSecret(meridian.database.db, { calendarId: details.calendar_id, id })) ?? ''
  const { event, hash } = toAppointmentEvent(details, {
    ...meridian.deps,
    hidesCustomer,
    secret,
    session: null,
  })
  return { event: { ...event, secret }, hash }
}

async function readStored(id: string) {
  return meridian.database.db
    .selectFrom('appointment_events')
    .select(['etag', 'starts_at', 'ends_at', 'content_hash'])
    .where('appointment_id', '=', id)
    .executeTakeFirstOrThrow()
}

async function flag(id: string): Promise<void> {
  await meridian.database.execute('update appointments set needs_google_sync = true where id = $1', [id])
}

async function isWaiting(id: string): Promise<boolean> {
  const { rows } = await meridian.database.execute(
    'select needs_google_sync from appointments where id = $1',
    [id],
  )
  return rows[0]?.needs_google_sync === true
}

async function countWaiting(): Promise<number> {
  const { rows } = await meridian.database.execute(
    'select count(*)::integer as count from appointments where calendar_id = $1 and needs_google_sync',
    [calendar.id],
  )
  return Number(rows[0]?.count)
}

/** Finds for how long after Monday morning writes stay paused. */
async function findPauseMs(): Promise<number> {
  const { rows } = await meridian.database.execute(
    `select extract(epoch from until - $2::timestamptz) * 1000 as ms from event_pauses where connection_id = $1`,
    [written.connectionId, new Date(TEST_MONDAY)],
  )
  return Number(rows[0]?.ms)
}

async function isPauseStored(): Promise<boolean> {
  const { rows } = await meridian.database.execute(
    'select until from event_pauses where connection_id = $1',
    [written.connectionId],
  )
  return rows.length === 1
}

async function countFailures(id: string): Promise<number> {
  const { rows } = await meridian.database.execute(
    'select failed_attempts from event_writes where appointment_id = $1 and claim is null',
    [id],
  )
  return Number(rows[0]?.failed_attempts)
}

async function readConnectionState(): Promise<unknown> {
  const { rows } = await meridian.database.execute('select state from calendar_connections where id = $1', [
    written.connectionId,
  ])
  return rows[0]?.state
}

function bookOwn() {
  return meridian.request({
    method: 'POST',
    url: `/api/calendars/${calendar.id}/appointments`,
    headers: { 'idempotency-key': randomUUID() },
    cookie: owner.cookie,
    payload: { starts_at: NINE, customer: { name: 'Alan Turing' } },
  })
}

async function move(id: string, starts_at: string): Promise<void> {
  const answer = await owner.post(`/api/calendars/${calendar.id}/appointments/${id}/move`, {
    starts_at,
    expected_starts_at: NINE,
  })
  expect(answer.statusCode, answer.body).toBe(200)
}

async function act(id: string, action: string): Promise<void> {
  const answer = await owner.post(`/api/calendars/${calendar.id}/appointments/${id}/actions`, { action })
  expect(answer.statusCode, answer.body).toBe(200)
}
