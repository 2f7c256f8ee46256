import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { CalendarProviderError } from '#server/ports/external-calendar.ts'
import {
  type ConnectedOwner,
  listStoredBusyTimes,
  makeConnectedOwner,
  readExternalCalendars,
  waitUntilCalendarJobsFinish,
} from '#tests/support/connected-calendar.ts'
import {
  ACCESS_EXPIRED,
  makeFakeCalendarProvider,
  PROVIDER_UNAVAILABLE,
} from '#tests/support/fake-calendar-provider.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeCalendar, makeOwner, TEST_MONDAY, waitFor } from '#tests/support/meridian.ts'
import { addAppointment } from '#tests/support/stored-rows.ts'
import type { SyncedOwnEvents } from './deps.ts'
import { queueDueSyncs, syncConnection } from './sync-use-cases.ts'

let connected: ConnectedOwner & { slug: string }
let account: string
const google = makeFakeCalendarProvider({ pageSize: 10, now: () => TEST_MONDAY })
let accounts = 0
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

setUpMeridian({ calendarProviders: { google } })
beforeEach(async () => {
  accounts += 1
  account = `grace-${accounts}`
  google.addAccount(account)
  connected = await makeConnectedOwner(meridian, account)
  await waitUntilCalendarJobsFinish(meridian)
})

test('added, moved and deleted events are copied', async () => {
  const id = google.put(account, event('09:00', '10:00'))
  expect(await sync()).toMatchObject({ kind: 'done', changedEvents: 1 })
  expect(await copy()).toEqual([time('09:00', '10:00')])
  google.move(account, id, at('11:00'), at('12:00'))
  expect(await sync()).toMatchObject({ kind: 'done', changedEvents: 1 })
  expect(await copy()).toEqual([time('11:00', '12:00')])
  google.drop(account, id)
  expect(await sync()).toMatchObject({ kind: 'done', changedEvents: 1 })
  expect(await copy()).toEqual([])
  expect(await sync()).toMatchObject({ kind: 'done', changedEvents: 0 })
})

test('twenty#24096, webhookdb#538, compass-calendar#1239: an expired cursor (410) starts a full sync, which removes deleted events', async () => {
  const gone = google.put(account, event('09:00', '10:00'))
  google.put(account, event('11:00', '12:00'))
  await sync()
  google.drop(account, gone)
  google.loseCursors()
  expect(await sync()).toMatchObject({ kind: 'done', changedEvents: 1 })
  expect(await copy()).toEqual([time('11:00', '12:00')])
  google.put(account, event('13:00', '14:00'))
  await sync()
  expect(await copy()).toEqual([time('11:00', '12:00'), time('13:00', '14:00')])
})

test('ea#527, ea#449: one malformed event does not stop the sync', async () => {
  const odd = (key: string, startMs: number, endMs: number) => ({ key, startMs, endMs, isAllDay: false })
  google.put(account, {
    ...event('09:00', '10:00'),
    id: 'odd times',
    occurrences: [
      odd('none', Number.NaN, Number.NaN),
      odd('back', Date.parse(at('10:00')), Date.parse(at('09:00'))),
      odd('empty', Date.parse(at('10:00')), Date.parse(at('10:00'))),
      odd('far', Date.parse(at('10:00')), 9e15),
      odd('twice', Date.parse(at('08:00')), Date.parse(at('08:30'))),
      odd('twice', Date.parse(at('08:00')), Date.parse(at('08:30'))),
    ],
  })
  google.put(account, { ...event('11:00', '12:00'), id: 'nul\0', title: 'a\0b \ud800' })
  google.put(account, { ...event('13:00', '14:00'), id: 'x'.repeat(5_000), title: 'y'.repeat(50_000) })
  google.put(account, event('15:00', '16:00'))
  expect(await sync()).toMatchObject({ kind: 'done' })
  expect(await copy()).toEqual([
    time('08:00', '08:30'),
    time('11:00', '12:00'),
    time('13:00', '14:00'),
    time('15:00', '16:00'),
  ])
  google.drop(account, 'nul\0')
  google.drop(account, 'x'.repeat(5_000))
  await sync()
  expect(await copy()).toEqual([time('08:00', '08:30'), time('15:00', '16:00')])
})

