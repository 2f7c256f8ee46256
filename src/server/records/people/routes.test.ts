import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Calendar, CreateCalendarBody } from '#contract/calendars/calendars.ts'
import type { OverlapsResponse, PeopleResponse } from '#contract/calendars/people.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar, makeOwner } from '#tests/support/meridian.ts'
import { addAppointment, addAppointments } from '#tests/support/stored-rows.ts'

// Source: rules T38 to T42.

setUpOwner({ owner: { lifetime: 'test', name: 'Ada Lovelace', tier: 'enterprise' } })

const NINE = '2027-01-04T09:00:00Z'
const HALF_PAST = '2027-01-04T09:30:00Z'

/** Creates a calendar for the owner's own time, unless another person is named. */
function make(body: Partial<CreateCalendarBody> = {}): Promise<Calendar> {
  return makeCalendar(meridian, owner, { person_name: '', ...body })
}

async function ask<Answer>(url: string, by = owner): Promise<Answer> {
  const response = await meridian.as(by).get(url)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json()
}

function give(calendar: Calendar, body: Record<string, unknown>, by = owner) {
  return meridian.as(by).put(`/api/calendars/${calendar.id}/person`, body)
}

describe('whose time a calendar takes', () => {
  test('an account begins with its owner, who follows the name of the account', async () => {
    expect(await ask<PeopleResponse>('/api/people')).toEqual({
      people: [{ id: owner.id, name: 'Ada Lovelace', is_owner: true, calendars: [] }],
    })
    const renamed = await owner.patch('/api/profile', { first_name: 'Augusta', last_name: 'King' })
    expect(renamed.statusCode).toBe(200)
    expect((await ask<PeopleResponse>('/api/people')).people).toMatchObject([{ name: 'Augusta King' }])
  })

  test('it is the owner’s, or somebody else’s by name', async () => {
    const mine = await make({ name: 'A' })
    expect(mine.person).toEqual({ id: owner.id, name: 'Ada Lovelace', is_owner: true })
    expect(mine).toMatchObject({ professional_first_name: 'Ada', professional_last_name: 'Lovelace' })
    const theirs = await make({ name: 'B', person_name: 'Dr. Jon Osei' })
    expect(theirs.person).toMatchObject({ name: 'Dr. Jon Osei', is_owner: false })
    expect(theirs).toMatchObject({ professional_first_name: 'Dr. Jon', professional_last_name: 'Osei' })
    const again = await make({ name: 'C', person_name: 'dr jon  OSEI' })
    expect(again.person.id).toBe(theirs.person.id)
    const own = await make({ name: 'D', person_name: 'ada lovelace' })
    expect(own.person.id).toBe(owner.id)
    const { people } = await ask<PeopleResponse>('/api/people')
    expect(people.map(({ name, calendars }) => [name, calendars.map((calendar) => calendar.name)])).toEqual([
      ['Ada Lovelace', ['A', 'D']],
      ['Dr. Jon Osei', ['B', 'C']],
    ])
  })

  test('a person without a calendar is removed, and the owner stays', async () => {
    const calendar = await make({ person_name: 'Jon Osei' })
    await owner.delete(`/api/calendars/${calendar.id}`)
    expect((await ask<PeopleResponse>('/api/people')).people.map(({ name }) => name)).toEqual([
      'Ada Lovelace',
    ])
  })

  test('nobody reads or changes the people of others', async () => {
    const calendar = await make({ person_name: 'Jon Osei' })
    const other = await makeOwner(meridian)
    expect((await ask<PeopleResponse>('/api/people', other)).people).toHaveLength(1)
    expectRefusal(await give(calendar, { name: 'Somebody' }, other), 'calendar.forbidden')
    const theirs = await makeCalendar(meridian, other)
    expectRefusal(await give(theirs, { person_id: calendar.person.id }, other), 'person.not_found')
    expectRefusal(await give(calendar, {}), 'person.name_required')
    expectRefusal(await give(calendar, { person_id: randomUUID() }), 'person.not_found')
  })
})

