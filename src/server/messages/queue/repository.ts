import { z } from 'zod'
import type { MessageKind } from '#contract/messages/messages.ts'
import { RECIPIENT_OF_MESSAGE_KIND } from '#contract/messages/messages.ts'
import type { MailCause } from '#core/messages/mail-budgets.ts'
import type { Db } from '#server/platform/db/database.ts'
import { prepareStatement } from '#server/platform/db/prepared-statement.ts'
import type { MessageDropReason, MessageWaitReason, StoredMessageState } from '#server/platform/db/schema.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { TimeBeforeMove } from './held-message-repository.ts'

/** A message to send about one revision of an appointment. */
export type NewMessage = {
  readonly calendarId: string
  readonly appointmentId: string
  readonly kind: MessageKind
  /** The side that caused the message, which determines whose email limit it counts towards. */
  readonly causedBy: MailCause
  readonly revision: MessageRevision
  /** For a running-late message: the minutes, and how many delays were announced before. Source: rule Y5. */
  readonly delay?: { readonly minutes: number; readonly told: number }
  /** The state that the recipient knows until the message is sent, if the change can be undone. Source: rule A18. */
  readonly undo?: TimeBeforeMove
  /** Content that only this message has. */
  readonly details?: MessageDetails
}

/**
 * The revision of the appointment that the message is about. It is stored, because the appointment may change before
 * sending, and each retry has to be the same message.
 */
type MessageRevision = {
  readonly sequence: number
  /** When the appointment reached this revision. */
  readonly changedAt: Date
}

/**
 * `note`: the owner's words. `times`: offered times (RFC 3339). `others`: the number of further appointments. `known`:
 * the start that the recipient was last told. `series`: the other appointments of a series that the message is about.
 * Source: rules A18, A21, A23 and D13.
 */
const messageDetails = z.object({
  known: z.iso.datetime().optional(),
  note: z.string().optional(),
  times: z.array(z.iso.datetime()).optional(),
  others: z.int().optional(),
  series: z.array(z.uuid()).optional(),
})
type MessageDetails = z.infer<typeof messageDetails>

type MessageKey = { readonly calendarId: string; readonly messageId: string }

/** Inserts messages to send; those already in the ledger are skipped. */
export async function insertMessages(
  db: Db,
  messages: readonly (NewMessage & { readonly id: string })[],
): Promise<void> {
  await insertRows(db, [JSON.stringify(messages.map(toNewRow))])
}

function toNewRow({
  calendarId,
  id,
  appointmentId,
  kind,
  causedBy,
  delay,
  undo,
  details,
  revision: { sequence, changedAt },
}: NewMessage & { readonly id: string }): NewRow {
  return {
    calendar_id: calendarId,
    id,
    appointment_id: appointmentId,
    kind,
    recipient: RECIPIENT_OF_MESSAGE_KIND[kind],
    caused_by: causedBy,
    occasion:
      delay === undefined ? `${sequence}, ${changedAt.toISOString()}` : `${sequence}, delay ${delay.told}`,
    late_minutes: delay?.minutes ?? null,
    undo: undo ?? null,
    details: details ?? null,
    sequence,
    changed_at: changedAt,
    created_at: changedAt,
    updated_at: changedAt,
  }
}

const NEW_COLUMNS = [
  'calendar_id',
  'id',
  'appointment_id',
  'kind',
  'recipient',
  'caused_by',
  'occasion',
  'late_minutes',
  'undo',
  'details',
  'sequence',
  'changed_at',
  'created_at',
  'updated_at',
] as const
type NewRow = Record<(typeof NEW_COLUMNS)[number], unknown>

/** One JSON parameter keeps the statement the same for any number of rows, so that it is planned once. */
const insertRows = prepareStatement(
  'insert-messages',
  `insert into appointment_messages (${NEW_COLUMNS.join(', ')})
  select ${NEW_COLUMNS.join(', ')} from json_populate_recordset(null::appointment_messages, $1)
  on conflict (calendar_id, appointment_id, kind, recipient, occasion) do nothing`,
)

export type StoredMessage = {
  readonly id: string
  readonly appointment_id: string
  readonly kind: MessageKind
  readonly recipient: 'customer' | 'owner'
  readonly occasion: string
  readonly sequence: number
  readonly changed_at: Date
  readonly state: StoredMessageState
  readonly drop_reason: MessageDropReason | null
  readonly attempts: number
  readonly first_failed_at: Date | null
  readonly last_error: string | null
  readonly repeat: number
  readonly caused_by: MailCause
  readonly late_minutes: number | null
  /** True while sending has not started, so that the announced change can be undone. */
  readonly isHeld: boolean
  readonly details: MessageDetails
  readonly waits_for: MessageWaitReason | null
  readonly waits_until: Date | null
  readonly sent_at: Date | null
  readonly updated_at: Date
}

