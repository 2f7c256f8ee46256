import type { MessageKind } from '#contract/messages/messages.ts'
import type { ReminderSettings } from '#contract/messages/reminder-settings.ts'
import type { AppointmentMailContent } from '#server/messages/emails/appointment-facts.ts'
import {
  buildBookingConfirmation,
  buildCancellationDenied,
  buildEmailAddressChanged,
  buildMovedByCustomerNotice,
  buildMovedConfirmation,
  buildOwnerBookingNotice,
  buildOwnerCancellationRequest,
  buildOwnerConfirmedNotice,
  buildOwnerMovedNotice,
  buildOwnerRestoredNotice,
  buildRestoredConfirmation,
} from '#server/messages/emails/appointment-mail.ts'
import { buildCancellation, buildOwnerCancellationNotice } from '#server/messages/emails/cancellation-mail.ts'
import { buildCustomerLoginCode, buildEmailConfirmationCode } from '#server/messages/emails/code-mail.ts'
import type { MailOrigin } from '#server/messages/emails/mail-origin.ts'
import { buildNewTimes } from '#server/messages/emails/new-times-mail.ts'
import { buildReminder } from '#server/messages/emails/reminder-mail.ts'
import { buildRunningLate } from '#server/messages/emails/running-late-mail.ts'
import type { AppointmentStatus } from '#server/platform/db/schema.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'

type OwnerSwitch = 'notify_bookings' | 'notify_cancellations' | 'notify_cancellation_requests'

type Message = {
  readonly build: (
    facts: AppointmentMailContent,
    origin: MailOrigin,
    reminders: ReminderSettings,
  ) => Promise<OutgoingMail>
  /**
   * True while the message's statement is still true: for example, nobody gets a confirmation of a cancelled
   * appointment. Source: rule M6.
   */
  readonly isTrue: (status: AppointmentStatus) => boolean
  /** The owner's notification setting that controls the message. Source: rule M12. */
  readonly wanted?: OwnerSwitch
}

const isNotCancelled = (status: AppointmentStatus) => status !== 'cancelled'
const isCancelled = (status: AppointmentStatus) => status === 'cancelled'

/** For each kind of message, how it is built and when it may be sent. */
export const MESSAGE_KINDS: Readonly<Record<MessageKind, Message>> = {
  booking_confirmation: { build: buildBookingConfirmation, isTrue: isNotCancelled },
  email_code: { build: buildEmailConfirmationCode, isTrue: (status) => status === 'pending_payment' },
  customer_code: { build: buildCustomerLoginCode, isTrue: () => true },
  reminder: { build: buildReminder, isTrue: isNotCancelled },
  moved: { build: buildMovedConfirmation, isTrue: isNotCancelled },
  restored: { build: buildRestoredConfirmation, isTrue: isNotCancelled },
  new_times: { build: buildNewTimes, isTrue: isNotCancelled },
  new_address: { build: buildEmailAddressChanged, isTrue: isNotCancelled },
  cancelled: { build: buildCancellation, isTrue: isCancelled },
  cancellation_denied: { build: buildCancellationDenied, isTrue: (status) => status === 'confirmed' },
  running_late: { build: buildRunningLate, isTrue: (status) => status === 'confirmed' },
  owner_booking_notice: { build: buildOwnerBookingNotice, isTrue: isNotCancelled, wanted: 'notify_bookings' },
  owner_confirmed: { build: buildOwnerConfirmedNotice, isTrue: isNotCancelled, wanted: 'notify_bookings' },
  owner_restored: { build: buildOwnerRestoredNotice, isTrue: isNotCancelled, wanted: 'notify_bookings' },
  owner_moved: { build: buildOwnerMovedNotice, isTrue: isNotCancelled, wanted: 'notify_bookings' },
  owner_moved_by_customer: {
    build: buildMovedByCustomerNotice,
    isTrue: isNotCancelled,
    wanted: 'notify_bookings',
  },
  owner_cancelled: {
    build: buildOwnerCancellationNotice,
    isTrue: isCancelled,
    wanted: 'notify_cancellations',
  },
  owner_cancellation_request: {
    build: buildOwnerCancellationRequest,
    isTrue: (status) => status === 'pending_cancellation',
    wanted: 'notify_cancellation_requests',
  },
}
