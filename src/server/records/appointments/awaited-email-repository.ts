import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { NEEDS_EVENT } from './outbox-repository.ts'

export type AwaitedEmail = {
  readonly calendarId: string
  readonly sequence: number
  /** Whether the booking counts already, by its code or because its owner decided so. */
  readonly isConfirmed: boolean
  /** Whether the code still makes it count: its time was not given back. An owner who decided about its payment ended its hold only. */
  readonly isAwaited: boolean
}

/** An appointment that may wait for its code. Null when there is none. */
export async function findAwaitedEmail(db: Db, id: string): Promise<AwaitedEmail | null> {
  return toAwaitedEmail(await selectAwaited(db, id).executeTakeFirst())
}

/** An appointment that may wait for its code, locked. The calendar is always locked before. */
export async function lockAwaitedEmail(trx: Trx, id: string): Promise<AwaitedEmail | null> {
  return toAwaitedEmail(await selectAwaited(trx, id).forUpdate().executeTakeFirst())
}

function selectAwaited(db: Db, id: string) {
  return db
    .selectFrom('appointments')
    .select(['calendar_id', 'sequence', 'status', 'awaits_email_code', 'released_at'])
    .where('id', '=', id)
}

type Row = Awaited<ReturnType<ReturnType<typeof selectAwaited>['executeTakeFirst']>>

function toAwaitedEmail(row: Row): AwaitedEmail | null {
  if (row === undefined) return null
  const { calendar_id: calendarId, sequence, status, awaits_email_code, released_at } = row
  const isPending = status === 'pending_payment'
  return {
    calendarId,
    sequence,
    isConfirmed: !isPending && !(awaits_email_code && status === 'cancelled'),
    isAwaited: isPending && awaits_email_code && released_at === null,
  }
}

/**
 * The booking counts from now on, and its time is not given back any more.
 * @returns whether its event in an external calendar has to be written
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
      needs_google_sync: NEEDS_EVENT,
    })
    .where('calendar_id', '=', calendarId)
    .where('id', '=', id)
    .returning('needs_google_sync')
    .executeTakeFirstOrThrow()
  return isEventNeeded
}
