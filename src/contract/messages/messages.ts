import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { idSchema, instantSchema } from '#contract/shared/primitives.ts'

/** Every kind of message about an appointment, and its recipient. */
export const RECIPIENT_OF_MESSAGE_KIND = {
  booking_confirmation: 'customer',
  email_code: 'customer',
  customer_code: 'customer',
  reminder: 'customer',
  restored: 'customer',
  moved: 'customer',
  new_times: 'customer',
  new_address: 'customer',
  cancelled: 'customer',
  cancellation_denied: 'customer',
  running_late: 'customer',
  owner_booking_notice: 'owner',
  owner_confirmed: 'owner',
  owner_restored: 'owner',
  owner_moved: 'owner',
  owner_moved_by_customer: 'owner',
  owner_cancelled: 'owner',
  owner_cancellation_request: 'owner',
} as const satisfies Record<string, 'customer' | 'owner'>

export type MessageKind = keyof typeof RECIPIENT_OF_MESSAGE_KIND

/** The display name of each message. Lists that mix owner and customer messages must label the recipient themselves. */
export const MESSAGE_KIND_LABELS: Record<MessageKind, string> = {
  booking_confirmation: 'Booking confirmation',
  email_code: 'Code to confirm the email address',
  customer_code: 'Code for the customer’s page',
  reminder: 'Reminder',
  restored: 'Restored',
  moved: 'Moved',
  new_times: 'Other times offered',
  new_address: 'New email address',
  cancelled: 'Cancellation',
  cancellation_denied: 'Cancellation denied',
  running_late: 'Running late',
  owner_booking_notice: 'New booking',
  owner_confirmed: 'Appointment confirmed',
  owner_restored: 'Appointment restored',
  owner_moved: 'Appointment moved',
  owner_moved_by_customer: 'Moved by the customer',
  owner_cancelled: 'Appointment cancelled',
  owner_cancellation_request: 'Cancellation requested',
}

const MESSAGE_KINDS = Object.keys(RECIPIENT_OF_MESSAGE_KIND) as MessageKind[] // the keys of this object

/** `planned`: a reminder that is not queued yet; this state is computed, not stored. Source: rule M1. */
export const messageState = z.enum(['planned', 'queued', 'waiting', 'sent', 'failed', 'given_up', 'dropped'])
export type MessageState = z.infer<typeof messageState>

/** The reason why a message was dropped before it was sent. Source: rule M6. */
export const dropReason = z.enum(['outdated', 'unwanted', 'no_address', 'past', 'too_early'])
export type DropReason = z.infer<typeof dropReason>

/** The reason why a message is waiting: an email limit is reached, or the recipient wants no emails. */
export const waitReason = z.enum([
  'email_owner',
  'email_practice',
  'email_calendar_recipient',
  'email_recipient',
  'email_unanswered',
  'email_stopped',
])
export type WaitReason = z.infer<typeof waitReason>

/** These reasons as sentences for the owner. */
export const WAIT_REASON_SENTENCES: Readonly<Record<WaitReason, string>> = {
  email_owner:
    'You’ve reached today’s email limit. It rises as your account gets older, or with a paid plan.',
  email_practice: 'You’ve reached today’s limit of emails to customers.',
  email_calendar_recipient: 'This address got too many emails about this calendar in a day.',
  email_recipient: 'This address got too many emails about appointments in a day.',
  email_unanswered: 'Earlier booking emails to this address haven’t been answered.',
  email_stopped: 'The recipient has unsubscribed from emails about appointments.',
}

export const appointmentMessageSchema = componentSchema('AppointmentMessage', {
  /** The message's id; null for a planned message, which is not stored. */
  id: idSchema.nullable(),
  kind: z.enum(MESSAGE_KINDS),
  recipient: z.enum(['customer', 'owner']),
  state: messageState,
  /** When the message will be sent or retried, was sent, or reached its current state. */
  at: instantSchema,
  /** The reason why the message is waiting; null otherwise. */
  waits_for: waitReason.nullable(),
  drop_reason: dropReason.nullable(),
  /** The last error, without email addresses. */
  last_error: z.string().nullable(),
  attempts: z.number().int(),
  /** Number of times the owner has resent it. */
  repeat: z.number().int(),
  can_send_again: z.boolean(),
})
export type AppointmentMessage = z.infer<typeof appointmentMessageSchema>

/** An appointment's messages, latest first. */
export const appointmentMessagesResponse = componentSchema('AppointmentMessages', {
  messages: z.array(appointmentMessageSchema),
})
export type AppointmentMessagesResponse = z.infer<typeof appointmentMessagesResponse>

/** `repeat` is the count that the owner saw. It makes a double click idempotent. Source: rule M5. */
export const resendMessageBody = componentSchema('SendAgain', { repeat: z.number().int().min(0).max(1_000) })
