import { describe, expect, test } from 'vitest'
import type { CalendarLocation, LocationUsageEntry } from '#contract/availability/locations.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { retryUntilPasses } from '#tests/support/eventually.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { GENEROUS_BUDGETS } from '#tests/support/generous-budgets.ts'
import { addManyAppointments } from '#tests/support/many-appointments.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  TEST_MONDAY,
  TEST_PASSWORD,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { addAppointment, addAppointmentType, type StoredAppointment } from '#tests/support/stored-rows.ts'

/** Number of sharing codes that one owner may enter in these tests. */
const CODES = 4

const BUDGETS = `${GENEROUS_BUDGETS},sharing_codes=${CODES}`
setUpOwner({ env: { DEFAULT_PLAN: 'enterprise', BUDGETS } })

describe('time that is taken at a place', () => {
  test('stays taken for other calendars when the calendar that took it loses the place', async () => {
    const { here, there, use } = await sharePlace()
    const { id } = (await bookAppointment(meridian, here.slug)).json()
    await ask('DELETE', `/api/calendars/${here.id}/locations/${use.id}`)
    expect((await bookAppointment(meridian, there.slug)).json().code).toBe('booking.location_conflict')
    expect(await locationOf(id)).toMatchObject({ location_id: use.location_id, location_name: 'Room' })
  })

  test('stays with its appointment when the place is deleted: name and address are kept', async () => {
    const { here, use, place } = await sharePlace()
    const { id } = (await bookAppointment(meridian, here.slug)).json()
    expect((await ask('DELETE', `/api/locations/${use.location_id}`)).statusCode).toBe(204)
    expect(await locationOf(id)).toMatchObject({ location_id: use.location_id, location_name: 'Room' })
    const details = (await meridian.get(`/api/public/appointments/${id}`)).json()
    expect(details).toMatchObject({ location_name: 'Room', location_address: place.address })
    const later = await bookAppointment(meridian, here.slug, { starts_at: '2027-01-04T10:00:00Z' })
    expect([later.statusCode, later.json().location_name]).toEqual([201, null])
    // The appointments still show the location's name, but the location itself has been deleted.
    expect((await ask('GET', `/api/locations/${use.location_id}/usage`)).statusCode).toBe(404)
  })

  test.each([{ exclusive: false }, { type: 'online' }])(
    'is given free when the place becomes %j',
    async (change) => {
      const { here, there, use } = await sharePlace()
      const { id } = (await bookAppointment(meridian, here.slug)).json()
      await edit(use, change)
      expect(await locationOf(id)).toMatchObject({ location_id: use.location_id, conflict_location_id: null })
      expect((await bookAppointment(meridian, there.slug)).statusCode).toBe(201)
    },
  )

  test('is taken again when the place becomes exclusive, also by appointments that were booked before', async () => {
    const { here, there, use } = await sharePlace({ exclusive: false })
    const { id } = (await bookAppointment(meridian, here.slug)).json()
    await edit(use, { exclusive: true })
    expect(await locationOf(id)).toMatchObject({ conflict_location_id: use.location_id })
    expect((await bookAppointment(meridian, there.slug)).json().code).toBe('booking.location_conflict')
  })

  test('is not offered when appointments overlap there already, and those two stay as they were booked', async () => {
    const { here, there, use } = await sharePlace({ exclusive: false })
    const third = await makeCalendar(meridian, owner)
    await ask('POST', `/api/calendars/${third.id}/locations`, { location_id: use.location_id })
    const both = [
      (await bookAppointment(meridian, here.slug)).json().id,
      (await bookAppointment(meridian, there.slug)).json().id,
    ]
    expect((await edit(use, { exclusive: true })).statusCode).toBe(200)
    for (const id of both) {
      expect(await locationOf(id)).toMatchObject({ status: 'confirmed', conflict_location_id: null })
    }
    expect((await bookAppointment(meridian, third.slug)).json().code).toBe('booking.location_conflict')
    const slots = await meridian.get(`/api/public/calendars/${third.slug}/slots?date=2027-01-04`)
    expect(slots.json().slots[0]).toMatchObject({ slot_start: '09:30:00' })
  })

  test('overlaps by preparation and wrap-up too when the place becomes exclusive, and not where they touch', async () => {
    const { here, there, use } = await sharePlace({ exclusive: false })
    const [early, late, apart] = [
      await addAppointment(meridian, here.id, at('09:00', { wrap_up_minutes: 10 })),
      await addAppointment(meridian, there.id, at('09:45', { prepare_minutes: 5 })),
      await addAppointment(meridian, there.id, at('11:00', { prepare_minutes: 30 })),
    ]
    const overlapping = [
      await addAppointment(meridian, here.id, at('13:00', { wrap_up_minutes: 35 })),
      await addAppointment(meridian, there.id, at('14:00')),
    ]
    expect((await edit(use, { exclusive: true })).statusCode).toBe(200)
    for (const id of [early, late, apart]) {
      expect(await locationOf(id)).toMatchObject({ conflict_location_id: use.location_id })
    }
    for (const id of overlapping) expect(await locationOf(id)).toMatchObject({ conflict_location_id: null })

    function at(time: string, work: Partial<StoredAppointment> = {}): StoredAppointment {
      return { startsAt: `2027-01-05T${time}:00Z`, location_id: use.location_id, ...work }
    }
  })

  test.each(['restore', 'mark_paid', 'mark_pending'])(
    'is refused to what overlapped there when the place became exclusive and was cancelled since: %s',
    async (action) => {
      const { here, there, use } = await sharePlace({ exclusive: false })
      const third = await makeCalendar(meridian, owner)
      await ask('POST', `/api/calendars/${third.id}/locations`, { location_id: use.location_id })
      const first = (await bookAppointment(meridian, here.slug)).json().id
      const second = (await bookAppointment(meridian, there.slug)).json().id
      await edit(use, { exclusive: true })
      await act(here, first, 'cancel')
      await act(there, second, 'cancel')
      const taken = (await bookAppointment(meridian, third.slug)).json().id
      for (const [shop, id] of [[here, first] as const, [there, second] as const]) {
        expect((await act(shop, id, action)).json().code).toBe('appointment.restore_conflict')
      }
      await act(third, taken, 'cancel')
      expect((await act(here, first, action)).statusCode).toBe(200)
      expect(await locationOf(first)).toMatchObject({ conflict_location_id: use.location_id })
      expect((await act(there, second, action)).json().code).toBe('appointment.restore_conflict')
    },
  )

  test('is not asked of an appointment that is online, wherever its calendar is', async () => {
    const { here, there, use } = await sharePlace()
    const { location_id } = use
    const cancelled = { startsAt: '2027-01-04T09:00:00Z', status: 'cancelled', is_online: true } as const
    const id = await addAppointment(meridian, here.id, { ...cancelled, location_id })
    await bookAppointment(meridian, there.slug)
    expect((await act(here, id, 'restore')).statusCode).toBe(200)
    expect(await locationOf(id)).toMatchObject({ conflict_location_id: null })
  })

  test('follows the place for all appointments, however many there are: a job adjusts those far ahead', async () => {
    const { here, there, use } = await sharePlace({ exclusive: false })
    await addManyAppointments(meridian.database, here.id, 900)
    await meridian.database.execute('update appointments set location_id = $2 where calendar_id = $1', [
      here.id,
      use.location_id,
    ])
    // Of the 600 appointments after midnight, 48 are over by 8:00.
    await edit(use, { exclusive: true })
    await waitForConflicts(use, 600 - 48)
    // For the last appointment, only the database constraint is tested.
    const last = { startsAt: '2027-01-08T03:50:00Z', conflict_location_id: use.location_id }
    await expect(addAppointment(meridian, there.id, last)).rejects.toThrow(
      'appointments_no_location_conflict',
    )
    await edit(use, { exclusive: false })
    await waitForConflicts(use, 0)
    await addAppointment(meridian, there.id, last)
  })

  test('of a place for several at a time does not keep an appointment from being restored, though it is adjusted later', async () => {
    const { here, there, use } = await sharePlace({ exclusive: false })
    const { location_id } = use
    const taken = { startsAt: '2027-01-04T09:00:00Z', location_id } as const
    const id = await addAppointment(meridian, here.id, {
      ...taken,
      status: 'cancelled',
      conflict_location_id: location_id,
    })
    await addAppointment(meridian, there.id, { ...taken, conflict_location_id: location_id })
    expect((await act(here, id, 'restore')).statusCode).toBe(200)
    expect(await locationOf(id)).toMatchObject({ status: 'confirmed', conflict_location_id: null })
  })

  test('follows the place for what is cancelled, so that it is checked when it is restored, and not for the past', async () => {
    const { here, use } = await sharePlace({ exclusive: false })
    const { location_id } = use
    const add = (startsAt: string, status: 'cancelled' | 'confirmed') =>
      addAppointment(meridian, here.id, { startsAt, status, location_id })
    const cancelled = await add('2027-01-05T09:00:00Z', 'cancelled')
    const overlapping = await add('2027-01-05T09:15:00Z', 'confirmed')
    const past = await add('2027-01-01T09:00:00Z', 'confirmed')
    await edit(use, { exclusive: true })
    expect(await locationOf(cancelled)).toMatchObject({ conflict_location_id: location_id })
    expect(await locationOf(overlapping)).toMatchObject({ conflict_location_id: location_id })
    expect(await locationOf(past)).toMatchObject({ conflict_location_id: null })
  })
})

