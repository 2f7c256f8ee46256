import { sql } from 'kysely'
import { z } from 'zod'
import type { BulkChangeKind } from '#contract/appointments/whole-days-limits.ts'
import type { Policy } from '#core/appointments/policy.ts'
import type { RefundShareLimits } from '#core/appointments/refund-shares.ts'
import type { Interval } from '#core/shared/interval.ts'
import { toWholeDaysInterval } from '#core/shared/zoned-time.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { AppointmentStatus } from '#server/platform/db/schema.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

type Stretch = {
  readonly calendarId: string
  readonly from: Date
  readonly until: Date
  /** Only the appointments of this session; undefined for all. */
  readonly sessionId: string | undefined
}

/** An appointment that a change of whole days affects. */
export type AffectedAppointment = {
  readonly id: string
  readonly starts_at: Date
  readonly ends_at: Date
  readonly time_zone: string
  readonly customer_name: string
  readonly email: string | null
  readonly phone: string | null
  /** The amount paid, in minor units; null when nothing was paid. */
  readonly paidCents: number | null
  readonly currency: string
  readonly policy: Policy | null
  readonly refundShares: RefundShareLimits
  readonly status: AppointmentStatus
  readonly sequence: number
  /** When the customer requested cancellation; null when they did not. */
  readonly cancellation_asked_at: Date | null
}

/**
 * Lists the active appointments that begin in the period, earliest first, at most `limit`. Leaves out unpaid holds, which
 * expire without any action.
 */
export async function listAffectedAppointments(
  db: Db,
  { calendarId, from, until, sessionId }: Stretch,
  limit: number,
): Promise<AffectedAppointment[]> {
  const rows = await db
    .selectFrom('appointments')
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.calendar_id', '=', 'appointments.calendar_id')
        .onRef('customers.id', '=', 'appointments.customer_id'),
    )
    .select([
      'appointments.id',
      'starts_at',
      'ends_at',
      'time_zone',
      'appointments.customer_name',
      'appointments.customer_phone',
      'customers.email',
      'status',
      'sequence',
      'payment_status',
      'price_cents',
      'currency',
      'appointments.policy',
      'most_refund_share',
      'least_refund_share',
      'cancellation_asked_at',
    ])
    .where('appointments.calendar_id', '=', calendarId)
    .where('starts_at', '>=', from)
    .where('starts_at', '<', until)
    .where('released_at', 'is', null)
    .$if(sessionId !== undefined, (all) => all.where('session_id', '=', sessionId ?? null))
    .where(({ or, eb, and }) =>
      or([
        eb('status', 'in', ['confirmed', 'pending_cancellation']),
        and([eb('status', '=', 'pending_payment'), eb('payment_status', '=', 'paid')]),
      ]),
    )
    .orderBy('starts_at')
    .orderBy('appointments.id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    ...row,
    phone: row.customer_phone,
    paidCents: row.payment_status === 'paid' ? row.price_cents : null,
    refundShares: { most: row.most_refund_share, least: row.least_refund_share },
  }))
}

type ChangeKey = { readonly calendarId: string; readonly changeId: string }

type NewChange = {
  readonly kind: BulkChangeKind
  readonly from: string
  readonly to: string
  readonly message: string
  readonly refund: 'all' | 'policy'
  readonly forWaitingList: boolean
  readonly createdAt: Date
}

/**
 * Inserts a change, with an item for each appointment. The list of appointments may be empty: rule A24 needs only the
 * days of the change.
 */
export async function insertChange(
  trx: Trx,
  { calendarId, changeId }: ChangeKey,
  change: NewChange,
  appointments: readonly Pick<AffectedAppointment, 'id' | 'starts_at'>[],
): Promise<void> {
  await trx
    .insertInto('many_changes')
    .values({
      calendar_id: calendarId,
      id: changeId,
      kind: change.kind,
      first_date: change.from,
      last_date: change.to,
      message: change.message,
      refund: change.refund,
      created_at: change.createdAt,
      for_waiting_list: change.forWaitingList,
    })
    .execute()
  if (appointments.length === 0) return
  await trx
    .insertInto('many_change_items')
    .values(
      appointments.map(({ id, starts_at }) => ({
        calendar_id: calendarId,
        change_id: changeId,
        appointment_id: id,
        starts_at,
      })),
    )
    .execute()
}

/**
 * Lists the periods, ending on or after `from`, in which the calendar's owner is away and whose times are not offered to the
 * waiting list. First and last days are included. Source: rule A24.
 */
