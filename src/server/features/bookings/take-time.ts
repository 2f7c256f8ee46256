import { randomUUID } from 'node:crypto'
import { LIMITS } from '#contract/limits.ts'
import type { ProblemCode } from '#contract/problem.ts'
import { decidePaymentTerms, type PaymentTerms } from '#core/booking/payment-terms.ts'
import { renderTitle, titleOf } from '#core/booking/title-template.ts'
import { cutText } from '#core/shared/text.ts'
import { compileInsertHold, type NewHold } from '#server/features/holds/use-cases.ts'
import { compileMessages, type NewMessage } from '#server/features/messages/use-cases.ts'
import { DEFAULT_DURATION_MINUTES, type SlotDemand } from '#server/features/slots/use-cases.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { exclusionConstraintOf, isDatabaseUnavailable } from '#server/platform/db/pg-errors.ts'
import type { Query } from '#server/platform/db/prepared-statement.ts'
import type { PaymentStatus } from '#server/platform/db/schema.ts'
import { listRowsAndTry, listRowsTogether, type RowsOf, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { Log } from '#server/platform/log.ts'
import type { KeyedRequest } from './answer-once.ts'
import { compileStoreAnswer } from './answer-repository.ts'
import { findWithoutAddress } from './customer-repository.ts'
import {
  type AppointmentDetails,
  type BookableCalendar,
  type BookedType,
  type Choice,
  compileInsertAppointment,
} from './repository.ts'

export type BookingsDeps = {
  readonly db: Db
  readonly now: Clock
  readonly jobs: Pick<JobQueue, 'insert' | 'compileInsert'>
  readonly log: Pick<Log, 'error'>
  /** The product's own address, without a trailing slash. */
  readonly baseUrl: string
}

/** What has been agreed, whoever books it, once nothing speaks against its time. */
export type Agreement = {
  readonly calendar: BookableCalendar
  readonly choice: Choice
  readonly demand: SlotDemand
  readonly startsAtMs: number
  readonly title: string | null | undefined
  readonly description: string | null | undefined
  readonly customer: {
    readonly name: string
    readonly email: string | null
    readonly phone: string | null
    readonly timeZone: string | null
  }
  readonly paymentStatus: PaymentStatus
  /** Why it is held for now, and by whom; null when it is confirmed at once. */
  readonly hold: NewHold | null
  readonly bookedBy: 'customer' | 'owner'
  /** Who is told of it by e-mail, and what. */
  readonly mails: readonly NewMessage['kind'][]
  /** What asked for it, when it may ask again. */
  readonly request: KeyedRequest | null
  readonly nowMs: number
}

/**
 * Writes the appointment with its customer and its mails, and the answer to what asked for it. Under the calendar's
 * lock, the location's too. The appointment stands even when its mails cannot be queued. Source: rule B17.
 */
export async function takeTime(
  deps: Pick<BookingsDeps, 'jobs' | 'log'>,
  trx: Trx,
  agreement: Agreement,
): Promise<{ details: AppointmentDetails; areMailsQueued: boolean }> {
  const { calendar, choice, demand, startsAtMs, customer, hold, nowMs } = agreement
  const { type, location } = choice
  const { name, email, phone } = customer
  const id = randomUUID()
  const insert = compileInsertAppointment(trx, {
    id,
    calendarId: calendar.id,
    bookingReference: `BK-${Math.max(nowMs, choice.lastReferenceMs + 1)}`,
    customer: {
      knownId:
        email === null ? await findWithoutAddress(trx, { calendarId: calendar.id, name, phone }) : null,
      newId: randomUUID(),
      clientId: `C${Math.max(nowMs, choice.lastClientIdMs + 1)}`,
      name,
      email,
      phone,
    },
    customerTimeZone: customer.timeZone,
    startsAtMs,
    endsAtMs: startsAtMs + demand.durationMinutes * 60_000,
    bufferMinutes: calendar.rules.bufferMinutes,
    timeZone: calendar.timeZone,
    title: toTitle(calendar, type, agreement.title),
    description: agreement.description || null,
    type,
    location,
    conflictLocationId: demand.conflictLocationId,
    status: hold === null ? 'confirmed' : 'pending_payment',
    paymentStatus: agreement.paymentStatus,
    holdExpiresAt: hold?.expiresAt ?? null,
    awaitsEmailCode: hold?.reason === 'email_confirmation',
    bookedBy: agreement.bookedBy,
    createdAt: new Date(nowMs),
  })
  const about = {
    calendarId: calendar.id,
    appointmentId: id,
    causedBy: agreement.bookedBy,
    revision: { sequence: 0, changedAt: new Date(nowMs) },
  }
  const insertHold = hold === null ? [] : [compileInsertHold(trx, { calendarId: calendar.id, id }, hold)]
  const storeAnswer = (areMailsQueued: boolean) =>
    agreement.request === null
      ? []
      : [compileStoreAnswer(trx, toAnswer(agreement.request, about, areMailsQueued))]
  const areMailsExpected = agreement.mails.length > 0
  const { rows, areQueued } = await listRowsWithMails(
    deps,
    trx,
    [insert, ...insertHold, ...storeAnswer(areMailsExpected)],
    agreement.mails,
    about,
  )
  const [[details]] = rows
  if (details === undefined) throw new Error('an appointment has a calendar, an owner and a customer')
  // It was stored before it was known.
  if (areQueued !== areMailsExpected) await listRowsTogether(trx, storeAnswer(areQueued))
  return { details, areMailsQueued: areQueued }
}

function toAnswer(
  { key, bodyHash }: KeyedRequest,
  { calendarId, appointmentId, revision }: Omit<NewMessage, 'kind'>,
  areMailsQueued: boolean,
) {
  return {
    calendar_id: calendarId,
    key,
    body_hash: bodyHash,
    appointment_id: appointmentId,
    confirmation_email_queued: areMailsQueued,
    created_at: revision.changedAt,
  }
}

/**
 * What the type and the location that were chosen take. A type is mandatory when the calendar has types, and it must be
 * one of them. Source: rule T14.
 * @throws ProblemError `missing` when there is none, `booking.type_unknown`
 */
export function demandOf(
  { type, location, hasTypes }: Choice,
  { typeId, missing }: { typeId: string | null; missing: 'booking.incomplete' | 'booking.service_required' },
): SlotDemand {
  if (typeId === null && hasTypes) throw new ProblemError(missing)
  if (typeId !== null && type === null) throw new ProblemError('booking.type_unknown')
  return {
    durationMinutes: type?.durationMinutes ?? DEFAULT_DURATION_MINUTES,
    conflictLocationId: location?.isExclusive === true ? location.id : null,
  }
}

/** What the appointment costs, and whether a customer would have to pay first. */
export function termsOf(calendar: BookableCalendar, { type, providerConnected }: Choice): PaymentTerms {
  return decidePaymentTerms({
    priceCents: type?.priceCents ?? null,
    calendarRequiresPayment: calendar.paymentRequired,
    typeRequiresPayment: type?.paymentRequired ?? false,
    providerConnected,
  })
}

/**
 * What the customer wrote; a title that was asked for and cleared falls back to the type's name, then 'Appointment'.
 * One that was not asked for is what the form would have been filled with (rule B9).
 */
function toTitle(
  calendar: BookableCalendar,
  type: BookedType | null,
  typed: string | null | undefined,
): string {
  if (typeof typed === 'string' || type !== null) return titleOf(typed, type?.name)
  const rendered = renderTitle(calendar.titleTemplate, {
    calendarName: calendar.name,
    firstName: calendar.professionalFirstName,
    lastName: calendar.professionalLastName,
  })
  return cutText(rendered, LIMITS.appointmentTitle)
}

/** The constraints decide last. A time that they refuse is reported like any other taken time. Source: rule T20. */
export async function refusingTakenTime<Result>(
  refusals: { readonly time: ProblemCode; readonly place: ProblemCode },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const constraint = exclusionConstraintOf(error)
    if (constraint === null) throw error
    const isPlace = constraint === 'appointments_no_location_conflict'
    throw new ProblemError(isPlace ? refusals.place : refusals.time)
  }
}

