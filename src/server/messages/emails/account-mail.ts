import { randomUUID } from 'node:crypto'
import { RETENTION_DAYS } from '#contract/shared/retention.ts'
import type { MailAddress, OutgoingMail } from '#server/ports/mailer.ts'
import { toSingleLine } from './entered-text.ts'
import type { MailBlock } from './mail-document.ts'
import type { MailOrigin } from './mail-origin.ts'
import { toMailFromInstallation } from './to-mail-from-installation.ts'

type AccountMailInput = {
  readonly to: MailAddress
  /**
   * Determines the Message-ID. A job passes its own id, so that a retry has the same Message-ID; by default a random id
   * is used.
   */
  readonly deliveryId?: string
}

/** Asks the recipient to confirm that the email address is theirs. Source: rule U4. */
export async function buildAddressConfirmation(
  input: AccountMailInput & { readonly url: string },
  origin: MailOrigin,
): Promise<OutgoingMail> {
  const product = toSingleLine(origin.from.name)
  return toAccountMail('address-confirmation', input, origin, {
    heading: 'Confirm your email address',
    intro: `Thank you for signing up for ${product}. Please confirm that this address is yours. In the browser where you signed up, the link also logs you in.`,
    blocks: [{ kind: 'button', label: 'Confirm email address', url: input.url, spelledOut: true }],
    footer: `Didn't sign up for ${product}? Somebody may have mistyped their address. You can ignore this email: nobody can log in with your address until you confirm it.`,
  })
}

/** Invites somebody to create an account on an installation that is not open to everybody. Source: rule U36. */
export async function buildInvitation(
  input: AccountMailInput & { readonly url: string },
  origin: MailOrigin,
): Promise<OutgoingMail> {
  const product = toSingleLine(origin.from.name)
  return toAccountMail('invitation', input, origin, {
    heading: 'You’re invited',
    intro: `The operator of ${product} at ${new URL(input.url).host} invites you to create an account. The invitation is for this address only and works once, within ${RETENTION_DAYS.invitation} days.`,
    blocks: [{ kind: 'button', label: 'Create account', url: input.url, spelledOut: true }],
    footer: 'Don’t want an account? You can ignore this email.',
  })
}

/**
 * Tells the owner of an account that somebody tried to register its email address again. The response to the
 * registration is the same as for a new address, so that only the reader of the mailbox learns that an account exists.
 */
export async function buildAlreadyRegistered(
  input: AccountMailInput & { readonly loginUrl: string; readonly resetUrl: string },
  origin: MailOrigin,
): Promise<OutgoingMail> {
  const product = toSingleLine(origin.from.name)
  return toAccountMail('already-registered', input, origin, {
    heading: 'You already have an account',
    intro: `Somebody, probably you, tried to sign up for ${product} with this address. It already has an account, so nothing has changed. You can log in with your existing password.`,
    blocks: [
      { kind: 'button', label: 'Log in', url: input.loginUrl, spelledOut: false },
      { kind: 'link', label: 'Forgot your password? Choose a new one', url: input.resetUrl },
    ],
    footer: "Wasn't it you? You can ignore this email. Your account and your password are unchanged.",
  })
}

/** Builds the email with a link for choosing a new password. */
export async function buildPasswordReset(
  input: AccountMailInput & { readonly url: string },
  origin: MailOrigin,
): Promise<OutgoingMail> {
  const product = toSingleLine(origin.from.name)
  return toAccountMail('password-reset', input, origin, {
    heading: 'Reset your password',
    intro: `Somebody, probably you, asked for a new password for your ${product} account.`,
    blocks: [{ kind: 'button', label: 'Choose a new password', url: input.url, spelledOut: true }],
    footer:
      "Wasn't it you? You can ignore this email. Your password won't change, and the link works only once.",
  })
}

/** Asks the recipient to confirm that an account should use this email address. */
export async function buildAddressChange(
  input: AccountMailInput & { readonly url: string },
  origin: MailOrigin,
): Promise<OutgoingMail> {
  const product = toSingleLine(origin.from.name)
  return toAccountMail('address-change', input, origin, {
    heading: 'Confirm your new email address',
    intro: `You asked for your ${product} account to use this address. Please confirm that it is yours. Until then, log in with your current address.`,
    blocks: [{ kind: 'button', label: 'Confirm new address', url: input.url, spelledOut: true }],
    footer:
      "Wasn't it you? You can ignore this email, and nothing will change. The link works once and expires after a day.",
  })
}

/** Warns the current email address about a requested change, while the change can still be stopped. */
export async function buildAddressChangeNotice(
  input: AccountMailInput & { readonly newEmail: string; readonly resetUrl: string },
  origin: MailOrigin,
): Promise<OutgoingMail> {
  const product = toSingleLine(origin.from.name)
  return toAccountMail('address-change-notice', input, origin, {
    heading: 'Your email address is about to change',
    intro: `Somebody who knows your password asked for your ${product} account to use ${toSingleLine(input.newEmail)}. We have sent a link to that address. The change takes effect when somebody opens it.`,
    blocks: [{ kind: 'link', label: "Wasn't it you? Choose a new password", url: input.resetUrl }],
    footer: "Was it you? Then you don't need to do anything. Choosing a new password cancels the link.",
  })
}

