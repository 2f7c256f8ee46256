import { KEPT_HOURS } from '#contract/retention.ts'
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
  buildPasswordReset,
} from '#server/features/mail/account-mail.ts'
import type { MailOrigin } from '#server/features/mail/appointment-mail.ts'
import type { AccountMail } from '#server/platform/auth/auth.ts'
import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'
import type { Mailer, OutgoingMail } from '#server/ports/mailer.ts'

/** Tried for about an hour, as long as the links in these mails live; the payload is then forgotten. */
export const ACCOUNT_MAIL: JobDefinition<AccountMail> = {
  name: 'account-mail',
  retryLimit: 8,
  retryDelaySeconds: 10,
  retryDelayMaxSeconds: 15 * 60,
  expireSeconds: 120,
  keepSeconds: KEPT_HOURS.accountMail * HOUR_SECONDS,
}

export type AccountMailDeps = {
  readonly mailer: Mailer
  readonly origin: MailOrigin
  readonly baseUrl: string
}

/** Sends one account mail. Its Message-ID is made from the job's id, so that a repeat carries the same. */
export async function sendAccountMail(
  deps: AccountMailDeps,
  mail: AccountMail,
  jobId: string,
): Promise<void> {
  await deps.mailer.send(await build(deps, mail, jobId))
}

function build(deps: AccountMailDeps, mail: AccountMail, deliveryId: string): Promise<OutgoingMail> {
  const to = { name: mail.name, address: mail.email }
  switch (mail.kind) {
    case 'address_confirmation':
      return buildAddressConfirmation(
        { to, deliveryId, url: `${deps.baseUrl}/auth/callback?token=${encodeURIComponent(mail.token)}` },
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
      return buildAccountDeleted({ to, deliveryId }, deps.origin)
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
