import { expect } from 'vitest'
import { listPayments, type PracticeUnderTest } from './changing-practice.ts'
import { expectErased } from './forgotten.ts'
import { queryNumber, queryRows } from './race-track.ts'

/** Start time, status and sequence number of each appointment before a change. */
export type AppointmentStates = Map<string, { startsAtMs: number; isCancelled: boolean; sequence: number }>

/** Expects what must be true after every change, whatever the change was. */
export async function expectPracticeInvariants(
  practice: PracticeUnderTest,
  before: AppointmentStates,
): Promise<void> {
  await expectNoOverlap(practice)
  await expectRisingSequence(practice, before)
  await expectOneMessage(practice)
  await expectMoney(practice)
  await expectOffers(practice)
  expectSilence(practice)
}

/** Expects what must be true at the end, after the workers have finished all outstanding work. */
export async function expectAllWorkFinished(practice: PracticeUnderTest): Promise<void> {
  for (const row of await listPayments(practice)) {
    expect(row.status, 'money that is owed').not.toBe('refund_pending')
    if (row.status === 'completed')
      expect(row.refunded_cents, 'a part that is owed').toBeGreaterThanOrEqual(row.return_cents ?? 0)
  }
  const { meridian, calendar, erased } = practice
  if (erased.size === 0) return
  const names = [...erased.keys()].map((email) => email.replace('@example.com', ''))
  await expectErased(meridian.database, calendar.id, names)
}

async function expectNoOverlap({ meridian, calendar }: PracticeUnderTest): Promise<void> {
  const overlaps = `select count(*) from appointments a join appointments b on a.calendar_id = b.calendar_id and a.id < b.id
    where a.calendar_id = $1 and a.status <> 'cancelled' and b.status <> 'cancelled'
      and a.released_at is null and b.released_at is null and a.blocked && b.blocked`
  expect(await queryNumber(meridian.database, overlaps, [calendar.id]), 'overlaps').toBe(0)
}

/**
 * Expects that an appointment's sequence number never falls, and that it rises on each change that calendar programs must
 * receive. Source: rule A6.
 */
async function expectRisingSequence(
  { meridian, calendar }: PracticeUnderTest,
  before: AppointmentStates,
): Promise<void> {
  const rows = await queryRows(
    meridian.database,
    'select id, starts_at, status, sequence from appointments where calendar_id = $1',
    [calendar.id],
  )
  for (const { id, starts_at, status, sequence } of rows) {
    const now = {
      // The column is a timestamp.
      startsAtMs: (starts_at as Date).getTime(),
      isCancelled: status === 'cancelled',
      sequence: Number(sequence),
    }
    const was = before.get(String(id))
    if (was !== undefined) {
      const hasChanged = was.startsAtMs !== now.startsAtMs || was.isCancelled !== now.isCancelled
      expect(now.sequence, 'SEQUENCE').toBeGreaterThanOrEqual(was.sequence + (hasChanged ? 1 : 0))
    }
    before.set(String(id), now)
  }
}

/** Expects that the queued messages tell each person about each revision of an appointment at most once. */
async function expectOneMessage({ meridian, calendar }: PracticeUnderTest): Promise<void> {
  const live = `from appointment_messages m
    join appointments a on a.calendar_id = m.calendar_id and a.id = m.appointment_id
    where m.calendar_id = $1 and m.state = 'queued' and m.sequence = a.sequence`
  const doubled = `select count(*) from (select ${live}
    group by m.appointment_id, m.recipient, m.kind having count(*) > 1) as twice`
  expect(await queryNumber(meridian.database, doubled, [calendar.id]), 'messages said twice').toBe(0)
  const ofOneMove = `select count(*) from (select ${live} and m.undo is not null
    group by m.appointment_id, m.recipient having count(*) > 1) as twice`
  expect(await queryNumber(meridian.database, ofOneMove, [calendar.id]), 'moves told twice').toBe(0)
}

/**
 * Expects that the ledger matches the money that the providers moved, per payment and in total, and that no refund exceeds its
 * payment.
 */
async function expectMoney(practice: PracticeUnderTest): Promise<void> {
  const sums = { received: 0, taken: 0, returned: 0, moved: 0 }
  for (const row of await listPayments(practice)) {
    const { payment, amount_cents, refunded_cents, by_hand_cents, status } = row
    if (payment?.status !== 'paid') {
      expect(['pending', 'capturing', 'failed'], 'a payment that nobody made').toContain(status)
      expect(refunded_cents).toBe(0)
      continue
    }
    expect(['completed', 'refund_pending', 'refunded'], 'a payment that was made').toContain(status)
    expect(refunded_cents - by_hand_cents, 'returned through the provider').toBe(payment.refundedCents)
    expect(refunded_cents, 'never more than was paid').toBeLessThanOrEqual(payment.amountCents)
    expect(status === 'refunded', 'all of it').toBe(refunded_cents === amount_cents)
    sums.received += amount_cents
    sums.taken += payment.amountCents
    sums.returned += refunded_cents - by_hand_cents
    sums.moved += payment.refundedCents
  }
  expect([sums.received, sums.returned]).toEqual([sums.taken, sums.moved])

  const { meridian, calendar } = practice
  // An appointment is `paid` exactly while the owner still has some money of one payment for it.
  const unlike = `select count(*) from (
    select a.payment_status, count(t.id) as received from appointments a
    left join payment_transactions t on t.calendar_id = a.calendar_id and t.appointment_id = a.id
      and t.status in ('completed', 'manual')
    where a.calendar_id = $1 group by a.id, a.payment_status
  ) as counted where received <> case when payment_status = 'paid' then 1 else 0 end`
  expect(await queryNumber(meridian.database, unlike, [calendar.id]), 'paid without a payment').toBe(0)
}

/** Expects that an exclusive offer reserves its time until the offer ends. Source: rules Z2 and Z6. */
async function expectOffers({ meridian, calendar }: PracticeUnderTest): Promise<void> {
  const { database, clock } = meridian
  const lost = `select count(*) from waiting_offers o left join appointments a
      on a.calendar_id = o.calendar_id and a.id = o.held_appointment_id and a.starts_at = o.starts_at
        and a.status = 'pending_payment' and a.released_at is null
    where o.calendar_id = $1 and o.state = 'open' and o.expires_at > $2 and o.held_appointment_id is not null
      and a.id is null`
  expect(await queryNumber(database, lost, [calendar.id, new Date(clock.ms)]), 'offers without a time').toBe(
    0,
  )
  const unlike = `select count(*) from waiting_entries e where e.calendar_id = $1 and (e.state = 'offered') <> exists (
    select from waiting_offers o where o.calendar_id = e.calendar_id and o.entry_id = e.id and o.state = 'open')`
  expect(await queryNumber(database, unlike, [calendar.id]), 'offered without an offer').toBe(0)
  const kept = `select count(*) from waiting_offers o join appointments a
      on a.calendar_id = o.calendar_id and a.id = o.held_appointment_id
    where o.calendar_id = $1 and o.state <> 'open' and a.released_at is null`
  expect(await queryNumber(database, kept, [calendar.id]), 'times of offers that are over').toBe(0)
}

/** Expects that no erased person received an email after the erasure. */
function expectSilence({ erased, mailed }: PracticeUnderTest): void {
  for (const [email, mailedBefore] of erased) expect(mailed.slice(mailedBefore)).not.toContain(email)
}
