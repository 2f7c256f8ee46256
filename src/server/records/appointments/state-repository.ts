import { type Expression, sql } from 'kysely'
import type { AppointmentState } from '#core/appointments/appointment-actions.ts'
import type { RefundAmount } from '#core/appointments/decide-refund.ts'
import { LEGACY_POLICY, type Policy } from '#core/appointments/policy.ts'
import type { RefundShareLimits } from '#core/appointments/refund-shares.ts'
import type { Interval } from '#core/shared/interval.ts'
import { type OwnersWork, toOccupiedTime } from '#core/slots/occupied-time.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { AppointmentStatus } from '#server/platform/db/schema.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { NEEDS_EVENT_WRITE_SQL } from './outbox-repository.ts'
import { HAS_LOST_LOCATION_ACCESS } from './taken-time-repository.ts'

export type AppointmentKey = { readonly calendarId: string; readonly id: string }

export type AppointmentForAction = OwnersWork & {
  readonly state: AppointmentState
  readonly startsAtMs: number
  readonly endsAtMs: number
  /** From the start of its preparation to the end of its wrap-up. Source: rule T46. */
  readonly occupied: Interval
  /**
   * The exclusive location that the appointment would occupy if it were restored: its location, if that is physical and
   * exclusive. If the location was deleted, the id that was stored with the appointment.
   */
  readonly conflictLocationId: string | null
  readonly priceCents: number | null
  readonly currency: string
  readonly sequence: number
  /** True while the time is offered to a customer on the waiting list and not booked yet. */
  readonly isOffer: boolean
  /** When the appointment was last moved, and its start before that move. Null when it was never moved. */
  readonly moved: { readonly at: Date; readonly from: Date } | null
  /** The policy under which the appointment was booked. Source: rule Q7. */
  readonly policy: Policy
  readonly refundShares: RefundShareLimits
  /** When the customer requested the cancellation, in epoch milliseconds; null without a request. */
  readonly cancellationAskedAtMs: number | null
  readonly noShowAtMs: number | null
  readonly bookedBy: 'customer' | 'owner'
  /** The session in which it has a seat; null when it has its time for itself. */
  readonly session: {
    readonly id: string
    readonly typeId: string
    readonly locationId: string | null
    readonly seats: number
    readonly seatsTaken: number
  } | null
}

/**
 * An appointment with its hold. `holdExpiresAtMs` is null when the appointment is not a hold, or when the owner has
 * decided about it.
 */
export type AppointmentWithHold = AppointmentForAction & {
  readonly createdAtMs: number
  readonly holdExpiresAtMs: number | null
  readonly isReleased: boolean
}

/** Returns one appointment of a calendar. Null when it does not exist or is an expired hold. */
export async function findAppointmentForAction(
  db: Db,
  key: AppointmentKey,
): Promise<AppointmentForAction | null> {
  const held = actedAppointment(db, key).where('appointments.released_at', 'is', null)
  return toAwaited(await held.executeTakeFirst())
}

/**
 * Returns the current time of an appointment, the work around it and the exclusive location that it occupies, for finding
 * other times. Null when the appointment does not exist.
 */
export async function findCurrentTime(
  db: Db,
  key: AppointmentKey,
): Promise<
  | (Interval &
      OwnersWork &
      Pick<AppointmentForAction, 'conflictLocationId'> & {
        readonly isSeat: boolean
        readonly sessionSeatsTaken: number | undefined
      })
  | null
> {
  const appointment = await findAppointmentForAction(db, key)
  if (appointment === null) return null
  const {
    startsAtMs: startMs,
    endsAtMs: endMs,
    prepareMinutes,
    wrapUpMinutes,
    conflictLocationId,
    session,
  } = appointment
  const seat = { isSeat: session !== null, sessionSeatsTaken: session?.seatsTaken }
  return { startMs, endMs, prepareMinutes, wrapUpMinutes, conflictLocationId, ...seat }
}

/**
 * Like `findAppointmentForAction`, but locks the row until the transaction ends. The caller has already locked the
 * calendar.
 */
export async function lockAppointmentForAction(
  trx: Trx,
  key: AppointmentKey,
): Promise<AppointmentForAction | null> {
  const appointment = await lockAppointmentWithHold(trx, key)
  return appointment?.isReleased === true ? null : appointment
}

/** Like `lockAppointmentForAction`, but also returns expired holds, because a payment can still arrive for them. */
export async function lockAppointmentWithHold(
  trx: Trx,
  key: AppointmentKey,
): Promise<AppointmentWithHold | null> {
  return toAwaited(await actedAppointment(trx, key).forUpdate('appointments').executeTakeFirst())
}

