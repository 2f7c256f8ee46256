import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  makeFakeProviders,
  makePaidCalendar,
  type PaidCalendar,
  readAppointmentAndPayment,
  startFirstCheckout,
} from '#tests/support/checkouts.ts'
import { BEHIND_PROXY_SETTINGS, headersFromAddress } from '#tests/support/from-address.ts'
import { offeredHalfHour } from '#tests/support/half-hour.ts'
import {
  bookAppointment,
  makeOwner,
  startMeridian,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { countDeadlocks, queryNumber, queryRows, startOnPostgresServer } from '#tests/support/race-track.ts'

const env = { ...BEHIND_PROXY_SETTINGS, DEFAULT_PLAN: 'enterprise' }
const providers = makeFakeProviders()

describe.each([
  { where: 'a server', start: () => startOnPostgresServer({ poolSize: 20, providers, env }), isServer: true },
  { where: 'the embedded database', start: () => startMeridian({ providers, env }), isServer: false },
])('on $where', ({ start, isServer }) => {
  let meridian: TestMeridian
  let owner: TestOwner
  let calendar: PaidCalendar

  beforeAll(async () => {
    meridian = await start()
    owner = await makeOwner(meridian)
  })
  beforeEach(async () => {
    await meridian.database.execute('delete from holds')
    calendar = await makePaidCalendar(meridian, owner)
  })
  afterAll(async () => {
    if (isServer) expect(await countDeadlocks(meridian.database)).toBe(0)
    await meridian.stop()
  })

  type Wish = { i: number; address: string; email: string; of?: PaidCalendar | undefined }

  async function makeCalendars(): Promise<PaidCalendar[]> {
    const calendars = [calendar]
    while (calendars.length < 6) calendars.push(await makePaidCalendar(meridian, owner))
    return calendars
  }

  async function holdAtOnce(wishes: readonly Wish[]): Promise<number> {
    const answers = await Promise.all(
      wishes.map(({ i, address, email, of = calendar }) => {
        const body = { starts_at: offeredHalfHour(i), customer: { name: 'Somebody', email } }
        return startFirstCheckout(meridian, of, body, headersFromAddress(address))
      }),
    )
    for (const { statusCode, body } of answers) expect([201, 409, 429], body).toContain(statusCode)
    return answers.filter(({ statusCode }) => statusCode === 201).length
  }

  const countOpen = (where: string, value: string) =>
    queryNumber(
      meridian.database,
      `select count(*) from appointments where released_at is null and ${where} = $1`,
      [value],
    )

  test('of 16 strangers who hold all times of a day at once, exactly four do', async () => {
    const wishes = Array.from({ length: 16 }, (_, i) => ({
      i,
      address: `203.0.113.${i}`,
      email: `${randomUUID()}@example.com`,
    }))
    expect(await holdAtOnce(wishes)).toBe(4)
    expect(await countOpen('calendar_id', calendar.id)).toBe(4)
  })

  test('of 24 times that one client holds on six calendars at once, exactly three are held', async () => {
    const calendars = await makeCalendars()
    const wishes = Array.from({ length: 24 }, (_, i) => ({
      i: i * 16,
      address: '203.0.113.7',
      email: `${randomUUID()}@example.com`,
      of: calendars[i % 6],
    }))
    expect(await holdAtOnce(wishes)).toBe(3)
  })

  test('of 36 that the clients of one /48 hold on six calendars at once, exactly twelve are held', async () => {
    const calendars = await makeCalendars()
    const wishes = Array.from({ length: 36 }, (_, i) => ({
      i: i * 16,
      address: `2001:db8:1:${i.toString(16)}::1`,
      email: `${randomUUID()}@example.com`,
      of: calendars[i % 6],
    }))
    expect(await holdAtOnce(wishes)).toBe(12)
  })

  test('of ten holds of one person at once one is left, and no other is open', async () => {
    const email = 'grace@example.com'
    const wishes = Array.from({ length: 10 }, (_, i) => ({ i: i * 16, address: '203.0.113.7', email }))
    expect(await holdAtOnce(wishes)).toBeGreaterThanOrEqual(1)
    expect(await countOpen('calendar_id', calendar.id)).toBe(1)
    const [row] = await queryRows(
      meridian.database,
      'select id from appointments where released_at is null and calendar_id = $1',
      [calendar.id],
    )
    expect((await readAppointmentAndPayment(meridian, String(row?.id))).payment.status).toBe('pending')
  })

  test('of 50 bookings of one client at once exactly thirty are booked, and the others take nothing', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => {
        const customer = { name: 'Somebody', email: `${randomUUID()}@example.com` }
        const wish = { starts_at: offeredHalfHour(i), customer, appointment_type_id: calendar.typeId }
        return bookAppointment(meridian, calendar.slug, wish, headersFromAddress('2001:db8:7:7::1'))
      }),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([
      ...Array(30).fill(201),
      ...Array(20).fill(429),
    ])
    const uses = await queryRows(
      meridian.database,
      `select split_part(key, ':', 1) as budget, sum(used)::integer as used from budget_uses
       where key like 'bookings%' group by 1 order by 1`,
    )
    expect(uses).toEqual([
      { budget: 'bookings_client', used: 30 },
      { budget: 'bookings_client_calendar', used: 30 },
      { budget: 'bookings_email', used: 30 },
      { budget: 'bookings_network', used: 30 },
    ])
  })
})
