import { describeBookedPolicy } from '#core/appointments/describe-policy.ts'
import type { AppointmentMailContent } from '#server/messages/emails/appointment-facts.ts'
import { withRecipientLink } from '#server/messages/emails/customer-facts.ts'
import { type MailOrigin, toMessageId } from '#server/messages/emails/mail-origin.ts'
import { toMailFacts, toSignedLink } from '#server/messages/emails/to-mail-facts.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { MessageDropReason } from '#server/platform/db/schema.ts'
import type { Log } from '#server/platform/log.ts'
import type { ManageLinks } from '#server/platform/secrets/manage-links.ts'
import type { Signer } from '#server/platform/secrets/signer.ts'
import type { Mailer, OutgoingMail } from '#server/ports/mailer.ts'
import { findAppointmentDetails, listDetailsByIds } from '#server/records/appointments/details-repository.ts'
import { addMailBranding } from '#server/records/branding/use-cases.ts'
import { toReminderSettings } from '#server/records/calendars/to-reminder-settings.ts'
import type { AddressSettings } from '#server/records/hostnames/to-calendar-address.ts'
import { checkSendBudgets } from './check-send-budgets.ts'
import { describeFailure, shouldGiveUpMessage } from './describe-failure.ts'
import { type DropCheckDetails, findDropReason } from './find-drop-reason.ts'
import { claimHeldMessage } from './held-message-repository.ts'
import type { LedgerMessageJob } from './message-job.ts'
import { MESSAGE_KINDS } from './message-kinds.ts'
import {
  CLEARED_WAIT_COLUMNS,
  dropMessage,
  findMessage,
  type StoredMessage,
  updateMessage,
} from './repository.ts'
import type { MailBudgetsDeps, SendDelay } from './spend-mail-budgets.ts'
import { toCustomerCode } from './to-customer-code.ts'
import { toEmailCode } from './to-email-code.ts'

export type AppointmentMailDeps = MailBudgetsDeps &
  AddressSettings & {
    readonly db: Db
    readonly mailer: Mailer
    readonly origin: MailOrigin
    readonly signer: Pick<Signer, 'sign'>
    readonly manageLinks: Pick<ManageLinks, 'tokenOf'>
    readonly log: Pick<Log, 'warn' | 'info' | 'error'>
  }

/**
 * Sends one message and records the result in the ledger. Throws when the mail server did not accept it, so that the
 * job is retried. Source: rule M1.
 */
export async function sendAppointmentMail(deps: AppointmentMailDeps, job: LedgerMessageJob): Promise<void> {
  const message = await findMessage(deps.db, job)
  if (message === null) {
    deps.log.info({ messageId: job.messageId }, 'no mail: there is no such message any more')
    return
  }
  // Skip the message if somebody else has handled it: a worker that counted as dead has sent it, or the owner has
  // resent it with a separate job.
  if (message.repeat !== job.repeat || (message.state !== 'queued' && message.state !== 'failed')) return
  // Claim the message before the appointment is loaded, so that a later undo sees that the move was announced.
  if (message.isHeld && !(await claimHeldMessage(deps.db, job))) return
  const details = await findAppointmentDetails(deps.db, message.appointment_id)
  if (details === null) return drop(deps, job, message, 'outdated')
  const dropReason = findDropReason(details, message, remindersOf(deps, details), deps.now())
  if (dropReason !== null) return drop(deps, job, message, dropReason)
  const mail = await buildMail(deps, details, message)
  const room = await checkSendBudgets(deps, message, details)
  if (room.wait !== null) {
    await recordWait(deps, job, { recipientKey: deps.recipientKeys.keyOf(mail.to.address), ...room.wait })
    return
  }
  try {
    await deps.mailer.send(mail)
  } catch (error) {
    await room.uncountAfter(error)
    await recordFailure(deps, job, message, error)
    return
  }
  const sent_at = new Date(deps.now())
  const attempts = message.attempts + 1
  await updateMessage(deps.db, job, {
    state: 'sent',
    attempts,
    last_error: null,
    ...CLEARED_WAIT_COLUMNS,
    sent_at,
    updated_at: sent_at,
  })
}

/** Drops a message. If a change has moved it to another revision in the meantime, it is evaluated again. */
async function drop(
  deps: AppointmentMailDeps,
  job: LedgerMessageJob,
  { kind, sequence }: StoredMessage,
  dropReason: MessageDropReason,
): Promise<void> {
  const change = { drop_reason: dropReason, updated_at: new Date(deps.now()) }
  if (!(await dropMessage(deps.db, job, sequence, change))) return sendAppointmentMail(deps, job)
  deps.log.info({ kind, drop_reason: dropReason }, 'no mail: it is not wanted any more')
}

/**
 * Builds the email of a ledger row. The Message-ID is derived from the row, so each retry has the same one, and a
 * resent message a new one. Messages that an owner can switch off have an unsubscribe header (RFC 2369); messages to
 * customers result from their booking (decision 0011). Source: rule M2.
 */
