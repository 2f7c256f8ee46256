import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, test } from 'vitest'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { releaseExpiredHolds } from '#server/areas/payments/checkouts/end-checkouts.ts'
import { scanWaitingList } from '#server/areas/waiting-list/scan-waiting-list.ts'
import {
  makeFakeProviders,
  makePaidCalendar,
  type PaidCalendar,
  readAppointmentAndPayment,
  settlePayment,
} from '#tests/support/checkouts.ts'
import {
  makeOwner,
  startMeridian,
  TEST_MONDAY,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { testOnEachDatabaseSetup } from '#tests/support/on-each-track.ts'
import {
  type DatabaseSetup,
  queryNumber,
  startOnPostgresServer,
  waitUntil,
  waitUntilEmailsSent,
} from '#tests/support/race-track.ts'
import {
  getWaitingRequest,
  joinFullyBookedCalendar,
  joinWaitingListAndConfirm,
  respondToOffer,
  tokenInWaitingListEmail,
  waitForOffer,
} from '#tests/support/waiting.ts'

const TWO = '2027-01-04T14:00:00Z'
const ROUNDS = 4

const providers = makeFakeProviders()

const SERVER_AND_EMBEDDED: readonly DatabaseSetup[] = [
  { where: 'a server', start: () => startOnPostgresServer({ providers }) },
  { where: 'the embedded database', start: () => startMeridian({ providers }) },
]

testOnEachDatabaseSetup(({ start }) => {
  let meridian: TestMeridian
  let owner: TestOwner

  beforeAll(async () => {
    meridian = await start()
    owner = await makeOwner(meridian)
  })
  afterAll(() => meridian.stop())

  test('a payment that comes while the hold of an accepted offer ends has the time or goes back, and the list follows', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { token, calendar, ...begun } = await acceptToPay()
      meridian.clock.ms += 6 * MINUTE_MS
      await Promise.all([
        releaseExpiredHolds(meridian.deps),
        payAndSettle(begun),
        scanWaitingList(meridian.deps, calendar.id),
      ])
      await expectAgreement(calendar, token, begun.id)
    }
  })

  test('a payment that comes while the list is told of the end of the hold has the time or goes back, and the list follows', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { token, calendar, ...begun } = await acceptToPay()
      meridian.clock.ms += 6 * MINUTE_MS
      await releaseExpiredHolds(meridian.deps)
      await Promise.all([
        payAndSettle(begun),
        scanWaitingList(meridian.deps, calendar.id),
        scanWaitingList(meridian.deps, calendar.id),
      ])
      await expectAgreement(calendar, token, begun.id)
    }
  })

  /**
   * A customer has accepted the calendar's only time and still has to pay for it, while another customer waits for the same time.
   */
  async function acceptToPay() {
    await waitUntilEmailsSent(meridian.database)
    meridian.clock.ms = TEST_MONDAY
    const calendar = await makePaidCalendar(meridian, owner)
    await meridian.database.execute('delete from availability where calendar_id = $1', [calendar.id])
    await meridian.database.execute(
      `insert into availability (calendar_id, id, day_of_week, start_time, end_time)
       values ($1, gen_random_uuid(), 1, '14:00', '14:30')`,
      [calendar.id],
    )
    const wish = { appointment_type_id: calendar.typeId, to_date: '2027-01-04' }
    const email = `ada-${randomUUID()}@example.com`
    await joinFullyBookedCalendar(meridian, calendar.slug, { ...wish, email })
    const token = tokenInWaitingListEmail(await waitForOffer(meridian, email))
    await joinWaitingListAndConfirm(meridian, calendar.slug, {
      ...wish,
      email: `bob-${randomUUID()}@example.com`,
    })
    const accepted = await respondToOffer(meridian, token, 'acceptance', { provider: 'stripe' })
    const { url } = accepted.json<{ url: string }>()
    const { offer } = await getWaitingRequest(meridian, token)
    return {
      calendar,
      token,
      id: offer?.appointment_id ?? '',
      checkoutId: url.slice(url.lastIndexOf('/') + 1),
    }
  }

  async function payAndSettle({ id, checkoutId }: { id: string; checkoutId: string }): Promise<void> {
    providers.stripe.pay(checkoutId)
    await settlePayment(meridian, id)
  }

  /**
   * Expects that the customer who paid has the booking and left the list, or that the payment is refunded and the customer waits
   * again. Exactly one appointment blocks the time.
   */
  async function expectAgreement(calendar: PaidCalendar, token: string, id: string): Promise<void> {
    await waitUntil(async () => {
      const { state } = await getWaitingRequest(meridian, token)
      const [status, , payment = ''] = (await readAppointmentAndPayment(meridian, id)).state
      const agrees =
        status === 'confirmed' ? state === 'accepted' : state === 'waiting' && payment.startsWith('refund')
      return agrees || JSON.stringify({ state, status, payment })
    })
    const taking = `select count(*) from appointments where calendar_id = $1 and starts_at = $2
      and status <> 'cancelled' and released_at is null`
    await waitUntil(async () => (await queryNumber(meridian.database, taking, [calendar.id, TWO])) === 1)
  }
}, SERVER_AND_EMBEDDED)