export async function listAbsenceDays(
  db: Db,
  calendarId: string,
  from: string,
): Promise<{ readonly first: string; readonly last: string; readonly since: Date }[]> {
  return db
    .selectFrom('many_changes')
    .select([
      sql<string>`to_char(first_date, 'YYYY-MM-DD')`.as('first'),
      sql<string>`to_char(last_date, 'YYYY-MM-DD')`.as('last'),
      'created_at as since',
    ])
    .where('calendar_id', '=', calendarId)
    .where('last_date', '>=', from)
    .where('for_waiting_list', '=', false)
    .execute()
}

export type StoredChange = {
  readonly kind: BulkChangeKind
  readonly message: string
  readonly refund: 'all' | 'policy'
  /** The last day, as `yyyy-MM-dd`. */
  readonly to: string
  /** When the owner requested the change. */
  readonly created_at: Date
}

export async function findChange(db: Db, { calendarId, changeId }: ChangeKey): Promise<StoredChange | null> {
  const row = await db
    .selectFrom('many_changes')
    .select([
      'kind',
      'message',
      'refund',
      sql<string>`to_char(last_date, 'YYYY-MM-DD')`.as('to'),
      'created_at',
    ])
    .where('calendar_id', '=', calendarId)
    .where('id', '=', changeId)
    .executeTakeFirst()
  return row ?? null
}

/** A change that an owner requested; it has one row for each calendar, all with the same id. */
type OwnersChange = { readonly kind: BulkChangeKind; readonly finishedAt: Date | null }

/**
 * Finds a change by its id; null when the owner has none. A change is finished once it is finished on each of its
 * calendars.
 */
export async function findChangeOfOwner(
  db: Db,
  ownerId: OwnerId,
  changeId: string,
): Promise<OwnersChange | null> {
  const rows = await db
    .selectFrom('calendars')
    .innerJoin('many_changes', 'many_changes.calendar_id', 'calendars.id')
    .select(['kind', 'finished_at'])
    .where('calendars.user_id', '=', ownerId)
    .where('many_changes.id', '=', changeId)
    .orderBy('finished_at', (order) => order.desc().nullsFirst())
    .execute()
  const [last] = rows
  return last === undefined ? null : { kind: last.kind, finishedAt: last.finished_at }
}

export type ChangeItemKey = ChangeKey & { readonly appointmentId: string }

/** Finds the next unprocessed appointment of a change; null when none remain. */
export async function findNextAppointmentId(
  db: Db,
  { calendarId, changeId }: ChangeKey,
): Promise<string | null> {
  const row = await db
    .selectFrom('many_change_items')
    .select('appointment_id')
    .where('calendar_id', '=', calendarId)
    .where('change_id', '=', changeId)
    .where('state', '=', 'waiting')
    .orderBy('starts_at')
    .orderBy('appointment_id')
    .limit(1)
    .executeTakeFirst()
  return row?.appointment_id ?? null
}

/**
 * Locks an unprocessed item, and returns the appointment's start at the time of the owner's decision. Returns null when
 * another worker has processed the item.
 */
export async function lockUnprocessedItem(
  trx: Trx,
  { calendarId, changeId, appointmentId }: ChangeItemKey,
): Promise<{ readonly startsAt: Date } | null> {
  const row = await trx
    .selectFrom('many_change_items')
    .select('starts_at')
    .where('calendar_id', '=', calendarId)
    .where('change_id', '=', changeId)
    .where('appointment_id', '=', appointmentId)
    .where('state', '=', 'waiting')
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? null : { startsAt: row.starts_at }
}

export async function markItemProcessed(
  trx: Trx,
  { calendarId, changeId, appointmentId }: ChangeItemKey,
  outcome:
    | { readonly state: 'done'; readonly offered?: readonly string[] }
    | { readonly state: 'skipped'; readonly reason: string },
): Promise<void> {
  await trx
    .updateTable('many_change_items')
    .set(
      outcome.state === 'skipped'
        ? outcome
        : {
            state: 'done',
            offered: outcome.offered === undefined ? null : JSON.stringify(outcome.offered),
          },
    )
    .where('calendar_id', '=', calendarId)
    .where('change_id', '=', changeId)
    .where('appointment_id', '=', appointmentId)
    .execute()
}

export async function finishChange(db: Db, { calendarId, changeId }: ChangeKey, at: Date): Promise<void> {
  await db
    .updateTable('many_changes')
    .set({ finished_at: at })
    .where('calendar_id', '=', calendarId)
    .where('id', '=', changeId)
    .where('finished_at', 'is', null)
    .execute()
}

type ChangeItem = {
  readonly appointment_id: string
  readonly customer_name: string
  readonly state: 'waiting' | 'done' | 'skipped'
  readonly reason: string | null
  readonly is_moved: boolean
}

