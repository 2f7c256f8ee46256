import { beforeEach, describe, expect, test } from 'vitest'
import { syncConnection } from '#server/areas/external-calendars/connections/sync-use-cases.ts'
import { makeFakeCalendarProvider } from '#tests/support/fake-calendar-provider.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment } from '#tests/support/meridian.ts'
import { waitUntil } from '#tests/support/race-track.ts'
import { makeParticipant, type Participant } from '#tests/support/sessions.ts'
import { addAppointmentType } from '#tests/support/stored-rows.ts'
import {
  buildSyncRunner,
  type CalendarWritingEvents,
  changeEventSettings,
  connectAccountToWriteTo,
  type RunSync,
  runEventSweep,
  waitUntilEventsWritten,
} from '#tests/support/written-calendar.ts'
import { findEventState } from './repository.ts'
import { toEventContent } from './write-event.ts'

const provider = makeFakeCalendarProvider({ connectsBy: 'password' })
setUpCalendar({
  env: { DEFAULT_PLAN: 'enterprise' },
  calendarProviders: { caldav: provider },
  owner: { lifetime: 'test' },
})

const [NINE, HALF_PAST_NINE, TEN, ELEVEN, TWELVE] = ['09:00', '09:30', '10:00', '11:00', '12:00'].map(
  (time) => `2027-01-05T${time}:00Z`,
) as [string, string, string, string, string]

let written: CalendarWritingEvents
let sync: RunSync
let yoga: string
let accounts = 0

beforeEach(async () => {
  written = await connectAccountToWriteTo(meridian, owner, calendar, `ada-${++accounts}`)
  sync = await buildSyncRunner(meridian, provider, written)
  yoga = await addAppointmentType(meridian, calendar.id, { name: 'Yoga', duration: 60, seats: 8 })
  provider.calls.length = 0
})

