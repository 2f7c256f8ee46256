import { sql } from 'kysely'
import { z } from 'zod'
import type { MessageKind } from '#contract/messages/messages.ts'
import type { MailCause } from '#core/messages/mail-budgets.ts'
import { HOUR_MS } from '#core/shared/duration.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { AppointmentKey } from '#server/records/appointments/state-repository.ts'
import { type LedgerMessageJob, toLedgerMessageJobs } from './message-job.ts'

const instant = z.iso.datetime()

/** The refunded share; rows of earlier versions have none. */
const share = z.number().int().nullable().default(null)

/** The state of an appointment before a move that nobody has been notified of. */
const stateBefore = z.object({
  starts_at: instant,
  ends_at: instant,
  sequence: z.number().int(),
  moved_at: instant.nullable(),
  moved_from: instant.nullable(),
  most_refund_share: share,
  least_refund_share: share,
})
export type TimeBeforeMove = z.infer<typeof stateBefore>

type HeldKey = {
  readonly calendarId: string
  readonly appointmentId: string
  readonly causedBy: MailCause
  /** The current revision. Changes that led to earlier revisions were handled by their own messages. */
  readonly sequence: number
}

/** Messages that can still be withdrawn. They are locked until the transaction ends. */
type HeldMessages = {
  readonly ids: readonly string[]
  /** The state of the appointment that the recipients were last told. */
  readonly before: TimeBeforeMove
}

const MOVE_KINDS = ['moved', 'owner_moved', 'owner_moved_by_customer'] as const satisfies MessageKind[]

/**
 * Locks the messages about a move that one side made; returns null if the sending of any of them has started. The
 * sending worker claims a row with `claimHeldMessage`, so a move is either announced or undone, never both. Source:
 * rule A18.
 */
export async function lockHeldMessages(trx: Trx, key: HeldKey): Promise<HeldMessages | null> {
  const messages = await trx
    .selectFrom('appointment_messages')
    .select(['id', 'undo', 'state'])
    .where('calendar_id', '=', key.calendarId)
    .where('appointment_id', '=', key.appointmentId)
    .where('caused_by', '=', key.causedBy)
    .where('sequence', '=', key.sequence)
    .where('kind', 'in', MOVE_KINDS)
    .where('state', '<>', 'dropped')
    .orderBy('id')
    .forUpdate()
    .execute()
  const [first] = messages
  const areHeld = messages.every(({ state, undo }) => state === 'queued' && undo !== null)
  if (first === undefined || !areHeld) return null
  return { ids: messages.map(({ id }) => id), before: stateBefore.parse(first.undo) }
}

const UNSENT_STATES = ['queued', 'failed', 'waiting'] as const

/**
 * Finds the appointment's start before a move that has not been announced. Null when no unsent message of this revision
 * is about a move: the recipients then know the current time.
 */
export async function findAnnouncedStart(
  trx: Trx,
  { calendarId, id: appointmentId }: AppointmentKey,
  sequence: number,
): Promise<string | null> {
  const row = await trx
    .selectFrom('appointment_messages')
    .select(sql<string>`details->>'known'`.as('known'))
    .where('calendar_id', '=', calendarId)
    .where('appointment_id', '=', appointmentId)
    .where('sequence', '=', sequence)
    .where('state', 'in', UNSENT_STATES)
    .where(sql<boolean>`details ? 'known'`)
    .limit(1)
    .executeTakeFirst()
  return row?.known ?? null
}

/** Withdraws held messages, so that they are not sent. */
export async function withdrawMessages(
  trx: Trx,
  calendarId: string,
  { ids, at }: { readonly ids: readonly string[]; readonly at: Date },
): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('appointment_messages')
    .set({ state: 'dropped', drop_reason: 'outdated', undo: null, updated_at: at })
    .where('calendar_id', '=', calendarId)
    .where('id', 'in', ids)
    .execute()
}

/**
 * Claims a held message for sending, after which its change can no longer be undone. Returns false when the message was
 * withdrawn before.
 */
export async function claimHeldMessage(
  db: Db,
  { calendarId, messageId, repeat }: LedgerMessageJob,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('appointment_messages')
    .set({ undo: null })
    .where('calendar_id', '=', calendarId)
    .where('id', '=', messageId)
    .where('repeat', '=', repeat)
    .where('state', '=', 'queued')
    .where('undo', 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** A change of revision: the revision that an appointment had, and the one that its unsent messages should refer to. */
export type RevisionChange = { readonly from: number; readonly to: number; readonly at: Date }

/** Maximum age of dropped messages that are revived. The undo period is shorter. */
const MAX_REVIVED_AGE_MS = HOUR_MS

/**
 * Releases the held messages of a revision, because the appointment has changed since, so that the announced change can
 * no longer be undone.
 * @returns jobs that send them at once. The jobs queued originally run later, or have just given up in
 * `claimHeldMessage`.
 */
export async function releaseHeldMessages(
  trx: Trx,
  { calendarId, appointmentId }: { readonly calendarId: string; readonly appointmentId: string },
  sequence: number,
): Promise<LedgerMessageJob[]> {
  const released = await trx
    .updateTable('appointment_messages')
    .set({ undo: null })
    .where('calendar_id', '=', calendarId)
    .where('appointment_id', '=', appointmentId)
    .where('sequence', '=', sequence)
    .where('state', '=', 'queued')
    .where('undo', 'is not', null)
    .returning(['id', 'repeat'])
    .execute()
  return toLedgerMessageJobs(calendarId, released)
}

/**
 * Moves unsent messages of an earlier revision to a later one, so that they are still sent: those not sent yet, and
 * those dropped as outdated within the last hour. A dropped one stays dropped if a later message of its kind exists.
 * @returns jobs for the messages that had been dropped; the others still have their jobs
 */
export async function moveMessagesToRevision(
  trx: Trx,
  { calendarId, appointmentId }: { readonly calendarId: string; readonly appointmentId: string },
  { from, to, at }: RevisionChange,
): Promise<LedgerMessageJob[]> {
  const about = trx
    .updateTable('appointment_messages')
    .where('calendar_id', '=', calendarId)
    .where('appointment_id', '=', appointmentId)
    .where('sequence', '=', from)
    .where('kind', '<>', 'reminder')
  await about.set({ sequence: to }).where('state', 'in', UNSENT_STATES).execute()
  const dropped = await about
    .set({ sequence: to, state: 'queued', drop_reason: null, updated_at: at })
    .where('drop_reason', '=', 'outdated')
    .where('updated_at', '>=', new Date(at.getTime() - MAX_REVIVED_AGE_MS))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('appointment_messages as later')
            .select('later.id')
            .where('later.calendar_id', '=', calendarId)
            .where('later.appointment_id', '=', appointmentId)
            .whereRef('later.kind', '=', 'appointment_messages.kind')
            .whereRef('later.recipient', '=', 'appointment_messages.recipient')
            .where('later.sequence', 'in', [from, to])
            .whereRef('later.changed_at', '>', 'appointment_messages.changed_at'),
        ),
      ),
    )
    .returning(['id', 'repeat'])
    .execute()
  return toLedgerMessageJobs(calendarId, dropped)
}
