import { bookingUrlAt, typeUrlOf } from '#core/addresses/public-url.ts'
import { SECOND_MS } from '#core/shared/duration.ts'
import { withManageLink } from '#server/messages/emails/customer-facts.ts'
import type { MailOrigin } from '#server/messages/emails/mail-origin.ts'
import { buildOwnerPaymentNotice, buildPaymentRefunded } from '#server/messages/emails/payment-mail.ts'
import { toMailFacts, toSignedLink } from '#server/messages/emails/to-mail-facts.ts'
import { findSendingOwner } from '#server/messages/queue/sender-repository.ts'
import { type MailBudgetsDeps, spendMailBudgets } from '#server/messages/queue/spend-mail-budgets.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { ManageLinks } from '#server/platform/secrets/manage-links.ts'
import type { Mailer, OutgoingMail } from '#server/ports/mailer.ts'
import type { Appointment } from '#server/records/appointments/appointment.ts'
import { findDetailsIncludingEndedHolds } from '#server/records/appointments/details-repository.ts'
import { toPublicAppointment } from '#server/records/appointments/to-public-appointment.ts'
import { addMailBranding } from '#server/records/branding/use-cases.ts'
import {
  findPayment,
  type Payment,
  toOutstandingRefundCents,
} from '#server/records/ledger/ledger-repository.ts'
import type { CheckoutsDeps } from './find-payment-account.ts'
import { PAYMENT_MAIL_JOB, type PaymentMailJob } from './job-definitions.ts'
import { listNearestFreeStarts } from './list-nearest-free-starts.ts'

export type PaymentMailDeps = Pick<CheckoutsDeps, 'db' | 'now' | 'log' | 'baseUrl' | 'defaultTier'> &
  MailBudgetsDeps & {
    readonly mailer: Mailer
    readonly origin: MailOrigin
    readonly manageLinks: Pick<ManageLinks, 'tokenOf'>
    readonly jobs: Pick<JobQueue, 'send'>
  }

/** Sends the email about a payment. Throws when the mail server did not accept it, so that the job is retried. */
export async function sendPaymentMail(deps: PaymentMailDeps, job: PaymentMailJob): Promise<void> {
  const payment = await findPayment(deps.db, { calendar_id: job.calendarId, id: job.paymentId })
  const details = payment && (await findDetailsIncludingEndedHolds(deps.db, payment.appointment_id))
  if (payment === null || details === null) {
    // Send nothing: the recipient was stored only with the appointment, which was deleted with its calendar. Source:
    // rule P12.
    deps.log.warn({ about: job.about, paymentId: job.paymentId }, 'no mail: the appointment is gone')
    return
  }
  if (job.about === 'returned') {
    if (details.customer_email !== null) await sendReturned(deps, job, details, payment)
    return
  }
  const facts = await addMailBranding(deps, details.calendar_id, toMailFacts(details, deps))
  const notice = {
    ...moneyOf(payment),
    // For a partial refund, use the amount of that part.
    ...(job.about === 'part_failed' ? { amountCents: toOutstandingRefundCents(payment) } : {}),
    about: job.about,
    reason: payment.failure,
    nameAtProvider: payment.payment_id ?? payment.checkout_id,
    transactionsUrl: `${deps.baseUrl}/calendar/${payment.calendar_id}/settings?tab=transactions`,
  }
  await deps.mailer.send(buildOwnerPaymentNotice(facts, notice, deps.origin))
}

/**
 * Sends the refund email to the customer. It counts towards the same limits as emails about appointments, because an
 * owner may run their own payment provider. While a limit is exceeded, the job is delayed.
 */
async function sendReturned(
  deps: PaymentMailDeps,
  job: PaymentMailJob,
  details: Appointment,
  payment: Payment,
): Promise<void> {
  const mail = await buildReturned(deps, details, payment)
  const { calendar_id: calendarId } = details
  const sender = await findSendingOwner(deps.db, calendarId, new Date(deps.now()))
  if (sender === null) return
  const recipientKey = deps.recipientKeys.keyOf(mail.to.address)
  const room = await spendMailBudgets(deps, {
    sender,
    calendarId,
    recipientKey,
    causedBy: 'customer',
    isToOwner: recipientKey === deps.recipientKeys.keyOf(sender.email),
    // A customer who has paid counts as a known recipient.
    isFirstWord: false,
    isKnown: true,
  })
  if (room.wait !== null) {
    const waitMs = room.wait.until.getTime() - deps.now()
    await deps.jobs.send(PAYMENT_MAIL_JOB, job, { afterSeconds: Math.ceil(waitMs / SECOND_MS) })
    return
  }
  try {
    await deps.mailer.send(mail)
  } catch (error) {
    await room.uncountAfter(error)
    throw error
  }
}

async function buildReturned(
  deps: PaymentMailDeps,
  details: Appointment,
  payment: Payment,
): Promise<OutgoingMail> {
  const reason = payment.refund_reason === 'paid_already' ? 'paid_already' : 'too_late'
  const bookUrl = toPublicAppointment(details, deps).public_url
  const nearStarts = reason === 'too_late' ? await listNearestFreeStarts(deps, details) : []
  const nearTimes = nearStarts.map((startsAt) => ({
    startsAt,
    url: bookingUrlAt(bookUrl, startsAt, details.appointment_type_id),
  }))
  const stated = await addMailBranding(deps, details.calendar_id, toMailFacts(details, deps))
  const facts = withManageLink(stated, toSignedLink(deps, details))
  const typeUrl = typeUrlOf(bookUrl, details.appointment_type_id)
  return buildPaymentRefunded(
    facts,
    { ...moneyOf(payment), reason, nearTimes, bookUrl: typeUrl },
    deps.origin,
  )
}

function moneyOf({ id: paymentId, amount_cents: amountCents, currency, is_sandbox: isSandbox }: Payment) {
  return { paymentId, amountCents, currency, isSandbox }
}