/** Lists the appointments of a change, on all of its calendars. */
export async function listChangeItems(db: Db, ownerId: OwnerId, changeId: string): Promise<ChangeItem[]> {
  return db
    .selectFrom('calendars')
    .innerJoin('many_change_items as item', 'item.calendar_id', 'calendars.id')
    .innerJoin('appointments', (join) =>
      join
        .onRef('appointments.calendar_id', '=', 'item.calendar_id')
        .onRef('appointments.id', '=', 'item.appointment_id'),
    )
    .select([
      'item.appointment_id',
      'item.state',
      'item.reason',
      'appointments.customer_name',
      sql<boolean>`appointments.starts_at <> item.starts_at`.as('is_moved'),
    ])
    .where('calendars.user_id', '=', ownerId)
    .where('item.change_id', '=', changeId)
    .orderBy('item.starts_at')
    .orderBy('item.appointment_id')
    .execute()
}

const offeredTimes = z.array(z.iso.datetime())

/** Lists the times that a change has already offered to customers. */
export async function listOfferedTimes(db: Db, { calendarId, changeId }: ChangeKey): Promise<Set<string>> {
  const rows = await db
    .selectFrom('many_change_items')
    .select('offered')
    .where('calendar_id', '=', calendarId)
    .where('change_id', '=', changeId)
    .where('offered', 'is not', null)
    .execute()
  return new Set(rows.flatMap(({ offered }) => offeredTimes.parse(offered)))
}

/**
 * The times that the owner has offered to the customer of an appointment, as long as the appointment is still at the
 * time that the owner cannot keep; and the days of the owner's absence.
 */
type OpenTimeOffer = {
  readonly times: readonly string[]
  readonly message: string
  readonly absence: Interval
}

export async function findOpenTimeOffer(
  db: Db,
  { calendarId, id }: { readonly calendarId: string; readonly id: string },
): Promise<OpenTimeOffer | null> {
  const row = await offersTo(db, { calendarId, id })
    .innerJoin('appointments', (join) =>
      join
        .onRef('appointments.calendar_id', '=', 'item.calendar_id')
        .onRef('appointments.id', '=', 'item.appointment_id')
        .onRef('appointments.starts_at', '=', 'item.starts_at'),
    )
    .select(['item.offered', 'change.message'])
    .orderBy('change.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    times: offeredTimes.parse(row.offered ?? []),
    message: row.message,
    absence: toAbsence(row),
  }
}

/**
 * Lists the owner's absences because of which they offered this customer other times. Includes changes to which the
 * customer has already responded: the owner is still away on those days. Source: rule A23.
 */
export async function listAbsencesForAppointment(
  db: Db,
  key: { readonly calendarId: string; readonly id: string },
): Promise<Interval[]> {
  return (await offersTo(db, key).execute()).map(toAbsence)
}

/** Selects the changes that offered other times to the customer of an appointment, each with its days. */
function offersTo(db: Db, { calendarId, id }: { readonly calendarId: string; readonly id: string }) {
  return db
    .selectFrom('many_change_items as item')
    .innerJoin('many_changes as change', (join) =>
      join.onRef('change.calendar_id', '=', 'item.calendar_id').onRef('change.id', '=', 'item.change_id'),
    )
    .innerJoin('calendars', 'calendars.id', 'item.calendar_id')
    .select([
      sql<string>`to_char(first_date, 'YYYY-MM-DD')`.as('first'),
      sql<string>`to_char(last_date, 'YYYY-MM-DD')`.as('last'),
      'calendars.timezone',
    ])
    .where('item.calendar_id', '=', calendarId)
    .where('item.appointment_id', '=', id)
    .where('item.state', '=', 'done')
    .where('change.kind', '=', 'offer')
}

function toAbsence({ first, last, timezone }: { first: string; last: string; timezone: string }): Interval {
  return toWholeDaysInterval(first, last, timezone)
}

/** True when the owner has asked the customer to choose a time other than this start. */
export async function hasRequestToMove(
  db: Db,
  { calendarId, id }: { readonly calendarId: string; readonly id: string },
  startsAt: Date,
): Promise<boolean> {
  const row = await db
    .selectFrom('many_change_items as item')
    .innerJoin('many_changes as change', (join) =>
      join.onRef('change.calendar_id', '=', 'item.calendar_id').onRef('change.id', '=', 'item.change_id'),
    )
    .select('item.appointment_id')
    .where('item.calendar_id', '=', calendarId)
    .where('item.appointment_id', '=', id)
    .where('item.starts_at', '=', startsAt)
    .where('item.state', '=', 'done')
    .where('change.kind', '=', 'offer')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
