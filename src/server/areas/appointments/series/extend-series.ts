import { addDays } from '#core/shared/calendar-date.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { localDateOf } from '#core/shared/zoned-time.ts'
import { earliestDateNow } from '#core/slots/displayed-days.ts'
import type { FinalReason, StartReason, StartWarning } from '#core/slots/explain-start.ts'
import {
  countSeriesDates,
  explainInOrder,
  getSeriesDate,
  getSeriesStart,
  SERIES_LIMITS,
  type SeriesRule,
} from '#core/slots/plan-series.ts'
import type { BookingsDeps } from '#server/areas/appointments/bookings/deps.ts'
import {
  type NewBooking,
  toBookingRequirements,
  toPaymentTerms,
} from '#server/areas/appointments/bookings/insert-booking.ts'
import {
  type BookableCalendar,
  type LockedBooking,
  lockBookableCalendar,
  lockBooking,
} from '#server/areas/appointments/bookings/repository.ts'
import { PAGE_PROBLEM_MAIL_JOB } from '#server/areas/availability/page-problems/job-definitions.ts'
import { deleteMissedDates, insertMissedDate } from '#server/areas/availability/page-problems/repository.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import type { Appointment } from '#server/records/appointments/appointment.ts'
import { findAppointmentDetails } from '#server/records/appointments/details-repository.ts'
import { loadSeriesQuery } from '#server/records/slots/use-cases.ts'
import { insertDates } from './insert-dates.ts'
import {
  findLastOfSeries,
  findSeries,
  listStandingSeries,
  type SeriesKey,
  type StoredSeries,
  storePlannedDates,
  storeSeriesEnd,
} from './repository.ts'

/**
 * Books the dates of all standing appointments that are at most 26 weeks ahead. It decides each date once: it books the date, or
 * tells the owner why it could not. Source: rule B44.
 */
export async function extendStandingSeries(deps: BookingsDeps): Promise<void> {
  const yesterday = earliestDateNow(deps.now())
  await deleteMissedDates(deps.db, yesterday)
  const latest = addDays(yesterday, SERIES_LIMITS.standingWeeks * 7 + 2)
  for (const { calendar_id: calendarId, id } of await listStandingSeries(deps.db, latest)) {
    try {
      await inTransaction(deps.db, (trx) => extendSeries(deps, trx, { calendarId, id }))
    } catch (err) {
      // The next run tries again. The other series must not wait for it.
      deps.log.error({ err, seriesId: id }, 'a standing appointment was not extended')
    }
  }
}

async function extendSeries(deps: BookingsDeps, trx: Trx, key: SeriesKey): Promise<void> {
  const calendar = await lockBookableCalendar(trx, key.calendarId)
  const series = await findSeries(trx, key)
  if (calendar === null || series === null || !series.is_open) return
  const nowMs = deps.now()
  const rule = toRule(series)
  const count = countSeriesDates(rule, 'never', localDateOf(nowMs, calendar.timezone))
  if (count <= series.planned) return
  const last = await findLastOfSeries(trx, key)
  const latest = last && (await findAppointmentDetails(trx, last.id))
  // Nobody is booked again whose data was erased.
  if (last === null || latest === null || latest.customer_erased_at !== null)
    return storeSeriesEnd(trx, key, new Date(nowMs))
  const typeId = latest.appointment_type_id
  const locked = await lockBooking(deps, trx, { calendar, typeId })
  const numbers = Array.from({ length: count - series.planned }, (_, i) => series.planned + 1 + i)
  // Without its type there are no terms to book on.
  if (typeId !== null && locked.type === null) {
    const date = getSeriesDate(rule, series.planned + 1)
    await reportMissedDates(deps, trx, {
      key,
      missed: [{ date, reason: 'type_deleted' }],
      foundAt: new Date(nowMs),
    })
    return storeSeriesEnd(trx, key, new Date(nowMs))
  }
  const { free, missed } = await judgeDates(trx, { calendar, locked, latest, series, rule, numbers, nowMs })
  await insertDates(deps, trx, {
    bookings: free.map((startsAtMs, i) =>
      toNextBooking({ locked, latest, startsAtMs, nowMs, number: (last.series_number ?? 0) + 1 + i }),
    ),
  })
  await reportMissedDates(deps, trx, { key, missed, foundAt: new Date(nowMs) })
  await storePlannedDates(trx, key, count)
}

