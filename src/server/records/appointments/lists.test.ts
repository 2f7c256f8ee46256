import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { addManyAppointments } from '#tests/support/many-appointments.ts'
import { makeCalendar, makeOwner, TEST_MONDAY } from '#tests/support/meridian.ts'
import {
  addAppointment,
  addAppointments,
  addAppointmentType,
  addLocation,
} from '#tests/support/stored-rows.ts'
import { getAgenda } from './use-cases.ts'

setUpOwner({ env: { DEFAULT_PLAN: 'enterprise' } })

describe('the counts that the database keeps', () => {
  test('are the truth after whatever happens to appointments', async () => {
    const [one, two] = [await makeCalendar(meridian, owner), await makeCalendar(meridian, owner)]
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    const ids: string[] = []
    for (let i = 0; i < 120; i += 1) {
      const id = ids[random(Math.max(1, ids.length))]
      const [deed, hours] = [random(8), random(200)]
      if (deed < 3 || id === undefined) {
        const calendar = random(2) === 0 ? one : two
        const startsAt = new Date(TEST_MONDAY + hours * 3_600_000 + i * 1_000).toISOString()
        const customer_name = `Person ${random(3)}`
        // The appointments are cancelled, so that their times may overlap.
        const added = await addAppointments(meridian, calendar.id, [
          { startsAt, status: 'cancelled', customer_name },
          { startsAt, status: 'cancelled', customer_name },
        ])
        ids.push(...added)
      } else await change(deed, id, hours)
      if (i % 20 === 0) await expectTruth()
      // Yield to the event loop: otherwise the product would report that it is overloaded.
      await setImmediate()
    }
    await expectTruth()
    await meridian.database.execute('delete from calendars where id = $1', [one.id])
    await expectTruth()
    await meridian.database.execute('delete from appointments where calendar_id = $1', [two.id])
    await expectTruth()
    const { rows } = await meridian.database.execute(
      'select calendar_id from appointment_days union select calendar_id from appointment_people',
    )
    expect(rows).toEqual([])
  })

  test('are undone with the transaction that failed', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const id = await addAppointment(meridian, calendar.id, { startsAt: '2027-01-05T09:00:00Z' })
    await expect(
      meridian.database.db.transaction().execute(async (trx) => {
        await trx.deleteFrom('appointments').where('id', '=', id).execute()
        throw new Error('something else went wrong')
      }),
    ).rejects.toThrow('something else')
    await expectTruth()
    await meridian.database.execute('delete from calendars where id = $1', [calendar.id])
  })

  const DEEDS: Readonly<Record<number, string>> = {
    3: `update appointments set released_at = now(), hold_expires_at = now() where id = $1 and $2 >= 0`,
    4: `update appointments set released_at = null where id = $1 and $2 >= 0`,
    5: `update appointments set starts_at = starts_at + $2 * interval '1 hour', ends_at = ends_at + $2 * interval '1 hour',
        blocked = tstzrange(starts_at + $2 * interval '1 hour', ends_at + $2 * interval '1 hour') where id = $1`,
    6: `update appointments set customer_name = 'Person ' || $2 % 3 where id = $1`,
    7: `delete from appointments where id = $1 and $2 >= 0`,
  }

  async function change(deed: number, id: string, hours: number): Promise<void> {
    await meridian.database.execute((DEEDS[deed] ?? '').replaceAll('$2', '$2::integer'), [id, hours])
  }

  async function expectTruth(): Promise<void> {
    const { rows: wrong } = await meridian.database.execute(`
      (select 'days' as of, calendar_id::text, day::text as key, appointments::bigint from appointment_days
       union all
       select 'people', calendar_id::text, person_key::text, appointments from appointment_people)
      except all
      (select 'days', calendar_id::text, ((starts_at at time zone 'UTC')::date)::text, count(*)
       from appointments where released_at is null group by 2, 3
       union all
       select 'people', calendar_id::text, person_key::text, count(*)
       from appointments where released_at is null group by 2, 3)`)
    expect(wrong).toEqual([])
    const { rows: sums } = await meridian.database.execute(`
      select (select count(*) from appointments where released_at is null)::integer as listed,
        (select coalesce(sum(appointments), 0) from appointment_days)::integer as days,
        (select coalesce(sum(appointments), 0) from appointment_people)::integer as people`)
    expect(sums[0]?.days).toBe(sums[0]?.listed)
    expect(sums[0]?.people).toBe(sums[0]?.listed)
  }
})