describe('a session has one event (rule G34)', () => {
  test('with the names of its people, which follows each change of them', async () => {
    const [alfa, bravo, charlie] = await bookAll('Alfa', 'Bravo', 'Charlie')
    const [event] = await listWritten()
    expect(await listWritten()).toEqual([{ ...event, title: 'Yoga (3 of 8)', time: `${NINE} ${TEN}` }])
    expect(await readNames()).toEqual(['Alfa', 'Bravo', 'Charlie'])
    await act(bravo, 'cancel')
    expect(await listWritten()).toEqual([{ ...event, title: 'Yoga (2 of 8)' }])
    await act(alfa, 'cancel')
    expect(await listWritten()).toEqual([{ ...event, title: 'Yoga (1 of 8)' }])
    await act(bravo, 'restore')
    expect(await listWritten()).toEqual([{ ...event, title: 'Yoga (2 of 8)' }])
    await rename('Bravo', 'Beta')
    await runEventSweep(meridian)
    await listWritten()
    expect(await readNames()).toEqual(['Beta', 'Charlie'])
    const type = await owner.patch(`/api/calendars/${calendar.id}/appointment-types/${yoga}`, { seats: 9 })
    expect(type.statusCode, type.body).toBe(200)
    await runEventSweep(meridian)
    expect(await listWritten()).toEqual([{ ...event, title: 'Yoga (2 of 9)' }])
    for (const id of [bravo, charlie]) await act(id, 'cancel')
    expect(await listWritten()).toEqual([])
    expect(provider.calls.filter((call) => call === 'create')).toHaveLength(1)
  })

  test('which has neither names nor numbers while customers are hidden', async () => {
    await changeEventSettings(meridian, owner, calendar, { hide_customer: true })
    await bookAll('Alfa', 'Bravo')
    expect(await listWritten()).toMatchObject([{ title: 'Booked' }])
    expect(await readNames()).toEqual([])
  })

  test('which stays when the seat that has it moves to another session, and moves with the last seat', async () => {
    const [alfa, bravo] = await bookAll('Alfa', 'Bravo')
    const [first] = await listWritten()
    await move(alfa, NINE, ELEVEN)
    const there = { id: expect.not.stringMatching(first?.id ?? ''), time: `${ELEVEN} ${TWELVE}` }
    expect(await listWritten()).toMatchObject([
      { id: first?.id, title: 'Yoga (1 of 8)', time: `${NINE} ${TEN}` },
      { ...there, title: 'Yoga (1 of 8)' },
    ])
    await move(bravo, NINE, ELEVEN)
    expect(await listWritten()).toMatchObject([{ title: 'Yoga (2 of 8)', time: `${ELEVEN} ${TWELVE}` }])
    await act(alfa, 'cancel')
    const [last] = await listWritten()
    await move(bravo, ELEVEN, NINE)
    expect(await listWritten()).toEqual([{ ...last, title: 'Yoga (1 of 8)', time: `${NINE} ${TEN}` }])
  })

  test('which moves once when the whole session moves, and keeps the title that its owner gave it', async () => {
    const [alfa, bravo] = await bookAll('Alfa', 'Bravo', 'Charlie')
    const [event] = await listWritten()
    provider.put(written.externalId, {
      id: event?.id ?? '',
      ...(await findSecret()),
      title: 'My class',
      startsAt: NINE,
      endsAt: TEN,
    })
    await sync()
    provider.calls.length = 0
    await move(bravo, NINE, ELEVEN, { whole_session: true })
    expect(await listWritten()).toEqual([{ ...event, title: 'My class', time: `${ELEVEN} ${TWELVE}` }])
    expect(provider.calls.filter((call) => call === 'update')).toHaveLength(1)
    await act(alfa, 'cancel')
    expect(await listWritten()).toEqual([{ ...event, title: 'My class', time: `${ELEVEN} ${TWELVE}` }])
    expect(await readNames()).toEqual(['Bravo', 'Charlie'])
  })

  test('also when each seat had an event of its own until now', async () => {
    provider.fallSilent()
    const [alfa = '', bravo = ''] = await bookAll('Alfa', 'Bravo')
    provider.answer()
    for (const id of [alfa, bravo]) {
      const { event_ref } = addEventOf(id)
      await meridian.database.db
        .insertInto('appointment_events')
        .values({
          calendar_id: calendar.id,
          appointment_id: id,
          external_calendar_id: written.externalCalendarId,
          event_ref,
          etag: null,
          starts_at: new Date(NINE),
          ends_at: new Date(TEN),
          content_hash: 'of one seat',
          written_at: new Date(NINE),
          session_id: await readSessionId(id),
        })
        .execute()
    }
    meridian.clock.ms += 600_000
    await runEventSweep(meridian)
    expect(await listWritten()).toMatchObject([{ id: alfa.replaceAll('-', ''), title: 'Yoga (2 of 8)' }])
  })

  test('which takes no time from the session or from its move', async () => {
    const [alfa] = await bookAll('Alfa', 'Bravo')
    await listWritten()
    const chosen = await owner.put(`/api/calendars/${calendar.id}/external-calendars/choice`, {
      reads: [written.externalCalendarId],
      writes: written.externalCalendarId,
    })
    expect(chosen.statusCode, chosen.body).toBe(200)
    await syncConnection(meridian.deps, written.connectionId)
    const { rows } = await meridian.database.execute(
      'select event_id from external_busy_times where external_calendar_id = $1',
      [written.externalCalendarId],
    )
    expect(rows).toHaveLength(1)
    await book('Charlie')
    await move(alfa, NINE, HALF_PAST_NINE, { whole_session: true, outside_hours: true })
    await listWritten()
    await syncConnection(meridian.deps, written.connectionId)
    await book('Delta', HALF_PAST_NINE)
    expect(await listWritten()).toMatchObject([{ title: 'Yoga (4 of 8)' }])
  })
})

