import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { START_REASON_SENTENCES } from '#contract/appointments/owner-booking-problems.ts'
import type {
  CreateSeriesResponse,
  createSeriesBody,
  EndSeriesResponse,
  endSeriesBody,
  SeriesPlan,
  SeriesResponse,
  seriesPlanQuery,
} from '#contract/appointments/series.ts'
import { isCancellable } from '#core/appointments/appointment-actions.ts'
import { UNCHECKED_CALENDARS_WARNING } from '#core/appointments/describe-action.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { localDateOf, toSecondsOfDay } from '#core/shared/zoned-time.ts'
import { findReasonBeyondBounds, isFinalReason } from '#core/slots/explain-start.ts'
import {
  countSeriesDates,
  getSeriesStart,
  judgeSeries,
  planSeries,
  SERIES_LIMITS,
  type SeriesRule,
} from '#core/slots/plan-series.ts'
import {
  cancelLockedAppointment,
  inOneEmail,
  toOwnerCancellationRefund,
} from '#server/areas/appointments/actions/cancel-appointment.ts'
import type { BookingsDeps, OwnerBookingDeps } from '#server/areas/appointments/bookings/deps.ts'
import {
  toBookingMessageFields,
  toBookingRequirements,
  toPaymentTerms,
} from '#server/areas/appointments/bookings/insert-booking.ts'
import { isMailWanted, withOwnDuration } from '#server/areas/appointments/bookings/owner-booking.ts'
import { tryToQueueMails } from '#server/areas/appointments/bookings/queue-mails.ts'
import { lockBookableCalendar, lockBooking } from '#server/areas/appointments/bookings/repository.ts'
import {
  findEarlierBooking,
  storeBookingResponse,
  toIdempotentRequest,
} from '#server/areas/appointments/bookings/respond-once.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { BookedAppointment } from '#server/records/appointments/appointment.ts'
import { lockAppointmentForAction } from '#server/records/appointments/state-repository.ts'
import {
  BOOKING_CONFLICT_CODES,
  translateBookingConflicts,
} from '#server/records/appointments/translate-booking-conflicts.ts'
import { getOwnCalendar, lockOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { checkGivenAnswers } from '#server/records/questions/use-cases.ts'
import {
  getBookingRequirements,
  getSchedulingCalendar,
  loadSeriesQuery,
} from '#server/records/slots/use-cases.ts'
import { insertDates, namingDates } from './insert-dates.ts'
import {
  countStandingSeries,
  findSeries,
  insertSeries,
  listFollowingAppointments,
  listSeriesAppointments,
  type SeriesKey,
  storeSeriesEnd,
} from './repository.ts'

type Body = z.output<typeof createSeriesBody>
type Rule = Pick<Body, 'date' | 'time' | 'every_weeks'>

/**
 * Plans a series: its dates, what speaks against each, and near times. Takes no locks; the booking judges the dates
 * again. Source: rule B39.
 * @throws ProblemError `calendar.*`, `booking.*`, `series.count_invalid`
 */
export async function planOwnSeries(
  deps: Pick<BookingsDeps, 'db' | 'now' | 'baseUrl' | 'defaultTier'>,
  ownerId: OwnerId,
  calendarId: string,
  asked: z.output<typeof seriesPlanQuery>,
): Promise<SeriesPlan> {
  const { slug } = await getOwnCalendar(deps, ownerId, calendarId)
  const calendar = await getSchedulingCalendar(deps.db, slug)
  const nowMs = deps.now()
  const rule = toSeriesRule(asked)
  refuseStartBeyondBounds(rule, calendar.timezone, nowMs)
  const count = countAskedDates(rule, asked, localDateOf(nowMs, calendar.timezone))
  const usual = await getBookingRequirements(deps.db, calendarId, asked.appointment_type_id ?? null)
  refuseSeats(usual)
  const requirements = withOwnDuration(usual, asked)
  const startsMs = [1, count].map((number) => getSeriesStart(rule, number, calendar.timezone).startsAtMs)
  const query = await loadSeriesQuery(deps.db, { calendar, requirements, startsMs, nowMs })
  const toTime = (startMs: number) => ({
    starts_at: new Date(startMs).toISOString(),
    ends_at: new Date(startMs + requirements.durationMinutes * MINUTE_MS).toISOString(),
  })
  return {
    time_zone: calendar.timezone,
    hour_cycle: calendar.hour_cycle,
    dates: planSeries(query, rule, count).map(({ date, startsAtMs, reading, reasons, nearMs }) => ({
      date,
      ...toTime(startsAtMs),
      reading,
      reasons: [...reasons],
      near_times: nearMs.map(toTime),
    })),
  }
}

function toSeriesRule({ date, time, every_weeks: everyWeeks }: Rule): SeriesRule {
  return { firstDate: date, secondsOfDay: toSecondsOfDay(time), everyWeeks }
}

/** A customer of a session books each date on its own. Source: rule B63. */
function refuseSeats({ seats }: { readonly seats: number | null }): void {
  if (seats !== null) throw new ProblemError('series.type_has_seats')
}

/** Refuses a first date that nobody can book, before anything is computed for it. */
function refuseStartBeyondBounds(rule: SeriesRule, timeZone: string, nowMs: number): void {
  const beyond = findReasonBeyondBounds(getSeriesStart(rule, 1, timeZone).startsAtMs, nowMs)
  if (beyond !== null) throw new ProblemError(`booking.${beyond}`)
}

function countAskedDates(
  rule: SeriesRule,
  { count, until }: Pick<z.output<typeof seriesPlanQuery>, 'count' | 'until'>,
  today: string,
): number {
  if (count === undefined && until === undefined) return countSeriesDates(rule, 'never', today)
  const found = count ?? countSeriesDates(rule, { until: until ?? rule.firstDate }, today)
  if (found < SERIES_LIMITS.fewestDates || found > SERIES_LIMITS.mostDates)
    throw new ProblemError('series.count_invalid')
  return found
}

/**
 * Books all chosen dates of a series for a customer in one transaction, or none of them. Source: rules B38 and B40.
 * @throws ProblemError `calendar.*`, `booking.*`, `answer.refused`, `series.*`, `request.key_reused`
 */
export async function createOwnSeries(
  deps: OwnerBookingDeps,
  ownerId: OwnerId,
  { calendarId, key, body }: { calendarId: string; key: string | null; body: Body },
): Promise<CreateSeriesResponse> {
  const { timezone } = await getOwnCalendar(deps, ownerId, calendarId)
  refuseStartBeyondBounds(toSeriesRule(body), timezone, deps.now())
  const [first] = toChosenStarts(body, timezone)
  if (first === undefined) throw new ProblemError('series.count_invalid')
  const isVerified = await deps.verifyExternalCalendars({ calendarId, startsAtMs: first.startsAtMs })
  const { seriesId, isMailQueued } = await bookSeries(deps, { calendarId, key, body })
  const booked = await listSeriesAppointments(deps.db, { calendarId, id: seriesId })
  return {
    series_id: seriesId,
    appointments: booked.map(({ id, booking_reference, starts_at, ends_at }) => ({
      id,
      booking_reference,
      starts_at: starts_at.toISOString(),
      ends_at: ends_at.toISOString(),
    })),
    confirmation_email_queued: isMailQueued,
    confirmation_email_wanted: booked.some(({ starts_at }) =>
      isMailWanted(body, starts_at.getTime(), deps.now()),
    ),
    warning: isVerified ? null : UNCHECKED_CALENDARS_WARNING,
  }
}

/** Returns the chosen starts in order. */
function toChosenStarts(body: Body, timeZone: string) {
  const rule = toSeriesRule(body)
  return body.dates
    .map(({ number, starts_at, outside_hours: isAnyway }) => ({
      number,
      isAnyway,
      startsAtMs:
        starts_at === undefined ? getSeriesStart(rule, number, timeZone).startsAtMs : Date.parse(starts_at),
    }))
    .sort((a, b) => a.startsAtMs - b.startsAtMs)
}

function bookSeries(
  deps: OwnerBookingDeps,
  { calendarId, key, body }: { calendarId: string; key: string | null; body: Body },
): Promise<{ readonly seriesId: string; readonly isMailQueued: boolean }> {
  const request = toIdempotentRequest(key, { by: 'owner', ...body })
  const typeId = body.appointment_type_id ?? null
  return translateBookingConflicts(BOOKING_CONFLICT_CODES, () =>
    inTransaction(deps.db, async (trx) => {
      const calendar = await lockBookableCalendar(trx, calendarId)
      if (calendar === null) throw new ProblemError('calendar.not_found')
      const earlier = await findEarlierBooking(deps, trx, calendarId, request)
      if (earlier !== null) return toEarlierSeries(earlier)
      if (body.is_standing) await refuseTooManyStanding(trx, calendarId)
      const locked = await lockBooking(deps, trx, { calendar, typeId })
      const nowMs = deps.now()
      const usual = toBookingRequirements(locked, { typeId, missing: 'booking.service_required' })
      refuseSeats(usual)
      const requirements = withOwnDuration(usual, body)
      const chosen = toChosenStarts(body, calendar.timezone)
      const startsMs = chosen.map(({ startsAtMs }) => startsAtMs)
      const query = await loadSeriesQuery(trx, {
        calendar,
        requirements,
        startsMs,
        nowMs,
        isAlone: locked.isAlone,
      })
      const judged = judgeSeries(query, chosen)
      refuseUnavailableDates(judged, chosen)

      const seriesId = randomUUID()
      await insertSeries(trx, {
        calendar_id: calendarId,
        id: seriesId,
        every_weeks: body.every_weeks,
        first_date: body.date,
        local_time: body.time,
        planned: body.planned,
        is_standing: body.is_standing,
        overridden: (judged[0]?.reasons ?? []).filter((reason) => !isFinalReason(reason)),
        created_at: new Date(nowMs),
      })
      const toAnswers = await toAnswersOfEach(deps, trx, { calendarId, typeId, answers: body.answers ?? [] })
      const { name, email, phone } = body.customer
      const booked = await insertDates(deps, trx, {
        bookings: startsMs.map((startsAtMs, i) => ({
          locked,
          requirements,
          startsAtMs,
          title: body.title,
          description: body.description,
          customer: { name, email: email || null, phone: phone || null, timeZone: null },
          answers: toAnswers(),
          paymentStatus: toPaymentTerms(locked).paymentStatus,
          hold: null,
          bookedBy: 'owner' as const,
          series: { id: seriesId, number: i + 1 },
          nowMs,
        })),
      })
      const isMailQueued = await queueConfirmation(deps, trx, { body, booked, nowMs })
      const [details] = booked
      if (details === undefined) throw new ProblemError('series.count_invalid')
      await storeBookingResponse(trx, request, { details, confirmationEmailQueued: isMailQueued })
      return { seriesId, isMailQueued }
    }),
  )
}

/** @throws ProblemError `request.key_reused` when the key booked a single appointment */
function toEarlierSeries({
  details,
  confirmationEmailQueued,
}: NonNullable<Awaited<ReturnType<typeof findEarlierBooking>>>) {
  const { series_id: seriesId } = details
  if (seriesId === null) throw new ProblemError('request.key_reused')
  return { seriesId, isMailQueued: confirmationEmailQueued }
}

async function refuseTooManyStanding(trx: Trx, calendarId: string): Promise<void> {
  if ((await countStandingSeries(trx, calendarId)) >= SERIES_LIMITS.standingPerCalendar)
    throw new ProblemError('series.too_many_standing')
}

/** @throws ProblemError `series.dates_unavailable` with a sentence for each date that cannot be booked */
function refuseUnavailableDates(
  judged: ReturnType<typeof judgeSeries>,
  chosen: readonly { readonly number: number }[],
): void {
  const errors = judged.flatMap(({ decision }, i) =>
    decision.ok
      ? []
      : [{ path: `dates.${chosen[i]?.number}`, message: START_REASON_SENTENCES[decision.reason] }],
  )
  if (errors.length > 0) throw new ProblemError('series.dates_unavailable', errors)
}

async function toAnswersOfEach(
  deps: OwnerBookingDeps,
  trx: Trx,
  given: Parameters<typeof checkGivenAnswers>[2],
): ReturnType<typeof checkGivenAnswers> {
  return given.answers.length === 0
    ? () => []
    : checkGivenAnswers(deps, trx, { ...given, mayLeaveOpen: true })
}

/** Queues one email about all dates that have not begun. Source: rule B43. */
async function queueConfirmation(
  deps: OwnerBookingDeps,
  trx: Trx,
  { body, booked, nowMs }: { body: Body; booked: readonly BookedAppointment[]; nowMs: number },
): Promise<boolean> {
  const [first, ...others] = booked.filter(({ starts_at }) => isMailWanted(body, starts_at.getTime(), nowMs))
  if (first === undefined) return false
  return tryToQueueMails(deps, trx, ['booking_confirmation'], {
    ...toBookingMessageFields(first),
    ...namingDates(others),
  })
}

/**
 * Returns a series of one of the owner's calendars.
 * @throws ProblemError `calendar.*`, `series.not_found`
 */
export async function getOwnSeries(
  deps: Pick<BookingsDeps, 'db' | 'now'> & Parameters<typeof getOwnCalendar>[0],
  ownerId: OwnerId,
  key: SeriesKey,
): Promise<SeriesResponse> {
  await getOwnCalendar(deps, ownerId, key.calendarId)
  const series = await findSeries(deps.db, key)
  if (series === null) throw new ProblemError('series.not_found')
  const dates = await listSeriesAppointments(deps.db, key)
  return {
    every_weeks: series.every_weeks,
    is_standing: series.is_open,
    dates: dates.map(({ id, series_number, starts_at, ends_at, status, payment_status }) => ({
      appointment_id: id,
      number: series_number ?? 0,
      starts_at: starts_at.toISOString(),
      ends_at: ends_at.toISOString(),
      status,
      payment_status,
    })),
  }
}

/**
 * Ends a standing appointment, and cancels the appointment with a number and all later ones if the owner wants that.
 * Appointments that have begun stay, and those that wait for a payment. Idempotent. Source: rule B45.
 * @throws ProblemError `calendar.*`, `series.not_found`
 */
export async function endOwnSeries(
  deps: BookingsDeps,
  ownerId: OwnerId,
  key: SeriesKey,
  { cancel_from: from }: z.output<typeof endSeriesBody>,
): Promise<EndSeriesResponse> {
  await getOwnCalendar(deps, ownerId, key.calendarId)
  return inTransaction(deps.db, async (trx) => {
    const { bufferMinutes } = await lockOwnCalendar(trx, ownerId, key.calendarId)
    if ((await findSeries(trx, key)) === null) throw new ProblemError('series.not_found')
    const now = new Date(deps.now())
    await storeSeriesEnd(trx, key, now)
    if (from === null) return { cancelled: 0, kept: 0 }
    const following = await listFollowingAppointments(trx, key, { from, now })
    return cancelDates(deps, trx, {
      calendarId: key.calendarId,
      ids: following.map(({ id }) => id),
      bufferMinutes,
    })
  })
}

/** Cancels appointments of a series together, with one email about all of them. */
async function cancelDates(
  deps: BookingsDeps,
  trx: Trx,
  { calendarId, ids, bufferMinutes }: { calendarId: string; ids: readonly string[]; bufferMinutes: number },
): Promise<EndSeriesResponse> {
  const cancellable = []
  for (const id of ids) {
    const key = { calendarId, id }
    const appointment = await lockAppointmentForAction(trx, key)
    if (appointment !== null && isCancellable(appointment.state)) cancellable.push({ key, appointment })
  }
  for (const [i, { key, appointment }] of cancellable.entries()) {
    await cancelLockedAppointment(deps, trx, {
      key,
      appointment,
      bufferMinutes,
      causedBy: 'owner',
      givesBack: toOwnerCancellationRefund(appointment, deps.now()),
      ...inOneEmail(cancellable, i),
    })
  }
  return { cancelled: cancellable.length, kept: ids.length - cancellable.length }
}