test('cal#14704: an event that Meridian wrote, found by property or id, is not busy for its calendar at its own time', async () => {
  const appointmentId = await writeEvent('known by its id')
  google.put(account, {
    ...event('10:00', '10:30'),
    appointmentId: appointmentId.toUpperCase(),
    id: 'a copy',
  })
  google.put(account, { ...event('10:00', '10:30'), id: 'known by its id' })
  google.put(account, event('12:00', '13:00'))
  const followed: SyncedOwnEvents[] = []
  expect(await sync({ followed })).toMatchObject({ changedEvents: 3 })
  expect(await copy()).toEqual([time('12:00', '13:00')])
  expect(await listHolders()).toEqual([connected.calendarId, connected.calendarId])
  expect(followed).toMatchObject([
    { externalCalendarId: connected.externalCalendarId, isFullSync: false, isCalendarGone: false },
  ])
  expect(followed[0]?.changes.map(({ eventId }) => eventId)).toEqual(['a copy', 'known by its id'])
  google.drop(account, 'known by its id')
  await sync({ followed })
  expect(followed[1]?.changes).toEqual([{ eventId: 'known by its id', event: null }])
  expect(await listHolders()).toEqual([connected.calendarId])
})

test('an appointment’s event is busy where the owner moved, copied or repeated it', async () => {
  const appointmentId = await writeEvent('ours')
  google.put(account, { ...event('14:00', '14:30'), appointmentId, id: 'a copy' })
  google.put(account, {
    ...event('10:00', '10:30'),
    id: 'ours',
    occurrences: ['10:00', '15:00'].map((from) => ({
      key: from,
      startMs: Date.parse(at(from)),
      endMs: Date.parse(at(from)) + 30 * MINUTE_MS,
      isAllDay: false,
    })),
  })
  expect(await sync()).toMatchObject({ changedEvents: 2 })
  expect(await copy()).toEqual([time('14:00', '14:30'), time('15:00', '15:30')])
  expect(await listHolders()).toEqual([connected.calendarId])
  google.put(account, { ...event('16:00', '16:30'), id: 'ours' })
  expect(await sync()).toMatchObject({ changedEvents: 1 })
  expect(await copy()).toEqual([time('14:00', '14:30'), time('16:00', '16:30')])
})

test('an event that claims an unknown appointment is busy, and no appointment follows it', async () => {
  const stranger = await makeOwner(meridian)
  const elsewhere = await makeCalendar(meridian, stranger)
  const foreign = await addAppointment(meridian, elsewhere.id, { startsAt: at('10:00') })
  google.put(account, { ...event('09:00', '10:00'), appointmentId: foreign, id: 'of a stranger' })
  google.put(account, { ...event('11:00', '12:00'), appointmentId: randomUUID(), id: 'of nobody' })
  const followed: SyncedOwnEvents[] = []
  await sync({ followed })
  expect(await copy()).toEqual([time('09:00', '10:00'), time('11:00', '12:00')])
  expect(followed[0]?.changes).toEqual([])
})

test('an appointment that one calendar writes is busy for the other calendars that read it', async () => {
  const other = await makeCalendar(meridian, connected.owner)
  const appointment = await addAppointment(meridian, other.id, { startsAt: at('10:00') })
  google.put(account, { ...event('10:00', '10:30'), appointmentId: appointment, id: 'written by the other' })
  await sync()
  expect(await listHolders()).toEqual([other.id])
})

test('a change that could not be applied is delivered again, and the copy stays correct', async () => {
  await writeEvent('ours')
  google.put(account, { ...event('10:00', '10:30'), id: 'ours' })
  google.put(account, event('12:00', '13:00'))
  const failing = { ...meridian.deps, applyExternalChanges: () => Promise.reject(new Error('not now')) }
  expect(await syncConnection(failing, connected.connectionId)).toMatchObject({ kind: 'done' })
  expect(await copy()).toEqual([time('12:00', '13:00')])
  const followed: SyncedOwnEvents[] = []
  await sync({ followed })
  expect(followed[0]?.changes.map(({ eventId }) => eventId)).toEqual(['ours'])
  await sync({ followed })
  expect(followed[1]?.changes).toEqual([])
})