export async function findMessage(
  db: Db,
  { calendarId, messageId }: MessageKey,
): Promise<StoredMessage | null> {
  const row = await messages(db, calendarId).where('id', '=', messageId).executeTakeFirst()
  return row === undefined ? null : toMessage(row)
}

/** Locks a message until the transaction ends. Returns null when the appointment has no such message. */
export async function lockMessage(
  trx: Trx,
  { calendarId, messageId, appointmentId }: MessageKey & { readonly appointmentId: string },
): Promise<StoredMessage | null> {
  const row = await messages(trx, calendarId)
    .where('id', '=', messageId)
    .where('appointment_id', '=', appointmentId)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? null : toMessage(row)
}

/** Lists all messages about an appointment, latest first. */
export async function listMessages(
  db: Db,
  { calendarId, appointmentId }: { calendarId: string; appointmentId: string },
): Promise<StoredMessage[]> {
  const rows = await messages(db, calendarId)
    .where('appointment_id', '=', appointmentId)
    .orderBy('created_at', 'desc')
    .orderBy('recipient')
    .orderBy('id')
    .execute()
  return rows.map(toMessage)
}

/** Column values that clear a wait. */
export const CLEARED_WAIT_COLUMNS = { waits_for: null, waits_until: null, recipient_key: null } as const

/** Drops unsent messages of the same kind about the appointment that were queued before a new one. */
export async function dropEarlierMessages(
  trx: Trx,
  { calendarId, appointmentId, kind, revision: { changedAt } }: NewMessage,
): Promise<void> {
  await trx
    .updateTable('appointment_messages')
    .set({
      state: 'dropped',
      drop_reason: 'outdated',
      last_error: null,
      ...CLEARED_WAIT_COLUMNS,
      updated_at: changedAt,
    })
    .where('calendar_id', '=', calendarId)
    .where('appointment_id', '=', appointmentId)
    .where('kind', '=', kind)
    .where('state', 'in', ['queued', 'waiting', 'failed'])
    .where('changed_at', '<', changedAt)
    .execute()
}

type MessageChange = {
  readonly state: StoredMessageState
  readonly drop_reason?: MessageDropReason | null
  readonly attempts?: number
  readonly first_failed_at?: Date | null
  readonly last_error?: string | null
  readonly repeat?: number
  readonly sent_at?: Date
  readonly owner_told_at?: Date | null
  readonly caused_by?: MailCause
  readonly waits_for?: MessageWaitReason | null
  readonly waits_until?: Date | null
  readonly recipient_key?: string | null
  readonly updated_at: Date
}

/** Stores the result of sending a message, unless the owner has resent it in the meantime. Source: rule M5. */
export async function updateMessage(db: Db, key: RepeatKey, change: MessageChange): Promise<void> {
  await changeMessage(db, key, change).execute()
}

/**
 * Drops a message of a revision. Returns false when the message was moved to another revision or resent in the
 * meantime, because the reason for dropping it applied to the earlier state.
 */
export async function dropMessage(
  db: Db,
  key: RepeatKey,
  sequence: number,
  drop: { readonly drop_reason: MessageDropReason; readonly updated_at: Date },
): Promise<boolean> {
  const dropped = changeMessage(db, key, { state: 'dropped', ...drop }).where('sequence', '=', sequence)
  const { numUpdatedRows } = await dropped.executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

type RepeatKey = MessageKey & { readonly repeat: number }

function changeMessage(db: Db, { calendarId, messageId, repeat }: RepeatKey, change: MessageChange) {
  return db
    .updateTable('appointment_messages')
    .set(change)
    .where('calendar_id', '=', calendarId)
    .where('id', '=', messageId)
    .where('repeat', '=', repeat)
}

function messages(db: Db, calendarId: string) {
  return db.selectFrom('appointment_messages').selectAll().where('calendar_id', '=', calendarId)
}

function toMessage(
  row: Awaited<ReturnType<ReturnType<typeof messages>['executeTakeFirstOrThrow']>>,
): StoredMessage {
  return {
    ...row,
    kind: row.kind as MessageKind, // Only these kinds are stored.
    isHeld: row.undo !== null,
    details: messageDetails.parse(row.details ?? {}),
  }
}