describe('a person with two calendars', () => {
  test('is booked once', async () => {
    const [a, b] = [await make(), await make()]
    expect((await bookAppointment(meridian, a.slug, { starts_at: NINE })).statusCode).toBe(201)
    expectRefusal(await bookAppointment(meridian, b.slug, { starts_at: NINE }), 'booking.slot_unavailable')
    expect((await bookAppointment(meridian, b.slug, { starts_at: HALF_PAST })).statusCode).toBe(201)
    const { slots } = await ask<{ slots: { starts_at: string }[] }>(
      `/api/public/calendars/${b.slug}/slots?date=2027-01-04`,
    )
    expect(slots[0]?.starts_at).toBe('2027-01-04T10:00:00Z')
    const { days } = await ask<{ days: { open_slots: number }[] }>(
      `/api/public/calendars/${a.slug}/days?from=2027-01-04&to=2027-01-04`,
    )
    expect(days).toMatchObject([{ open_slots: 14 }])
  })

  test('keeps the larger buffer of the two free', async () => {
    const [a, b] = [await make(), await make()]
    await setBuffer(a, 30)
    await addAppointment(meridian, a.id, { startsAt: '2027-01-04T12:00:00Z' })
    // The appointment on A blocks 12:00 to 12:30, because A has the larger buffer.
    expectRefusal(
      await bookAppointment(meridian, b.slug, { starts_at: '2027-01-04T11:30:00Z' }),
      'booking.slot_unavailable',
    )
    expectRefusal(
      await bookAppointment(meridian, b.slug, { starts_at: '2027-01-04T12:30:00Z' }),
      'booking.slot_unavailable',
    )
    expect((await bookAppointment(meridian, b.slug, { starts_at: '2027-01-04T11:00:00Z' })).statusCode).toBe(
      201,
    )
    // The appointment on B blocks 11:00 to 11:30, because the larger buffer of A applies.
    expectRefusal(
      await bookAppointment(meridian, a.slug, { starts_at: '2027-01-04T10:30:00Z' }),
      'booking.slot_unavailable',
    )
    expect((await bookAppointment(meridian, a.slug, { starts_at: '2027-01-04T10:00:00Z' })).statusCode).toBe(
      201,
    )
  })

  test('calendars of two people take no times of each other', async () => {
    const [a, b] = [await make(), await make({ person_name: 'Jon Osei' })]
    expect((await bookAppointment(meridian, a.slug, { starts_at: NINE })).statusCode).toBe(201)
    expect((await bookAppointment(meridian, b.slug, { starts_at: NINE })).statusCode).toBe(201)
  })
})

describe('giving a calendar to another person', () => {
  test('takes its appointments to come along, and leaves past ones', async () => {
    const [a, b] = [await make(), await make()]
    const [past, ahead] = await addAppointments(meridian, b.id, [
      { startsAt: '2026-12-01T09:00:00Z' },
      { startsAt: NINE },
    ])
    const given = await give(b, { name: 'Jon Osei', was: b.person.id })
    expect(given.statusCode).toBe(200)
    const jon = given.json<Calendar>().person
    expect(jon).toMatchObject({ name: 'Jon Osei', is_owner: false })
    const rows = await meridian.database.db
      .selectFrom('appointments')
      .select(['id', 'host_id'])
      .where('calendar_id', '=', b.id)
      .execute()
    const personOf = new Map(rows.map((row) => [row.id, row.host_id]))
    expect(personOf.get(past ?? '')).toBe(owner.id)
    expect(personOf.get(ahead ?? '')).toBe(jon.id)
    expect((await bookAppointment(meridian, a.slug, { starts_at: NINE })).statusCode).toBe(201)
    expectRefusal(await give(b, { person_id: owner.id, was: owner.id }), 'request.changed_meanwhile')
  })

  test('is refused while an appointment would overlap, and says which', async () => {
    const [a, b] = [await make({ name: 'A' }), await make({ name: 'B', person_name: 'Jon Osei' })]
    await addAppointment(meridian, a.id, { startsAt: NINE, minutes: 60 })
    await addAppointments(meridian, b.id, [
      { startsAt: HALF_PAST },
      { startsAt: '2027-01-04T10:00:00Z' },
      { startsAt: HALF_PAST, status: 'cancelled' },
    ])
    const url = `/api/calendars/${b.id}/person/overlaps?person_id=${owner.id}`
    expect(await ask<OverlapsResponse>(url)).toMatchObject({
      total: 1,
      overlaps: [
        {
          first: { calendar_name: 'B', starts_at: '2027-01-04T09:30:00.000Z' },
          second: { calendar_name: 'A', starts_at: '2027-01-04T09:00:00.000Z', time_zone: 'Europe/London' },
        },
      ],
    })
    expectRefusal(await give(b, { person_id: owner.id }), 'person.overlaps')
    const elsewhere = `/api/calendars/${b.id}/person/overlaps?name=Nobody`
    expect(await ask<OverlapsResponse>(elsewhere)).toEqual({ total: 0, overlaps: [] })
  })
})

describe('overlaps from before one person was booked once', () => {
  test('are listed until they are put away', async () => {
    const [a, b] = [await make({ name: 'A' }), await make({ name: 'B' })]
    await addAppointment(meridian, a.id, { startsAt: NINE, minutes: 60 })
    await addAppointments(meridian, b.id, [{ startsAt: HALF_PAST, allows_overlap: true }])
    expect(await ask<OverlapsResponse>('/api/people/overlaps')).toMatchObject({
      total: 1,
      overlaps: [{ first: { calendar_name: 'A' }, second: { calendar_name: 'B' } }],
    })
    // Nothing can be booked during the busy time.
    await meridian.database.execute('delete from appointments where calendar_id = $1', [a.id])
    expectRefusal(
      await bookAppointment(meridian, a.slug, { starts_at: HALF_PAST }),
      'booking.slot_unavailable',
    )
    await addAppointment(meridian, a.id, { startsAt: NINE, minutes: 60 })
    const away = await owner.delete('/api/people/overlaps')
    expect(away.statusCode).toBe(204)
    expect(await ask<OverlapsResponse>('/api/people/overlaps')).toEqual({ total: 0, overlaps: [] })
  })
})

async function setBuffer(calendar: Calendar, minutes: number): Promise<void> {
  await meridian.database.db
    .updateTable('calendars')
    .set({ buffer_time_minutes: minutes })
    .where('id', '=', calendar.id)
    .execute()
}
