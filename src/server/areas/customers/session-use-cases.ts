import { timingSafeEqual } from 'node:crypto'
import {
  type CustomerAppointmentsResponse,
  MAX_LISTED_APPOINTMENTS,
} from '#contract/appointments/customer-page.ts'
import type { CustomerExport } from '#contract/customers/customer-records.ts'
import { toLinkExpiryMs } from '#core/appointments/manage-link.ts'
import { tryToQueueMails } from '#server/areas/appointments/bookings/queue-mails.ts'
import type { ChangeDetailsDeps } from '#server/areas/appointments/customer-page/change-details.ts'
import {
  findCustomerWithEmail,
  getLinkedAppointment,
  type OpenedLink,
  type OpenedSession,
  toCustomerStatus,
} from '#server/areas/appointments/customer-page/use-cases.ts'
import { toSignedLink } from '#server/messages/emails/to-mail-facts.ts'
import { type RecipientsDeps, recordEmailResponse } from '#server/messages/queue/recipient-use-cases.ts'
import { refuseWhenCodeWouldBeLate } from '#server/messages/queue/refuse-late-code.ts'
import { listValidCodes } from '#server/messages/queue/to-customer-code.ts'
import type { VerifiedCustomer } from '#server/platform/auth/customer-sessions.ts'
import type { Budgets } from '#server/platform/budgets/budgets.ts'
import { spendClientBudget } from '#server/platform/budgets/spend-client-budget.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { Signer } from '#server/platform/secrets/signer.ts'
import type { Appointment } from '#server/records/appointments/appointment.ts'
import { listDetailsOfCustomer } from '#server/records/appointments/details-repository.ts'
import { listAnswersForCustomer } from '#server/records/questions/use-cases.ts'
import { eraseCustomer, exportCustomer } from './record-use-cases.ts'

export type CustomerSessionDeps = ChangeDetailsDeps &
  RecipientsDeps & {
    readonly budgets: Budgets
    readonly signer: Pick<Signer, 'listGenuine'>
  }

/**
 * Emails a code to the customer's address. With the code, the customer can see all their appointments. Source: rule R8.
 * @throws ProblemError `manage.*`
 */
export async function sendCustomerCode(deps: CustomerSessionDeps, opened: OpenedLink): Promise<void> {
  const details = await getLinkedAppointment(deps, opened)
  const customer = getKnownCustomer(details)
  const { calendarId, email } = customer
  const asked = { calendarId, appointmentId: details.id, email, refusal: 'manage.no_code' } as const
  await refuseWhenCodeWouldBeLate(deps, deps.db, asked)
  const spent = await deps.budgets.spend([{ budget: 'customer_code_mails', subject: subjectOf(customer) }])
  if (spent !== null) throw new ProblemError('manage.codes_sent_often', [], spent.waitSeconds)
  await inTransaction(deps.db, async (trx) => {
    await tryToQueueMails(deps, trx, ['customer_code'], {
      calendarId,
      appointmentId: details.id,
      causedBy: 'customer',
      revision: { sequence: details.sequence, changedAt: new Date(deps.now()) },
    })
  })
}

/**
 * Checks an emailed code and starts a customer session. Each attempt counts towards a rate limit before the code is
 * checked. Source: rule R8.
 * @returns the cookie of the session
 * @throws ProblemError `manage.*`, `confirmation.wrong_code`
 */
export async function beginCustomerSession(
  deps: CustomerSessionDeps,
  opened: OpenedLink,
  code: string,
): Promise<string> {
  const customer = getKnownCustomer(await getLinkedAppointment(deps, opened))
  const use = { budget: 'customer_codes', subject: subjectOf(customer) } as const
  const spent =
    (await spendClientBudget(deps.budgets, { budget: 'customer_codes_client', client: opened.client })) ??
    (await deps.budgets.spend([use]))
  if (spent !== null) throw new ProblemError('manage.too_many_codes', [], spent.waitSeconds)
  if (!listValidCodes(deps.signer, customer, deps.now()).some((good) => isSame(code, good))) {
    throw new ProblemError('confirmation.wrong_code', [{ path: 'code', message: 'This code is not right.' }])
  }
  await deps.budgets.clear(use)
  await recordEmailResponse(deps, deps.recipientKeys.keyOf(customer.email))
  return deps.customerSessions.begin(customer, deps.now())
}

