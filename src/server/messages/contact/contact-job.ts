import type { ContactMessage } from '#contract/messages/contact.ts'
import { RETENTION_HOURS } from '#contract/shared/retention.ts'
import { HOUR_SECONDS } from '#core/shared/duration.ts'
import { buildContactMail } from '#server/messages/emails/contact-mail.ts'
import type { MailOrigin } from '#server/messages/emails/mail-origin.ts'
import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'
import type { MailAddress, Mailer } from '#server/ports/mailer.ts'

type ContactJob = { readonly to: MailAddress; readonly message: ContactMessage }

/**
 * Job that sends a contact message. It is retried for about a day and a half. The message is stored only in the job,
 * which is deleted soon afterwards.
 */
export const CONTACT_MAIL_JOB: JobDefinition<ContactJob> = {
  name: 'contact-mail',
  retryLimit: 24,
  retryDelaySeconds: 10,
  retryDelayMaxSeconds: 2 * 60 * 60,
  expireSeconds: 120,
  keepSeconds: RETENTION_HOURS.contactMessage * HOUR_SECONDS,
  workersPerProcess: 1,
}

/** Sends one message to the operator. The Message-ID is derived from the job's id, so a retry has the same one. */
export async function sendContactMail(
  deps: { readonly mailer: Mailer; readonly origin: MailOrigin },
  { to, message }: ContactJob,
  jobId: string,
): Promise<void> {
  await deps.mailer.send(buildContactMail({ to, message, deliveryId: jobId }, deps.origin))
}