/**
 * What was done stands even when its mails cannot be queued: that is logged, and the customer may be told.
 * Source: rule B17.
 * @returns whether they are queued
 */
export async function tryToQueueMails(
  deps: Pick<BookingsDeps, 'jobs' | 'log'>,
  trx: Trx,
  kinds: readonly NewMessage['kind'][],
  about: Omit<NewMessage, 'kind'>,
): Promise<boolean> {
  return (await listRowsWithMails(deps, trx, [], kinds, about)).areQueued
}

/** Sends queries, and the mails about what they do together with them. */
async function listRowsWithMails<const Queries extends readonly Query<unknown>[]>(
  deps: Pick<BookingsDeps, 'jobs' | 'log'>,
  trx: Trx,
  queries: Queries,
  kinds: readonly NewMessage['kind'][],
  about: Omit<NewMessage, 'kind'>,
): Promise<{ rows: RowsOf<Queries>; areQueued: boolean }> {
  const messages = kinds.map((kind) => ({ ...about, kind }))
  const onFailure = (err: unknown) => deps.log.error({ err, kinds }, 'mails could not be queued')
  const mails = await compileMessages(deps, trx, messages).catch((error: unknown) => {
    if (isDatabaseUnavailable(error)) throw error
    onFailure(error)
    return []
  })
  if (mails.length === 0) return { rows: await listRowsTogether(trx, queries), areQueued: false }
  const { rows, isAttemptDone } = await listRowsAndTry(trx, queries, { queries: mails, onFailure })
  return { rows, areQueued: isAttemptDone }
}
