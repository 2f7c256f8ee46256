import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOUR_MS } from '#core/shared/duration.ts'
import { type Interval, overlaps } from '#core/shared/interval.ts'
import {
  type AppointmentEventContent,
  type CalendarAccess,
  type CalendarErrorKind,
  type CalendarProvider,
  CalendarProviderError,
  type CalendarToRead,
  type ExternalChange,
  type ListedCalendar,
} from '#server/ports/external-calendar.ts'

/** An event that a person adds at the provider, in their browser. Instants are RFC 3339. */
export type EventAddedByPerson = {
  readonly title?: string
  readonly startsAt: string
  readonly endsAt: string
  /** For an all-day event, `startsAt` and `endsAt` are dates (yyyy-MM-dd), and the end date is exclusive. */
  readonly isAllDay?: boolean
  readonly isFree?: boolean
  /** True when the owner has declined the invitation to this event. */
  readonly isDeclined?: boolean
  readonly isTentative?: boolean
  /** The recurrence rule in RFC 5545 format, for example `FREQ=WEEKLY;COUNT=3`. */
  readonly repeats?: string
  /** The id of the appointment that the event claims to represent, in our private event property. */
  readonly claims?: string
}

/** An account at a provider: lets tests act as its owner and make the provider misbehave. */
export type ProviderTestAccount = {
  readonly provider: CalendarProvider
  readonly access: CalendarAccess
  /** The id of the calendar that the tests use. */
  readonly externalId: string
  readonly addEvent: (event: EventAddedByPerson) => Promise<string>
  /**
   * Adds an event with an appointment id in our property, as our own events have. Only our database can tell whether we created
   * the event.
   */
  readonly addClaim: (
    appointmentId: string,
    time: Pick<EventAddedByPerson, 'startsAt' | 'endsAt'>,
  ) => Promise<string>
  readonly moveEvent: (
    id: string,
    time: Pick<EventAddedByPerson, 'startsAt' | 'endsAt' | 'isAllDay'>,
  ) => Promise<void>
  readonly deleteEvent: (id: string) => Promise<void>
  /**
   * Makes the provider fail in one way. Null where the provider cannot fail like this: an .ics file has no cursors, and a
   * stranger cannot revoke a password.
   */
  readonly faults: {
    readonly [Kind in 'cursor_lost' | 'expired' | 'rate_limited' | 'unavailable']:
      | (() => Promise<void>)
      | null
  }
  /** Ends all faults. */
  readonly heal: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Two years from 2027-01-01. */
export const CONTRACT_TEST_WINDOW: Interval = {
  startMs: Date.parse('2027-01-01T00:00:00Z'),
  endMs: Date.parse('2028-12-31T00:00:00Z'),
}

/**
 * Tests that every adapter of the calendar port has to pass. The calendar's zone is Europe/Berlin, so that its midnight differs
 * from midnight in UTC.
 */
export function testCalendarProviderContract(name: string, open: () => Promise<ProviderTestAccount>): void {
  describe(`${name} keeps the contract of calendar providers`, () => {
    let world: ProviderTestAccount
    let calendar: ListedCalendar & CalendarToRead

    beforeAll(async () => {
      world = await open()
      calendar = await getCalendar()
    })
    afterAll(() => world.stop())

    async function getCalendar(): Promise<typeof calendar> {
      const found = (await world.provider.listCalendars(world.access)).find(
        ({ externalId }) => externalId === world.externalId,
      )
      if (found === undefined) throw new Error('the calendar of the tests is not listed')
      return { ...found, readerZones: ['Australia/Sydney'] }
    }

    async function read(cursor: string | null): Promise<{ changes: ExternalChange[]; cursor: string }> {
      const changes: ExternalChange[] = []
      let next: string | null = null
      const pages = world.provider.readChanges(world.access, {
        calendar,
        cursor,
        window: CONTRACT_TEST_WINDOW,
      })
      for await (const page of pages) {
        changes.push(...page.changes)
        next = page.cursor
      }
      if (next === null) throw new Error('the last page has a cursor')
      return { changes, cursor: next }
    }

    /** Reads the whole calendar, and returns its busy times as sorted `start end` lines. */
    async function readAll(): Promise<string[]> {
      const { changes } = await read(null)
      return toTimes(changes)
    }

    test('its calendar is listed with its zone', () => {
      expect(calendar).toMatchObject({ timeZone: 'Europe/Berlin', canWrite: world.provider.events !== null })
    })

    test('an event is busy from its start to its end, and not when it is deleted', async () => {
      const before = await read(null)
      const id = await world.addEvent({ startsAt: '2027-02-01T09:00:00Z', endsAt: '2027-02-01T10:15:00Z' })
      const added = await read(before.cursor)
      expect(toTimes(added.changes)).toContain('2027-02-01T09:00:00.000Z 2027-02-01T10:15:00.000Z')
      await world.moveEvent(id, { startsAt: '2027-02-01T11:00:00Z', endsAt: '2027-02-01T12:00:00Z' })
      const moved = await read(added.cursor)
      expect(toTimes(moved.changes)).toContain('2027-02-01T11:00:00.000Z 2027-02-01T12:00:00.000Z')
      await world.deleteEvent(id)
      await read(moved.cursor)
      expect((await readAll()).filter((time) => time.startsWith('2027-02-01'))).toEqual([])
    })

    test('an all-day event is busy from midnight to midnight in the zone of the calendar', async () => {
      const id = await world.addEvent({ startsAt: '2027-03-28', endsAt: '2027-03-29', isAllDay: true })
      // This day has 23 hours, because the clocks go forward.
      expect(await readAll()).toContain('2027-03-27T23:00:00.000Z 2027-03-28T22:00:00.000Z')
      await world.deleteEvent(id)
    })

    test('what is free, declined or without length is not busy; what is tentative is', async () => {
      const day = (hour: string) => `2027-04-05T${hour}:00Z`
      const ids = [
        await world.addEvent({ startsAt: day('08:00'), endsAt: day('09:00'), isFree: true }),
        await world.addEvent({ startsAt: day('09:00'), endsAt: day('10:00'), isDeclined: true }),
        await world.addEvent({ startsAt: day('11:00'), endsAt: day('11:00') }),
        await world.addEvent({ startsAt: day('10:00'), endsAt: day('11:00'), isTentative: true }),
      ]
      expect((await readAll()).filter((time) => time.startsWith('2027-04-05'))).toEqual([
        '2027-04-05T10:00:00.000Z 2027-04-05T11:00:00.000Z',
      ])
      for (const id of ids) await world.deleteEvent(id)
    })

    test('a series is busy at each of its occurrences, at the same local time over a change of the clocks', async () => {
      const id = await world.addEvent({
        startsAt: '2027-10-24T08:00:00Z',
        endsAt: '2027-10-24T09:00:00Z',
        repeats: 'FREQ=WEEKLY;COUNT=3',
      })
      const occurrences = (await readAll()).filter((time) => /^2027-1[01]-\d\dT0[89]:/.test(time))
      expect(occurrences).toEqual([
        '2027-10-24T08:00:00.000Z 2027-10-24T09:00:00.000Z',
        '2027-10-31T09:00:00.000Z 2027-10-31T10:00:00.000Z',
        '2027-11-07T09:00:00.000Z 2027-11-07T10:00:00.000Z',
      ])
      await world.deleteEvent(id)
    })

    test('the live question about busy times has the same answer as a sync, with our own events and what they claim', async () => {
      const during = {
        startMs: Date.parse('2027-05-03T00:00:00Z'),
        endMs: Date.parse('2027-05-04T00:00:00Z'),
      }
      const hour = (from: string, until: string, day = '03') => ({
        startsAt: `2027-05-${day}T${from}:00Z`,
        endsAt: `2027-05-${day}T${until}:00Z`,
      })
      const [claimed, own] = [randomUUID(), randomUUID()]
      const ids = [
        await world.addEvent(hour('09:00', '10:00')),
        await world.addEvent({ startsAt: '2027-05-03', endsAt: '2027-05-04', isAllDay: true }),
        await world.addEvent({ ...hour('14:00', '15:00', '02'), repeats: 'FREQ=DAILY;COUNT=3' }),
        await world.addEvent({ ...hour('11:00', '12:00'), isFree: true }),
        await world.addClaim(claimed, hour('16:00', '17:00')),
      ]
      const { startMs } = during
      const appointment = { ...makeAppointment(), appointmentId: own }
      const written = await world.provider.events?.create(world.access, world.externalId, {
        ...appointment,
        startMs: startMs + 18 * HOUR_MS,
        endMs: startMs + 19 * HOUR_MS,
      })
      const synced = (await read(null)).changes.flatMap(({ eventId, event }) =>
        (event?.occurrences ?? [])
          .filter((time) => overlaps(time, during))
          .map((time) => `${toTime(time)} ${eventId} ${event?.appointmentId}`),
      )
      const live = await world.provider.readBusyTimes(world.access, {
        calendars: [calendar],
        during,
        signal: AbortSignal.timeout(30_000),
      })
      expect(live.map((time) => `${toTime(time)} ${time.eventId} ${time.appointmentId}`).sort()).toEqual(
        synced.sort(),
      )
      expect(live.map(toTime).sort()).toEqual([
        '2027-05-02T22:00:00.000Z 2027-05-03T22:00:00.000Z',
        '2027-05-03T09:00:00.000Z 2027-05-03T10:00:00.000Z',
        '2027-05-03T14:00:00.000Z 2027-05-03T15:00:00.000Z',
        '2027-05-03T16:00:00.000Z 2027-05-03T17:00:00.000Z',
        ...(written === undefined ? [] : ['2027-05-03T18:00:00.000Z 2027-05-03T19:00:00.000Z']),
      ])
      const claims = live.flatMap(({ appointmentId }) => appointmentId ?? [])
      expect(claims.sort()).toEqual([claimed, ...(written === undefined ? [] : [own])].sort())
      for (const id of ids) await world.deleteEvent(id)
      if (written !== undefined)
        await world.provider.events?.remove(world.access, { externalId: world.externalId, ...written })
    })

    test('the event of an appointment is written once, however often it is created', async () => {
      const { events } = world.provider
      if (events === null) return expect(calendar.canWrite).toBe(false)
      const appointment = makeAppointment()
      const first = await events.create(world.access, world.externalId, appointment)
      const second = await events.create(world.access, world.externalId, appointment)
      expect(second.eventRef).toBe(first.eventRef)
      const { changes } = await read(null)
      const own = changes.filter(({ event }) => event?.appointmentId === appointment.appointmentId)
      expect(own).toHaveLength(1)
      expect(toTimes(own)).toEqual(['2027-06-07T08:00:00.000Z 2027-06-07T08:30:00.000Z'])
      await events.remove(world.access, { externalId: world.externalId, ...second })
    })

    test('the event that an earlier try created is brought up to date by the next, also after it was removed', async () => {
      const { events } = world.provider
      if (events === null) return expect(calendar.canWrite).toBe(false)
      const { externalId, access } = world
      const appointment = makeAppointment()
      const changed = { ...appointment, endMs: appointment.endMs + 900_000, title: 'Second session' }
      const { eventRef } = await events.create(access, externalId, appointment)
      const second = await events.create(access, externalId, changed)
      expect(second.eventRef).toBe(eventRef)
      const found = await events.find(access, { ...calendar, eventRef })
      expect(found).toMatchObject({ title: 'Second session', appointmentId: appointment.appointmentId })
      expect(found?.occurrences.map(toTime)).toEqual(['2027-06-07T08:00:00.000Z 2027-06-07T08:45:00.000Z'])
      await events.remove(access, { externalId, ...second })
      const third = await events.create(access, externalId, appointment)
      const again = await events.find(access, { ...calendar, eventRef: third.eventRef })
      expect(again?.occurrences.map(toTime)).toEqual(['2027-06-07T08:00:00.000Z 2027-06-07T08:30:00.000Z'])
      await events.remove(access, { externalId, ...third })
    })

    test('a change of an event is written to the same one, and refused when it changed there meanwhile (cal#3027, cal#2988)', async () => {
      const { events } = world.provider
      if (events === null) return expect(calendar.canWrite).toBe(false)
      const appointment = makeAppointment()
      const { externalId, access } = world
      const written = await events.create(access, externalId, appointment)
      const later = {
        ...appointment,
        startMs: appointment.startMs + 3_600_000,
        endMs: appointment.endMs + 3_600_000,
      }
      const moved = await events.update(access, { externalId, ...written }, later)
      expect(moved.eventRef).toBe(written.eventRef)
      const found = await events.find(access, { ...calendar, eventRef: written.eventRef })
      expect(found?.occurrences.map(toTime)).toEqual(['2027-06-07T09:00:00.000Z 2027-06-07T09:30:00.000Z'])
      await expect(events.update(access, { externalId, ...written }, appointment)).rejects.toMatchObject({
        kind: 'conflict',
      })
      await events.remove(access, { externalId, ...moved })
      await events.remove(access, { externalId, ...moved })
      expect(await events.find(access, { ...calendar, eventRef: written.eventRef })).toBeNull()
      const removed = events.update(access, { externalId, ...moved, etag: null }, appointment)
      await expect(removed).rejects.toMatchObject({ kind: 'gone' })
    })

    test('an event of ours that its owner made all-day is found at the time at which a sync reads it', async () => {
      const { events } = world.provider
      if (events === null) return expect(calendar.canWrite).toBe(false)
      const { externalId, access } = world
      const appointment = makeAppointment()
      const written = await events.create(access, externalId, appointment)
      await world.moveEvent(written.eventRef, {
        startsAt: '2027-06-08',
        endsAt: '2027-06-09',
        isAllDay: true,
      })
      const { changes } = await read(null)
      const own = changes.filter(({ event }) => event?.appointmentId === appointment.appointmentId)
      expect(toTimes(own)).toEqual(['2027-06-07T22:00:00.000Z 2027-06-08T22:00:00.000Z'])
      const found = await events.find(access, { ...calendar, eventRef: written.eventRef })
      expect(found?.occurrences).toEqual(own[0]?.event?.occurrences)
      await events.remove(access, { externalId, ...written, etag: null })
    })

    test.each([
      'cursor_lost',
      'expired',
      'rate_limited',
      'unavailable',
    ] as const satisfies CalendarErrorKind[])('that it is %s is said in these words', async (kind) => {
      const begin = world.faults[kind]
      if (begin === null) return expect(Object.values(world.faults)).toContain(null)
      const { cursor } = await read(null)
      await begin()
      const failed = await read(cursor).catch((error: unknown) => error)
      await world.heal()
      expect(failed).toBeInstanceOf(CalendarProviderError)
      expect(failed).toMatchObject({ kind })
      expect((await read(null)).cursor).not.toBe('')
    })
  })
}

function makeAppointment(): AppointmentEventContent {
  const [appointmentId, secret] = [randomUUID(), randomUUID()]
  return {
    appointmentId,
    secret,
    startMs: Date.parse('2027-06-07T08:00:00Z'),
    endMs: Date.parse('2027-06-07T08:30:00Z'),
    timeZone: 'Europe/Berlin',
    title: 'First session',
    description: 'Grace Hopper\ngrace@example.com',
    location: 'Studio, 1 High Street',
    url: `https://meridian.example/calendar/${appointmentId}`,
    icalUid: `${secret}@meridian.example`,
    sequence: 0,
  }
}

function toTimes(changes: readonly ExternalChange[]): string[] {
  return changes
    .flatMap(({ event }) => event?.occurrences ?? [])
    .map(toTime)
    .sort()
}

function toTime({ startMs, endMs }: Interval): string {
  return `${new Date(startMs).toISOString()} ${new Date(endMs).toISOString()}`
}