test('a full sync reports upcoming events of Meridian that are missing as deleted', async () => {
  await writeEvent('seen')
  await writeEvent('unseen', { startsAt: at('11:00') })
  await writeEvent('just written', { startsAt: at('12:00'), writtenAt: meridian.clock.ms + 1 })
  await writeEvent('over', { startsAt: '2027-01-03T09:00:00Z' })
  google.put(account, { ...event('10:00', '11:00'), id: 'seen' })
  google.loseCursors()
  const followed: SyncedOwnEvents[] = []
  await sync({ followed })
  expect(followed).toMatchObject([{ isFullSync: true }])
  const changes = followed[0]?.changes.map(({ eventId, event: found }) => [eventId, found === null])
  expect(changes).toEqual([
    ['seen', false],
    ['unseen', true],
  ])
})

test('only the first sync after a reconnect is marked as such', async () => {
  meridian.clock.ms += MINUTE_MS
  await meridian.database.execute('update calendar_connections set reconnected_at = $2 where id = $1', [
    connected.connectionId,
    new Date(meridian.clock.ms),
  ])
  const followed: SyncedOwnEvents[] = []
  await sync({ followed })
  await sync({ followed })
  expect(followed.map(({ isFirstAfterReconnect }) => isFirstAfterReconnect)).toEqual([true, false])
})

test('a sync after a reconnect whose changes failed stays marked as the first', async () => {
  meridian.clock.ms += MINUTE_MS
  await meridian.database.execute('update calendar_connections set reconnected_at = $2 where id = $1', [
    connected.connectionId,
    new Date(meridian.clock.ms),
  ])
  meridian.clock.ms += 1
  const failing = {
    ...meridian.deps,
    applyExternalChanges: () => Promise.reject(new Error('the database was away')),
  }
  expect(await syncConnection(failing, connected.connectionId)).toMatchObject({ kind: 'done' })
  const followed: SyncedOwnEvents[] = []
  await sync({ followed })
  await sync({ followed })
  expect(followed.map(({ isFirstAfterReconnect }) => isFirstAfterReconnect)).toEqual([true, false])
})

test('cal#28686: while the provider is down, busy times stay busy, and it is asked at growing intervals', async () => {
  google.put(account, event('09:00', '10:00'))
  await sync()
  google.fallSilent()
  const pauses: number[] = []
  for (let i = 0; i < 6; i += 1) {
    expect(await sync()).toMatchObject({ kind: 'failed', problem: PROVIDER_UNAVAILABLE.message })
    pauses.push(await minutesToNext())
  }
  google.answer()
  for (const [i, longest] of [1.25, 2.5, 5, 10, 12.5, 12.5].entries()) {
    expect(pauses[i]).toBeLessThanOrEqual(longest)
    expect(pauses[i]).toBeGreaterThanOrEqual(longest / 1.25)
  }
  expect(await copy()).toEqual([time('09:00', '10:00')])
  const [failed] = (await readExternalCalendars(meridian, connected)).connections
  expect(failed).toMatchObject({ state: 'active', problem: PROVIDER_UNAVAILABLE.message })
  await sync()
  const [healthy] = (await readExternalCalendars(meridian, connected)).connections
  expect(healthy).toMatchObject({ problem: null, last_success_at: new Date(meridian.clock.ms).toISOString() })
  expect(await minutesToNext()).toBeGreaterThanOrEqual(10)
  expect(await minutesToNext()).toBeLessThanOrEqual(12.5)
})

test.each([
  ['as long as it wants', 3 * 60 * MINUTE_MS, 180, 225],
  ['a minute when it does not say', null, 1, 1.25],
  ['a day at most', 90 * DAY_MS, 1_440, 1_800],
])('a provider’s Retry-After (429) is respected: %s', async (_how, retryAfterMs, least, most) => {
  google.failNext('readChanges', new CalendarProviderError('rate_limited', 'Too many.', { retryAfterMs }))
  expect(await sync()).toMatchObject({ kind: 'failed', problem: 'Too many.' })
  expect(await minutesToNext()).toBeGreaterThanOrEqual(least)
  expect(await minutesToNext()).toBeLessThanOrEqual(most)
})

test('cal#7564, ea#1113: a revoked token makes the connection expired, and the owner gets one email', async () => {
  for (let i = 0; i < 25; i += 1) google.put(account, event('09:00', '10:00'))
  const before = meridian.mails.length
  google.revoke(account)
  expect(await sync()).toEqual({ kind: 'expired' })
  expect(await sync()).toEqual({ kind: 'busy' })
  const mail = await meridian.waitForMail(({ to }) => to.address === connected.owner.email)
  expect(mail.subject).toBe(`Please reconnect your calendar: ${account}@example.com`)
  expect(mail.text).toContain(`/calendar/${connected.calendarId}/settings?tab=integrations`)
  const [expired] = (await readExternalCalendars(meridian, connected)).connections
  expect(expired).toMatchObject({ state: 'expired', problem: expect.stringContaining('reconnect') })
  await waitUntilCalendarJobsFinish(meridian)
  expect(meridian.mails.slice(before)).toHaveLength(1)
})