describe('the export', () => {
  test('has every column in the calendar’s clock and as instants, and is a private attachment', async () => {
    const calendar = await makeCalendar(meridian, owner, { timezone: 'Asia/Kathmandu' })
    const location_id = await addLocation(meridian, owner, { name: 'Loft', address: '1, High Street' })
    const type = await addAppointmentType(meridian, calendar.id, {
      name: 'Talk',
      price_cents: 4_050,
      location_id,
    })
    await addAppointment(meridian, calendar.id, {
      startsAt: '2027-01-05T03:15:00Z',
      booking_reference: 'BK-1764000000009',
      title: 'My "back"',
      description: 'two\nlines',
      customer_name: '=HYPERLINK("http://evil.example")',
      customer_phone: '+1 555 0100',
      appointment_type_id: type,
      appointment_type_name: 'Talk',
      price_cents: 4_050,
      location_name: 'Loft',
      location_address: '1, High Street',
    })
    const response = await download(calendar, 'filter=upcoming')
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="appointments-${calendar.slug}-2027-01-04.csv"`,
      'cache-control': 'private, no-store',
    })
    const [head, ...lines] = response.body.split('\r\n')
    expect(head).toBe(
      '\uFEFFdate,start_time,end_time,time_zone,starts_at,ends_at,status,payment_status,booking_reference,title,description,customer_name,customer_email,customer_phone,client_id,appointment_type_name,is_online,price,currency,refunded,no_show,location_name,location_address,stripe_payment_intent_id,paid_in_sandbox,answers',
    )
    expect(lines).toHaveLength(2)
    expect(lines[1]).toBe('')
    expect(lines[0]).toMatch(
      /^2027-01-05,09:00:00,09:30:00,Asia\/Kathmandu,2027-01-05T03:15:00\.000Z,2027-01-05T03:45:00\.000Z,confirmed,not_required,BK-1764000000009,"My ""back""","two\nlines","'=HYPERLINK\(""http:\/\/evil\.example""\)",stored-\d+@example\.com,'\+1 555 0100,C\d+,Talk,false,40\.50,eur,,false,Loft,"1, High Street",,false,$/,
    )
  })

  test('has what is filtered and searched, all pages of it in the order of the list', async () => {
    const calendar = await makeCalendar(meridian, owner)
    await addManyAppointments(meridian.database, calendar.id, 620)
    for (const [query, where, order] of [
      ['filter=upcoming', `starts_at >= '2027-01-04'`, 'asc'],
      ['filter=all', 'true', 'desc'],
      ['filter=past&search=other', `starts_at < '2027-01-04' and customer_name = 'Other'`, 'desc'],
    ]) {
      const { rows } = await meridian.database.execute(
        `select booking_reference from appointments where calendar_id = $1 and ${where} order by starts_at ${order}`,
        [calendar.id],
      )
      const lines = (await download(calendar, query ?? '')).body.split('\r\n').slice(1, -1)
      expect(lines.map((line) => line.split(',')[8])).toEqual(rows.map((row) => row.booking_reference))
    }
  })

  test('of nothing is a head without lines', async () => {
    const calendar = await makeCalendar(meridian, owner)
    expect((await download(calendar, '')).body.split('\r\n')).toHaveLength(2)
  })

  test('lets others use the only connection while it is made', async () => {
    const calendar = await makeCalendar(meridian, owner)
    await addManyAppointments(meridian.database, calendar.id, 620)
    const [file, list] = await Promise.all([
      download(calendar, 'filter=all'),
      owner.get(`/api/calendars/${calendar.id}/appointments`),
    ])
    expect([file.body.split('\r\n').length, list.statusCode]).toEqual([622, 200])
  })

  test.each(['', '.csv', '/agenda?from=2027-01-04'])(
    'appointments%s of somebody else are refused',
    async (rest) => {
      const calendar = await makeCalendar(meridian, owner)
      const stranger = await makeOwner(meridian)
      const url = `/api/calendars/${calendar.id}/appointments${rest}`
      const response = await stranger.get(url)
      expect([response.statusCode, response.json().code]).toEqual([403, 'calendar.forbidden'])
      expect((await meridian.get(url)).statusCode).toBe(401)
      const unknown = url.replace(calendar.id, '00000000-0000-4000-8000-000000000000')
      expect((await owner.get(unknown)).statusCode).toBe(404)
    },
  )

  async function download(calendar: Calendar, query: string) {
    const response = await owner.get(`/api/calendars/${calendar.id}/appointments.csv?${query}`)
    expect(response.statusCode, response.body).toBe(200)
    return response
  }
})

describe('one appointment', () => {
  test('is returned as the list shows it, on whichever page it is', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const id = await addAppointment(meridian, calendar.id, { startsAt: '2027-01-05T09:00:00Z' })
    const list = await owner.get(`/api/calendars/${calendar.id}/appointments?filter=all`)
    const one = await owner.get(`/api/calendars/${calendar.id}/appointments/${id}`)
    expect([one.statusCode, one.json()]).toEqual([200, list.json().appointments[0]])
  })

  test('of another calendar, and a hold that has ended, is not found', async () => {
    const [calendar, other] = [await makeCalendar(meridian, owner), await makeCalendar(meridian, owner)]
    const id = await addAppointment(meridian, calendar.id, { startsAt: '2027-01-05T09:00:00Z' })
    const elsewhere = await owner.get(`/api/calendars/${other.id}/appointments/${id}`)
    expect([elsewhere.statusCode, elsewhere.json().code]).toEqual([404, 'appointment.not_found'])
    await meridian.database.execute(
      'update appointments set released_at = now(), hold_expires_at = now() where id = $1',
      [id],
    )
    expect((await owner.get(`/api/calendars/${calendar.id}/appointments/${id}`)).statusCode).toBe(404)
  })

  test('of somebody else is refused', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const id = await addAppointment(meridian, calendar.id, { startsAt: '2027-01-05T09:00:00Z' })
    const stranger = await makeOwner(meridian)
    const url = `/api/calendars/${calendar.id}/appointments/${id}`
    expect((await stranger.get(url)).statusCode).toBe(403)
    expect((await meridian.get(url)).statusCode).toBe(401)
  })
})

describe('the agenda', () => {
  test('has the days, their noon and their opening hours in the calendar’s zone, also when clocks change', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const answer = await agenda(calendar, 'from=2027-03-27&days=3')
    expect(answer).toMatchObject({ time_zone: 'Europe/London', is_complete: true, appointments: [] })
    expect(answer.days).toEqual([
      {
        date: '2027-03-27',
        starts_at: '2027-03-27T00:00:00.000Z',
        noon_at: '2027-03-27T12:00:00.000Z',
        ends_at: '2027-03-28T00:00:00.000Z',
        openings: [],
      },
      {
        date: '2027-03-28',
        starts_at: '2027-03-28T00:00:00.000Z',
        noon_at: '2027-03-28T11:00:00.000Z',
        ends_at: '2027-03-28T23:00:00.000Z',
        openings: [],
      },
      {
        date: '2027-03-29',
        starts_at: '2027-03-28T23:00:00.000Z',
        noon_at: '2027-03-29T11:00:00.000Z',
        ends_at: '2027-03-29T23:00:00.000Z',
        openings: [{ starts_at: '2027-03-29T08:00:00.000Z', ends_at: '2027-03-29T16:00:00.000Z' }],
      },
    ])
  })

  test('has what touches the days, also from before midnight, and no ended holds', async () => {
    const calendar = await makeCalendar(meridian, owner, { timezone: 'Pacific/Auckland' })
    const now = new Date(TEST_MONDAY)
    // In Auckland, January 5 lasts from 11:00 UTC on the 4th to 11:00 UTC on the 5th.
    const [, overMidnight, cancelled, last] = await addAppointments(meridian, calendar.id, [
      { startsAt: '2027-01-04T09:45:00Z', minutes: 45 },
      { startsAt: '2027-01-04T10:30:00Z', minutes: 60 },
      { startsAt: '2027-01-05T01:00:00Z', status: 'cancelled' },
      { startsAt: '2027-01-05T10:59:00Z' },
      { startsAt: '2027-01-05T12:00:00Z' },
      { startsAt: '2027-01-05T02:00:00Z', status: 'pending_payment', hold_expires_at: now, released_at: now },
    ])
    const ids = (await agenda(calendar, 'from=2027-01-05&days=1')).appointments.map(
      (row: AppointmentRow) => row.id,
    )
    expect(ids).toEqual([overMidnight, cancelled, last])
  })

  test('shows no more than fits, leaves out cancelled ones first, and says so', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const hours = ['09', '10', '11', '12'].map((hour) => `2027-01-05T${hour}:00:00Z`)
    await addAppointments(meridian, calendar.id, [
      ...hours.map((startsAt) => ({ startsAt, status: 'cancelled' as const })),
      ...hours.map((startsAt) => ({ startsAt })),
    ])
    const { db } = meridian.database
    const ask = (limit: number) =>
      getAgenda({ db, now: () => TEST_MONDAY, baseUrl: '' }, owner.id as OwnerId, {
        calendarId: calendar.id,
        days: { firstDate: '2027-01-05', dayCount: 1 },
        limit,
      })
    const most = await ask(5)
    expect(most.is_complete).toBe(false)
    expect(most.appointments.map(({ status, start_time }) => `${start_time} ${status}`).sort()).toEqual([
      '09:00:00 cancelled',
      '09:00:00 confirmed',
      '10:00:00 confirmed',
      '11:00:00 confirmed',
      '12:00:00 confirmed',
    ])
    expect(await ask(8)).toMatchObject({ is_complete: true, appointments: { length: 8 } })
  })

  test.each(['', 'from=2027-02-30', 'from=2027-01-04&days=8', 'from=2027-01-04&days=0', 'from=1969-12-31'])(
    'of %j is refused',
    async (query) => {
      const calendar = await makeCalendar(meridian, owner)
      const url = `/api/calendars/${calendar.id}/appointments/agenda?${query}`
      expect((await owner.get(url)).statusCode).toBe(400)
    },
  )

  test('reaches to both ends of the years there are', async () => {
    const calendar = await makeCalendar(meridian, owner)
    expect((await agenda(calendar, 'from=1970-01-01')).days).toHaveLength(7)
    expect((await agenda(calendar, 'from=2200-12-30')).days).toHaveLength(2)
  })

  async function agenda(calendar: Calendar, query: string) {
    const url = `/api/calendars/${calendar.id}/appointments/agenda?${query}`
    const response = await owner.get(url)
    expect(response.statusCode, response.body).toBe(200)
    return response.json()
  }
})
