import {
  type EmailChangeDeps,
  sendEmailChangeLink,
} from '#server/areas/accounts/profile/email-change-use-cases.ts'
import {
  type RegistrationsDeps,
  sendRegistrationLink,
} from '#server/areas/accounts/registrations/use-cases.ts'
import type { SessionsDeps } from '#server/areas/accounts/sessions/deps.ts'
import {
  ACCOUNT_MAIL_JOB,
  ACCOUNT_REQUEST_JOB,
  type AccountMailDeps,
  sendAccountMail,
} from '#server/areas/accounts/sessions/jobs.ts'
import { sendPasswordResetLink } from '#server/areas/accounts/sessions/use-cases.ts'
import { ADDRESS_JOBS } from '#server/areas/addresses/job-definitions.ts'
import { type AddressJobDeps, registerAddressJobs } from '#server/areas/addresses/jobs.ts'
import { extendStandingSeries } from '#server/areas/appointments/series/extend-series.ts'
import {
  STANDING_SERIES_CRON,
  STANDING_SERIES_JOB,
} from '#server/areas/appointments/series/job-definitions.ts'
import { MANY_CHANGE_JOB } from '#server/areas/appointments/whole-days/job-definitions.ts'
import { runManyChange } from '#server/areas/appointments/whole-days/jobs.ts'
import {
  LOCATION_MAIL_JOB,
  sendLocationMail,
} from '#server/areas/availability/locations/location-mail-job.ts'
import {
  LOCATION_CONSTRAINT_JOB,
  updateConstraintForAllAppointments,
} from '#server/areas/availability/locations/taken-time-job.ts'
import { PAGE_PROBLEM_JOBS } from '#server/areas/availability/page-problems/job-definitions.ts'
import {
  type PageProblemJobDeps,
  registerPageProblemJobs,
} from '#server/areas/availability/page-problems/jobs.ts'
import type { ExternalCalendarsDeps } from '#server/areas/external-calendars/connections/deps.ts'
import { EXTERNAL_CALENDAR_JOBS } from '#server/areas/external-calendars/connections/job-definitions.ts'
import { registerExternalCalendarJobs } from '#server/areas/external-calendars/connections/jobs.ts'
import type { AppointmentEventsDeps } from '#server/areas/external-calendars/events/deps.ts'
import {
  APPOINTMENT_EVENT_JOBS,
  registerAppointmentEventJobs,
} from '#server/areas/external-calendars/events/jobs.ts'
import type { CheckoutsDeps } from '#server/areas/payments/checkouts/find-payment-account.ts'
import { CHECKOUT_JOBS, registerCheckoutJobs } from '#server/areas/payments/checkouts/jobs.ts'
import { BILLING_JOBS, type BillingJobDeps, registerBillingJobs } from '#server/areas/plans/billing/jobs.ts'
import { registerWaitingListJobs, WAITING_JOBS } from '#server/areas/waiting-list/jobs.ts'
import type { WaitingMailDeps } from '#server/areas/waiting-list/send-waiting-mail.ts'
import { CONTACT_MAIL_JOB, sendContactMail } from '#server/messages/contact/contact-job.ts'
import {
  DELIVERY_MAIL_JOB,
  DELIVERY_PROBLEMS_CRON,
  DELIVERY_PROBLEMS_JOB,
  queueDeliveryMails,
  sendDeliveryMail,
} from '#server/messages/queue/delivery-jobs.ts'
import {
  queueDueReminders,
  queueWaitingMessages,
  REMINDERS_CRON,
  REMINDERS_JOB,
  WAITING_MESSAGES_CRON,
  WAITING_MESSAGES_JOB,
} from '#server/messages/queue/due-jobs.ts'
import { type AppointmentMailDeps, sendAppointmentMail } from '#server/messages/queue/jobs.ts'
import { APPOINTMENT_MAIL_JOB } from '#server/messages/queue/message-job.ts'
import { sendClosedCalendarMail } from '#server/messages/queue/send-closed-calendar-mail.ts'
import type { AccountMailRequest } from '#server/platform/auth/account-mail-request.ts'
import type { JobDefinition, JobQueue } from '#server/platform/jobs/job-queue.ts'
import { HOUSEKEEPING_CRON, HOUSEKEEPING_JOB, runHousekeeping } from '#server/records/housekeeping/jobs.ts'
import { BACKUP_JOB, BACKUP_MAIL_JOB, type BackupJobDeps, registerBackupJobs } from './backups/backup-jobs.ts'