test('cal#7564: a token revoked during a sync keeps the pages read so far, and the next sync continues there', async () => {
  await sync()
  const cursor = await readCursor()
  for (let i = 0; i < 25; i += 1) google.put(account, event('09:00', '10:00'))
  google.calls.length = 0
  const readsOf = () => google.calls.filter((call) => call === 'readChanges').length
  const giveFirst = delayReading()
  const syncing = sync()
  await until(() => readsOf() === 1)
  const refuseSecond = delayReading()
  giveFirst()
  await until(() => readsOf() === 2)
  google.revoke(account)
  refuseSecond()
  expect(await syncing).toEqual({ kind: 'expired' })
  expect(await copy()).toHaveLength(10)
  expect(await readCursor()).toBe(cursor)
})

test('the owner gets one email when an account fails for six hours, and another after it recovered and failed again', async () => {
  const before = meridian.clock.ms
  const listMails = async () => {
    await waitUntilCalendarJobsFinish(meridian)
    return meridian.mails.filter(({ to }) => to.address === connected.owner.email)
  }
  const readTrouble = async () =>
    (await readExternalCalendars(meridian, connected)).connections.map((one) => one.troubled_since)
  google.fallSilent()
  await sync()
  meridian.clock.ms += 6 * 60 * MINUTE_MS - 1
  await sync()
  expect(await listMails()).toEqual([])
  expect(await readTrouble()).toEqual([null])
  meridian.clock.ms += 1
  await sync()
  await sync()
  expect(await listMails()).toMatchObject([
    {
      subject: `We can’t read your calendar: ${account}@example.com`,
      text: expect.stringContaining(PROVIDER_UNAVAILABLE.message),
    },
  ])
  expect(await readTrouble()).toEqual([new Date(before).toISOString()])
  google.answer()
  await sync()
  expect(await readTrouble()).toEqual([null])
  google.failNext('readChanges', new CalendarProviderError('forbidden', 'Not allowed.'))
  await sync()
  expect(await listMails()).toHaveLength(2)
  meridian.clock.ms = before
})

test('cal#11870: an expired connection does not empty the booking page', async () => {
  google.put(account, { title: 'busy', startsAt: at('09:00', '04'), endsAt: at('10:00', '04') })
  await sync()
  google.revoke(account)
  await sync()
  const url = `/api/public/calendars/${connected.slug}/slots?date=2027-01-05`
  const { slots } = (await meridian.get(url)).json()
  expect(slots.length).toBeGreaterThan(5)
})

test('a refusal of credentials that were renewed meanwhile is ignored', async () => {
  google.failNext('readChanges', ACCESS_EXPIRED)
  const letGo = delayReading()
  google.calls.length = 0
  const syncing = sync()
  await until(() => google.calls.at(-1) === 'readChanges')
  await meridian.database.execute(
    'update calendar_connections set credentials_version = credentials_version + 1 where id = $1',
    [connected.connectionId],
  )
  letGo()
  expect(await syncing).toEqual({ kind: 'expired' })
  expect((await readExternalCalendars(meridian, connected)).connections).toMatchObject([{ state: 'active' }])
  expect(await sync()).toMatchObject({ kind: 'done' })
})

test('a calendar with endless pages is abandoned, and the next sync reads it', async () => {
  const endless = makeFakeCalendarProvider()
  endless.addAccount(account)
  endless.sendPagesForEver()
  const deps = { ...meridian.deps, calendarProviders: { google: endless } }
  expect(await syncConnection(deps, connected.connectionId)).toMatchObject({
    kind: 'failed',
    problem: 'The calendar has more events than can be read.',
  })
  expect(await sync()).toMatchObject({ kind: 'done' })
})

