import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { syncConnection } from '#server/areas/external-calendars/connections/sync-use-cases.ts'
import { CalendarProviderError } from '#server/ports/external-calendar.ts'
import { readExternalCalendars, waitUntilCalendarJobsFinish } from '#tests/support/connected-calendar.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { makeFakeCalendarProvider, PROVIDER_UNAVAILABLE } from '#tests/support/fake-calendar-provider.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar, makeOwner } from '#tests/support/meridian.ts'
import { manageTokenOf } from '#tests/support/policies.ts'
import { waitUntil } from '#tests/support/race-track.ts'
import {
  buildSyncRunner,
  type CalendarWritingEvents,
  changeEventSettings,
  chooseCalendarToWriteTo,
  connectAccountToWriteTo,
  type RunSync,
  runEventSweep,
  waitUntilEventsWritten,
} from '#tests/support/written-calendar.ts'

let written: CalendarWritingEvents
let sync: RunSync
let accounts = 0

const provider = makeFakeCalendarProvider({ connectsBy: 'password' })
setUpCalendar({
  env: { DEFAULT_PLAN: 'enterprise' },
  calendarProviders: { caldav: provider },
  owner: { lifetime: 'test' },
})
beforeEach(async () => {
  written = await connectAccountToWriteTo(meridian, owner, calendar, `ada-${++accounts}`)
  sync = await buildSyncRunner(meridian, provider, written)
})

const NINE = '2027-01-04T09:00:00Z'
const HALF_PAST = '2027-01-04T09:30:00Z'
const TEN = '2027-01-04T10:00:00Z'
const HALF_PAST_TEN = '2027-01-04T10:30:00Z'
const ELEVEN = '2027-01-04T11:00:00Z'
const HALF_PAST_ELEVEN = '2027-01-04T11:30:00Z'

describe('an event that is moved to another calendar of the account (rule G12)', () => {
  test('stays the event of its appointment, which is not cancelled, and is written in the new calendar', async () => {
    const { id } = await bookWritten()
    const other = await addCalendar('other')
    moveOver(id, other, NINE, HALF_PAST)
    await sync()
    expect((await read(id)).status).toBe('confirmed')
    expect(await listChanges()).toEqual([])
    expect(await readHistory(id)).toEqual([])
    await moveHere(id, TEN)
    await waitUntilEventsWritten(meridian, calendar)
    expect(timesIn(other.externalId)).toEqual([`${TEN} ${HALF_PAST_TEN}`])
    expect(timesThere()).toEqual([])
  })

  test('and to another time also moves its appointment', async () => {
    const { id } = await bookWritten()
    moveOver(id, await addCalendar('other'), TEN, ELEVEN)
    await sync({ isFullSync: true, changes: [{ eventId: refOf(id), event: null }] })
    expect(await read(id)).toMatchObject({ status: 'confirmed', starts_at: new Date(TEN) })
  })

  test('is found before the owner has a deletion followed', async () => {
    const { id } = await bookWritten()
    const other = await addCalendar('other')
    moveOver(id, other, NINE, HALF_PAST)
    await sync({ isFirstAfterReconnect: true })
    const [change] = await listChanges()
    expect(await decide([change?.id], 'follow')).toMatchObject({
      done: 0,
      refused: [
        { appointment_id: id, reason: expect.stringContaining('in another calendar of your account') },
      ],
    })
    expect((await read(id)).status).toBe('confirmed')
    expect(await listChanges()).toEqual([])
  })

  test('is distinguished from a deleted event, and from other events in the new calendar', async () => {
    const { id } = await bookWritten()
    const other = await addCalendar('other')
    provider.put(other.externalId, { startsAt: NINE, endsAt: HALF_PAST })
    provider.drop(written.externalId, refOf(id))
    provider.failNext('readChanges', new CalendarProviderError('forbidden', 'Not this one.'))
    await sync({ changes: [{ eventId: refOf(id), event: null }] })
    expect((await read(id)).status).toBe('cancelled')
  })

  test('does not cancel the appointment while the new calendar cannot be read', async () => {
    const { id } = await bookWritten()
    const other = await addCalendar('other')
    moveOver(id, other, NINE, HALF_PAST)
    const changes = [{ eventId: refOf(id), event: null }]
    provider.failNext('readChanges', PROVIDER_UNAVAILABLE)
    await expect(sync({ changes })).rejects.toThrow(PROVIDER_UNAVAILABLE.message)
    expect((await read(id)).status).toBe('confirmed')
  })
})