describe('a change of a session’s event waits for the owner (rule G35)', () => {
  test('who has its deletion followed, which cancels everybody and emails the customers', async () => {
    const ids = await bookAll('Alfa', 'Bravo', 'Charlie')
    const [event] = await listWritten()
    provider.drop(written.externalId, event?.id ?? '')
    await sync()
    expect(await readStates(ids)).toEqual([`${NINE} confirmed`])
    const change = await findChange()
    expect(change).toMatchObject({ kind: 'deleted', reason: 'group_session', people: 3, title: 'Yoga' })
    expect(await decide(change.id, 'follow')).toEqual({ done: 1, refused: [] })
    expect(await readStates(ids)).toEqual([`${NINE} cancelled`])
    expect(await listWritten()).toEqual([])
    const { rows } = await meridian.database.execute(
      `select kind from appointment_messages where calendar_id = $1 and kind like '%cancelled'`,
      [calendar.id],
    )
    expect(rows.map(({ kind }) => kind)).toEqual(['cancelled', 'cancelled', 'cancelled'])
  })

  test('who has its move followed, which moves everybody', async () => {
    const ids = await bookAll('Alfa', 'Bravo')
    const change = await moveThere()
    expect(await readStates(ids)).toEqual([`${NINE} confirmed`])
    expect(change).toMatchObject({ kind: 'moved', people: 2, starts_at: ELEVEN.replace('Z', '.000Z') })
    expect(await decide(change.id, 'follow')).toEqual({ done: 1, refused: [] })
    expect(await readStates(ids)).toEqual([`${ELEVEN} confirmed`])
    expect(await listWritten()).toMatchObject([{ title: 'Yoga (2 of 8)', time: `${ELEVEN} ${TWELVE}` }])
  })

  test('who keeps the session, and decides once even if the seat with the event has left', async () => {
    const [alfa, bravo = ''] = await bookAll('Alfa', 'Bravo')
    await moveThere()
    await act(alfa, 'cancel')
    await waitUntilEventsHandled(bravo)
    const change = await findChange()
    expect(change).toMatchObject({ appointment_id: bravo, people: 1 })
    await decide(change.id, 'keep')
    expect(await listWritten()).toMatchObject([{ title: 'Yoga (1 of 8)', time: `${NINE} ${TEN}` }])
    expect(await listChanges()).toEqual([])
  })

  test('and is undone when the session cannot follow, which an email about the session says', async () => {
    await bookAll('Alfa', 'Bravo')
    const change = await moveThere()
    await book('Charlie', ELEVEN)
    const isPutBack = ({ subject }: { subject: string }) => subject.startsWith('Event put back')
    expect(await decide(change.id, 'follow')).toMatchObject({
      done: 0,
      refused: [{ reason: expect.any(String) }],
    })
    await waitUntil(async () => meridian.mails.some(isPutBack) || 'no email')
    const mail = meridian.mails.find(isPutBack)
    expect(mail?.subject).toContain('Yoga')
    expect(mail?.text).toContain('We couldn’t move the session: ')
    expect(mail?.text).not.toMatch(/Alfa|Bravo/)
    expect((await listWritten()).map(({ title, time }) => [title, time])).toEqual([
      ['Yoga (2 of 8)', `${NINE} ${TEN}`],
      ['Yoga (1 of 8)', `${ELEVEN} ${TWELVE}`],
    ])
  })
})

/** Books a seat for each of them, and returns their appointments. */
async function bookAll(...names: Participant[]): Promise<string[]> {
  const ids: string[] = []
  for (const name of names) {
    meridian.clock.ms += 1_000
    ids.push(await book(name))
  }
  return ids
}

async function book(name: Participant, starts_at = NINE): Promise<string> {
  const answer = await bookAppointment(meridian, calendar.slug, {
    appointment_type_id: yoga,
    starts_at,
    customer: makeParticipant(name),
  })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().id
}

async function act(id: string | undefined, action: string): Promise<void> {
  const answer = await owner.post(`/api/calendars/${calendar.id}/appointments/${id}/actions`, { action })
  expect(answer.statusCode, answer.body).toBe(200)
}