test('ten thousand events are read, and a second sync of them changes nothing', {
  tags: ['slow'],
}, async () => {
  const many = makeFakeCalendarProvider({ pageSize: 2_500 })
  many.addAccount(account)
  for (let i = 0; i < 10_000; i += 1) {
    const startMs = meridian.clock.ms + i * 30 * MINUTE_MS
    const [startsAt, endsAt] = [startMs, startMs + 20 * MINUTE_MS].map((ms) => new Date(ms).toISOString())
    many.put(account, { startsAt: startsAt ?? '', endsAt: endsAt ?? '', title: `Event ${i}` })
  }
  const deps = { ...meridian.deps, calendarProviders: { google: many } }
  many.loseCursors()
  await meridian.database.execute('update external_calendars set sync_cursor = null')
  expect(await syncConnection(deps, connected.connectionId)).toMatchObject({ changedEvents: 10_000 })
  expect(await copy()).toHaveLength(10_000)
  await meridian.database.execute('update external_calendars set sync_cursor = null')
  expect(await syncConnection(deps, connected.connectionId)).toMatchObject({ changedEvents: 0 })
  expect(await copy()).toHaveLength(10_000)
})

test('an event of three weeks is busy throughout, and one of zero length never', async () => {
  google.put(account, { startsAt: '2027-02-01T00:00:00Z', endsAt: '2027-02-22T00:00:00Z' })
  google.put(account, { startsAt: '2027-03-01T09:00:00Z', endsAt: '2027-03-01T09:00:00Z' })
  await sync()
  expect(await copy()).toEqual(['2027-02-01T00:00:00.000Z 2027-02-22T00:00:00.000Z'])
})

test('a series with moved, removed and added occurrences is replaced as a whole', async () => {
  const day = (date: string) => ({
    key: date,
    isAllDay: false,
    startMs: Date.parse(`${date}T09:00:00Z`),
    endMs: Date.parse(`${date}T10:00:00Z`),
  })
  const series = { id: 'series', startsAt: at('09:00'), endsAt: at('10:00') }
  google.put(account, { ...series, occurrences: ['2027-01-11', '2027-01-18', '2027-01-25'].map(day) })
  await sync()
  const moved = { ...day('2027-01-18'), startMs: Date.parse('2027-01-18T07:00:00Z') }
  google.put(account, { ...series, occurrences: [moved, day('2027-01-25'), day('2027-02-01')] })
  expect(await sync()).toMatchObject({ changedEvents: 1 })
  expect(await copy()).toEqual([
    '2027-01-18T07:00:00.000Z 2027-01-18T10:00:00.000Z',
    '2027-01-25T09:00:00.000Z 2027-01-25T10:00:00.000Z',
    '2027-02-01T09:00:00.000Z 2027-02-01T10:00:00.000Z',
  ])
})

test('a sync after a killed process starts from the last completed sync', async () => {
  google.put(account, event('09:00', '10:00'))
  await sync()
  const cursor = await readCursor()
  for (let i = 0; i < 25; i += 1) google.put(account, event('11:00', '12:00'))
  // This sync stores every page and then hangs, as if its process had died.
  let isDead = false
  const dying = {
    ...meridian.deps,
    applyExternalChanges: async () => {
      isDead = true
      await new Promise(() => {})
    },
  }
  void syncConnection(dying, connected.connectionId)
  await until(() => isDead)
  expect(await readCursor()).toBe(cursor)
  expect(await sync()).toEqual({ kind: 'busy' })
  meridian.clock.ms += 2 * MINUTE_MS
  await queueDueSyncs(meridian.deps)
  await waitUntilCalendarJobsFinish(meridian)
  expect(await copy()).toHaveLength(26)
  expect(await readCursor()).not.toBe(cursor)
})

test('a sync that lost its lease writes nothing more', async () => {
  google.put(account, event('09:00', '10:00'))
  const letGo = delayReading()
  google.calls.length = 0
  const slow = sync()
  await until(() => google.calls.at(-1) === 'readChanges')
  meridian.clock.ms += 2 * MINUTE_MS
  google.put(account, event('11:00', '12:00'))
  expect(await sync()).toMatchObject({ kind: 'done', changedEvents: 2 })
  google.put(account, event('13:00', '14:00'))
  letGo()
  expect(await slow).toEqual({ kind: 'busy' })
  expect(await copy()).toEqual([time('09:00', '10:00'), time('11:00', '12:00')])
})

test('a calendar that does not answer does not block the others', async () => {
  google.addCalendar(account, { externalId: `${account} b` })
  await sync({ listsCalendars: true })
  await chooseAll()
  await waitUntilCalendarJobsFinish(meridian)
  google.put(account, event('09:00', '10:00'))
  google.put(`${account} b`, event('11:00', '12:00'))
  google.failNext('readChanges', new CalendarProviderError('forbidden', 'Not this one.'))
  expect(await sync()).toMatchObject({ kind: 'failed', problem: 'Not this one.', changedEvents: 1 })
  expect(await sync()).toMatchObject({ kind: 'done', changedEvents: 1 })
})