describe('an event of another person (rule G27)', () => {
  const QUARTER = { startsAt: '2027-01-17T09:00:00Z', endsAt: '2027-01-17T09:30:00Z' }

  test.each([
    ['moves it by 13 days', QUARTER],
    ['says that it takes no time', { startsAt: NINE, endsAt: HALF_PAST, occurrences: [] }],
  ])(
    'that has the id of Meridian’s event and %s changes nothing: the appointment gets its own event',
    async (_case, said) => {
      const { id } = await bookWritten()
      const invitation = { id: refOf(id), appointmentId: id, isInvitation: true, ...said }
      provider.put(written.externalId, invitation)
      await sync()
      await waitUntilEventsWritten(meridian, calendar)
      await sync()
      expect(await read(id)).toMatchObject({ status: 'confirmed', starts_at: new Date(NINE), sequence: 0 })
      expect(await readHistory(id)).toEqual([])
      expect(await listChanges()).toEqual([])
      const [stranger, own] = provider.list(written.externalId)
      expect(stranger).toMatchObject({ eventId: refOf(id), isInvitation: true })
      expect(own).toMatchObject({ isInvitation: false, occurrences: [{ startMs: Date.parse(NINE) }] })
      provider.drop(written.externalId, refOf(id))
      await sync()
      expect((await read(id)).status).toBe('confirmed')
      provider.move(written.externalId, own?.eventId ?? '', TEN, HALF_PAST_TEN)
      await sync()
      expect((await read(id)).starts_at).toEqual(new Date(TEN))
    },
  )

  test('that had the id first is not mistaken for Meridian’s, and neither moves nor cancels the appointment', async () => {
    provider.fallSilent()
    const { id } = (await bookAppointment(meridian, calendar.slug, { starts_at: NINE })).json()
    provider.put(written.externalId, { id: refOf(id), isInvitation: true, startsAt: NINE, endsAt: HALF_PAST })
    provider.answer()
    meridian.clock.ms += 600_000
    await runEventSweep(meridian)
    await waitUntilEventsWritten(meridian, calendar)
    moveThere(id, TEN, HALF_PAST_TEN)
    await sync()
    provider.drop(written.externalId, refOf(id))
    await sync()
    expect(await read(id)).toMatchObject({ status: 'confirmed', starts_at: new Date(NINE) })
    expect(timesThere()).toEqual([`${NINE} ${HALF_PAST}`])
  })

  test.each([
    ['only names the appointment', { secret: null }],
    ['has another secret', { secret: '5f1b0a3c-7d42-4e0b-8c1e-9a2b3c4d5e6f' }],
    ['is an invitation', { secret: null, isInvitation: true }],
  ])('that %s does not replace an event that the owner deleted', async (_case, said) => {
    const { id } = await bookWritten()
    const other = await addCalendar('other')
    for (const { externalId } of [other, written]) {
      provider.put(externalId, { startsAt: TEN, endsAt: HALF_PAST_TEN, appointmentId: id, ...said })
    }
    provider.drop(written.externalId, refOf(id))
    await sync()
    expect(await read(id)).toMatchObject({ status: 'cancelled', starts_at: new Date(NINE) })
    expect(await readHistory(id)).toEqual([
      'The event was deleted in the external calendar, so the appointment was cancelled.',
    ])
  })

  test('does not prevent the owner from confirming a deletion', async () => {
    const { id } = await bookWritten()
    provider.drop(written.externalId, refOf(id))
    await sync({ isFirstAfterReconnect: true })
    const [change] = await listChanges()
    provider.put(written.externalId, {
      id: refOf(id),
      isInvitation: true,
      startsAt: TEN,
      endsAt: HALF_PAST_TEN,
    })
    expect(await decide([change?.id], 'follow')).toMatchObject({ done: 1, refused: [] })
    expect((await read(id)).status).toBe('cancelled')
  })
})

test('an event without a secret is followed, and gets a secret with the next change', async () => {
  const { id } = await bookWritten()
  await meridian.database.execute('delete from event_secrets where appointment_id = $1', [id])
  moveThere(id, TEN, HALF_PAST_TEN)
  await sync()
  expect((await read(id)).starts_at).toEqual(new Date(TEN))
  await meridian.database.execute('update appointments set needs_google_sync = true where id = $1', [id])
  meridian.clock.ms += 600_000
  await runEventSweep(meridian)
  await waitUntilEventsWritten(meridian, calendar)
  const { rows } = await meridian.database.execute(
    'select secret from event_secrets where appointment_id = $1',
    [id],
  )
  expect(provider.list(written.externalId)).toMatchObject([{ secret: rows[0]?.secret }])
})

describe('an event that is cut and pasted in its calendar (rule G12)', () => {
  test('stays the event of its appointment, which is moved and not cancelled', async () => {
    const { id } = await bookWritten()
    const pasted = provider.put(written.externalId, {
      startsAt: TEN,
      endsAt: HALF_PAST_TEN,
      ...cutOut(id),
    })
    await sync()
    expect(await read(id)).toMatchObject({ status: 'confirmed', starts_at: new Date(TEN) })
    await waitUntilEventsWritten(meridian, calendar)
    expect(timesThere()).toEqual([`${TEN} ${HALF_PAST_TEN}`])
    provider.drop(written.externalId, pasted)
    await sync({ changes: [{ eventId: pasted, event: null }] })
    expect((await read(id)).status).toBe('cancelled')
  })

  test('is replaced by the copy whose start is nearest to the appointment', async () => {
    const { id } = await bookWritten()
    const copy = cutOut(id)
    for (const [startsAt, endsAt] of [
      [ELEVEN, HALF_PAST_ELEVEN],
      [HALF_PAST, TEN],
    ] as const) {
      provider.put(written.externalId, { startsAt, endsAt, ...copy })
    }
    await sync()
    expect((await read(id)).starts_at).toEqual(new Date(HALF_PAST))
  })

  test('is found before the owner has a deletion followed', async () => {
    const { id } = await bookWritten()
    provider.put(written.externalId, { startsAt: NINE, endsAt: HALF_PAST, ...cutOut(id) })
    await sync({ isFirstAfterReconnect: true })
    const [change] = await listChanges()
    expect(await decide([change?.id], 'follow')).toMatchObject({
      done: 0,
      refused: [{ appointment_id: id, reason: expect.stringContaining('has taken its place') }],
    })
    expect((await read(id)).status).toBe('confirmed')
  })
})

