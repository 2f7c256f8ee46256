import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { getZoneOffsets } from '#core/shared/zone-offsets.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeCalendar, makeOwner } from '#tests/support/meridian.ts'

/** An instant more than forty years from now, so that no table of offsets contains it. */
const FAR_MS = Date.UTC(2200, 5)

/**
 * The expensive calls: each of the `answers` asks the runtime for the offset of a zone; each of the `makers` costs
 * about as much as fifty of those.
 */
let work: { answers: { mock: { calls: unknown[] } }; makers: { mock: { calls: unknown[] } } }
let path: string

setUpMeridian()
beforeAll(async () => {
  const calendar = await makeCalendar(meridian, await makeOwner(meridian))
  path = `/api/public/calendars/${calendar.slug}`
})
afterEach(() => vi.restoreAllMocks())

describe('a visitor makes the server look up no more of a time zone', () => {
  test('by writing its name in a hundred ways', async () => {
    await ask('/slots?date=2027-01-06&time_zone=Pacific/Chatham')
    watch()
    for (const zone of spell('pacific/chatham', 100)) {
      const { time_zone } = await ask(`/slots?date=2027-01-06&time_zone=${zone}`)
      expect(time_zone).toBe('Pacific/Chatham')
    }
    expect(counted()).toEqual({ answers: 0, makers: 0 })
  })

  test('by naming days that nobody can book', async () => {
    await ask('/slots?date=2027-01-06&time_zone=Pacific/Chatham')
    watch()
    for (const date of ['1970-01-01', '1999-12-31', '2026-12-30', '2029-01-10', '2085-06-01', '2200-12-31']) {
      const { slots } = await ask(`/slots?date=${date}&time_zone=Pacific/Chatham`)
      expect(slots).toEqual([])
      const { days } = await ask(`/days?from=${date}&to=${date}&time_zone=Pacific/Chatham`)
      expect(days).toEqual([{ date, open_slots: 0 }])
      const booked = await meridian.post(`${path}/appointments`, {
        starts_at: `${date}T09:00:00Z`,
        customer: { name: 'Grace', email: 'grace@example.com' },
      })
      expect(booked.json()).toMatchObject({ code: 'booking.slot_unavailable' })
    }
    expect(counted()).toEqual({ answers: 0, makers: 0 })
  })

  test('than the years in which something can be booked, for the first question about a zone', async () => {
    // Other tests of this process may have computed this zone. Asking about distant years clears its table.
    getZoneOffsets('Pacific/Kiritimati', FAR_MS, FAR_MS)
    watch()
    const { slots } = await ask('/slots?date=2027-01-06&time_zone=Pacific/Kiritimati')
    expect(slots).not.toEqual([])
    // Four years need one call for every third day, and some more for each clock change.
    expect(counted().answers).toBeLessThan(600)
  })
})

test.each([
  ['asia/calcutta', 'Asia/Kolkata'],
  ['US/Eastern', 'America/New_York'],
  ['gb', 'Europe/London'],
])('a zone that is written as %s is answered as %s', async (written, zone) => {
  expect((await ask(`/slots?date=2027-01-06&time_zone=${written}`)).time_zone).toBe(zone)
})

test('the days around the first and the last that can be booked are as they were counted one by one', async () => {
  const count = async (from: string, to: string, zone: string) => {
    const { days } = await ask(`/days?from=${from}&to=${to}&time_zone=${zone}`)
    return days.map((day: { open_slots: number }) => day.open_slots)
  }
  const [east, west] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago']
  expect(await count('2026-12-30', '2027-01-08', east)).toEqual([0, 0, 0, 0, 0, 2, 16, 16, 16, 16])
  expect(await count('2026-12-30', '2027-01-08', west)).toEqual([0, 0, 0, 0, 4, 16, 16, 16, 16, 12])
  expect(await count('2028-12-30', '2029-01-08', east)).toEqual([14, 0, 2, 16, 14, 0, 0, 0, 0, 0])
  expect(await count('2028-12-30', '2029-01-08', west)).toEqual([0, 4, 16, 12, 0, 0, 0, 0, 0, 0])
})

/** Counts the calls. `format` is a getter that is read for each call, although its type does not say so. */
function watch(): void {
  work = {
    answers: vi.spyOn(Intl.DateTimeFormat.prototype as { format: unknown }, 'format', 'get'),
    makers: vi.spyOn(Intl, 'DateTimeFormat'),
  }
}

function counted(): { answers: number; makers: number } {
  return { answers: work.answers.mock.calls.length, makers: work.makers.mock.calls.length }
}

async function ask(resource: string) {
  const response = await meridian.get(`${path}${resource}`)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

/**
 * Returns different spellings of a name in upper and lower case: the bits of a number determine which letters are upper
 * case.
 */
function spell(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    let place = 0
    return name.replace(/[a-z]/g, (letter) => ((i >> place++) & 1 ? letter.toUpperCase() : letter))
  })
}