/**
 * Lists all appointments of the customer on this calendar, latest first, each with its link. Source: rule R9.
 * @throws ProblemError `manage.*`
 */
export async function listManagedAppointments(
  deps: CustomerSessionDeps,
  opened: OpenedSession,
): Promise<CustomerAppointmentsResponse> {
  const customer = await getSessionCustomer(deps, opened)
  const rows = await listDetailsOfCustomer(deps.db, customer, MAX_LISTED_APPOINTMENTS + 1)
  const nowMs = deps.now()
  return {
    appointments: rows.slice(0, MAX_LISTED_APPOINTMENTS).map((details) => ({
      id: details.id,
      booking_reference: details.booking_reference,
      title: details.title,
      standing: toCustomerStatus(details, nowMs),
      starts_at: details.starts_at.toISOString(),
      ends_at: details.ends_at.toISOString(),
      time_zone: details.time_zone,
      hour_cycle: details.hour_cycle,
      customer_time_zone: details.customer_time_zone,
      is_online: details.is_online,
      token: toLinkExpiryMs(details.ends_at.getTime()) < nowMs ? null : toSignedLink(deps, details).token,
    })),
    is_complete: rows.length <= MAX_LISTED_APPOINTMENTS,
  }
}

/**
 * Exports all data that the calendar stores about the customer, but no private answers, because other people may read the
 * customer's mailbox. Source: rules R10 and B36.
 * @throws ProblemError `manage.*`, `customer.not_found`
 */
export async function exportOwnRecord(
  deps: CustomerSessionDeps,
  opened: OpenedSession,
): Promise<CustomerExport> {
  const customer = await getSessionCustomer(deps, opened)
  return exportCustomer(deps, customer, (of) => listAnswersForCustomer(deps.db, of))
}

/**
 * Erases the customer's personal data. Source: rule R11.
 * @returns the cookie that ends the session
 * @throws ProblemError `manage.*`, `customer.*`
 */
export async function eraseOwnRecord(deps: CustomerSessionDeps, opened: OpenedSession): Promise<string> {
  await eraseCustomer(deps, await getSessionCustomer(deps, opened))
  return deps.customerSessions.end()
}

/**
 * Returns the customer of a session.
 * @throws ProblemError `manage.*`, `manage.session_needed` when the customer has no session or it has expired
 */
async function getSessionCustomer(
  deps: CustomerSessionDeps,
  { cookie, ...opened }: OpenedSession,
): Promise<VerifiedCustomer> {
  const details = await getLinkedAppointment(deps, opened)
  const customer = findCustomerWithEmail(details)
  if (customer === null || !deps.customerSessions.isOpen(cookie, customer, deps.now())) {
    throw new ProblemError('manage.session_needed')
  }
  return customer
}

/**
 * Returns the customer with their email address.
 * @throws ProblemError `manage.no_email`
 */
function getKnownCustomer(details: Appointment): VerifiedCustomer {
  const customer = findCustomerWithEmail(details)
  if (customer === null) throw new ProblemError('manage.no_email')
  return customer
}

/** Returns the key that attempts with codes are counted under. A changed email address starts a new count. */
function subjectOf({ calendarId, customerId, email }: VerifiedCustomer): string {
  return `${calendarId} ${customerId} ${email}`
}

function isSame(typed: string, code: string): boolean {
  const [given, expected] = [Buffer.from(typed), Buffer.from(code)]
  return given.length === expected.length && timingSafeEqual(given, expected)
}