describe('an event that the owner moves (rule G12)', () => {
  test('moves its appointment, emails both sides, and is not written again', async () => {
    const { id } = await bookWritten()
    moveThere(id, TEN, ELEVEN)
    provider.calls.length = 0
    await sync()
    expect(await read(id)).toMatchObject({
      starts_at: new Date(TEN),
      ends_at: new Date(ELEVEN),
      sequence: 1,
      status: 'confirmed',
    })
    const isMoved = ({ subject }: { subject: string }) => subject.startsWith('Appointment moved')
    const link = `/manage/${manageTokenOf(meridian, id)}`
    const toCustomer = await meridian.waitForMail((mail) => isMoved(mail) && mail.text.includes(link))
    const toOwner = await meridian.waitForMail((mail) => isMoved(mail) && mail.to.address === owner.email)
    expect(toCustomer.text).toContain('It was previously on Monday, January 4, 2027 at 9:00 AM (GMT).')
    expect(toOwner.text).toContain('You changed this appointment with Grace Hopper in your external calendar')
    expect(await readHistory(id)).toEqual([
      'The event was changed in the external calendar, so the appointment was moved from Monday, January 4, 2027, 9:00 AM – 9:30 AM (London time, GMT) to Monday, January 4, 2027, 10:00 AM – 11:00 AM (London time, GMT).',
    ])
    await waitUntilEventsWritten(meridian, calendar)
    expect(timesThere()).toEqual([`${TEN} ${ELEVEN}`])
  })

  test('is followed once, however often the same change arrives', async () => {
    const { id } = await bookWritten()
    moveThere(id, TEN, ELEVEN)
    const change = { eventId: refOf(id), event: provider.list(written.externalId)[0] ?? null }
    for (let i = 0; i < 3; i += 1) await sync({ changes: [change] })
    expect(await readHistory(id)).toHaveLength(1)
    expect((await read(id)).sequence).toBe(1)
  })

  test('outside the opening hours moves its appointment too', async () => {
    const { id } = await bookWritten()
    moveThere(id, '2027-01-09T22:00:00Z', '2027-01-09T22:45:00Z')
    await sync()
    expect((await read(id)).starts_at).toEqual(new Date('2027-01-09T22:00:00Z'))
  })

  test.each([
    ['onto another appointment', TEN, ELEVEN, 'appointment.move_conflict'],
    ['into the past', '2027-01-03T09:00:00Z', '2027-01-03T10:00:00Z', 'appointment.move_past'],
    [
      'so that it is longer than a day',
      '2027-01-06T09:00:00Z',
      '2027-01-07T09:01:00Z',
      'appointment.move_too_long',
    ],
  ] as const)(
    '%s is moved back, and the owner gets one email with the reason',
    async (_case, startsAt, endsAt, code) => {
      const { id } = await bookWritten()
      await bookAppointment(meridian, calendar.slug, { starts_at: TEN })
      await waitUntilEventsWritten(meridian, calendar)
      moveThere(id, startsAt, endsAt)
      const change = { eventId: refOf(id), event: provider.list(written.externalId).find(isOf(id)) ?? null }
      await sync({ changes: [change] })
      await sync({ changes: [change] })
      const isPutBack = ({ subject, to }: { subject: string; to: { address: string } }) =>
        subject.startsWith('Event put back') && to.address === owner.email
      const mail = await meridian.waitForMail(isPutBack)
      expect(mail.text).toContain(PROBLEMS[code].title)
      await waitUntilEventsWritten(meridian, calendar)
      await sync()
      expect(timesThere()).toContain(`${NINE} ${HALF_PAST}`)
      expect((await read(id)).sequence).toBe(0)
      const history = await readHistory(id)
      expect(history).toEqual([expect.stringContaining(`We restored it: ${PROBLEMS[code].title}`)])
      expect(meridian.mails.filter(isPutBack)).toHaveLength(1)
      expect(await countMessages(id, 'moved')).toBe(0)
    },
  )

  test('and cannot be followed while Auto Sync is off stays, with a notice; a later deletion is still followed', async () => {
    const { id } = await bookWritten()
    await changeEventSettings(meridian, owner, calendar, { auto_sync: false })
    moveThere(id, '2027-01-03T09:00:00Z', '2027-01-03T10:00:00Z')
    await sync()
    await sync()
    const mail = await meridian.waitForMail(
      ({ subject, to }) => subject.startsWith('Calendar change not applied') && to.address === owner.email,
    )
    expect(mail.text).toContain('Its event there stays as you changed it, because Auto Sync is off.')
    expect(mail.text).not.toContain('put back')
    expect(await readHistory(id)).toEqual([
      expect.stringMatching(/the event stays as it is, because Auto Sync is off: .+$/),
    ])
    expect(timesThere()).toEqual(['2027-01-03T09:00:00Z 2027-01-03T10:00:00Z'])
    provider.drop(written.externalId, refOf(id))
    await sync()
    expect((await read(id)).status).toBe('cancelled')
  })

  test('and made recurring is changed back, because an appointment has a single time', async () => {
    const { id } = await bookWritten()
    const day = (n: number) => ({
      key: `${n}`,
      isAllDay: false,
      startMs: Date.parse(NINE) + n * 86_400_000,
      endMs: Date.parse(TEN) + n * 86_400_000,
    })
    provider.put(written.externalId, {
      id: refOf(id),
      startsAt: NINE,
      endsAt: TEN,
      appointmentId: id,
      occurrences: [day(0), day(7)],
    })
    await sync()
    await waitUntilEventsWritten(meridian, calendar)
    expect(timesThere()).toEqual([`${NINE} ${HALF_PAST}`])
    expect(await readHistory(id)).toEqual([expect.stringContaining('An appointment needs a single time')])
  })

  test('while the appointment was moved in Meridian gets Meridian’s time, which the customer was told', async () => {
    const { id } = await bookWritten()
    moveThere(id, TEN, ELEVEN)
    const change = { eventId: refOf(id), event: provider.list(written.externalId)[0] ?? null }
    await moveHere(id, '2027-01-05T14:00:00Z')
    await sync({ changes: [change] })
    await waitUntilEventsWritten(meridian, calendar)
    expect(timesThere()).toEqual(['2027-01-05T14:00:00Z 2027-01-05T14:30:00Z'])
    expect((await read(id)).sequence).toBe(1)
  })

  test('changes nothing when moves are not followed', async () => {
    await changeEventSettings(meridian, owner, calendar, { two_way_sync: false })
    const { id } = await bookWritten()
    moveThere(id, TEN, ELEVEN)
    await sync()
    expect((await read(id)).starts_at).toEqual(new Date(NINE))
    expect(await readHistory(id)).toEqual([])
  })
})

