import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { NEEDS_EVENT_WRITE_SQL } from './outbox-repository.ts'
import type { AppointmentKey } from './state-repository.ts'

export type EmailConfirmation = {
  readonly calendar_id: string
  readonly sequence: number
  /** True once the booking is confirmed: the customer entered the code, or the owner confirmed the booking. */
  readonly isConfirmed: boolean
  /**
   * True while entering the code still confirms the booking, because its time has not been released. Note that when the
   * owner decides about the payment, only the payment hold ends.
   */
  readonly isAwaited: boolean
}

/** Finds an appointment that may be waiting for an email confirmation code. Null when no such appointment exists. */
export async function findEmailConfirmation(db: Db, id: string): Promise<EmailConfirmation | null> {
  return toAwaitedEmail(await selectAwaited(db, id).executeTakeFirst())
}

/** Like `findEmailConfirmation`, but locks the row. The caller has already locked the calendar. */
export async function lockEmailConfirmation(trx: Trx, id: string): Promise<EmailConfirmation | null> {
  return toAwaitedEmail(await selectAwaited(trx, id).forUpdate().executeTakeFirst())
}

function selectAwaited(db: Db, id: string) {
  return db
    .selectFrom('appointments')
    .select(['calendar_id', 'sequence', 'status', 'awaits_email_code', 'released_at'])
    .where('id', '=', id)
}

type Row = Awaited<ReturnType<ReturnType<typeof selectAwaited>['executeTakeFirst']>>

function toAwaitedEmail(row: Row): EmailConfirmation | null {
  if (row === undefined) return null
  const { calendar_id, sequence, status, awaits_email_code, released_at } = row
  const isPending = status === 'pending_payment'
  return {
    calendar_id,
    sequence,
    isConfirmed: !isPending && !(awaits_email_code && status === 'cancelled'),
    isAwaited: isPending && awaits_email_code && released_at === null,
  }
}

/**
 * Locks the other dates of an appointment's series that wait for the same code, in order, also those whose time has been released.
 * The caller has already locked the calendar. Source: rule B49.
 */
export async function lockFurtherHeldDates(
  trx: Trx,
  key: AppointmentKey,
): Promise<{ readonly id: string; readonly released_at: Date | null }[]> {
  return selectFurtherHeldDates(trx, key).forUpdate().execute()
}

/** Lists the other dates that are held with an appointment of a series. */
export async function listFurtherHeldDates(db: Db, key: AppointmentKey): Promise<AppointmentKey[]> {
  const rows = await selectFurtherHeldDates(db, key).where('released_at', 'is', null).execute()
  return rows.map(({ id }) => ({ calendarId: key.calendarId, id }))
}

function selectFurtherHeldDates(db: Db, { calendarId, id }: AppointmentKey) {
  return db
    .selectFrom('appointments')
    .select(['id', 'released_at'])
    .where('calendar_id', '=', calendarId)
    .where('id', '<>', id)
    .where('series_id', '=', (eb) =>
      eb
        .selectFrom('appointments as own')
        .select('own.series_id')
        .where('own.calendar_id', '=', calendarId)
        .where('own.id', '=', id),
    )
    .where('status', '=', 'pending_payment')
    .where('awaits_email_code', '=', true)
    .orderBy('series_number')
}

/**
 * Confirms the booking, so its time is no longer released when the hold expires.
 * @returns true if its event in an external calendar has to be written
 */
export async function confirmHeldAppointment(
  trx: Trx,
  { calendarId, id }: { readonly calendarId: string; readonly id: string },
  confirmedAt: Date,
): Promise<boolean> {
  const { needs_google_sync: isEventNeeded } = await trx
    .updateTable('appointments')
    .set({
      status: 'confirmed',
      hold_expires_at: null,
      awaits_email_code: false,
      updated_at: confirmedAt,
      needs_google_sync: NEEDS_EVENT_WRITE_SQL,
    })
    .where('calendar_id', '=', calendarId)
    .where('id', '=', id)
    .returning('needs_google_sync')
    .executeTakeFirstOrThrow()
  return isEventNeeded
}
