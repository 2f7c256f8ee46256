import type { RouteDeps } from '#server/app/routes.ts'
import { closeCheckoutAtProvider } from '#server/areas/payments/checkouts/end-checkouts.ts'
import { refundAppointment } from '#server/areas/payments/checkouts/refund-payment.ts'
import { queueDeliveryMails } from '#server/messages/queue/delivery-jobs.ts'
import { queueDueReminders } from '#server/messages/queue/due-jobs.ts'
import { sendAppointmentMail } from '#server/messages/queue/jobs.ts'
import { APPOINTMENT_MAIL_JOB, type LedgerMessageJob } from '#server/messages/queue/message-job.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import { type Mailer, MailRefusedError } from '#server/ports/mailer.ts'
import { buildDemoProviders } from './demo-providers.ts'

/** The dependencies of use cases that run on an earlier day. */
export type PastDeps = RouteDeps

/** A time in the past at which use cases can be called. */
export type PastMoment = {
  readonly deps: PastDeps
  /** Sets the time of the next use cases, in milliseconds since the epoch. */
  readonly goTo: (atMs: number) => void
  /**
   * Sends the queued messages to a mail server of the past. Messages from before `toldSinceMs` are dropped, because nobody looks
   * at them.
   */
  readonly deliver: () => Promise<void>
  /**
   * Marks older messages as sent without building them: building a hundred emails that nobody reads would take most of a second
   * of the first start.
   */
  readonly closeOldMessages: () => Promise<void>
  /** Queues the reminders that are due by now. */
  readonly remind: () => Promise<void>
  /** Notifies the owner of failed messages, so that no notification about the past is sent tomorrow. */
  readonly tellOfFailures: () => Promise<void>
}

/**
 * Builds dependencies whose effects stay in the past. A mail server accepts each message without showing it, so that the mailbox
 * starts with the visitor's own emails. It refuses emails to `refusedAddress`. Nothing is logged or counted, because no visitor
 * caused it.
 */
export function buildDepsInPast(
  present: RouteDeps,
  { refusedAddress, toldSinceMs }: { readonly refusedAddress: string; readonly toldSinceMs: number },
): PastMoment {
  let nowMs = present.now()
  let queued: LedgerMessageJob[] = []
  const insert: JobQueue['insert'] = async (_trx, job, payloads) => {
    // The job's name determines the type of its payload.
    if (job.name === APPOINTMENT_MAIL_JOB.name) queued.push(...(payloads as unknown as LedgerMessageJob[]))
  }
  const now = () => nowMs
  const silent = () => {}
  const log = { fatal: silent, error: silent, warn: silent, info: silent, debug: silent, trace: silent }
  const shared = {
    ...present,
    now,
    log,
    jobs: { ...present.jobs, insert },
    providers: buildDemoProviders({ db: present.db, now }),
  }
  const deps: PastDeps = {
    ...shared,
    money: {
      payBack: (key) => refundAppointment(shared, key),
      endCheckout: (key) => closeCheckoutAtProvider(shared, key),
    },
  }
  const mailer = buildPastMailer(refusedAddress)
  const budgets = { spend: async () => null, uncount: async () => {} }
  return {
    deps,
    goTo: (atMs) => {
      nowMs = atMs
    },
    deliver: async () => {
      const jobs = queued
      queued = []
      if (nowMs < toldSinceMs) return
      for (const job of jobs) await sendAppointmentMail({ ...deps, mailer, budgets }, job)
    },
    closeOldMessages: async () => {
      await deps.db
        .updateTable('appointment_messages')
        .set((row) => ({ state: 'sent', attempts: 1, sent_at: row.ref('created_at') }))
        .where('state', '=', 'queued')
        .execute()
    },
    remind: () => queueDueReminders(deps),
    tellOfFailures: () => queueDeliveryMails(deps),
  }
}

function buildPastMailer(refusedAddress: string): Mailer {
  return {
    send: async ({ to }) => {
      if (to.address !== refusedAddress) return
      const words = `<${to.address}>: the mailbox does not exist`
      throw new MailRefusedError({ code: 550, command: 'RCPT TO', words, isFinal: true })
    },
    close: async () => {},
  }
}