async function buildMail(
  deps: AppointmentMailDeps,
  details: DropCheckDetails,
  message: StoredMessage,
): Promise<OutgoingMail> {
  const stated = {
    ...(await addMailBranding(deps, details.calendar_id, toMailFacts(details, deps))),
    policyText: describeBookedPolicy(details, deps.now()),
    ...codeOf(deps, details, message),
    ...(message.late_minutes === null ? {} : { lateMinutes: message.late_minutes }),
    ...(message.details.known === undefined ? {} : { knownStartsAt: message.details.known }),
    ...(message.details.note === undefined ? {} : { ownerNote: message.details.note }),
    ...(message.details.times === undefined ? {} : { offeredTimes: message.details.times }),
    ...(message.details.others === undefined ? {} : { otherAppointments: message.details.others }),
    sequence: message.sequence,
    updatedAt: message.changed_at.toISOString(),
  }
  const address = message.recipient === 'customer' ? details.customer_email : null
  const linked = (facts: AppointmentMailContent, of: DropCheckDetails) =>
    address === null
      ? facts
      : withRecipientLink(facts, { link: deps.recipientKeys.linkOf(address), manage: toSignedLink(deps, of) })
  const others = await listOtherDates(deps, details, message)
  const facts = {
    ...linked(stated, details),
    ...(others.length === 0
      ? {}
      : { otherDates: others.map((other) => linked(toMailFacts(other, deps), other)) }),
  }
  const { build, wanted } = MESSAGE_KINDS[message.kind]
  const mail = await build(facts, deps.origin, remindersOf(deps, details))
  const parts = message.repeat === 0 ? [message.id] : [message.id, message.repeat]
  const headers =
    wanted === undefined
      ? mail.headers
      : { ...mail.headers, 'List-Unsubscribe': `<${deps.baseUrl}/profile?tab=notifications>` }
  return { ...mail, headers, messageId: toMessageId(deps.origin, parts) }
}

/** Lists the other appointments of a series that the message is about, if its statement is still true of them. */
async function listOtherDates(
  { db }: Pick<AppointmentMailDeps, 'db'>,
  { calendar_id: calendarId }: DropCheckDetails,
  { kind, details: { series = [] } }: StoredMessage,
): Promise<DropCheckDetails[]> {
  if (series.length === 0) return []
  const others = await listDetailsByIds(db, calendarId, series)
  return others.filter(({ status }) => MESSAGE_KINDS[kind].isTrue(status))
}

/** Returns the code that the message contains, if any. */
function codeOf(
  { signer }: Pick<AppointmentMailDeps, 'signer'>,
  details: DropCheckDetails,
  { kind, changed_at: changedAt }: StoredMessage,
): { readonly emailCode?: string } {
  if (kind === 'email_code') return { emailCode: toEmailCode(signer, details.id) }
  if (kind !== 'customer_code' || details.customer_email === null) return {}
  const owner = {
    calendarId: details.calendar_id,
    customerId: details.customer_id,
    email: details.customer_email,
  }
  return { emailCode: toCustomerCode(signer, owner, changedAt.getTime()) }
}

function remindersOf({ origin }: Pick<AppointmentMailDeps, 'origin'>, details: DropCheckDetails) {
  return toReminderSettings(details.reminder_settings, {
    calendarName: details.calendar_name,
    mailFrom: origin.from.address,
  })
}

/**
 * Marks a message as waiting; `waiting-messages` queues it again. Waiting is not a failure, so an earlier failure is
 * cleared.
 */
async function recordWait(
  deps: AppointmentMailDeps,
  job: LedgerMessageJob,
  { reason, until, recipientKey }: SendDelay & { readonly recipientKey: string },
): Promise<void> {
  await updateMessage(deps.db, job, {
    state: 'waiting',
    waits_for: reason,
    waits_until: until,
    recipient_key: recipientKey,
    first_failed_at: null,
    last_error: null,
    updated_at: new Date(deps.now()),
  })
}

/**
 * Records that a message could not be sent.
 * @throws the failure itself, unless the message is given up
 */
async function recordFailure(
  deps: AppointmentMailDeps,
  job: LedgerMessageJob,
  message: StoredMessage,
  error: unknown,
): Promise<void> {
  const updated_at = new Date(deps.now())
  const first_failed_at = message.first_failed_at ?? updated_at
  const isGivenUp = shouldGiveUpMessage(error, updated_at.getTime() - first_failed_at.getTime())
  await updateMessage(deps.db, job, {
    state: isGivenUp ? 'given_up' : 'failed',
    attempts: message.attempts + 1,
    first_failed_at,
    last_error: describeFailure(error),
    updated_at,
  })
  if (!isGivenUp) throw error
  deps.log.error({ err: error, kind: message.kind, messageId: message.id }, 'a message was given up')
}