/** Returns the names in the event that was written last. */
async function readNames(): Promise<string[]> {
  const { db } = meridian.database
  const row = await db
    .selectFrom('appointment_events')
    .selectAll()
    .where('calendar_id', '=', calendar.id)
    .executeTakeFirstOrThrow()
  const state = await findEventState(db, { calendarId: calendar.id, id: row.appointment_id })
  if (state === null) throw new Error('the event belongs to no appointment')
  const { event, hash } = toEventContent(meridian.deps, state)
  expect(row.content_hash).toBe(hash)
  return [...event.description.matchAll(/^- (.*)$/gm)].map(([, name = '']) =>
    name.replaceAll(/[\u2068\u2069]/g, ''),
  )
}

async function rename(name: Participant, to: string): Promise<void> {
  const path = `/api/calendars/${calendar.id}`
  const { customers } = (await owner.get(`${path}/customer-list`)).json()
  const { id } = customers.find((one: { name: string }) => one.name === name)
  const answer = await owner.patch(`${path}/customers/${id}`, { name: to })
  expect(answer.statusCode, answer.body).toBe(200)
}

/** Lists the events at the provider, once everything is written. */
async function listWritten(): Promise<{ id: string; title: string | null; time: string }[]> {
  await waitUntilEventsWritten(meridian, calendar)
  const toInstant = (ms = 0) => new Date(ms).toISOString().replace('.000Z', 'Z')
  return provider.list(written.externalId).map(({ eventId, title, occurrences: [time] }) => ({
    id: eventId,
    title,
    time: `${toInstant(time?.startMs)} ${toInstant(time?.endMs)}`,
  }))
}

function addEventOf(id: string): { event_ref: string } {
  const event_ref = id.replaceAll('-', '')
  provider.put(written.externalId, {
    id: event_ref,
    appointmentId: id,
    title: 'Yoga',
    startsAt: NINE,
    endsAt: TEN,
  })
  return { event_ref }
}

async function readSessionId(id: string): Promise<string | null> {
  const { db } = meridian.database
  const row = await db
    .selectFrom('appointments')
    .select('session_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.session_id
}

/** Returns the secret of the only event, which an owner's change keeps. */
async function findSecret(): Promise<{ secret: string | null }> {
  return { secret: provider.list(written.externalId)[0]?.secret ?? null }
}

async function move(
  id: string | undefined,
  from: string,
  to: string,
  more: Record<string, boolean> = {},
): Promise<void> {
  const answer = await owner.post(`/api/calendars/${calendar.id}/appointments/${id}/move`, {
    starts_at: to,
    expected_starts_at: from,
    ...more,
  })
  expect(answer.statusCode, answer.body).toBe(200)
}

/** Moves the only event to eleven o’clock at the provider. Returns the change that then waits for the owner. */
async function moveThere() {
  const [event] = await listWritten()
  provider.move(written.externalId, event?.id ?? '', ELEVEN, TWELVE)
  await sync()
  return findChange()
}

async function listChanges(): Promise<{ id: string; appointment_id: string }[]> {
  return (await owner.get(`/api/calendars/${calendar.id}/external-changes`)).json().changes
}

async function findChange(): Promise<{ id: string; appointment_id: string }> {
  const [change, ...others] = await listChanges()
  expect(others).toEqual([])
  if (change === undefined) throw new Error('no change waits')
  return change
}

async function decide(id: string, decision: 'follow' | 'keep'): Promise<unknown> {
  const answer = await owner.post(`/api/calendars/${calendar.id}/external-changes`, {
    change_ids: [id],
    decision,
  })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

/** Lists the different times and statuses of these appointments. */
async function readStates(ids: readonly string[]): Promise<string[]> {
  const { db } = meridian.database
  const rows = await db
    .selectFrom('appointments')
    .select(['starts_at', 'status'])
    .where('id', 'in', ids)
    .execute()
  return [...new Set(rows.map((row) => `${row.starts_at.toISOString().replace('.000Z', 'Z')} ${row.status}`))]
}

/** Waits until the event of the session is that of this appointment. */
async function waitUntilEventsHandled(id: string): Promise<void> {
  const { db } = meridian.database
  await waitUntil(async () => {
    const row = await db
      .selectFrom('appointment_events')
      .select('event_ref')
      .where('appointment_id', '=', id)
      .executeTakeFirst()
    return row !== undefined || 'no event'
  })
}