describe('who uses a place', () => {
  test('another owner gets a location only with its code, however it is typed, and never sees it in a list', async () => {
    const { use, code } = await sharePlace({ shareable: true })
    expect(code).toMatch(/^\w{5}-\w{5}$/)
    const { other, shop } = await makeOther()
    const found = (
      await add(shop, { sharing_code: ` ${code.toUpperCase().replace('-', ' ')}` }, other)
    ).json()
    expect(found).toMatchObject({
      location_id: use.location_id,
      location: { name: 'Room', shareable: true, sharing_code: null, user_id: null, used_by_others: 0 },
    })
    const { locations } = (await ask('GET', '/api/locations', undefined, other)).json()
    expect(locations.map((location: { id: string }) => location.id)).not.toContain(use.location_id)
    expect(
      (await ask('PATCH', `/api/locations/${use.location_id}`, { name: 'Mine' }, other)).statusCode,
    ).toBe(404)
  })

  test('a stranger who knows name and address gets a location of their own, and takes no time of the other one', async () => {
    const { here, use, place } = await sharePlace({ shareable: true })
    const { other, shop } = await makeOther()
    const own = (await add(shop, place, other)).json()
    expect(own.location_id).not.toBe(use.location_id)
    expect(own.location.user_id).toBe(other.id)
    expect((await bookAppointment(meridian, shop.slug)).statusCode).toBe(201)
    expect((await bookAppointment(meridian, here.slug)).statusCode).toBe(201)
    const byId = await add(shop, { location_id: use.location_id }, other)
    expect(byId.json().code).toBe('location.not_found')
  })

  test('a code is replaced by its owner alone, works while the location is shareable, and cannot be guessed for long', async () => {
    const { use, code } = await sharePlace({ shareable: true })
    const { other, shop } = await makeOther()
    const replace = (asker: TestOwner) =>
      ask('POST', `/api/locations/${use.location_id}/sharing-code`, undefined, asker)
    expect((await replace(other)).json().code).toBe('location.not_found')
    const next = (await replace(owner)).json().sharing_code
    expect(next).not.toBe(code)
    const old = await add(shop, { sharing_code: code }, other)
    expect(old.json()).toMatchObject({ code: 'location.code_unknown', errors: [{ path: 'sharing_code' }] })
    expect((await edit(use, { shareable: false })).json().sharing_code).toBeNull()
    expect((await replace(owner)).json().code).toBe('location.not_shareable')
    expect((await add(shop, { sharing_code: next }, other)).json().code).toBe('location.code_unknown')
    const last = (await edit(use, { shareable: true })).json().sharing_code
    expect([code, next]).not.toContain(last)
    for (let i = 2; i < CODES; i += 1) await add(shop, { sharing_code: 'aaaaa-aaaaa' }, other)
    expect((await add(shop, { sharing_code: last }, other)).json().code).toBe('request.too_many')
    expect((await add(shop, { name: 'Another room' }, other)).statusCode).toBe(201)
  })

  test('its owner sees every calendar with what stands there; whoever uses it sees their own', async () => {
    const { here, there, use, code } = await sharePlace({ shareable: true })
    const { other, shop } = await makeOther()
    await add(shop, { sharing_code: code }, other)
    await addAppointmentType(meridian, there.id, { location_id: use.location_id })
    await bookAppointment(meridian, here.slug)
    await bookAppointment(meridian, shop.slug, { starts_at: '2027-01-04T10:00:00Z' })
    const own = { owner_name: null, in_use: true, appointment_types: 0, future_appointments: 0 }
    const theirs = { in_use: true, is_primary: true, appointment_types: 0, future_appointments: 1 }
    expect(await usage(use)).toEqual([
      { ...own, ...idOf(here), is_primary: true, future_appointments: 1 },
      { ...own, ...idOf(there), is_primary: true, appointment_types: 1 },
      { ...theirs, ...idOf(shop), owner_name: 'Ada Lovelace' },
    ])
    expect(await usage(use, other)).toEqual([{ ...theirs, ...idOf(shop), owner_name: null }])
    meridian.clock.ms = Date.parse('2027-01-05T08:00:00Z')
    expect((await usage(use)).map((entry) => entry.future_appointments)).toEqual([0, 0, 0])
    meridian.clock.ms = TEST_MONDAY
    const { locations } = (await ask('GET', '/api/locations')).json()
    expect(locations.find((location: { id: string }) => location.id === use.location_id).used_by_others).toBe(
      1,
    )
  })

  test('a calendar that has only appointments left there no longer uses it, and is gone with the last of them', async () => {
    const { here, there, use } = await sharePlace()
    const { id } = (await bookAppointment(meridian, here.slug)).json()
    await ask('DELETE', `/api/calendars/${here.id}/locations/${use.id}`)
    expect(await usage(use)).toMatchObject([
      { ...idOf(here), in_use: false, is_primary: false, future_appointments: 1 },
      { ...idOf(there), in_use: true },
    ])
    await meridian.database.db
      .updateTable('appointments')
      .set({ status: 'cancelled' })
      .where('id', '=', id)
      .execute()
    expect(await usage(use)).toMatchObject([idOf(there)])
  })

  describe('a calendar of another owner that is removed', () => {
    const HOUR_LATER = '2027-01-04T10:00:00Z'

    /** Makes another owner's calendar use the room for a type, with an appointment there at 9:00. */
    async function joinPlace() {
      const shared = await sharePlace({ shareable: true })
      const { other, shop } = await makeOther()
      await add(shop, { name: 'Other room', address: 'Elsewhere' }, other)
      await add(shop, { sharing_code: shared.code }, other)
      await addAppointmentType(meridian, shop.id, { location_id: shared.use.location_id })
      const { id: appointment_type_id } = await typeOf(shop, other)
      const { id } = (await bookAppointment(meridian, shop.slug, { appointment_type_id })).json()
      expect((await bookAppointment(meridian, shared.here.slug)).json().code).toBe(
        'booking.location_conflict',
      )
      return { ...shared, other, shop, id, appointment_type_id }
    }

    const remove = (use: CalendarLocation, shop: Calendar, asker = owner) =>
      ask('DELETE', `/api/locations/${use.location_id}/calendars/${shop.id}`, undefined, asker)
    const makePrivate = (use: CalendarLocation) => edit(use, { shareable: false })
    const rowOf = async (shop: Calendar, other: TestOwner) =>
      (await ask('GET', `/api/calendars/${shop.id}/appointments?filter=all`, undefined, other)).json()
        .appointments[0]

    test.each([
      ['removed', remove],
      ['shut out by a private location', makePrivate],
    ])('%s, it keeps its appointments, and their time there is free', async (_, end) => {
      const { here, use, code, other, shop, id } = await joinPlace()
      expect((await end(use, shop)).statusCode).toBeLessThan(300)
      expect((await bookAppointment(meridian, here.slug)).statusCode).toBe(201)
      expect(await locationOf(id)).toMatchObject({
        status: 'confirmed',
        location_id: null,
        location_name: 'Room',
        conflict_location_id: null,
      })
      const answer = (await ask('GET', `/api/calendars/${shop.id}/locations`, undefined, other)).json()
      expect(answer.calendar_locations).toMatchObject([
        { is_primary: true, location: { name: 'Other room' } },
      ])
      expect(answer.withdrawn).toMatchObject([{ name: 'Room', future_appointments: 1 }])
      expect((await typeOf(shop, other)).location_id).toBeNull()
      expect(await rowOf(shop, other)).toMatchObject({ location: { name: 'Room' }, location_withdrawn: true })
      const subject = 'You can no longer use a shared location: Room'
      const mail = await meridian.waitForMail(
        (sent) => sent.to.address === other.email && sent.subject === subject,
      )
      expect(mail.text).toContain('they no longer reserve the location')
      expect((await add(shop, { sharing_code: code }, other)).json().code).toBe('location.code_unknown')
      expect(await usage(use)).toMatchObject([{ owner_name: null }, { owner_name: null }])
    })

    test.each(['location', 'account'])(
      'loses it with the %s of its owner, and reads so in an email',
      async (gone) => {
        const host = await makeOwner(meridian)
        const home = await makeCalendar(meridian, host)
        const room = { name: 'Garden room', address: '2 Garden Street', shareable: true }
        const use: CalendarLocation = (await add(home, room, host)).json()
        const { other, shop } = await makeOther()
        await add(shop, { sharing_code: use.location.sharing_code }, other)
        const { id } = (await bookAppointment(meridian, shop.slug)).json()
        const ended =
          gone === 'location'
            ? await ask('DELETE', `/api/locations/${use.location_id}`, undefined, host)
            : await ask('DELETE', '/api/profile', { password: TEST_PASSWORD }, host)
        expect(ended.statusCode, ended.body).toBeLessThan(300)
        const mail = await meridian.waitForMail(
          ({ to, subject }) =>
            to.address === other.email && subject === 'You can no longer use a shared location: Garden room',
        )
        expect(mail.text).toContain(
          `The owner of Garden room, 2 Garden Street has deleted it, so your calendar ${shop.name} can no longer use it.`,
        )
        expect(await locationOf(id)).toMatchObject({ status: 'confirmed', location_name: 'Garden room' })
      },
    )

    test('is removed by the owner of the location alone, and once', async () => {
      const { use, other, shop } = await joinPlace()
      expect((await remove(use, shop, other)).statusCode).toBe(404)
      expect((await remove(use, shop)).statusCode).toBe(204)
      expect((await remove(use, shop)).statusCode).toBe(404)
    })

    test('takes no time there again: not restored, and not moved before the job has come to it', async () => {
      const { here, use, other, shop, id } = await joinPlace()
      await act(shop, id, 'cancel', other)
      await remove(use, shop)
      expect((await act(shop, id, 'restore', other)).statusCode).toBe(200)
      expect((await bookAppointment(meridian, here.slug)).statusCode).toBe(201)

      const late = await addAppointment(meridian, shop.id, {
        startsAt: '2027-01-11T09:00:00Z',
        location_id: use.location_id,
        location_name: 'Room',
        conflict_location_id: use.location_id,
      })
      const to = { starts_at: HOUR_LATER, expected_starts_at: '2027-01-11T09:00:00Z' }
      const body = { ...to, notify_customer: false, outside_hours: true }
      const moved = await ask('POST', `/api/calendars/${shop.id}/appointments/${late}/move`, body, other)
      expect(moved.statusCode, moved.body).toBe(200)
      expect(await locationOf(late)).toMatchObject({ location_id: null, conflict_location_id: null })
      expect((await bookAppointment(meridian, here.slug, { starts_at: HOUR_LATER })).statusCode).toBe(201)
    })

    test('frees all its time there, however much it took, and that of nobody else', async () => {
      const { here, there, use, other, shop } = await joinPlace()
      const guest = await makeOther()
      const { sharing_code } = (await ask('GET', '/api/locations'))
        .json()
        .locations.find((location: { id: string }) => location.id === use.location_id)
      await add(guest.shop, { sharing_code }, guest.other)
      await bookAppointment(meridian, guest.shop.slug, { starts_at: '2027-01-04T11:00:00Z' })
      await meridian.database.execute('delete from appointments where calendar_id = $1', [shop.id])
      await addManyAppointments(meridian.database, shop.id, 900)
      const taken = `update appointments set location_id = $2, location_name = 'Room', conflict_location_id = $2
        where calendar_id = $1 and starts_at not between '2027-01-04T10:30Z' and '2027-01-04T12:00Z'`
      await meridian.database.execute(taken, [shop.id, use.location_id])
      await remove(use, shop)
      const left =
        'select count(*)::integer as count from appointments where calendar_id = $1 and location_id = $2 and ends_at > $3'
      await retryUntilPasses(async () =>
        expect(
          (await meridian.database.execute(left, [shop.id, use.location_id, new Date(TEST_MONDAY)])).rows[0]
            ?.count,
        ).toBe(0),
      )
      expect(
        (await bookAppointment(meridian, here.slug, { starts_at: '2027-01-04T11:00:00Z' })).json().code,
      ).toBe('booking.location_conflict')
      expect(await usage(use)).toMatchObject([idOf(here), idOf(there), idOf(guest.shop)])
      expect((await ask('GET', `/api/locations/${use.location_id}/usage`, undefined, other)).statusCode).toBe(
        404,
      )
    })

    test('may still be removed when it has left the location itself and kept its appointments there', async () => {
      const { here, use, other, shop } = await joinPlace()
      const rows = (await ask('GET', `/api/calendars/${shop.id}/locations`, undefined, other)).json()
        .calendar_locations
      const row = rows.find((each: CalendarLocation) => each.location_id === use.location_id)
      await ask('DELETE', `/api/calendars/${shop.id}/locations/${row.id}`, undefined, other)
      expect((await bookAppointment(meridian, here.slug)).json().code).toBe('booking.location_conflict')
      expect((await remove(use, shop)).statusCode).toBe(204)
      expect((await bookAppointment(meridian, here.slug)).statusCode).toBe(201)
    })
  })
})

