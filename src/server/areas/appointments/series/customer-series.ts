import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { createBookingBody } from '#contract/appointments/bookings.ts'
import type { PublicSeriesPlan, publicSeriesPlanQuery } from '#contract/appointments/series.ts'
import { localDateOf, localTimeOf, toSecondsOfDay } from '#core/shared/zoned-time.ts'
import { findReasonBeyondBounds, type StartReason } from '#core/slots/explain-start.ts'
import {
  explainInOrder,
  getSeriesStart,
  isFree,
  isNearSeriesDate,
  planSeries,
  type SeriesInterval,
  type SeriesRule,
} from '#core/slots/plan-series.ts'
import { findOfferedSeries, MOST_HELD_DATES, type SeriesTerms } from '#core/slots/series-rule.ts'
import type { PublicBookingDeps } from '#server/areas/appointments/bookings/booking-budgets.ts'
import type { NewBooking } from '#server/areas/appointments/bookings/insert-booking.ts'
import type { LockedBooking } from '#server/areas/appointments/bookings/repository.ts'
import { refuseHoldOverLimit } from '#server/areas/appointments/holds/use-cases.ts'
import { refuseIfOverBudget } from '#server/platform/budgets/budgets.ts'
import { spendClientBudget } from '#server/platform/budgets/spend-client-budget.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { Client } from '#server/platform/http/client-of-request.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { checkGivenAnswers } from '#server/records/questions/use-cases.ts'
import { StartRefusal } from '#server/records/refusals/start-refusal.ts'
import {
  getBookingRequirements,
  getSchedulingCalendar,
  loadSeriesQuery,
} from '#server/records/slots/use-cases.ts'
import { getSeriesTerms, insertSeries } from './repository.ts'

type Deps = PublicBookingDeps

/**
 * Plans a series for a customer: for each date only whether it is free, and free times near it. Takes no locks; the booking
 * judges the dates again. A plan reads up to two years of appointments, so each client can make a limited number. Source: rule B48.
 * @throws ProblemError `request.too_many`, `calendar.not_found`, `booking.*`, `series.not_offered`
 */
export async function planPublicSeries(
  deps: Pick<Deps, 'db' | 'now' | 'budgets'>,
  {
    slug,
    client,
    asked,
  }: {
    readonly slug: string
    readonly client: Client
    readonly asked: z.output<typeof publicSeriesPlanQuery>
  },
): Promise<PublicSeriesPlan> {
  refuseIfOverBudget(await spendClientBudget(deps.budgets, { budget: 'series_plans_client', client }))
  const { appointment_type_id: typeId, every_weeks: everyWeeks, count } = asked
  const calendar = await getSchedulingCalendar(deps.db, slug)
  const requirements = await getBookingRequirements(deps.db, calendar.id, typeId)
  const terms = await getSeriesTerms(deps.db, { calendarId: calendar.id, typeId })
  const { calendar_requires_payment, type_requires_payment } = terms
  const offered = toTerms({
    calendar: { payment_required: calendar_requires_payment },
    type: { ...terms, payment_required: type_requires_payment },
  })
  refuseSeriesNotOffered(offered, { everyWeeks, lastNumber: count })
  const nowMs = deps.now()
  const startsAtMs = Date.parse(asked.starts_at)
  if (findReasonBeyondBounds(startsAtMs, nowMs) !== null) throw new ProblemError('booking.slot_unavailable')
  const rule = toRuleFrom(startsAtMs, everyWeeks, calendar.timezone)
  const startsMs = [startsAtMs, getSeriesStart(rule, count, calendar.timezone).startsAtMs]
  const query = await loadSeriesQuery(deps.db, { calendar, requirements, startsMs, nowMs })
  const planned = planSeries({ ...query, isPaused: terms.is_paused }, rule, count)
  return {
    dates: planned.map((date) => ({
      starts_at: toInstant(date.startsAtMs),
      is_free: isFree(date),
      near_times: date.nearMs.map(toInstant),
    })),
  }
}

type Body = Pick<z.output<typeof createBookingBody>, 'answers' | 'series'>

/**
 * Adds the further dates to a customer's accepted first date, if the booking is a series. Each date must be offered, with the earlier ones booked.
 * The caller holds the locks of the booking. Source: rule B48.
 * @returns all dates in order, ready to be written; without a series only the first one
 * @throws ProblemError `series.not_offered`, `series.too_many_held`, `series.dates_unavailable`, `hold.*`
 */