function toRule({ first_date: firstDate, seconds_of_day, every_weeks }: StoredSeries): SeriesRule {
  return { firstDate, secondsOfDay: seconds_of_day, everyWeeks: every_weeks }
}

type MissedDate = { readonly date: string; readonly reason: FinalReason | StartWarning | 'type_deleted' }

/** Decides which dates can be booked. Each counts the free ones before it as booked. */
async function judgeDates(
  trx: Trx,
  {
    calendar,
    locked,
    latest,
    series,
    rule,
    numbers,
    nowMs,
  }: {
    calendar: BookableCalendar
    locked: LockedBooking
    latest: Appointment
    series: StoredSeries
    rule: SeriesRule
    numbers: readonly number[]
    nowMs: number
  },
): Promise<{ free: number[]; missed: MissedDate[] }> {
  const starts = numbers.map((number) => ({
    date: getSeriesDate(rule, number),
    startsAtMs: getSeriesStart(rule, number, calendar.timezone).startsAtMs,
  }))
  const query = await loadSeriesQuery(trx, {
    calendar,
    requirements: toRequirements(locked, latest),
    startsMs: starts.map(({ startsAtMs }) => startsAtMs),
    nowMs,
    isAlone: locked.isAlone,
  })
  const judged = explainInOrder(query, starts, ({ reasons }) => findObstacle(reasons, series) === undefined)
  return {
    free: judged.flatMap(({ reasons, startsAtMs }) =>
      findObstacle(reasons, series) === undefined ? [startsAtMs] : [],
    ),
    missed: judged.flatMap(({ reasons, date }) => {
      const reason = findObstacle(reasons, series)
      return reason === undefined ? [] : [{ date, reason }]
    }),
  }
}

function toRequirements(
  locked: LockedBooking,
  { appointment_type_id: typeId, starts_at, ends_at }: Appointment,
) {
  if (typeId !== null) return toBookingRequirements(locked, { typeId, missing: 'booking.service_required' })
  // A calendar that has types by now keeps its standing appointments without one.
  const usual = toBookingRequirements(
    { ...locked, has_types: false },
    { typeId, missing: 'booking.service_required' },
  )
  return { ...usual, durationMinutes: (ends_at.getTime() - starts_at.getTime()) / MINUTE_MS }
}

/**
 * Returns the first reason that keeps a standing appointment from being booked. The booking window is for customers, an unread
 * external calendar may be free half a year ahead, and the owner has overridden some warnings before.
 */
function findObstacle(reasons: readonly StartReason[], { overridden }: StoredSeries) {
  return reasons.find(
    (reason): reason is FinalReason | StartWarning =>
      reason !== 'paused' && reason !== 'window' && reason !== 'unchecked' && !overridden.includes(reason),
  )
}

/** Repeats the latest appointment of a series at another time, with the present terms of its type. */
function toNextBooking({
  locked,
  latest,
  startsAtMs,
  number,
  nowMs,
}: {
  locked: LockedBooking
  latest: Appointment
  startsAtMs: number
  number: number
  nowMs: number
}): NewBooking {
  return {
    locked,
    requirements: toRequirements(locked, latest),
    startsAtMs,
    title: latest.title,
    description: latest.description,
    customer: {
      id: latest.customer_id,
      name: latest.customer_name,
      email: latest.customer_email,
      phone: latest.customer_phone,
      timeZone: latest.customer_time_zone,
    },
    paymentStatus: toPaymentTerms(locked).paymentStatus,
    hold: null,
    bookedBy: 'owner',
    series: { id: latest.series_id ?? '', number },
    nowMs,
  }
}

async function reportMissedDates(
  deps: Pick<BookingsDeps, 'jobs'>,
  trx: Trx,
  { key, missed, foundAt }: { key: SeriesKey; missed: readonly MissedDate[]; foundAt: Date },
): Promise<void> {
  if (missed.length === 0) return
  for (const { date, reason } of missed) {
    await insertMissedDate(trx, {
      calendar_id: key.calendarId,
      series_id: key.id,
      date,
      reason,
      found_at: foundAt,
    })
  }
  const job = { calendarId: key.calendarId, foundAt: foundAt.toISOString() }
  await deps.jobs.insert(trx, PAGE_PROBLEM_MAIL_JOB, [job])
}
