import { timingSafeEqual } from 'node:crypto'
import type { CreateBookingResponse } from '#contract/appointments/bookings.ts'
import type { BookingsDeps } from '#server/areas/appointments/bookings/deps.ts'
import { tryToQueueMails } from '#server/areas/appointments/bookings/queue-mails.ts'
import { lockBookableCalendar } from '#server/areas/appointments/bookings/repository.ts'
import { listFurtherDates, toBookingResponse } from '#server/areas/appointments/bookings/respond-once.ts'
import { namingDates } from '#server/areas/appointments/series/insert-dates.ts'
import { type RecipientsDeps, recordEmailResponse } from '#server/messages/queue/recipient-use-cases.ts'
import { listEmailCodes } from '#server/messages/queue/to-email-code.ts'
import type { Budgets } from '#server/platform/budgets/budgets.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { Client } from '#server/platform/http/client-of-request.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { Signer } from '#server/platform/secrets/signer.ts'
import type { Appointment } from '#server/records/appointments/appointment.ts'
import { findAppointmentDetails } from '#server/records/appointments/details-repository.ts'
import {
  confirmHeldAppointment,
  type EmailConfirmation,
  findEmailConfirmation,
  lockEmailConfirmation,
  lockFurtherHeldDates,
} from '#server/records/appointments/email-confirmation-repository.ts'
import { queueEventWrite } from '#server/records/appointments/event-job.ts'

export type EmailConfirmationsDeps = BookingsDeps &
  RecipientsDeps & {
    readonly budgets: Budgets
    readonly signer: Pick<Signer, 'listGenuine'>
  }

/**
 * Confirms a customer's email address with the code that we emailed, which confirms the booking and emails both sides.
 * Idempotent: sending the same code again returns the same response. Source: rule B24.
 * @throws ProblemError `appointment.not_found`, `confirmation.wrong_code`, `confirmation.too_many_codes`,
 * `confirmation.too_late`
 */
export async function confirmEmail(
  deps: EmailConfirmationsDeps,
  { id, code, client }: { id: string; code: string; client: Client },
): Promise<CreateBookingResponse> {
  const awaited = await findEmailConfirmation(deps.db, id)
  if (awaited === null) throw new ProblemError('appointment.not_found')
  await countTry(deps, { id, client })
  if (!listEmailCodes(deps.signer, id).some((right) => isSame(code, right))) {
    throw new ProblemError('confirmation.wrong_code', [{ path: 'code', message: 'This code is not right.' }])
  }
  const areMailsQueued = await book(deps, { id, calendarId: awaited.calendar_id })
  const details = await getDetails(deps, id)
  if (details.customer_email !== null) {
    await recordEmailResponse(deps, deps.recipientKeys.keyOf(details.customer_email))
  }
  const further = await listFurtherDates(deps.db, details)
  return toBookingResponse(deps, { details, further, confirmationEmailQueued: areMailsQueued })
}

/**
 * Sends the code again, in a separate email. Source: rule B26.
 * @throws ProblemError `appointment.not_found`, `confirmation.sent_often`, `confirmation.too_late`
 */
export async function sendCodeAgain(deps: EmailConfirmationsDeps, id: string): Promise<void> {
  const known = await findEmailConfirmation(deps.db, id)
  if (known === null) throw new ProblemError('appointment.not_found')
  const spent = await deps.budgets.spend([{ budget: 'email_code_mails', subject: id }])
  if (spent !== null) throw new ProblemError('confirmation.sent_often', [], spent.waitSeconds)
  await inTransaction(deps.db, async (trx) => {
    const awaited = await lockEmailConfirmation(trx, id)
    if (awaited === null || !awaited.isAwaited) throw new ProblemError('confirmation.too_late')
    await tryToQueueMails(deps, trx, ['email_code'], {
      calendarId: awaited.calendar_id,
      appointmentId: id,
      causedBy: 'customer',
      revision: { sequence: awaited.sequence, changedAt: new Date(deps.now()) },
      ...namingDates(await lockFurtherHeldDates(trx, { calendarId: awaited.calendar_id, id })),
    })
  })
}

/**
 * Counts an attempt towards the limits before the code is checked: a six-digit code is safe only if few attempts are
 * allowed. Source: rule B25.
 */
async function countTry(
  { budgets }: EmailConfirmationsDeps,
  { id, client }: { id: string; client: Client },
): Promise<void> {
  const spent = await budgets.spend([
    { budget: 'email_codes_client', subject: client.address },
    { budget: 'email_codes', subject: id },
  ])
  if (spent !== null) throw new ProblemError('confirmation.too_many_codes', [], spent.waitSeconds)
}

/**
 * Confirms the booking.
 * @returns whether the emails about the booking are queued, by this request or an earlier one
 */
async function book(
  deps: EmailConfirmationsDeps,
  { id, calendarId }: { id: string; calendarId: string },
): Promise<boolean> {
  return inTransaction(deps.db, async (trx) => {
    await lockBookableCalendar(trx, calendarId)
    const awaited = await lockEmailConfirmation(trx, id)
    if (awaited === null) throw new ProblemError('appointment.not_found')
    if (awaited.isConfirmed) return true
    refuseLate(awaited)
    const further = await lockFurtherHeldDates(trx, { calendarId, id })
    if (further.some(({ released_at }) => released_at !== null))
      throw new ProblemError('confirmation.too_late')
    const confirmedAt = new Date(deps.now())
    for (const date of [{ id }, ...further]) {
      const key = { calendarId, id: date.id }
      const isNeeded = await confirmHeldAppointment(trx, key, confirmedAt)
      await queueEventWrite(deps, trx, { ...key, isNeeded })
    }
    return tryToQueueMails(deps, trx, ['booking_confirmation', 'owner_booking_notice'], {
      calendarId,
      appointmentId: id,
      causedBy: 'customer',
      revision: { sequence: awaited.sequence, changedAt: confirmedAt },
      ...namingDates(further),
    })
  })
}

function refuseLate({ isAwaited }: EmailConfirmation): void {
  if (!isAwaited) throw new ProblemError('confirmation.too_late')
}

async function getDetails({ db }: EmailConfirmationsDeps, id: string): Promise<Appointment> {
  const details = await findAppointmentDetails(db, id)
  if (details === null) throw new ProblemError('appointment.not_found')
  return details
}

function isSame(typed: string, code: string): boolean {
  const [given, expected] = [Buffer.from(typed), Buffer.from(code)]
  return given.length === expected.length && timingSafeEqual(given, expected)
}