function actedAppointment(db: Db, key: AppointmentKey) {
  return db
    .selectFrom('appointments')
    .leftJoin('locations', 'locations.id', 'appointments.location_id')
    .leftJoin('group_sessions as sessions', (join) =>
      join
        .onRef('sessions.calendar_id', '=', 'appointments.calendar_id')
        .onRef('sessions.id', '=', 'appointments.session_id'),
    )
    .select([
      'sessions.id as session_id',
      'sessions.appointment_type_id as session_type_id',
      'sessions.location_id as session_location_id',
      'sessions.seats as session_seats',
      'sessions.seats_taken as session_seats_taken',
      'appointments.status',
      'appointments.payment_status',
      'appointments.starts_at',
      'appointments.ends_at',
      'appointments.prepare_minutes',
      'appointments.wrap_up_minutes',
      'appointments.conflict_location_id',
      'locations.id as place_id',
      sql<boolean>`locations.type = 'physical' and exclusive and not is_online and not ${HAS_LOST_LOCATION_ACCESS}`.as(
        'takes_place',
      ),
      'appointments.price_cents',
      'appointments.currency',
      'appointments.sequence',
      'appointments.policy',
      'appointments.most_refund_share',
      'appointments.least_refund_share',
      'appointments.cancellation_asked_at',
      'appointments.no_show_at',
      'appointments.booked_by',
      'appointments.created_at',
      'appointments.hold_expires_at',
      'appointments.released_at',
      'appointments.is_offer',
      'appointments.moved_at',
      'appointments.moved_from',
    ])
    .where('appointments.calendar_id', '=', key.calendarId)
    .where('appointments.id', '=', key.id)
}

function toAwaited(
  row: Awaited<ReturnType<ReturnType<typeof actedAppointment>['executeTakeFirst']>>,
): AppointmentWithHold | null {
  if (row === undefined) return null
  const time = { startMs: row.starts_at.getTime(), endMs: row.ends_at.getTime() }
  const work = { prepareMinutes: row.prepare_minutes, wrapUpMinutes: row.wrap_up_minutes }
  return {
    ...work,
    occupied: toOccupiedTime(time, work),
    state: { status: row.status, paymentStatus: row.payment_status },
    startsAtMs: time.startMs,
    endsAtMs: time.endMs,
    conflictLocationId: placeTaken(row),
    priceCents: row.price_cents,
    currency: row.currency,
    sequence: row.sequence,
    isOffer: row.is_offer && row.status === 'pending_payment',
    policy: row.policy ?? LEGACY_POLICY,
    refundShares: { most: row.most_refund_share, least: row.least_refund_share },
    cancellationAskedAtMs: row.cancellation_asked_at?.getTime() ?? null,
    noShowAtMs: row.no_show_at?.getTime() ?? null,
    bookedBy: row.booked_by,
    session: toSession(row),
    createdAtMs: row.created_at.getTime(),
    holdExpiresAtMs: row.hold_expires_at?.getTime() ?? null,
    isReleased: row.released_at !== null,
    moved:
      row.moved_at === null || row.moved_from === null ? null : { at: row.moved_at, from: row.moved_from },
  }
}

function toSession(row: {
  session_id: string | null
  session_type_id: string | null
  session_location_id: string | null
  session_seats: number | null
  session_seats_taken: number | null
}): AppointmentForAction['session'] {
  const {
    session_id: id,
    session_type_id: typeId,
    session_location_id: locationId,
    session_seats: seats,
    session_seats_taken: seatsTaken,
  } = row
  return id === null || typeId === null || seats === null || seatsTaken === null
    ? null
    : { id, typeId, locationId, seats, seatsTaken }
}

/**
 * Returns the id of the exclusive location. It is computed from the location's current settings, because the copy in
 * the appointment is updated a little later. For a deleted location, the copy is used.
 */
function placeTaken(row: {
  conflict_location_id: string | null
  place_id: string | null
  takes_place: boolean
}): string | null {
  if (row.place_id === null) return row.conflict_location_id
  return row.takes_place ? row.place_id : null
}

/** True when the customer of the appointment has an email address. */
export async function hasCustomerEmail(trx: Trx, key: AppointmentKey): Promise<boolean> {
  const row = await trx
    .selectFrom('appointments')
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.calendar_id', '=', 'appointments.calendar_id')
        .onRef('customers.id', '=', 'appointments.customer_id'),
    )
    .select('customers.email')
    .where('appointments.calendar_id', '=', key.calendarId)
    .where('appointments.id', '=', key.id)
    .executeTakeFirst()
  return row !== undefined && row.email !== null
}

/** What an appointment that occupies its time again takes: the work around it, its buffer, exclusive location and session. */
export type ReoccupiedTime = OwnersWork & {
  readonly bufferMinutes: number
  readonly conflictLocationId: string | null
  readonly sessionId: string | null
}