test('a calendar deleted at the provider loses its busy times, and its appointments are checked', async () => {
  google.addCalendar(account, { externalId: `${account} b` })
  await sync({ listsCalendars: true })
  await chooseAll()
  google.put(account, event('09:00', '10:00'))
  await sync()
  google.removeCalendar(account, account)
  const followed: SyncedOwnEvents[] = []
  expect(await sync({ followed })).toMatchObject({ kind: 'done' })
  expect(followed.filter(({ isCalendarGone }) => isCalendarGone)).toMatchObject([
    { externalCalendarId: connected.externalCalendarId, changes: [] },
  ])
  expect(await copy()).toEqual([])
  const [connection] = (await readExternalCalendars(meridian, connected)).connections
  expect(connection?.calendars.map(({ is_gone }) => is_gone)).toContain(true)
})

test('a calendar missing from the provider’s list keeps its busy times for a day, and the owner gets an email', async () => {
  google.put(account, event('09:00', '10:00'))
  await sync()
  google.unlistCalendar(account, account)
  const problem = `The provider does not list the calendar “${account}”.`
  expect(await sync({ listsCalendars: true })).toMatchObject({ kind: 'failed', problem })
  expect(await copy()).toEqual([time('09:00', '10:00')])
  const before = meridian.clock.ms
  meridian.clock.ms += DAY_MS - MINUTE_MS
  await sync()
  expect(await copy()).toEqual([time('09:00', '10:00')])
  // The calendar returns and then disappears again, so the day is counted from the beginning.
  google.addCalendar(account, { externalId: account })
  meridian.clock.ms += 60 * MINUTE_MS
  expect(await sync()).toMatchObject({ kind: 'done' })
  google.unlistCalendar(account, account)
  await sync({ listsCalendars: true })
  meridian.clock.ms += DAY_MS
  const followed: SyncedOwnEvents[] = []
  await sync({ followed })
  expect(await copy()).toEqual([])
  expect(followed.filter(({ isCalendarGone }) => isCalendarGone)).toHaveLength(1)
  meridian.clock.ms = before
})

test('a long list of calendars always includes those in use', async () => {
  google.put(account, event('09:00', '10:00'))
  await sync()
  google.unlistCalendar(account, account)
  for (let i = 0; i < 200; i += 1) google.addCalendar(account, { externalId: `${account} ${i}` })
  google.addCalendar(account, { externalId: account })
  expect(await sync({ listsCalendars: true })).toMatchObject({ kind: 'done' })
  expect(await copy()).toEqual([time('09:00', '10:00')])
})

test('the copy always covers at least 730 days', async () => {
  const far = new Date(meridian.clock.ms + 755 * DAY_MS).toISOString()
  google.put(account, { startsAt: far, endsAt: new Date(Date.parse(far) + 3_600_000).toISOString() })
  const later = new Date(meridian.clock.ms + 765 * DAY_MS).toISOString()
  google.put(account, { startsAt: later, endsAt: new Date(Date.parse(later) + 3_600_000).toISOString() })
  google.loseCursors()
  await sync()
  expect(await copy()).toHaveLength(1)
  const before = meridian.clock.ms
  meridian.clock.ms += 31 * DAY_MS
  await sync()
  expect(await copy()).toHaveLength(2)
  meridian.clock.ms = before
})

test('a sync is due about every ten minutes and is queued once', async () => {
  await sync()
  const count = async () => {
    const { rows } = await meridian.database.execute(
      `select count(*)::int as count from pgboss.job where name = 'calendar-sync' and data ->> 'connectionId' = $1`,
      [connected.connectionId],
    )
    return Number(rows[0]?.count)
  }
  const before = await count()
  await queueDueSyncs(meridian.deps)
  expect(await count()).toBe(before)
  meridian.clock.ms += 13 * MINUTE_MS
  await queueDueSyncs(meridian.deps)
  await queueDueSyncs(meridian.deps)
  expect(await count()).toBe(before + 1)
  await waitUntilCalendarJobsFinish(meridian)
  const [connection] = (await readExternalCalendars(meridian, connected)).connections
  expect(connection?.last_success_at).toBe(new Date(meridian.clock.ms).toISOString())
})

