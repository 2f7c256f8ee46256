import type { SitePageData } from '#contract/pages/page-data.ts'
import type { Log } from '#server/platform/log.ts'
import type { MailAddress } from '#server/ports/mailer.ts'
import type { Config } from './config.ts'

/**
 * Returns the recipient of contact messages. A sandbox always has a recipient; its mailbox page shows the messages.
 * Source: rule W17.
 */
export function findOperatorMailbox({ operator, sandbox, MAIL_FROM }: Config): MailAddress | null {
  const address = operator.email ?? (sandbox ? MAIL_FROM : null)
  return address === null ? null : { name: operator.name ?? '', address }
}

/**
 * Returns the installation's data for the pages. Note that a sandbox with a mail server or Stripe keys does contact
 * other servers.
 */
export function toSitePageData(config: Config): Omit<SitePageData, 'plans_for_sale'> {
  const mailbox = config.sandbox && config.SMTP_URL === undefined
  return {
    operator: config.operator,
    sandbox: mailbox && config.stripe === null && config.billing === null,
    mailbox,
    registration: config.REGISTRATION,
    default_plan: config.DEFAULT_PLAN,
    contact_form: findOperatorMailbox(config) !== null,
    stripe: config.sandbox || config.stripe !== null,
  }
}

/**
 * Warns when the settings do not name the operator, as many countries require of a website. A missing name does not
 * prevent the start: the pages then say that none was given, and show no contact form. Source: rule W3.
 */
export function warnOfUnknownOperator({ NODE_ENV, operator }: Config, log: Log): void {
  if (NODE_ENV !== 'production') return
  const missing = [
    operator.name === null && 'OPERATOR_NAME',
    operator.address.length === 0 && 'OPERATOR_ADDRESS',
    operator.email === null && 'OPERATOR_EMAIL',
  ].filter((name) => name !== false)
  if (missing.length > 0) log.warn({ missing }, 'the pages do not say who runs this installation')
}

/** Logs warnings about settings that are allowed but probably not intended. */
export function warnOfWeakSettings(
  { NODE_ENV, ROLE, BASE_URL, TRUST_PROXY }: Pick<Config, 'NODE_ENV' | 'ROLE' | 'BASE_URL' | 'TRUST_PROXY'>,
  log: Pick<Log, 'warn'>,
): void {
  if (NODE_ENV !== 'production' || ROLE === 'worker') return
  if (BASE_URL.startsWith('http:')) {
    log.warn({ BASE_URL }, 'passwords and sessions are sent unencrypted, as ALLOW_HTTP has it')
  } else if (TRUST_PROXY === 0) {
    log.warn(
      { TRUST_PROXY },
      'the address of visitors is not taken from a proxy: if there is one for https, all visitors count as one client',
    )
  }
}