/**
 * Stores the result of an action or a payment. The appointment is no longer a hold, so it does not expire. When the
 * appointment occupies its time again, it gets the current buffer and, if exclusive, its location. If the time is
 * already booked, the constraints reject the update (SQLSTATE 23P01). Source: rule A9.
 * @returns true if the appointment's event in an external calendar has to be written
 */
export async function storeActionResult(
  trx: Trx,
  key: AppointmentKey,
  result: {
    state: AppointmentState
    sequence: number
    updatedAt: Date
    /** Set when the appointment occupies its time again. */
    taken: ReoccupiedTime | null
    /** The payment intent; null keeps the stored value. */
    paymentIntentId?: string | null
    /** True when it was paid with test money; null keeps the stored value. */
    paidInSandbox: boolean | null
    /** Who cancelled, and the refund; set for a cancellation. */
    cancelled?: { readonly by: 'customer' | 'owner'; readonly givesBack: RefundAmount | null } | null
  },
): Promise<boolean> {
  const {
    state,
    sequence,
    updatedAt,
    taken,
    paymentIntentId = null,
    paidInSandbox,
    cancelled = null,
  } = result
  const { needs_google_sync: isEventNeeded } = await trx
    .updateTable('appointments')
    .set({
      status: state.status,
      payment_status: state.paymentStatus,
      sequence,
      hold_expires_at: null,
      released_at: null,
      updated_at: updatedAt,
      needs_google_sync: NEEDS_EVENT_WRITE_SQL,
      ...(paymentIntentId === null ? {} : { stripe_payment_intent_id: paymentIntentId }),
      ...(paidInSandbox === null ? {} : { paid_in_sandbox: paidInSandbox }),
      ...(cancelled === null
        ? {}
        : {
            cancelled_by: cancelled.by,
            refund_due_cents: cancelled.givesBack?.cents ?? null,
            refund_percent: cancelled.givesBack?.percent ?? null,
          }),
      // Clear the cancellation and its refund, because the appointment takes place after all.
      ...(state.status === 'cancelled'
        ? {}
        : { cancelled_by: null, refund_due_cents: null, refund_percent: null }),
      ...(state.status === 'confirmed' ? { cancellation_asked_at: null } : {}),
      ...(taken === null
        ? {}
        : {
            ...toBlockedColumns({ startsAt: sql.ref('starts_at'), endsAt: sql.ref('ends_at') }, taken),
            conflict_location_id: taken.conflictLocationId,
            session_id: taken.sessionId,
            ...ASSIGN_PERSON,
          }),
    })
    .where('calendar_id', '=', key.calendarId)
    .where('id', '=', key.id)
    .returning('needs_google_sync')
    .executeTakeFirstOrThrow()
  return isEventNeeded
}

/**
 * SQL that assigns an appointment to the person to whom its calendar belongs now. Used when the appointment occupies
 * its time (again). Source: rule T38.
 */
const ASSIGN_PERSON = {
  host_id: sql<string>`(select host_id from calendars where calendars.id = appointments.calendar_id)`,
  allows_overlap: false,
}

/** Returns the columns for the time that an appointment blocks. The column `occupied` still has the old time in an update. */
function toBlockedColumns(
  { startsAt, endsAt }: { readonly startsAt: Expression<unknown>; readonly endsAt: Expression<unknown> },
  { prepareMinutes, wrapUpMinutes, bufferMinutes }: OwnersWork & { readonly bufferMinutes: number },
) {
  return {
    prepare_minutes: prepareMinutes,
    wrap_up_minutes: wrapUpMinutes,
    blocked: sql<string>`tstzrange(
      ${startsAt}::timestamptz - make_interval(mins => ${prepareMinutes}::integer),
      ${endsAt}::timestamptz + make_interval(mins => ${wrapUpMinutes + bufferMinutes}::integer)
    )`,
  }
}

/** The new location of an appointment that is moved. */
export type MovedAppointmentLocation = {
  readonly isOnline: boolean
  readonly location: { readonly id: string; readonly name: string; readonly address: string | null } | null
}

/**
 * Returns the id of the appointment's type; null when the type was deleted. No lock is needed, because an appointment
 * never changes its type; the type can only be deleted.
 */
export async function findAppointmentTypeId(db: Db, key: AppointmentKey): Promise<string | null> {
  const row = await db
    .selectFrom('appointments')
    .innerJoin('appointment_types as type', (join) =>
      join
        .onRef('type.calendar_id', '=', 'appointments.calendar_id')
        .onRef('type.id', '=', 'appointments.appointment_type_id'),
    )
    .select('type.id')
    .where('appointments.calendar_id', '=', key.calendarId)
    .where('appointments.id', '=', key.id)
    .executeTakeFirst()
  return row?.id ?? null
}