describe('an event that the owner deletes (rule G12)', () => {
  test('cancels its appointment with the usual emails', async () => {
    const { id } = await bookWritten()
    await bookWritten(TEN)
    provider.drop(written.externalId, refOf(id))
    await sync()
    expect(await read(id)).toMatchObject({ status: 'cancelled', sequence: 1 })
    const isCancelled = ({ subject }: { subject: string }) => subject.startsWith('Appointment cancelled')
    await meridian.waitForMail(
      (mail) =>
        isCancelled(mail) &&
        mail.attachments[0]?.content.includes(id) === true &&
        mail.to.address === 'grace@example.com',
    )
    await meridian.waitForMail((mail) => isCancelled(mail) && mail.to.address === owner.email)
    expect(await readHistory(id)).toEqual([
      'The event was deleted in the external calendar, so the appointment was cancelled.',
    ])
    await waitUntilEventsWritten(meridian, calendar)
    expect(timesThere()).toEqual([`${TEN} 2027-01-04T10:30:00Z`])
  })

  test('approves a request to cancel', async () => {
    const { id } = await bookWritten()
    await meridian.post(`/api/public/appointments/${id}/cancellation-request`)
    provider.drop(written.externalId, refOf(id))
    await sync()
    expect((await read(id)).status).toBe('cancelled')
  })

  test('but which still exists when it is read again changes nothing', async () => {
    const { id } = await bookWritten()
    await sync({ changes: [{ eventId: refOf(id), event: null }], isFullSync: true })
    expect((await read(id)).status).toBe('confirmed')
  })

  test('while the appointment was moved in Meridian is written again', async () => {
    const { id } = await bookWritten()
    provider.drop(written.externalId, refOf(id))
    await moveHere(id, '2027-01-05T14:00:00Z')
    await sync({ changes: [{ eventId: refOf(id), event: null }] })
    await waitUntilEventsWritten(meridian, calendar)
    expect((await read(id)).status).toBe('confirmed')
    expect(timesThere()).toEqual(['2027-01-05T14:00:00Z 2027-01-05T14:30:00Z'])
  })

  test('after the appointment was cancelled changes nothing', async () => {
    const { id } = await bookWritten()
    await owner.post(`/api/calendars/${calendar.id}/appointments/${id}/actions`, { action: 'cancel' })
    await waitUntilEventsWritten(meridian, calendar)
    await sync()
    expect(await readHistory(id)).toEqual(['You cancelled the appointment.'])
  })
})

describe('changes that belong to the owner (rule G14)', () => {
  test('a changed title and Meridian’s own writes cause no change', async () => {
    const { id } = await bookWritten()
    await sync()
    provider.put(written.externalId, {
      id: refOf(id),
      title: 'Knee',
      startsAt: NINE,
      endsAt: HALF_PAST,
      appointmentId: id,
    })
    const before = await read(id)
    await sync()
    await sync()
    expect(await read(id)).toEqual(before)
    expect(await readHistory(id)).toEqual([])
    await moveHere(id, ELEVEN)
    await waitUntilEventsWritten(meridian, calendar)
    expect(provider.list(written.externalId)[0]?.title).toBe('Knee')
  })

  test('an event that Meridian never wrote belongs to no appointment', async () => {
    const { id } = await bookWritten()
    provider.put(written.externalId, { startsAt: TEN, endsAt: ELEVEN })
    // A copy of our event that the owner made has the same private property.
    const copy = provider.put(written.externalId, { startsAt: TEN, endsAt: ELEVEN, appointmentId: id })
    await sync()
    provider.drop(written.externalId, copy)
    await sync()
    expect(await read(id)).toMatchObject({ status: 'confirmed', starts_at: new Date(NINE) })
  })
})