export async function beginCustomerSeries(
  deps: Pick<Deps, 'budgets' | 'secrets'>,
  trx: Trx,
  first: NewBooking,
  { series, answers }: Body,
): Promise<NewBooking[]> {
  if (!series) return [first]
  const { every_weeks: everyWeeks, dates } = series
  const { locked, requirements, hold, nowMs, startsAtMs } = first
  const { calendar, isAlone } = locked
  if (hold !== null && dates.length + 1 > MOST_HELD_DATES) throw new ProblemError('series.too_many_held')
  const lastNumber = dates.at(-1)?.number ?? 1
  refuseSeriesNotOffered(toTerms(locked), { everyWeeks, lastNumber })

  const rule = toRuleFrom(startsAtMs, everyWeeks, calendar.timezone)
  const further = dates.map(({ number, starts_at }) => ({ number, startsAtMs: Date.parse(starts_at) }))
  const starts = [{ number: 1, startsAtMs }, ...further]
  const startsMs = starts.map((start) => start.startsAtMs)
  const query = await loadSeriesQuery(trx, { calendar, requirements, startsMs, nowMs, isAlone })
  refuseUnavailableDates(
    first,
    explainInOrder(query, starts, () => true).filter(
      (start) => !isFree(start) || !isNearSeriesDate(rule, start, calendar.timezone),
    ),
  )
  if (hold !== null && hold.holder !== null) {
    const { reason, holder } = hold
    for (const date of further) {
      const held = { calendar, requirements, ...date, reason, holder, calendarId: calendar.id, nowMs }
      await refuseHoldOverLimit(deps, trx, held)
    }
  }

  const id = randomUUID()
  await insertSeries(trx, {
    calendar_id: calendar.id,
    id,
    every_weeks: everyWeeks,
    first_date: rule.firstDate,
    local_time: localTimeOf(startsAtMs, calendar.timezone),
    planned: lastNumber,
    is_standing: false,
    overridden: [],
    created_at: new Date(nowMs),
  })
  const { typeId } = requirements
  const toAnswers = first.answers?.length
    ? await checkGivenAnswers(deps, trx, { calendarId: calendar.id, typeId, answers: answers ?? [] })
    : () => []
  return starts.map((start, i) => ({
    ...first,
    startsAtMs: start.startsAtMs,
    answers: toAnswers(),
    series: { id, number: i + 1 },
  }))
}

/** Returns the rule whose first date begins at this start. */
function toRuleFrom(startsAtMs: number, everyWeeks: SeriesInterval, timeZone: string): SeriesRule {
  return {
    firstDate: localDateOf(startsAtMs, timeZone),
    secondsOfDay: toSecondsOfDay(localTimeOf(startsAtMs, timeZone)),
    everyWeeks,
  }
}

type PaymentRules = {
  readonly calendar: Pick<LockedBooking['calendar'], 'payment_required'>
  readonly type: Pick<
    NonNullable<LockedBooking['type']>,
    'series_rule' | 'price_cents' | 'payment_required'
  > | null
}

function toTerms({ calendar, type }: PaymentRules): SeriesTerms {
  return {
    series_rule: type?.series_rule ?? null,
    hasPrice: (type?.price_cents ?? 0) > 0,
    requiresPayment: calendar.payment_required || type?.payment_required === true,
    confirmsEmail: false,
  }
}

/** Refuses a series that the type does not offer. Source: rule B47. */
function refuseSeriesNotOffered(
  terms: SeriesTerms,
  { everyWeeks, lastNumber }: { readonly everyWeeks: SeriesInterval; readonly lastNumber: number },
): void {
  const rule = findOfferedSeries(terms)
  if (rule === null || !rule.every_weeks.includes(everyWeeks) || lastNumber > rule.most_dates)
    throw new ProblemError('series.not_offered')
}

/** Customers do not read why a date is not free. The owner finds the reasons of the first such date among the refusals. */
function refuseUnavailableDates(
  { locked, requirements }: NewBooking,
  unavailable: readonly {
    readonly number: number
    readonly startsAtMs: number
    readonly reasons: readonly StartReason[]
  }[],
): void {
  if (unavailable.length === 0) return
  const errors = unavailable.map(({ number }) => ({
    path: `series.dates.${number}`,
    message: 'This time isn’t free.',
  }))
  const refused = unavailable.find((date) => !isFree(date))
  if (refused === undefined) throw new ProblemError('series.dates_unavailable', errors)
  const { startsAtMs, reasons } = refused
  const start = { calendarId: locked.calendar.id, typeId: requirements.typeId, startsAtMs, reasons }
  throw new StartRefusal('series.dates_unavailable', start, errors)
}

function toInstant(ms: number): string {
  return new Date(ms).toISOString()
}
