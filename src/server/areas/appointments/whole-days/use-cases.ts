import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type {
  BulkChangePreview,
  BulkChangeResponse,
  bulkChangeBody,
} from '#contract/appointments/whole-days.ts'
import { BULK_CHANGE_LIMITS } from '#contract/appointments/whole-days-limits.ts'
import { findMoveOfferObstacle } from '#core/appointments/offer-obstacle.ts'
import { toDayNumber } from '#core/shared/calendar-date.ts'
import { localDateOf, toWholeDaysInterval } from '#core/shared/zoned-time.ts'
import type { BookingsDeps } from '#server/areas/appointments/bookings/deps.ts'
import { closeDays } from '#server/areas/availability/special-days/use-cases.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Budgets } from '#server/platform/budgets/budgets.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { getOwnCalendar, lockOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { announceFreedTimes } from '#server/records/freed-times/use-cases.ts'
import { MANY_CHANGE_JOB } from './job-definitions.ts'
import {
  type AffectedAppointment,
  findChangeOfOwner,
  insertChange,
  listAffectedAppointments,
  listChangeItems,
} from './repository.ts'
import { toPolicyRefundCents } from './to-policy-refund-cents.ts'

type Range = {
  readonly from: string
  readonly to: string
  readonly session_id?: string | undefined
}

/**
 * Previews a change of these days: the affected appointments, the customers without an email address, and the refunds
 * that the policies grant. Source: rule A21.
 * @throws ProblemError `calendar.*`, `many_change.range`, `many_change.too_many`
 */
export async function getManyChangeEffect(
  deps: BookingsDeps,
  ownerId: OwnerId,
  calendarId: string,
  range: Range,
): Promise<BulkChangePreview> {
  const { timezone, hour_cycle } = await getOwnCalendar(deps, ownerId, calendarId)
  const nowMs = deps.now()
  const concerned = await list(deps.db, { calendarId, timeZone: timezone, range, nowMs })
  return {
    digest: toEffectDigest(concerned, nowMs),
    appointments: concerned.map((one) => {
      const { paidCents } = one
      const refundCents = toPolicyRefundCents(one, nowMs)
      return {
        id: one.id,
        starts_at: one.starts_at.toISOString(),
        ends_at: one.ends_at.toISOString(),
        time_zone: one.time_zone,
        hour_cycle,
        customer_name: one.customer_name,
        email: one.email,
        phone: one.phone,
        paid: paidCents === null ? null : paidCents / 100,
        refund_by_policy: refundCents === null ? null : refundCents / 100,
        currency: one.currency,
        no_offer_reason: findMoveOfferObstacle(one.status),
      }
    }),
  }
}

/**
 * Starts a change of all appointments on some days, on one or several calendars. In one transaction it stores the
 * affected appointments, queues the jobs, and closes the days if the owner requested that. Idempotent by the change's
 * id. Refuses the change when the appointments are no longer those that the owner saw in the preview. Source: rules
 * A21, A22 and A24.
 * @throws ProblemError `calendar.*`, `many_change.*`, `special_days.too_many`
 */
export async function createManyChange(
  deps: BookingsDeps & { readonly budgets: Pick<Budgets, 'spend'> },
  ownerId: OwnerId,
  calendarId: string,
  body: z.output<typeof bulkChangeBody>,
): Promise<BulkChangeResponse> {
  const { id: changeId, message, refund, from, to, session_id } = body
  const ofDays = session_id === undefined ? body : CANCELLED_SESSION
  const { kind, others, close_days: isClosing } = ofDays
  const forWaitingList = ofDays.for_waiting_list && !isClosing
  const calendars = await toCalendars(deps, ownerId, [
    { calendar_id: calendarId, digest: body.digest },
    ...others,
  ])
  await inTransaction(deps.db, async (trx) => {
    for (const calendar of calendars) await lockOwnCalendar(trx, ownerId, calendar.calendarId)
    if ((await findChangeOfOwner(trx, ownerId, changeId)) !== null) return
    const nowMs = deps.now()
    const concerned = new Map<string, AffectedAppointment[]>()
    for (const calendar of calendars) {
      concerned.set(
        calendar.calendarId,
        await list(trx, { ...calendar, range: { from, to, session_id }, nowMs }),
      )
    }
    refuseOtherThanSeen(calendars, concerned, nowMs)
    const spent = await deps.budgets.spend([{ budget: 'many_changes', subject: ownerId }], trx)
    if (spent !== null) throw new ProblemError('many_change.too_often', [], spent.waitSeconds)
    const change = { kind, message, refund, from, to, forWaitingList, createdAt: new Date(nowMs) }
    for (const [id, appointments] of concerned) {
      await insertChange(trx, { calendarId: id, changeId }, change, appointments)
      await deps.jobs.insert(trx, MANY_CHANGE_JOB, [{ calendarId: id, changeId }])
    }
    if (isClosing) await closeOnAll(trx, calendars, { from, to }, nowMs)
    // Withdraws the offers that the waiting list has made on these days. Source: rule A24.
    if (!forWaitingList) await announceFreedTimes(deps, trx, [...concerned.keys()])
  })
  return getManyChange(deps, ownerId, { calendarId, changeId })
}