describe('with a calendar that is also read and synced by the product', () => {
  async function syncNow(): Promise<void> {
    const answer = await owner.post(`/api/calendars/${calendar.id}/external-calendars/sync`, {})
    expect(answer.statusCode, answer.body).toBe(200)
    // The response waits only a few seconds for the sync, so finish it here.
    await waitUntilCalendarJobsFinish(meridian)
  }

  beforeEach(async () => {
    const { externalCalendarId } = written
    const chosen = await owner.put(`/api/calendars/${calendar.id}/external-calendars/choice`, {
      reads: [externalCalendarId],
      writes: externalCalendarId,
    })
    expect(chosen.statusCode, chosen.body).toBe(200)
    await syncNow()
  })

  test('Meridian’s own event is never a conflict, not even for its own appointment (rule G5, ea#1388)', async () => {
    const { id } = await bookWritten()
    await syncNow()
    const { rows } = await meridian.database.execute(
      'select appointment_calendar_id from external_busy_times where external_calendar_id = $1',
      [written.externalCalendarId],
    )
    expect(rows).toEqual([{ appointment_calendar_id: calendar.id }])
    const answer = await owner.post(`/api/calendars/${calendar.id}/appointments/${id}/move`, {
      starts_at: '2027-01-04T09:15:00Z',
      expected_starts_at: NINE,
      outside_hours: true,
    })
    expect(answer.statusCode, answer.body).toBe(200)
    await waitUntilEventsWritten(meridian, calendar)
    await syncNow()
    expect((await bookAppointment(meridian, calendar.slug, { starts_at: TEN })).statusCode).toBe(201)
  })

  test('an emptied calendar cancels nothing, even if its cursor expired and the copy still has old events', async () => {
    const ids = [(await bookWritten()).id, (await bookWritten(TEN)).id]
    const meeting = provider.put(written.externalId, {
      startsAt: '2027-01-05T09:00:00Z',
      endsAt: '2027-01-05T10:00:00Z',
    })
    await syncNow()
    meridian.clock.ms += 1_000
    for (const eventId of [...ids.map(refOf), meeting]) provider.drop(written.externalId, eventId)
    provider.loseCursors()
    await syncNow()
    expect((await listChanges()).map(({ reason }) => reason)).toEqual(['calendar_gone', 'calendar_gone'])
    expect(await readStatuses(ids)).toEqual(['confirmed', 'confirmed'])
  })

  test('a copy of Meridian’s event is busy, and so is a moved event that is not followed', async () => {
    await changeEventSettings(meridian, owner, calendar, { two_way_sync: false })
    const { id } = await bookWritten()
    provider.put(written.externalId, { startsAt: TEN, endsAt: HALF_PAST_TEN, appointmentId: id })
    moveThere(id, ELEVEN, HALF_PAST_ELEVEN)
    await syncNow()
    expect((await read(id)).starts_at).toEqual(new Date(NINE))
    for (const starts_at of [TEN, ELEVEN]) {
      expect((await bookAppointment(meridian, calendar.slug, { starts_at })).json().code).toBe(
        'booking.slot_unavailable',
      )
    }
  })

  test('a moved event is followed even if a customer checked its new time just before', async () => {
    const { id } = await bookWritten()
    await syncNow()
    meridian.clock.ms += 2 * 60_000
    moveThere(id, ELEVEN, HALF_PAST_ELEVEN)
    expect((await bookAppointment(meridian, calendar.slug, { starts_at: ELEVEN })).json().code).toBe(
      'booking.slot_unavailable',
    )
    await syncNow()
    expect((await read(id)).starts_at).toEqual(new Date(ELEVEN))
  })

  test('a private event of the owner prevents a move', async () => {
    const { id } = await bookWritten()
    provider.put(written.externalId, { startsAt: TEN, endsAt: ELEVEN })
    await syncNow()
    const answer = await owner.post(`/api/calendars/${calendar.id}/appointments/${id}/move`, {
      starts_at: TEN,
      expected_starts_at: NINE,
    })
    expect(answer.json().code).toBe('appointment.move_conflict')
  })

  test('moving the event moves the appointment, and deleting it cancels the appointment', async () => {
    const [first, second] = [await bookWritten(), await bookWritten(TEN)]
    await syncNow()
    moveThere(first.id, ELEVEN, '2027-01-04T12:00:00Z')
    await syncNow()
    expect((await read(first.id)).starts_at).toEqual(new Date(ELEVEN))
    // The appointment's own event does not keep it from moving to that time.
    const answer = await owner.post(`/api/calendars/${calendar.id}/appointments/${first.id}/move`, {
      starts_at: '2027-01-04T11:15:00Z',
      expected_starts_at: ELEVEN,
      outside_hours: true,
    })
    expect(answer.statusCode, answer.body).toBe(200)
    await waitUntilEventsWritten(meridian, calendar)
    provider.drop(written.externalId, refOf(second.id))
    await syncNow()
    expect(await readStatuses([first.id, second.id])).toEqual(['confirmed', 'cancelled'])
  })
})

