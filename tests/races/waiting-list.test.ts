import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { BUDGETS } from '#core/shared/budgets.ts'
import { HOUR_MS } from '#core/shared/duration.ts'
import { expireOffer } from '#server/areas/waiting-list/end-offer.ts'
import { scanWaitingList } from '#server/areas/waiting-list/scan-waiting-list.ts'
import { GENEROUS_BUDGETS } from '#tests/support/generous-budgets.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  TEST_MONDAY,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { testOnEachDatabaseSetup } from '#tests/support/on-each-track.ts'
import {
  printDuration,
  queryNumber,
  startOnPostgresServer,
  waitUntilEmailsSent,
} from '#tests/support/race-track.ts'
import {
  getWaitingRequest,
  joinWaitingList,
  joinWaitingListAndConfirm,
  listWaitingListEntries,
  respondToOffer,
  tokenInWaitingListEmail,
  waitForOffer,
} from '#tests/support/waiting.ts'

/** The refusals of an offer that ended before it was accepted. */
const OVER = ['waiting.offer_expired', 'waiting.time_taken']

test('looks that run at once hold no more times for one client than it may have', async () => {
  const amounts = `${GENEROUS_BUDGETS},open_holds_client=${BUDGETS.open_holds_client.max}`
  const meridian = await startOnPostgresServer({ env: { DEFAULT_PLAN: 'enterprise', BUDGETS: amounts } })
  try {
    const owner = await makeOwner(meridian)
    const calendars = [await makeCalendar(meridian, owner), await makeCalendar(meridian, owner)]
    for (const { id, slug } of calendars) {
      await meridian.database.execute('delete from availability where calendar_id = $1', [id])
      for (let i = 0; i < 4; i += 1) {
        await joinWaitingListAndConfirm(meridian, slug, { email: `throwaway-${i}-${id}@example.com` })
      }
      await meridian.database.execute(
        `insert into availability (calendar_id, id, day_of_week, start_time, end_time)
         select $1, gen_random_uuid(), day, '09:00', '09:30' from generate_series(2, 6) as day`,
        [id],
      )
    }
    const looks = calendars.flatMap(({ id }) => [id, id, id])
    await Promise.all(looks.map((id) => scanWaitingList(meridian.deps, id)))
    const held = `select count(*) from holds join appointments on appointments.id = holds.appointment_id
      where reason = 'offer' and released_at is null`
    expect(await queryNumber(meridian.database, held)).toBe(BUDGETS.open_holds_client.max)
  } finally {
    await meridian.stop()
  }
})