/** All kinds of jobs. */
export const ALL_JOBS: readonly JobDefinition<object>[] = [
  APPOINTMENT_MAIL_JOB,
  ACCOUNT_MAIL_JOB,
  ACCOUNT_REQUEST_JOB,
  REMINDERS_JOB,
  WAITING_MESSAGES_JOB,
  DELIVERY_PROBLEMS_JOB,
  DELIVERY_MAIL_JOB,
  HOUSEKEEPING_JOB,
  CONTACT_MAIL_JOB,
  LOCATION_CONSTRAINT_JOB,
  LOCATION_MAIL_JOB,
  MANY_CHANGE_JOB,
  STANDING_SERIES_JOB,
  ...CHECKOUT_JOBS,
  ...EXTERNAL_CALENDAR_JOBS,
  ...APPOINTMENT_EVENT_JOBS,
  ...BILLING_JOBS,
  ...ADDRESS_JOBS,
  ...WAITING_JOBS,
  ...PAGE_PROBLEM_JOBS,
  BACKUP_JOB,
  BACKUP_MAIL_JOB,
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
    AddressJobDeps &
    PageProblemJobDeps &
    BackupJobDeps,
): Promise<void> {
  await queue.work(APPOINTMENT_MAIL_JOB, (job) =>
    'facts' in job ? sendClosedCalendarMail({ ...deps, jobs: queue }, job) : sendAppointmentMail(deps, job),
  )
  await queue.work(ACCOUNT_MAIL_JOB, (mail, { id }) => sendAccountMail(deps, mail, id))
  await queue.work(ACCOUNT_REQUEST_JOB, (request) => answerAccountRequest(deps, request))
  await queue.work(CONTACT_MAIL_JOB, (job, { id }) => sendContactMail(deps, job, id))
  await queue.work(LOCATION_CONSTRAINT_JOB, (job) => updateConstraintForAllAppointments(deps, job))
  await queue.work(LOCATION_MAIL_JOB, (job) => sendLocationMail(deps, job))
  await queue.work(MANY_CHANGE_JOB, (job) => runManyChange({ ...deps, jobs: queue }, job))
  await queue.work(STANDING_SERIES_JOB, () => extendStandingSeries({ ...deps, jobs: queue }))
  await queue.schedule(STANDING_SERIES_JOB, STANDING_SERIES_CRON, {})
  await queue.work(HOUSEKEEPING_JOB, () => runHousekeeping(deps))
  await queue.work(REMINDERS_JOB, () => queueDueReminders(deps))
  await queue.schedule(REMINDERS_JOB, REMINDERS_CRON, {})
  // Queue these jobs now, and not at the next full minute, because they may have become due while no worker ran.
  await queue.send(REMINDERS_JOB, {})
  await queue.work(WAITING_MESSAGES_JOB, () => queueWaitingMessages(deps))
  await queue.schedule(WAITING_MESSAGES_JOB, WAITING_MESSAGES_CRON, {})
  await queue.work(DELIVERY_PROBLEMS_JOB, () => queueDeliveryMails(deps))
  await queue.schedule(DELIVERY_PROBLEMS_JOB, DELIVERY_PROBLEMS_CRON, {})
  await queue.work(DELIVERY_MAIL_JOB, (job) => sendDeliveryMail(deps, job))
  await queue.schedule(HOUSEKEEPING_JOB, HOUSEKEEPING_CRON, {})
  await registerAppointmentEventJobs(queue, { ...deps, jobs: queue })
  await registerCheckoutJobs(queue, { ...deps, jobs: queue })
  await registerExternalCalendarJobs(queue, { ...deps, jobs: queue })
  await registerWaitingListJobs(queue, { ...deps, jobs: queue })
  await registerBillingJobs(queue, { ...deps, jobs: queue })
  await registerAddressJobs(queue, deps)
  await registerPageProblemJobs(queue, deps)
  await registerBackupJobs(queue, deps)
}

function answerAccountRequest(deps: AccountRequestDeps, request: AccountMailRequest): Promise<void> {
  switch (request.kind) {
    case 'registration':
      return sendRegistrationLink(deps, request)
    case 'password_reset':
      return sendPasswordResetLink(deps, request)
    case 'address_change':
      return sendEmailChangeLink(deps, request)
  }
}