describe('the guard (rule G13)', () => {
  const TIMES = [NINE, TEN, ELEVEN, '2027-01-04T12:00:00Z', '2027-01-04T13:00:00Z']

  async function bookFive(): Promise<string[]> {
    const ids: string[] = []
    for (const startsAt of TIMES) ids.push((await bookWritten(startsAt)).id)
    return ids
  }

  test('more than three deletions at once cancel nothing until the owner confirms', async () => {
    const ids = await bookFive()
    for (const id of ids.slice(0, 4)) provider.drop(written.externalId, refOf(id))
    await sync()
    const changes = await listChanges()
    expect(changes.map(({ appointment_id, kind, reason }) => [appointment_id, kind, reason])).toEqual(
      ids.slice(0, 4).map((id) => [id, 'deleted', 'many_deletions']),
    )
    expect(await readStatuses(ids)).toEqual(Array(5).fill('confirmed'))
    expect(await countMessages(ids[0] ?? '', 'cancelled')).toBe(0)
  })

  test('the same holds when notifications split them into several syncs', async () => {
    const ids = await bookFive()
    for (const id of ids.slice(0, 4)) {
      provider.drop(written.externalId, refOf(id))
      await sync()
    }
    expect(await readStatuses(ids)).toEqual(['cancelled', 'cancelled', 'cancelled', 'confirmed', 'confirmed'])
    expect(await listChanges()).toHaveLength(1)
  })

  test('more than five moves at once move nothing, and the next full sync keeps the question to the owner', async () => {
    const ids = [...(await bookFive()), (await bookWritten('2027-01-04T14:00:00Z')).id]
    const move = (id: string, i: number) =>
      moveThere(id, `2027-01-05T${10 + i}:00:00Z`, `2027-01-05T${10 + i}:30:00Z`)
    ids.forEach(move)
    await sync()
    const changes = await listChanges()
    expect(changes.map(({ appointment_id, kind, reason }) => [appointment_id, kind, reason])).toEqual(
      ids.map((id) => [id, 'moved', 'many_moves']),
    )
    expect((await read(ids[0] ?? '')).starts_at).toEqual(new Date(NINE))
    // The owner keeps one change. A full sync then reports the others again.
    await decide([changes[0]?.id], 'keep')
    await waitUntilEventsWritten(meridian, calendar)
    const events = provider.list(written.externalId)
    await sync({ isFullSync: true, changes: events.map((event) => ({ eventId: event.eventId, event })) })
    expect(await listChanges()).toHaveLength(5)
    expect((await read(ids[1] ?? '')).starts_at).toEqual(new Date(TEN))
    expect(
      await decide(
        (await listChanges()).map(({ id }) => id),
        'follow',
      ),
    ).toEqual({ done: 5, refused: [] })
    expect((await read(ids[1] ?? '')).starts_at).toEqual(new Date('2027-01-05T11:00:00Z'))
  })

  test('five moves at once are followed', async () => {
    const ids = await bookFive()
    for (const [i, id] of ids.entries())
      moveThere(id, `2027-01-05T${10 + i}:00:00Z`, `2027-01-05T${10 + i}:30:00Z`)
    await sync()
    expect(await listChanges()).toEqual([])
    expect((await read(ids[4] ?? '')).starts_at).toEqual(new Date('2027-01-05T14:00:00Z'))
  })

  test('an emptied or deleted calendar cancels nothing', async () => {
    const ids = [(await bookWritten()).id, (await bookWritten(TEN)).id]
    for (const id of ids) provider.drop(written.externalId, refOf(id))
    await sync()
    expect((await listChanges()).map(({ reason }) => reason)).toEqual(['calendar_gone', 'calendar_gone'])
    await sync({ isCalendarGone: true })
    expect(await listChanges()).toHaveLength(2)
    expect(await readStatuses(ids)).toEqual(['confirmed', 'confirmed'])
  })

  test('appointments that the owner keeps after a calendar was deleted are written to the next one', async () => {
    const [kept, undecided] = [(await bookWritten()).id, (await bookWritten(TEN)).id]
    const next = await addCalendar('next')
    provider.removeCalendar(written.externalId, written.externalId)
    await syncConnection(meridian.deps, written.connectionId)
    const changes = await listChanges()
    expect(changes.map(({ reason }) => reason)).toEqual(['calendar_gone', 'calendar_gone'])
    await decide([changes[0]?.id], 'keep')
    await chooseCalendarToWriteTo(meridian, owner, calendar, next.id)
    const refsThere = () => provider.list(next.externalId).map(({ eventId }) => eventId)
    await waitUntil(async () => refsThere().length > 0)
    expect(refsThere()).toEqual([refOf(kept)])
    await decide([changes[1]?.id], 'keep')
    await waitUntilEventsWritten(meridian, calendar)
    expect(refsThere()).toEqual([refOf(kept), refOf(undecided)])
    // From here on they are ordinary events.
    await moveHere(kept, ELEVEN)
    await waitUntilEventsWritten(meridian, calendar)
    expect(timesIn(next.externalId)).toEqual([`${TEN} ${HALF_PAST_TEN}`, `${ELEVEN} ${HALF_PAST_ELEVEN}`])
  })

  test('cancelled appointments of a deleted calendar wait for no write', async () => {
    const { id } = await bookWritten()
    provider.removeCalendar(written.externalId, written.externalId)
    await syncConnection(meridian.deps, written.connectionId)
    const [change] = await listChanges()
    await decide([change?.id], 'follow')
    await waitUntilEventsWritten(meridian, calendar)
    expect((await read(id)).status).toBe('cancelled')
  })

  test('changes made while Two-way Sync was off need confirmation once it is on', async () => {
    const [moved, deleted] = [(await bookWritten()).id, (await bookWritten(TEN)).id]
    await syncConnection(meridian.deps, written.connectionId)
    await changeEventSettings(meridian, owner, calendar, { two_way_sync: false })
    moveThere(moved, ELEVEN, HALF_PAST_ELEVEN)
    provider.drop(written.externalId, refOf(deleted))
    meridian.clock.ms += 1_000
    await syncConnection(meridian.deps, written.connectionId)
    expect(await listChanges()).toEqual([])
    await changeEventSettings(meridian, owner, calendar, { two_way_sync: true })
    await waitUntil(async () => (await listChanges()).length === 2)
    expect((await listChanges()).map(({ kind, reason }) => [kind, reason])).toEqual([
      ['moved', 'reconnected'],
      ['deleted', 'reconnected'],
    ])
    expect((await read(moved)).starts_at).toEqual(new Date(NINE))
    expect((await read(deleted)).status).toBe('confirmed')
    // Later changes are applied again.
    await waitUntilCalendarJobsFinish(meridian)
    const { id } = await bookWritten('2027-01-05T09:00:00Z')
    moveThere(id, '2027-01-05T10:00:00Z', '2027-01-05T10:30:00Z')
    await syncConnection(meridian.deps, written.connectionId)
    expect((await read(id)).starts_at).toEqual(new Date('2027-01-05T10:00:00Z'))
  })

  test('the first sync after a reconnect moves and cancels nothing', async () => {
    const ids = await bookFive()
    moveThere(ids[0] ?? '', '2027-01-05T09:00:00Z', '2027-01-05T09:30:00Z')
    provider.drop(written.externalId, refOf(ids[1] ?? ''))
    await sync({ isFirstAfterReconnect: true })
    expect(await listChanges()).toMatchObject([
      {
        kind: 'moved',
        reason: 'reconnected',
        starts_at: '2027-01-05T09:00:00.000Z',
        customer_name: 'Grace Hopper',
      },
      {
        kind: 'deleted',
        reason: 'reconnected',
        starts_at: null,
        appointment_starts_at: '2027-01-04T10:00:00.000Z',
      },
    ])
    expect((await read(ids[0] ?? '')).starts_at).toEqual(new Date(NINE))
  })

  test('the owner confirms some changes and rejects the others, whose events are written again', async () => {
    const ids = await bookFive()
    moveThere(ids[0] ?? '', '2027-01-05T09:00:00Z', '2027-01-05T09:30:00Z')
    for (const id of ids.slice(1, 4)) provider.drop(written.externalId, refOf(id))
    // Move it onto the time of the appointment before it.
    moveThere(ids[4] ?? '', '2027-01-04T12:00:00Z', '2027-01-04T12:30:00Z')
    await sync({ isFirstAfterReconnect: true })
    const changes = await listChanges()
    const idOf = (n: number) => changes.find(({ appointment_id }) => appointment_id === ids[n])?.id
    const followed = await decide([idOf(0), idOf(1), idOf(4)], 'follow')
    expect(followed).toEqual({
      done: 2,
      refused: [{ appointment_id: ids[4], reason: PROBLEMS['appointment.move_conflict'].title }],
    })
    expect(await decide([idOf(2), idOf(3)], 'keep')).toEqual({ done: 2, refused: [] })
    await waitUntilEventsWritten(meridian, calendar)
    expect(await listChanges()).toEqual([])
    expect(await readStatuses(ids)).toEqual(['confirmed', 'cancelled', 'confirmed', 'confirmed', 'confirmed'])
    expect((await read(ids[0] ?? '')).starts_at).toEqual(new Date('2027-01-05T09:00:00Z'))
    expect(timesThere()).toEqual([
      `${ELEVEN} 2027-01-04T11:30:00Z`,
      '2027-01-04T12:00:00Z 2027-01-04T12:30:00Z',
      '2027-01-04T13:00:00Z 2027-01-04T13:30:00Z',
      '2027-01-05T09:00:00Z 2027-01-05T09:30:00Z',
    ])
    expect(await readHistory(ids[2] ?? '')).toEqual(['You kept the appointment, and we restored its event.'])
  })

  test('an event that reappears is removed from the list, even with its old etag', async () => {
    const ids = [(await bookWritten()).id, (await bookWritten(TEN)).id]
    const events = ids.map((id) => provider.list(written.externalId).find(isOf(id)) ?? null)
    for (const id of ids) provider.drop(written.externalId, refOf(id))
    await sync()
    expect(await listChanges()).toHaveLength(2)
    provider.put(written.externalId, { id: refOf(ids[0] ?? ''), startsAt: NINE, endsAt: HALF_PAST })
    await sync()
    expect((await listChanges()).map(({ appointment_id }) => appointment_id)).toEqual([ids[1]])
    await sync({ changes: [{ eventId: refOf(ids[1] ?? ''), event: events[1] ?? null }] })
    expect(await listChanges()).toEqual([])
  })

  test('confirming the deletion of an event that reappeared cancels nothing', async () => {
    const ids = [(await bookWritten()).id, (await bookWritten(TEN)).id, (await bookWritten(ELEVEN)).id]
    for (const id of ids) provider.drop(written.externalId, refOf(id))
    await sync()
    const changes = (await listChanges()).map(({ id }) => id)
    provider.put(written.externalId, { id: refOf(ids[0] ?? ''), startsAt: NINE, endsAt: HALF_PAST })
    const moved = '2027-01-06T09:00:00Z'
    provider.put(written.externalId, {
      id: refOf(ids[1] ?? ''),
      startsAt: moved,
      endsAt: '2027-01-06T09:30:00Z',
    })
    const reason = 'The event is back in your external calendar.'
    expect(await decide(changes, 'follow')).toEqual({
      done: 1,
      refused: [
        { appointment_id: ids[0], reason },
        { appointment_id: ids[1], reason },
      ],
    })
    expect(await readStatuses(ids)).toEqual(['confirmed', 'confirmed', 'cancelled'])
    expect(await listChanges()).toMatchObject([
      { appointment_id: ids[1], kind: 'moved', starts_at: new Date(moved).toISOString() },
    ])
  })

  test('with Auto Sync off, keeping an appointment does not promise a write', async () => {
    const { id } = await bookWritten()
    provider.drop(written.externalId, refOf(id))
    await sync({ isFirstAfterReconnect: true })
    await changeEventSettings(meridian, owner, calendar, { auto_sync: false })
    await decide(
      (await listChanges()).map((change) => change.id),
      'keep',
    )
    expect(await readHistory(id)).toEqual([
      'You kept the appointment. We didn’t restore its event, because Auto Sync is off.',
    ])
  })

  test('a change can be confirmed only by its owner', async () => {
    const { id } = await bookWritten()
    provider.drop(written.externalId, refOf(id))
    await sync({ isFirstAfterReconnect: true })
    const [change] = await listChanges()
    const stranger = await makeOwner(meridian)
    const other = await makeCalendar(meridian, stranger)
    const answer = await stranger.post(`/api/calendars/${other.id}/external-changes`, {
      change_ids: [change?.id],
      decision: 'follow',
    })
    expectRefusal(answer, 'external_change.not_found')
    expect((await read(id)).status).toBe('confirmed')
    const url = `/api/calendars/${calendar.id}/external-changes`
    expect((await stranger.get(url)).json().code).toBe('calendar.forbidden')
  })

  test('a decision counts each listed change once, and one about unlisted changes is refused', async () => {
    const { id } = await bookWritten()
    provider.drop(written.externalId, refOf(id))
    await sync({ isFirstAfterReconnect: true })
    const ids = (await listChanges()).map((change) => change.id)
    expect(await decide([...ids, ...ids, randomUUID()], 'keep')).toEqual({ done: 1, refused: [] })
    for (const changes of [ids, [randomUUID()]]) {
      expectRefusal(await askToDecide(changes, 'keep'), 'external_change.not_found')
    }
  })
})