test('renewed credentials are stored encrypted and used by the next sync', async () => {
  google.renewNext()
  await sync()
  const { rows } = await meridian.database.execute(
    'select credentials_version, credentials_encrypted from calendar_connections where id = $1',
    [connected.connectionId],
  )
  expect(rows[0]?.credentials_version).toBe(2)
  expect(String(rows[0]?.credentials_encrypted)).not.toContain('renewed')
  expect(await sync()).toMatchObject({ kind: 'done' })
})

test('an unused external calendar is deleted, and read again when it is chosen again', async () => {
  google.put(account, event('09:00', '10:00'))
  await sync()
  await choose([])
  expect(await copy()).toEqual([])
  google.put(account, event('11:00', '12:00'))
  await choose([connected.externalCalendarId])
  await waitUntilCalendarJobsFinish(meridian)
  expect(await copy()).toEqual([time('09:00', '10:00'), time('11:00', '12:00')])
})

async function sync({ followed = [] as SyncedOwnEvents[], listsCalendars = false } = {}) {
  if (listsCalendars) {
    await meridian.database.execute('update calendar_connections set listed_at = null where id = $1', [
      connected.connectionId,
    ])
  }
  const applyExternalChanges = async (change: SyncedOwnEvents) => {
    followed.push(change)
  }
  return syncConnection({ ...meridian.deps, applyExternalChanges }, connected.connectionId)
}

/** Delays the next reading until the returned function is called. */
function delayReading(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  google.delayNext('readChanges', promise)
  return resolve
}

async function until(isSo: () => boolean): Promise<void> {
  await waitFor(() => (isSo() ? true : null))
}

function copy(): Promise<string[]> {
  return listStoredBusyTimes(meridian, connected.externalCalendarId)
}

/** Returns an instant in January 2027 on the given day. */
function at(clock: string, day = '11'): string {
  return `2027-01-${day}T${clock}:00.000Z`
}

function event(from: string, until: string) {
  return { title: 'Meeting', startsAt: at(from), endsAt: at(until) }
}

function time(from: string, until: string): string {
  return `${at(from)} ${at(until)}`
}

/** Lists the ids of the calendars whose appointments are in our copy. */
async function listHolders(): Promise<(string | null)[]> {
  const rows = await meridian.database.db
    .selectFrom('external_busy_times')
    .select('appointment_calendar_id')
    .where('external_calendar_id', '=', connected.externalCalendarId)
    .where('appointment_calendar_id', 'is not', null)
    .execute()
  return rows.map((row) => row.appointment_calendar_id)
}

async function minutesToNext(): Promise<number> {
  const [connection] = (await readExternalCalendars(meridian, connected)).connections
  return (Date.parse(connection?.next_sync_at ?? '') - meridian.clock.ms) / MINUTE_MS
}

async function readCursor(): Promise<unknown> {
  const { rows } = await meridian.database.execute(
    'select sync_cursor from external_calendars where id = $1',
    [connected.externalCalendarId],
  )
  return rows[0]?.sync_cursor
}

async function chooseAll(): Promise<void> {
  const [connection] = (await readExternalCalendars(meridian, connected)).connections
  await choose(connection?.calendars.map(({ id }) => id) ?? [])
}

async function choose(reads: string[]): Promise<void> {
  const answer = await meridian
    .as(connected.owner)
    .put(`/api/calendars/${connected.calendarId}/external-calendars/choice`, { reads, writes: null })
  expect(answer.statusCode).toBe(200)
}

/** Stores the record of an event that was written for its own appointment. */
async function writeEvent(
  eventRef: string,
  {
    startsAt = at('10:00'),
    writtenAt = meridian.clock.ms - 1,
  }: { startsAt?: string; writtenAt?: number } = {},
): Promise<string> {
  const appointment_id = await addAppointment(meridian, connected.calendarId, { startsAt })
  await meridian.database.db
    .insertInto('appointment_events')
    .values({
      calendar_id: connected.calendarId,
      appointment_id,
      external_calendar_id: connected.externalCalendarId,
      event_ref: eventRef,
      etag: null,
      starts_at: new Date(startsAt),
      ends_at: new Date(Date.parse(startsAt) + 30 * MINUTE_MS),
      content_hash: 'hash',
      written_at: new Date(writtenAt),
    })
    .execute()
  return appointment_id
}