let places = 0

/** Makes two calendars of the owner have the same room as their primary location. */
async function sharePlace(body: Record<string, unknown> = {}) {
  const [here, there] = [await makeCalendar(meridian, owner), await makeCalendar(meridian, owner)]
  places += 1
  const place = { name: 'Room', address: `${places} Room Street`, ...body }
  const use: CalendarLocation = (await add(here, place)).json()
  await ask('POST', `/api/calendars/${there.id}/locations`, { location_id: use.location_id })
  return { here, there, use, place, code: use.location.sharing_code ?? '' }
}

async function makeOther(): Promise<{ other: TestOwner; shop: Calendar }> {
  const other = await makeOwner(meridian)
  return { other, shop: await makeCalendar(meridian, other) }
}

function add(shop: Calendar, body: Record<string, unknown>, asker = owner) {
  return ask('POST', `/api/calendars/${shop.id}/locations`, body, asker)
}

function edit(use: CalendarLocation, changes: Record<string, unknown>) {
  return ask('PATCH', `/api/locations/${use.location_id}`, changes)
}

function act(shop: Calendar, id: string, action: string, asker = owner) {
  return ask('POST', `/api/calendars/${shop.id}/appointments/${id}/actions`, { action }, asker)
}

async function usage(use: CalendarLocation, asker = owner): Promise<LocationUsageEntry[]> {
  return (await ask('GET', `/api/locations/${use.location_id}/usage`, undefined, asker)).json().calendars
}

function idOf({ id, name }: Calendar) {
  return { calendar_id: id, calendar_name: name }
}

async function typeOf(shop: Calendar, asker: TestOwner) {
  return (await ask('GET', `/api/calendars/${shop.id}/appointment-types`, undefined, asker)).json()
    .appointment_types[0]
}

async function waitForConflicts({ location_id }: CalendarLocation, count: number): Promise<void> {
  const text = 'select count(*)::integer as count from appointments where conflict_location_id = $1'
  await retryUntilPasses(async () =>
    expect((await meridian.database.execute(text, [location_id])).rows[0]?.count).toBe(count),
  )
}

function locationOf(appointmentId: string) {
  return meridian.database.db
    .selectFrom('appointments')
    .select(['status', 'location_id', 'location_name', 'conflict_location_id'])
    .where('id', '=', appointmentId)
    .executeTakeFirstOrThrow()
}

function ask(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  payload?: Record<string, unknown>,
  asker = owner,
) {
  return meridian.request({
    method,
    url,
    cookie: asker.cookie,
    ...(payload === undefined ? {} : { payload }),
  })
}