type Change = {
  readonly id: string
  readonly appointment_id: string
  readonly kind: string
  readonly reason: string
}

async function bookWritten(starts_at = NINE): Promise<{ id: string }> {
  const answer = await bookAppointment(meridian, calendar.slug, { starts_at })
  expect(answer.statusCode, answer.body).toBe(201)
  await waitUntilEventsWritten(meridian, calendar)
  return { id: answer.json().id }
}

/** Returns the provider's id of the event of an appointment. */
function refOf(id: string): string {
  return id.replaceAll('-', '')
}

function isOf(id: string) {
  return ({ eventId }: { eventId: string }) => eventId === refOf(id)
}

function moveThere(id: string, startsAt: string, endsAt: string): void {
  provider.move(written.externalId, refOf(id), startsAt, endsAt)
}

async function moveHere(id: string, starts_at: string): Promise<void> {
  const answer = await owner.post(`/api/calendars/${calendar.id}/appointments/${id}/move`, {
    starts_at,
    expected_starts_at: NINE,
  })
  expect(answer.statusCode, answer.body).toBe(200)
}

/** Adds a calendar to the account and makes the product read the list of calendars. */
async function addCalendar(name: string): Promise<{ id: string; externalId: string }> {
  const externalId = `${written.externalId} ${name}`
  provider.addCalendar(written.externalId, { externalId })
  await meridian.database.execute('update calendar_connections set listed_at = null where id = $1', [
    written.connectionId,
  ])
  await syncConnection(meridian.deps, written.connectionId)
  const { connections } = await readExternalCalendars(meridian, { owner, calendarId: calendar.id })
  const added = connections.flatMap(({ calendars }) => calendars).find((one) => one.name === externalId)
  if (added === undefined) throw new Error(`${externalId} is not listed`)
  return { id: added.id, externalId }
}