/**
 * Moves an appointment to another time, with its preparation and wrap-up. The appointment then blocks the time until
 * their end plus the current buffer, and occupies its location if that is exclusive now. If the time is already booked,
 * the constraints reject the update (SQLSTATE 23P01). Source: rules A16 and A17.
 * @returns true if the appointment's event in an external calendar has to be written
 */
export async function storeMovedTime(
  trx: Trx,
  key: AppointmentKey,
  move: OwnersWork & {
    readonly to: Interval
    readonly bufferMinutes: number
    readonly conflictLocationId: string | null
    /** The session at the new time, for an appointment with a seat. */
    readonly sessionId: string | null
    /** The new location; null keeps the current one. */
    readonly place: MovedAppointmentLocation | null
    readonly sequence: number
    readonly updatedAt: Date
    /** When the appointment was last moved, and its start before that move; null when it counts as never moved. */
    readonly moved: AppointmentForAction['moved']
    readonly refundShares: RefundShareLimits
  },
): Promise<boolean> {
  const { to, conflictLocationId, sessionId, place, sequence, updatedAt, moved, refundShares } = move
  const [startsAt, endsAt] = [new Date(to.startMs), new Date(to.endMs)]
  const { needs_google_sync: isEventNeeded } = await trx
    .updateTable('appointments')
    .set({
      starts_at: startsAt,
      ends_at: endsAt,
      session_id: sessionId,
      ...toBlockedColumns({ startsAt: sql.val(startsAt), endsAt: sql.val(endsAt) }, move),
      conflict_location_id: conflictLocationId,
      ...ASSIGN_PERSON,
      sequence,
      moved_at: moved?.at ?? null,
      moved_from: moved?.from ?? null,
      most_refund_share: refundShares.most,
      least_refund_share: refundShares.least,
      updated_at: updatedAt,
      needs_google_sync: NEEDS_EVENT_WRITE_SQL,
      ...(place === null
        ? { location_id: sql<string | null>`case when not ${HAS_LOST_LOCATION_ACCESS} then location_id end` }
        : {
            is_online: place.isOnline,
            location_id: place.location?.id ?? null,
            location_name: place.location?.name ?? null,
            location_address: place.location?.address ?? null,
          }),
    })
    .where('calendar_id', '=', key.calendarId)
    .where('id', '=', key.id)
    .returning('needs_google_sync')
    .executeTakeFirstOrThrow()
  return isEventNeeded
}

/** Moves the cancelled appointments and ended holds of a session to a copy of it, because the session itself gets another time. */
export async function moveEndedSeats(
  trx: Trx,
  { calendarId, from, to }: { readonly calendarId: string; readonly from: string; readonly to: string },
): Promise<void> {
  await trx
    .updateTable('appointments')
    .set({ session_id: to })
    .where('calendar_id', '=', calendarId)
    .where('session_id', '=', from)
    .where(({ or, eb }) => or([eb('status', '=', 'cancelled'), eb('released_at', 'is not', null)]))
    .execute()
}

export type LockedAppointment = {
  readonly calendar_id: string
  readonly status: AppointmentStatus
  readonly booking_reference: string
  readonly startsAtMs: number
  readonly sequence: number
  /** How many times the signed link has been replaced. */
  readonly link_rotation: number
}

/** Locks one appointment by its id. Returns null when it does not exist, or when it was a hold that has expired. */
export async function lockAppointment(trx: Trx, id: string): Promise<LockedAppointment | null> {
  const row = await trx
    .selectFrom('appointments')
    .select(['calendar_id', 'status', 'booking_reference', 'starts_at', 'sequence', 'link_rotation'])
    .where('id', '=', id)
    .where('released_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return null
  return { ...row, startsAtMs: row.starts_at.getTime() }
}

export async function updateAppointmentStatus(
  trx: Trx,
  key: { calendarId: string; id: string },
  change: { status: AppointmentStatus; updated_at: Date },
): Promise<void> {
  await trx
    .updateTable('appointments')
    .set({
      status: change.status,
      updated_at: change.updated_at,
      ...(change.status === 'pending_cancellation' ? { cancellation_asked_at: change.updated_at } : {}),
    })
    .where('calendar_id', '=', key.calendarId)
    .where('id', '=', key.id)
    .execute()
}

/** Marks the appointment as a no-show, or clears the mark. Source: rule Q11. */
export async function storeNoShow(
  trx: Trx,
  key: AppointmentKey,
  mark: { readonly no_show_at: Date | null; readonly updated_at: Date },
): Promise<void> {
  await trx
    .updateTable('appointments')
    .set({ no_show_at: mark.no_show_at, updated_at: mark.updated_at })
    .where('calendar_id', '=', key.calendarId)
    .where('id', '=', key.id)
    .execute()
}