/**
 * Tells the owner of an account that another account wants to use its email address. The response to the request is the
 * same as for a free address, so that only the reader of the mailbox learns that an account exists. Source: rule U10.
 */
export async function buildAddressChangeTaken(
  input: AccountMailInput & { readonly loginUrl: string },
  origin: MailOrigin,
): Promise<OutgoingMail> {
  const product = toSingleLine(origin.from.name)
  return toAccountMail('address-change-taken', input, origin, {
    heading: 'This address already has an account',
    intro: `Somebody, perhaps you, asked for another ${product} account to use this address. It already has its own account, so nothing has changed.`,
    blocks: [{ kind: 'button', label: 'Log in', url: input.loginUrl, spelledOut: false }],
    footer: "Wasn't it you? You can ignore this email. Your account and your password are unchanged.",
  })
}

/** Tells the former email address of an account that the account now has a different one. */
export async function buildAddressChanged(
  input: AccountMailInput & { readonly newEmail: string },
  origin: MailOrigin,
): Promise<OutgoingMail> {
  const product = toSingleLine(origin.from.name)
  return toAccountMail('address-changed', input, origin, {
    heading: 'Your email address was changed',
    intro: `Your ${product} account now uses ${toSingleLine(input.newEmail)}. From now on, log in with that address. We'll send our emails there, too.`,
    blocks: [],
    footer: "Wasn't it you? Please reply to this email right away.",
  })
}

/**
 * Confirms that an account was deleted. It does not claim to be the last email: the owner may still get an email about
 * customers who could not be reached.
 */
export async function buildAccountDeleted(
  input: AccountMailInput & { readonly hadPlan?: boolean | undefined },
  origin: MailOrigin,
): Promise<OutgoingMail> {
  const product = toSingleLine(origin.from.name)
  return toAccountMail('account-deleted', input, origin, {
    heading: 'Your account is deleted',
    intro: `Your ${product} account is deleted, along with your calendars, customers and appointments. We’ll email the customers of future appointments. Your booking links no longer work.`,
    blocks: [
      ...(input.hadPlan === true
        ? [
            {
              kind: 'paragraph' as const,
              text: 'Your plan has ended, too. You won’t be charged again, but past payments aren’t refunded.',
            },
          ]
        : []),
      {
        kind: 'paragraph',
        text: 'Thank you for the time you spent with us. If we can’t reach one of these customers by email, we’ll write to you once more.',
      },
    ],
    footer: 'We keep payment records for accounting.',
  })
}

/**
 * The texts of notices about changed login settings. The changes may have been made by somebody other than the owner.
 */
const NOTICES = {
  password_changed: {
    heading: 'Your password was changed',
    intro: (product: string) => `The password of your ${product} account was changed.`,
  },
  two_factor_on: {
    heading: 'Two-factor authentication is on',
    intro: (product: string) =>
      `From now on, logging in to your ${product} account also needs a code from your authenticator app. Keep your backup codes in a safe place: each one works once, for when you don’t have your phone.`,
  },
  two_factor_off: {
    heading: 'Two-factor authentication is off',
    intro: (product: string) =>
      `Logging in to your ${product} account now needs only your password, and no longer a code from your authenticator app.`,
  },
  backup_codes_replaced: {
    heading: 'Your backup codes were replaced',
    intro: (product: string) =>
      `New backup codes were made for your ${product} account. The old ones no longer work.`,
  },
} as const

/** Notifies an owner of a change to their account, in case somebody else made it. */
export async function buildAccountNotice(
  input: AccountMailInput & {
    readonly notice: keyof typeof NOTICES
    readonly securityUrl: string
    readonly resetUrl: string
  },
  origin: MailOrigin,
): Promise<OutgoingMail> {
  const product = toSingleLine(origin.from.name)
  const { heading, intro } = NOTICES[input.notice]
  return toAccountMail(input.notice.replaceAll('_', '-'), input, origin, {
    heading,
    intro: intro(product),
    blocks: [
      { kind: 'link', label: 'Check your security settings', url: input.securityUrl },
      { kind: 'link', label: "Wasn't it you? Choose a new password now", url: input.resetUrl },
    ],
    footer: 'If it was you, you don’t need to do anything.',
  })
}

function toAccountMail(
  kind: string,
  { to, deliveryId = randomUUID() }: AccountMailInput,
  origin: MailOrigin,
  message: { heading: string; intro: string; blocks: readonly MailBlock[]; footer: string },
): OutgoingMail {
  return toMailFromInstallation(
    {
      idParts: [deliveryId, kind],
      to,
      calendar: null,
      about: null,
      heading: message.heading,
      preview: message.intro,
      blocks: [{ kind: 'paragraph', text: message.intro }, ...message.blocks],
      footer: message.footer,
    },
    origin,
  )
}
