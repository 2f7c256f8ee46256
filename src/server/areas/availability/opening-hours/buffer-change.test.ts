import { describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { Slot } from '#contract/slots/slots.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar } from '#tests/support/meridian.ts'

/**
 * The slot search keeps the calendar's buffer free around every appointment, while the exclusion constraint compares
 * the times that appointments block. Both must still agree after the buffer has been changed: every offered time can be
 * booked.
 */

let calendar: Calendar
let customers = 0

setUpOwner({ env: { DEFAULT_PLAN: 'enterprise' } })

describe('raised', () => {
  test('the buffer moves the next offered time away, and that one can be booked', async () => {
    calendar = await makeCalendar(meridian, owner)
    await bookAt('10:00')
    await setBuffer(30)
    expect(await listStarts()).not.toContain('10:30')
    expect(await listStarts()).toContain('11:00')
    await bookAt('11:00')
    expect(await listStarts()).not.toContain('11:30')
    expect(await listStarts()).toContain('12:00')
  })

  test('appointments that stand closer than it keep standing, and keep what they block', async () => {
    calendar = await makeCalendar(meridian, owner)
    await bookAt('10:00')
    await bookAt('10:30')
    await setBuffer(60)
    expect(await listBlocks()).toEqual(['10:00-10:30', '10:30-11:00'])
    expect(await listStarts()).toEqual([
      '12:00',
      '12:30',
      '13:00',
      '13:30',
      '14:00',
      '14:30',
      '15:00',
      '15:30',
      '16:00',
      '16:30',
    ])
    await bookAt('12:00')
    expect(await listBlocks()).toEqual(['10:00-10:30', '10:30-11:00', '12:00-13:30'])
  })
})

describe('lowered', () => {
  test('the buffer frees the time after an appointment, and that time can be booked', async () => {
    calendar = await makeCalendar(meridian, owner)
    await setBuffer(30)
    await bookAt('10:00')
    expect(await listStarts()).not.toContain('10:30')
    await setBuffer(0)
    expect(await listBlocks()).toEqual(['10:00-10:30'])
    await bookAt('10:30')
    await bookAt('09:30')
  })

  test('the buffer frees the time after an appointment that is just over', async () => {
    calendar = await makeCalendar(meridian, owner)
    await setBuffer(60)
    await bookAt('09:00')
    meridian.clock.ms = Date.parse('2027-01-04T09:45:00Z')
    await setBuffer(10)
    expect((await listStarts())[0]).toBe('10:00')
    await bookAt('10:00')
  })

  test('the buffer frees the time of yesterday that an owner may still note', async () => {
    calendar = await makeCalendar(meridian, owner)
    await setBuffer(60)
    await bookAt('09:00')
    meridian.clock.ms = Date.parse('2027-01-05T09:00:00Z')
    await setBuffer(0)
    const customer = { name: 'Ada Byron', email: 'ada@example.com' }
    const payload = { starts_at: '2027-01-04T09:30:00Z', customer, outside_hours: true }
    const answer = await ask('appointments', payload)
    expect(answer.statusCode, answer.body).toBe(201)
  })

  test('the buffer stands in nobody’s way who is restored, however long ago it was', async () => {
    calendar = await makeCalendar(meridian, owner)
    await setBuffer(60)
    const { id } = await bookAt('09:30')
    await ask(`appointments/${id}/actions`, { action: 'cancel' })
    await bookAt('09:00')
    meridian.clock.ms = Date.parse('2027-02-04T09:00:00Z')
    await setBuffer(0)
    const answer = await ask(`appointments/${id}/actions`, { action: 'restore' })
    expect(answer.statusCode, answer.body).toBe(200)
    expect(await listBlocks()).toEqual(['09:00-09:30', '09:30-10:00'])
  })

  test('and raised again, what was freed stays free', async () => {
    calendar = await makeCalendar(meridian, owner)
    await setBuffer(60)
    await bookAt('10:00')
    await setBuffer(15)
    await setBuffer(60)
    expect(await listBlocks()).toEqual(['10:00-10:45'])
  })
})

test('whatever the buffer was, every time offered can be booked, until none is left', async () => {
  calendar = await makeCalendar(meridian, owner)
  await changeSettings({ slot_duration_minutes: 15 })
  for (const bufferMinutes of [20, 0, 45, 5, 60, 10, 0]) {
    await setBuffer(bufferMinutes)
    const offered = await listSlots()
    // Try the first, the middle and the last slot: booking one of them may make the others unavailable.
    for (const slot of [offered.at(0), offered.at(offered.length >> 1), offered.at(-1)]) {
      if (slot === undefined || !(await isOffered(slot))) continue
      await bookSlot(slot)
    }
  }
  for (let next = await listSlots(); next[0] !== undefined; next = await listSlots()) await bookSlot(next[0])
  expect((await listBlocks()).length).toBeGreaterThan(12)
})

test('a time that was cancelled can be taken after a change', async () => {
  calendar = await makeCalendar(meridian, owner)
  await setBuffer(30)
  const { id } = await bookAt('10:00')
  await meridian.database.execute(`update appointments set status = 'cancelled' where id = $1`, [id])
  await setBuffer(0)
  await bookAt('10:00')
})

async function changeSettings(payload: Record<string, unknown>): Promise<void> {
  const answer = await owner.patch(`/api/calendars/${calendar.id}/slot-settings`, payload)
  expect(answer.statusCode, answer.body).toBe(200)
}

function setBuffer(buffer_time_minutes: number): Promise<void> {
  return changeSettings({ buffer_time_minutes })
}

function ask(path: string, payload: Record<string, unknown>) {
  return owner.post(`/api/calendars/${calendar.id}/${path}`, payload)
}

/** Lists the slots offered on Monday, in UTC. */
async function listSlots(): Promise<Slot[]> {
  return (await meridian.get(`/api/public/calendars/${calendar.slug}/slots?date=2027-01-04`)).json().slots
}

async function listStarts(): Promise<string[]> {
  return (await listSlots()).map((slot) => slot.slot_start.slice(0, 5))
}

async function isOffered(slot: Slot): Promise<boolean> {
  return (await listSlots()).some(({ starts_at }) => starts_at === slot.starts_at)
}

async function bookSlot({ starts_at }: Pick<Slot, 'starts_at'>): Promise<{ id: string }> {
  customers += 1
  const customer = { name: 'Grace Hopper', email: `grace-${customers}@example.com` }
  const answer = await bookAppointment(meridian, calendar.slug, { starts_at, customer })
  expect(answer.statusCode, `${starts_at}: ${answer.body}`).toBe(201)
  return answer.json()
}

function bookAt(clock: string): Promise<{ id: string }> {
  return bookSlot({ starts_at: `2027-01-04T${clock}:00Z` })
}

/** Lists the times that appointments block, as clock times. */
async function listBlocks(): Promise<string[]> {
  const text = `select to_char(lower(blocked) at time zone 'UTC', 'HH24:MI') || '-' ||
      to_char(upper(blocked) at time zone 'UTC', 'HH24:MI') as block
    from appointments where calendar_id = $1 and status <> 'cancelled' order by starts_at`
  return (await meridian.database.execute(text, [calendar.id])).rows.map((row) => String(row.block))
}