/** A cancelled session is no absence: its days stay open, and other sessions on them are not cancelled. Source: rule B60. */
const CANCELLED_SESSION = {
  kind: 'cancel',
  others: [],
  close_days: false,
  for_waiting_list: true,
} as const

type ChosenCalendar = {
  readonly calendarId: string
  readonly timeZone: string
  /** The hash of the preview that the owner saw. */
  readonly digest: string
}

/**
 * Returns each of the calendars once, sorted by id, so that two requests lock them in the same order and cannot
 * deadlock.
 * @throws ProblemError `calendar.*`
 */
async function toCalendars(
  deps: Pick<BookingsDeps, 'db' | 'baseUrl'>,
  ownerId: OwnerId,
  chosen: readonly { readonly calendar_id: string; readonly digest: string }[],
): Promise<ChosenCalendar[]> {
  const digestOf = new Map(chosen.map(({ calendar_id, digest }) => [calendar_id, digest]))
  const calendars: ChosenCalendar[] = []
  for (const [calendarId, digest] of [...digestOf].sort()) {
    const { timezone: timeZone } = await getOwnCalendar(deps, ownerId, calendarId)
    calendars.push({ calendarId, timeZone, digest })
  }
  return calendars
}

/**
 * Closes the days on all calendars.
 * @throws ProblemError `special_days.too_many` when one of the calendars has no room for further special days
 */
async function closeOnAll(
  trx: Trx,
  calendars: readonly ChosenCalendar[],
  { from: first, to: last }: Range,
  nowMs: number,
): Promise<void> {
  for (const { calendarId, timeZone } of calendars) {
    await closeDays(trx, calendarId, { first, last, today: localDateOf(nowMs, timeZone) })
  }
}

/**
 * Refuses a change whose appointments differ from the previewed ones.
 * @throws ProblemError `many_change.none`, `many_change.changed_meanwhile`, `many_change.too_many`
 */
function refuseOtherThanSeen(
  calendars: readonly ChosenCalendar[],
  concerned: ReadonlyMap<string, readonly AffectedAppointment[]>,
  nowMs: number,
): void {
  const found = [...concerned.values()].flat().length
  if (found === 0) throw new ProblemError('many_change.none')
  if (found > BULK_CHANGE_LIMITS.appointments) throw new ProblemError('many_change.too_many')
  const isAsSeen = ({ calendarId, digest }: ChosenCalendar) =>
    digest === toEffectDigest(concerned.get(calendarId) ?? [], nowMs)
  if (!calendars.every(isAsSeen)) throw new ProblemError('many_change.changed_meanwhile')
}

/**
 * Returns the progress of a change on all its calendars together.
 * @throws ProblemError `calendar.*`, `many_change.not_found`
 */
export async function getManyChange(
  deps: Pick<BookingsDeps, 'db' | 'baseUrl'>,
  ownerId: OwnerId,
  { calendarId, changeId }: { readonly calendarId: string; readonly changeId: string },
): Promise<BulkChangeResponse> {
  await getOwnCalendar(deps, ownerId, calendarId)
  const change = await findChangeOfOwner(deps.db, ownerId, changeId)
  if (change === null) throw new ProblemError('many_change.not_found')
  const items = await listChangeItems(deps.db, ownerId, changeId)
  const done = items.filter(({ state }) => state === 'done')
  return {
    id: changeId,
    kind: change.kind,
    total: items.length,
    done: done.length,
    moved: change.kind === 'offer' ? done.filter(({ is_moved }) => is_moved).length : 0,
    finished_at: change.finishedAt?.toISOString() ?? null,
    skipped: items.flatMap(({ appointment_id, customer_name, reason }) =>
      reason === null ? [] : [{ appointment_id, customer_name, reason }],
    ),
  }
}

/**
 * Lists the active appointments of the days that have not begun yet.
 * @throws ProblemError `many_change.range`, `many_change.too_many`
 */
async function list(
  db: Db,
  stretch: {
    readonly calendarId: string
    readonly timeZone: string
    readonly range: Range
    readonly nowMs: number
  },
): Promise<AffectedAppointment[]> {
  const { calendarId, timeZone, range, nowMs } = stretch
  const days = toDayNumber(range.to) - toDayNumber(range.from) + 1
  if (days < 1 || days > BULK_CHANGE_LIMITS.days) throw new ProblemError('many_change.range')
  const { startMs, endMs } = toWholeDaysInterval(range.from, range.to, timeZone)
  const from = new Date(Math.max(startMs, nowMs + 1))
  const until = new Date(endMs)
  const concerned = await listAffectedAppointments(
    db,
    { calendarId, from, until, sessionId: range.session_id },
    BULK_CHANGE_LIMITS.appointments + 1,
  )
  if (concerned.length > BULK_CHANGE_LIMITS.appointments) throw new ProblemError('many_change.too_many')
  return concerned
}

/**
 * Returns a hash of the preview that an owner sees before a change of whole days: the appointments, their times and the
 * refund of each. A count is not enough, because one customer may cancel while another one books. Source: rule A21.
 */
function toEffectDigest(appointments: readonly AffectedAppointment[], nowMs: number): string {
  const seen = appointments.map((one) => [
    one.id,
    one.starts_at.getTime(),
    one.sequence,
    one.status,
    one.paidCents,
    toPolicyRefundCents(one, nowMs),
  ])
  return createHash('sha256').update(JSON.stringify(seen)).digest('base64url')
}