/**
 * Moves an event to another calendar as calendar programs do: they create a copy there and delete the original here.
 */
function moveOver(
  id: string,
  { externalId }: { externalId: string },
  startsAt: string,
  endsAt: string,
): void {
  provider.put(externalId, { startsAt, endsAt, ...cutOut(id) })
}

/**
 * Deletes the event of an appointment. Returns the data that a program keeps, in order to paste the event elsewhere.
 */
function cutOut(id: string): { appointmentId: string; secret: string | null } {
  const secret = provider.list(written.externalId).find(isOf(id))?.secret ?? null
  provider.drop(written.externalId, refOf(id))
  return { appointmentId: id, secret }
}

function timesThere(): string[] {
  return timesIn(written.externalId)
}

/** Lists the start and end of each event in an external calendar, in order. */
function timesIn(externalId: string): string[] {
  const toInstant = (ms = 0) => new Date(ms).toISOString().replace('.000Z', 'Z')
  return provider
    .list(externalId)
    .map(({ occurrences: [time] }) => `${toInstant(time?.startMs)} ${toInstant(time?.endMs)}`)
    .sort()
}

function read(id: string) {
  return meridian.database.db
    .selectFrom('appointments')
    .select(['starts_at', 'ends_at', 'status', 'sequence', 'title'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

async function readStatuses(ids: readonly string[]): Promise<string[]> {
  const statuses: string[] = []
  for (const id of ids) statuses.push((await read(id)).status)
  return statuses
}

async function readHistory(id: string): Promise<string[]> {
  const url = `/api/calendars/${calendar.id}/appointments/${id}/history`
  const { entries } = (await owner.get(url)).json()
  return entries.map(({ text }: { text: string }) => text)
}

async function countMessages(id: string, kind: string): Promise<number> {
  const rows = await meridian.database.db
    .selectFrom('appointment_messages')
    .select('id')
    .where('appointment_id', '=', id)
    .where('kind', '=', kind)
    .execute()
  return rows.length
}

async function listChanges(): Promise<Change[]> {
  return (await owner.get(`/api/calendars/${calendar.id}/external-changes`)).json().changes
}

function askToDecide(ids: readonly (string | undefined)[], decision: 'follow' | 'keep') {
  return owner.post(`/api/calendars/${calendar.id}/external-changes`, { change_ids: ids, decision })
}

async function decide(ids: readonly (string | undefined)[], decision: 'follow' | 'keep'): Promise<unknown> {
  const answer = await askToDecide(ids, decision)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}
