import {
  type EmailChangeDeps,
  mailEmailChange,
} from '#server/areas/accounts/profile/email-change-use-cases.ts'
import { mailRegistration, type RegistrationsDeps } from '#server/areas/accounts/registrations/use-cases.ts'
import type { SessionsDeps } from '#server/areas/accounts/sessions/deps.ts'
import {
  ACCOUNT_MAIL,
  ACCOUNT_REQUEST,
  type AccountMailDeps,
  sendAccountMail,
} from '#server/areas/accounts/sessions/jobs.ts'
import { mailPasswordReset } from '#server/areas/accounts/sessions/use-cases.ts'
import { ADDRESS_JOBS } from '#server/areas/addresses/job-definitions.ts'
import { type AddressJobDeps, workOnAddresses } from '#server/areas/addresses/jobs.ts'
import { MANY_CHANGE_JOB } from '#server/areas/appointments/whole-days/job-definitions.ts'
import { runManyChange } from '#server/areas/appointments/whole-days/jobs.ts'
import { LOCATION_MAIL, sendLocationMail } from '#server/areas/availability/locations/location-mail-job.ts'
import {
  LOCATION_CONSTRAINT,
  updateWholeConstraint,
} from '#server/areas/availability/locations/taken-time-job.ts'
import type { ExternalCalendarsDeps } from '#server/areas/external-calendars/connections/deps.ts'
import { EXTERNAL_CALENDAR_JOBS } from '#server/areas/external-calendars/connections/job-definitions.ts'
import { workOnExternalCalendars } from '#server/areas/external-calendars/connections/jobs.ts'
import type { AppointmentEventsDeps } from '#server/areas/external-calendars/events/deps.ts'
import {
  APPOINTMENT_EVENT_JOBS,
  workOnAppointmentEvents,
} from '#server/areas/external-calendars/events/jobs.ts'
import type { CheckoutsDeps } from '#server/areas/payments/checkouts/find-payment-account.ts'
import { CHECKOUT_JOBS, workOnCheckouts } from '#server/areas/payments/checkouts/jobs.ts'
import { BILLING_JOBS, type BillingJobDeps, workOnBilling } from '#server/areas/plans/billing/jobs.ts'
import { WAITING_JOBS, workOnWaitingLists } from '#server/areas/waiting-list/jobs.ts'
import type { WaitingMailDeps } from '#server/areas/waiting-list/send-waiting-mail.ts'
import { CONTACT_MAIL, sendContactMail } from '#server/messages/contact/contact-job.ts'
import {
  DELIVERY_MAIL,
  DELIVERY_PROBLEMS,
  DELIVERY_PROBLEMS_CRON,
  queueDeliveryMails,
  sendDeliveryMail,
} from '#server/messages/queue/delivery-jobs.ts'
import {
  queueDueReminders,
  queueWaitingMessages,
  REMINDERS,
  REMINDERS_CRON,
  WAITING_MESSAGES,
  WAITING_MESSAGES_CRON,
} from '#server/messages/queue/due-jobs.ts'
import { type AppointmentMailDeps, sendAppointmentMail } from '#server/messages/queue/jobs.ts'
import { APPOINTMENT_MAIL } from '#server/messages/queue/message-job.ts'
import { sendClosedCalendarMail } from '#server/messages/queue/send-closed-calendar-mail.ts'
import type { AccountMailRequest } from '#server/platform/auth/account-mail-request.ts'
import type { JobDefinition, JobQueue } from '#server/platform/jobs/job-queue.ts'
import { HOUSEKEEPING, HOUSEKEEPING_CRON, runHousekeeping } from '#server/records/housekeeping/jobs.ts'

/** All kinds of jobs. */
export const JOBS: readonly JobDefinition<object>[] = [
  APPOINTMENT_MAIL,
  ACCOUNT_MAIL,
  ACCOUNT_REQUEST,
  REMINDERS,
  WAITING_MESSAGES,
  DELIVERY_PROBLEMS,
  DELIVERY_MAIL,
  HOUSEKEEPING,
  CONTACT_MAIL,
  LOCATION_CONSTRAINT,
  LOCATION_MAIL,
  MANY_CHANGE_JOB,
  ...CHECKOUT_JOBS,
  ...EXTERNAL_CALENDAR_JOBS,
  ...APPOINTMENT_EVENT_JOBS,
  ...BILLING_JOBS,
  ...ADDRESS_JOBS,
  ...WAITING_JOBS,
]

type AccountRequestDeps = RegistrationsDeps & SessionsDeps & EmailChangeDeps

/** Starts workers for all kinds of jobs. */
export async function startJobWorkers(
  queue: JobQueue,
  deps: AppointmentMailDeps &
    AccountMailDeps &
    AccountRequestDeps &
    CheckoutsDeps &
    ExternalCalendarsDeps &
    AppointmentEventsDeps &
    WaitingMailDeps &
    BillingJobDeps &
    AddressJobDeps,
): Promise<void> {
  await queue.work(APPOINTMENT_MAIL, (job) =>
    'facts' in job ? sendClosedCalendarMail({ ...deps, jobs: queue }, job) : sendAppointmentMail(deps, job),
  )
  await queue.work(ACCOUNT_MAIL, (mail, { id }) => sendAccountMail(deps, mail, id))
  await queue.work(ACCOUNT_REQUEST, (request) => answerAccountRequest(deps, request))
  await queue.work(CONTACT_MAIL, (job, { id }) => sendContactMail(deps, job, id))
  await queue.work(LOCATION_CONSTRAINT, (job) => updateWholeConstraint(deps, job))
  await queue.work(LOCATION_MAIL, (job) => sendLocationMail(deps, job))
  await queue.work(MANY_CHANGE_JOB, (job) => runManyChange({ ...deps, jobs: queue }, job))
  await queue.work(HOUSEKEEPING, () => runHousekeeping(deps))
  await queue.work(REMINDERS, () => queueDueReminders(deps))
  await queue.schedule(REMINDERS, REMINDERS_CRON, {})
  // Queue these jobs now, and not at the next full minute, because they may have become due while no worker ran.
  await queue.send(REMINDERS, {})
  await queue.work(WAITING_MESSAGES, () => queueWaitingMessages(deps))
  await queue.schedule(WAITING_MESSAGES, WAITING_MESSAGES_CRON, {})
  await queue.work(DELIVERY_PROBLEMS, () => queueDeliveryMails(deps))
  await queue.schedule(DELIVERY_PROBLEMS, DELIVERY_PROBLEMS_CRON, {})
  await queue.work(DELIVERY_MAIL, (job) => sendDeliveryMail(deps, job))
  await queue.schedule(HOUSEKEEPING, HOUSEKEEPING_CRON, {})
  await workOnAppointmentEvents(queue, { ...deps, jobs: queue })
  await workOnCheckouts(queue, { ...deps, jobs: queue })
  await workOnExternalCalendars(queue, { ...deps, jobs: queue })
  await workOnWaitingLists(queue, { ...deps, jobs: queue })
  await workOnBilling(queue, { ...deps, jobs: queue })
  await workOnAddresses(queue, deps)
}

function answerAccountRequest(deps: AccountRequestDeps, request: AccountMailRequest): Promise<void> {
  switch (request.kind) {
    case 'registration':
      return mailRegistration(deps, request)
    case 'password_reset':
      return mailPasswordReset(deps, request)
    case 'address_change':
      return mailEmailChange(deps, request)
  }
}