testOnEachDatabaseSetup(({ where, start }) => {
  let meridian: TestMeridian
  let owner: TestOwner

  beforeAll(async () => {
    meridian = await start()
    owner = await makeOwner(meridian, { tier: 'business' })
    // Each round has its own calendar, and no plan on sale allows so many.
    await meridian.database.execute(`update subscriptions set tier = 'enterprise' where user_id = $1`, [
      owner.id,
    ])
  })
  afterAll(() => meridian.stop())

  test('of an offer and six bookings of one freed time at once, one gets it', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { calendar, startsAt } = await makeFullCalendar()
      await joinWaitingListAndConfirm(meridian, calendar.slug, { email: nextEmail() })
      await cancelFirst(calendar)
      const [, ...bookings] = await Promise.all([
        scanWaitingList(meridian.deps, calendar.id),
        ...Array.from({ length: 6 }, () => bookAppointment(meridian, calendar.slug, { starts_at: startsAt })),
      ])
      const booked = bookings.filter(({ statusCode }) => statusCode === 201).length
      const offered = (await listWaitingListEntries(meridian, owner, calendar)).entries[0]?.offers.length ?? 0
      expect(booked + offered).toBe(1)
      expect(await countTaking(calendar)).toBe(1)
    }
  })

  test('of five windows in which one offer is accepted, all read of the one booking', async () => {
    const { calendar, token } = await makeOffer()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => respondToOffer(meridian, token, 'acceptance')),
    )
    const ids = answers.map((accepted) => accepted.json().appointment?.id)
    expect(new Set(ids).size, answers.map(({ body }) => body).join()).toBe(1)
    expect(await countTaking(calendar)).toBe(1)
    const told = `select count(*) from appointment_messages where appointment_id = $1 and kind = 'booking_confirmation'`
    expect(await queryNumber(meridian.database, told, [ids[0]])).toBe(1)
  })

  test('of an offer that is accepted and declined at once, one answer counts', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { calendar, token } = await makeOffer()
      const answers = await Promise.all([
        respondToOffer(meridian, token, 'acceptance'),
        respondToOffer(meridian, token, 'refusal'),
      ])
      expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
      expect(await countTaking(calendar)).toBe(answers[0].statusCode === 200 ? 1 : 0)
    }
  })

  test('an offer that is accepted while its end comes is booked, or free, and never both', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { calendar, token } = await makeOffer()
      const { offer } = await getWaitingRequest(meridian, token)
      const endMs = Date.parse(offer?.expires_at ?? '')
      const offerId = token.split('.')[0] ?? ''
      const ending = { ...meridian.deps, now: () => endMs }
      meridian.clock.ms = endMs - 1
      const [accepted] = await Promise.all([
        respondToOffer(meridian, token, 'acceptance'),
        expireOffer(ending, { calendarId: calendar.id, offerId }),
      ])
      expect([200, 409]).toContain(accepted.statusCode)
      expect(await countTaking(calendar)).toBe(accepted.statusCode === 200 ? 1 : 0)
      meridian.clock.ms = TEST_MONDAY
    }
  })

  test('an offer whose end comes while it is accepted is booked, or goes to the next one, and never both', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { calendar, token } = await makeOffer()
      await joinWaitingListAndConfirm(meridian, calendar.slug, { email: nextEmail() })
      const { offer } = await getWaitingRequest(meridian, token)
      const endMs = Date.parse(offer?.expires_at ?? '')
      meridian.clock.ms = endMs - 1
      const [accepted] = await Promise.all([
        respondToOffer(meridian, token, 'acceptance'),
        scanWaitingList({ ...meridian.deps, now: () => endMs }, calendar.id),
      ])
      const isBooked = accepted.statusCode === 200
      if (!isBooked) expect(OVER).toContain(accepted.json().code)
      // Exactly one appointment blocks the time: the booking, or the hold for the next customer.
      expect(await countTaking(calendar)).toBe(1)
      const { entries } = await listWaitingListEntries(meridian, owner, calendar)
      expect(entries.filter(({ state }) => state === 'offered')).toHaveLength(isBooked ? 0 : 1)
      meridian.clock.ms = TEST_MONDAY
    }
  })

  test('of an offer that is accepted while the owner books its time by hand, one gets it', async () => {
    for (let round = 0; round < 4; round += 1) {
      // Within two hours of the start, an offer holds no time and goes to every matching customer.
      const { calendar, startsAt, token } = await makeOffer({ isHeld: round % 2 === 0 })
      const [accepted, byHand] = await Promise.all([
        respondToOffer(meridian, token, 'acceptance'),
        bookByHand(calendar, startsAt),
      ])
      const won = [accepted, byHand].filter(({ statusCode }) => statusCode < 300)
      expect(won, `${accepted.body} ${byHand.body}`).toHaveLength(1)
      expect(await countTaking(calendar)).toBe(1)
      if (accepted.statusCode === 200) expect(byHand.json().code).toBe('booking.slot_unavailable')
      else expect(accepted.json().code).toBe('waiting.time_taken')
      meridian.clock.ms = TEST_MONDAY
    }
  })

  test('of six who are told of one time and accept it at once, one gets it, and the others wait on', async () => {
    const { calendar, startsAt } = await makeFullCalendar()
    const emails = Array.from({ length: 6 }, nextEmail)
    for (const email of emails) await joinWaitingListAndConfirm(meridian, calendar.slug, { email })
    meridian.clock.ms = Date.parse(startsAt) - 2 * HOUR_MS
    await cancelFirst(calendar)
    await scanWaitingList(meridian.deps, calendar.id)
    const tokens: string[] = []
    for (const email of emails) tokens.push(tokenInWaitingListEmail(await waitForOffer(meridian, email)))
    const answers = await Promise.all(tokens.map((token) => respondToOffer(meridian, token, 'acceptance')))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    const losers = answers.filter(({ statusCode }) => statusCode !== 200)
    expect(losers.map((loser) => loser.json().code)).toEqual(Array(5).fill('waiting.time_taken'))
    expect(await countTaking(calendar)).toBe(1)
    const { entries } = await listWaitingListEntries(meridian, owner, calendar)
    expect(entries.map(({ state }) => state)).toEqual(Array(5).fill('waiting'))
    meridian.clock.ms = TEST_MONDAY
  })

  test('a time that is cancelled while others join and looks run is offered to the one who joined before', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { calendar, startsAt } = await makeFullCalendar()
      const first = nextEmail()
      await joinWaitingListAndConfirm(meridian, calendar.slug, { email: first })
      const id = await findBooked(calendar, startsAt)
      await Promise.all([
        scanWaitingList(meridian.deps, calendar.id),
        cancel(calendar, id),
        ...Array.from({ length: 3 }, () => joinWaitingList(meridian, calendar.slug, { email: nextEmail() })),
        scanWaitingList(meridian.deps, calendar.id),
      ])
      await scanWaitingList(meridian.deps, calendar.id)
      const { entries } = await listWaitingListEntries(meridian, owner, calendar)
      const offers = entries.filter(({ customer_email }) => customer_email === first)[0]?.offers
      expect(offers?.map(({ starts_at }) => Date.parse(starts_at))).toEqual([Date.parse(startsAt)])
      expect(await countTaking(calendar)).toBe(1)
    }
  })

  test('a time that is booked and cancelled again and again while looks run is held for one customer at most', async () => {
    const { calendar, startsAt } = await makeFullCalendar()
    await Promise.all(
      Array.from({ length: 4 }, () =>
        joinWaitingListAndConfirm(meridian, calendar.slug, { email: nextEmail() }),
      ),
    )
    await cancel(calendar, await findBooked(calendar, startsAt))
    const rush = async () => {
      const booked = await bookAppointment(meridian, calendar.slug, { starts_at: startsAt })
      if (booked.statusCode === 201) await cancel(calendar, booked.json().id)
      await scanWaitingList(meridian.deps, calendar.id)
    }
    await Promise.all(Array.from({ length: 4 }, rush))
    await scanWaitingList(meridian.deps, calendar.id)
    expect(await countTaking(calendar)).toBe(1)
  })

  test('a week that opens for 5,000 who wait is offered in bounded time, one time to one person', {
    tags: ['slow'],
  }, async () => {
    const { calendar } = await makeFullCalendar()
    await meridian.database.execute(
      `insert into waiting_entries (calendar_id, id, state, added_by, customer_name, customer_email, time_zone, from_date,
         to_date, weekdays, day_parts, created_at, joined_at, valid_until, look_no)
       select $1, gen_random_uuid(), 'waiting', 'customer', 'Person ' || i, 'person-' || i || '@example.com',
         'Europe/London', '2027-01-04', '2027-01-17', '{0,1,2,3,4,5,6}', '{morning,afternoon}', $2,
         $2::timestamptz + i * interval '1 second', '2027-01-18', 0
       from generate_series(1, 5000) as i`,
      [calendar.id, new Date(TEST_MONDAY - 24 * HOUR_MS)],
    )
    await meridian.database.execute(
      `insert into availability (calendar_id, id, day_of_week, start_time, end_time)
       select $1, gen_random_uuid(), day, '09:00', '17:00' from generate_series(3, 5) as day`,
      [calendar.id],
    )
    const before = process.memoryUsage().heapUsed
    const beganMs = performance.now()
    await scanWaitingList(meridian.deps, calendar.id)
    const tookMs = performance.now() - beganMs
    printDuration(`a look through 5,000 on ${where}`, tookMs)
    expect((process.memoryUsage().heapUsed - before) / 2 ** 20, 'MB').toBeLessThan(200)
    // Three days of 16 half hours, in each of two weeks.
    const offers = `select count(distinct starts_at) from waiting_offers where calendar_id = $1`
    expect(await queryNumber(meridian.database, offers, [calendar.id])).toBe(96)
    const first = `select count(*) from (
        select state from waiting_entries where calendar_id = $1 order by joined_at limit 96
      ) as first where state = 'offered'`
    expect(await queryNumber(meridian.database, first, [calendar.id])).toBe(96)
    expect(tookMs).toBeLessThan(30_000)
    await waitUntilEmailsSent(meridian.database)
  })

  let people = 0
  function nextEmail(): string {
    people += 1
    return `person-${people}-${process.pid}@example.org`
  }

  /** Makes a calendar with one open time, Tuesday at 09:00 in London, which is booked. */
  async function makeFullCalendar(): Promise<{ calendar: Calendar; startsAt: string }> {
    const calendar = await makeCalendar(meridian, owner)
    await meridian.database.execute('delete from availability where calendar_id = $1', [calendar.id])
    await meridian.database.execute(
      `insert into availability (calendar_id, id, day_of_week, start_time, end_time)
       values ($1, gen_random_uuid(), 2, '09:00', '09:30')`,
      [calendar.id],
    )
    const startsAt = '2027-01-05T09:00:00Z'
    for (const day of ['05', '12', '19']) {
      const booked = await bookAppointment(meridian, calendar.slug, { starts_at: `2027-01-${day}T09:00:00Z` })
      expect(booked.statusCode, booked.body).toBe(201)
    }
    return { calendar, startsAt }
  }

  /** Offers a calendar's only time to one customer. Without a hold, the offer is made two hours before the time starts. */
  async function makeOffer({ isHeld = true } = {}) {
    const { calendar, startsAt } = await makeFullCalendar()
    const email = nextEmail()
    await joinWaitingListAndConfirm(meridian, calendar.slug, { email })
    if (!isHeld) meridian.clock.ms = Date.parse(startsAt) - 2 * HOUR_MS
    await cancelFirst(calendar)
    await scanWaitingList(meridian.deps, calendar.id)
    return { calendar, startsAt, token: tokenInWaitingListEmail(await waitForOffer(meridian, email)) }
  }

  async function cancelFirst({ id }: Calendar): Promise<void> {
    await meridian.database.execute(
      `update appointments set status = 'cancelled' where calendar_id = $1 and starts_at = '2027-01-05T09:00:00Z'`,
      [id],
    )
  }

  async function findBooked({ id }: Calendar, startsAt: string): Promise<string> {
    const { rows } = await meridian.database.execute(
      `select id from appointments where calendar_id = $1 and starts_at = $2 and status = 'confirmed'`,
      [id, startsAt],
    )
    return String(rows[0]?.id)
  }

  async function cancel({ id }: Calendar, appointmentId: string): Promise<void> {
    const cancelled = await owner.post(`/api/calendars/${id}/appointments/${appointmentId}/actions`, {
      action: 'cancel',
      was: { status: 'confirmed', payment_status: 'not_required' },
    })
    expect(cancelled.statusCode, cancelled.body).toBe(200)
  }

  function bookByHand({ id }: Calendar, starts_at: string) {
    return owner.post(`/api/calendars/${id}/appointments`, {
      starts_at,
      customer: { name: 'Walk In' },
      notify_customer: false,
      outside_hours: true,
    })
  }

  function countTaking({ id }: Calendar): Promise<number> {
    const text = `select count(*) from appointments where calendar_id = $1 and starts_at = '2027-01-05T09:00:00Z'
      and status <> 'cancelled' and released_at is null`
    return queryNumber(meridian.database, text, [id])
  }
})
