import { RETENTION_HOURS } from '#contract/shared/retention.ts'
import { HOUR_SECONDS } from '#core/shared/duration.ts'
import {
  buildAccountDeleted,
  buildAccountNotice,
  buildAddressChange,
  buildAddressChanged,
  buildAddressChangeNotice,
  buildAddressChangeTaken,
  buildAddressConfirmation,
  buildAlreadyRegistered,
  buildInvitation,
  buildPasswordReset,
} from '#server/messages/emails/account-mail.ts'
import type { MailOrigin } from '#server/messages/emails/mail-origin.ts'
import type { AccountMailRequest } from '#server/platform/auth/account-mail-request.ts'
import type { AccountMail } from '#server/platform/auth/auth.ts'
import type { Budgets } from '#server/platform/budgets/budgets.ts'
import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'
import type { RecipientKeys } from '#server/platform/secrets/recipient-keys.ts'
import type { Mailer, OutgoingMail } from '#server/ports/mailer.ts'

/**
 * Job that sends an account email. It is retried for about an hour, the lifetime of the links in these emails; then the
 * payload is deleted.
 */
export const ACCOUNT_MAIL_JOB: JobDefinition<AccountMail> = {
  name: 'account-mail',
  retryLimit: 8,
  retryDelaySeconds: 10,
  retryDelayMaxSeconds: 15 * 60,
  expireSeconds: 120,
  keepSeconds: RETENTION_HOURS.accountMail * HOUR_SECONDS,
}

/**
 * Job that decides which email a request leads to, and queues it. Only this job looks the account up, in the
 * background.
 */
export const ACCOUNT_REQUEST_JOB: JobDefinition<AccountMailRequest> = {
  name: 'account-request',
  retryLimit: 8,
  retryDelaySeconds: 10,
  retryDelayMaxSeconds: 15 * 60,
  expireSeconds: 60,
  keepSeconds: RETENTION_HOURS.accountMail * HOUR_SECONDS,
}

export type AccountMailDeps = {
  readonly budgets: Pick<Budgets, 'spend' | 'uncount'>
  readonly recipientKeys: RecipientKeys
  readonly mailer: Mailer
  readonly origin: MailOrigin
  readonly baseUrl: string
}

/**
 * Emails that anybody who knows an email address can cause. They were counted by `spendAccountMailBudget` when they were
 * queued.
 */
const COUNTED_BEFORE: ReadonlySet<AccountMail['kind']> = new Set([
  'address_confirmation',
  'already_registered',
  'password_reset',
  'address_change',
  'address_change_taken',
])

/**
 * Sends one account email. The Message-ID is derived from the job's id, so a retry has the same one. Notices to an
 * owner about changes are counted here; if the email limit is exceeded, they are not sent, and the counter logs that.
 * Source: rule E9.
 */
export async function sendAccountMail(
  deps: AccountMailDeps,
  mail: AccountMail,
  jobId: string,
): Promise<void> {
  const built = await build(deps, mail, jobId)
  if (COUNTED_BEFORE.has(mail.kind)) return deps.mailer.send(built)
  const use = { budget: 'email_account_notice', subject: deps.recipientKeys.keyOf(mail.email) } as const
  if ((await deps.budgets.spend([use])) !== null) return
  try {
    await deps.mailer.send(built)
  } catch (error) {
    // Subtract the failed email from the count: the job is retried, and counts it again.
    await deps.budgets.uncount(use)
    throw error
  }
}

function build(deps: AccountMailDeps, mail: AccountMail, deliveryId: string): Promise<OutgoingMail> {
  const to = { name: mail.name, address: mail.email }
  switch (mail.kind) {
    case 'address_confirmation':
      return buildAddressConfirmation(
        { to, deliveryId, url: `${deps.baseUrl}/auth/callback?token=${encodeURIComponent(mail.token)}` },
        deps.origin,
      )
    case 'invitation':
      return buildInvitation(
        {
          to,
          deliveryId,
          url: `${deps.baseUrl}/register?${new URLSearchParams({ invitation: mail.invitationId, email: mail.email })}`,
        },
        deps.origin,
      )
    case 'already_registered':
      return buildAlreadyRegistered(
        { to, deliveryId, loginUrl: `${deps.baseUrl}/login`, resetUrl: `${deps.baseUrl}/forgot-password` },
        deps.origin,
      )
    case 'password_reset':
      return buildPasswordReset(
        { to, deliveryId, url: `${deps.baseUrl}/reset-password?token=${encodeURIComponent(mail.token)}` },
        deps.origin,
      )
    case 'address_change':
      return buildAddressChange(
        { to, deliveryId, url: `${deps.baseUrl}/auth/email-change?token=${encodeURIComponent(mail.token)}` },
        deps.origin,
      )
    case 'address_change_notice':
      return buildAddressChangeNotice(
        { to, deliveryId, newEmail: mail.newEmail, resetUrl: `${deps.baseUrl}/forgot-password` },
        deps.origin,
      )
    case 'address_change_taken':
      return buildAddressChangeTaken({ to, deliveryId, loginUrl: `${deps.baseUrl}/login` }, deps.origin)
    case 'address_changed':
      return buildAddressChanged({ to, deliveryId, newEmail: mail.newEmail }, deps.origin)
    case 'account_deleted':
      return buildAccountDeleted({ to, deliveryId, hadPlan: mail.hadPlan }, deps.origin)
    case 'password_changed':
    case 'two_factor_on':
    case 'two_factor_off':
    case 'backup_codes_replaced':
      return buildAccountNotice(
        {
          to,
          deliveryId,
          notice: mail.kind,
          securityUrl: `${deps.baseUrl}/profile?tab=security`,
          resetUrl: `${deps.baseUrl}/forgot-password`,
        },
        deps.origin,
      )
  }
}
