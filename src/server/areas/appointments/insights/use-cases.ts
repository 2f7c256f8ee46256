import type { Insights } from '#contract/appointments/insights.ts'
import { listAgendaDays } from '#core/appointments/agenda-days.ts'
import { countOpenMinutes, getThisAndNextWeek } from '#core/appointments/booked-share.ts'
import {
  type InsightMonths,
  MAX_READ_APPOINTMENTS,
  MAX_SHOWN_TYPES,
} from '#core/appointments/insight-range.ts'
import { LEAD_TIME_BAND_STARTS_HOURS, LEAD_TIME_BANDS } from '#core/appointments/lead-times.ts'
import { listUtcOffsetPeriods } from '#core/appointments/utc-offset-periods.ts'
import { toMoneyCharts } from '#core/payments/money-charts.ts'
import { listLastMonths } from '#core/payments/money-months.ts'
import { listDates } from '#core/shared/calendar-date.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import {
  type AppointmentsDeps,
  type CalendarChoice,
  type ChosenCalendars,
  getChosenCalendars,
} from '#server/records/appointments/use-cases.ts'
import { sumAmountsByMonth } from '#server/records/ledger/money-repository.ts'
import { getOpeningHours } from '#server/records/slots/use-cases.ts'
import { countAppointments, countCustomers, listBookedMinutes } from './repository.ts'

export type InsightsDeps = AppointmentsDeps

type Groups = Awaited<ReturnType<typeof countAppointments>>

/**
 * Returns the statistics of the appointments and payments of a calendar or of all calendars together, in the local time of
 * the calendar's current zone or the list's zone. The database computes the sums, and a request reads a limited number of
 * appointments. Source: rules N1, N7 and V13.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function getInsights(
  deps: InsightsDeps,
  ownerId: OwnerId,
  input: CalendarChoice & { readonly months: InsightMonths },
): Promise<Insights> {
  const { scope, calendars, timeZone, hourCycle } = await getChosenCalendars(deps, ownerId, input)
  const newestFirst = listLastMonths(deps.now(), timeZone, Number(input.months))
  const months = newestFirst.map(({ month }) => month).reverse()
  const during = { startMs: newestFirst.at(-1)?.startMs ?? 0, endMs: newestFirst[0]?.endMs ?? 0 }
  const range = { during, stretches: listUtcOffsetPeriods(timeZone, during), limit: MAX_READ_APPOINTMENTS }
  const groups = await countAppointments(deps.db, scope, range, {
    bandStarts: LEAD_TIME_BAND_STARTS_HOURS,
    now: new Date(deps.now()),
  })
  const customers = await countCustomers(deps.db, scope, range)
  const moved = await sumAmountsByMonth(deps.db, scope, newestFirst)
  const { types, otherTypes } = toTypes(groups)
  return {
    time_zone: timeZone,
    hour_cycle: hourCycle,
    first_month: months[0] ?? '',
    last_month: months.at(-1) ?? '',
    is_complete: sumOf(groups.months, ({ stands, cancelled }) => stands + cancelled) < MAX_READ_APPOINTMENTS,
    appointments: sumOf(groups.months, ({ stands }) => stands),
    money: toMoneyCharts(months, moved, groups.months).map(({ currency, isSandbox, months: bars }) => ({
      currency,
      sandbox: isSandbox,
      months: bars.map((bar) => ({
        month: bar.month,
        taken_cents: bar.takenCents,
        refunded_cents: bar.refundedCents,
        outstanding_cents: bar.outstandingCents,
      })),
    })),
    days: await listFilledDays(deps, { scope, calendars, timeZone }),
    types,
    other_types: otherTypes,
    hours: groups.hours.map(({ dayOfWeek, hour, stands }) => ({
      day_of_week: dayOfWeek,
      hour,
      appointments: stands,
    })),
    customers: months.map((month) => {
      const found = customers.find((row) => row.month === month)
      return { month, new: found?.firstTime ?? 0, returning: found?.returning ?? 0 }
    }),
    lead_times: LEAD_TIME_BANDS.map((band, index) => ({
      band,
      appointments: groups.leads.find((row) => row.band === index)?.stands ?? 0,
    })),
    cancellations: months.map((month) => {
      const rows = groups.months.filter((row) => row.month === month)
      const cancelled = sumOf(rows, (row) => row.cancelled)
      return { month, appointments: sumOf(rows, ({ stands }) => stands) + cancelled, cancelled }
    }),
    no_shows: months.map((month) => {
      const rows = groups.months.filter((row) => row.month === month)
      return {
        month,
        appointments: sumOf(rows, ({ begun }) => begun),
        no_shows: sumOf(rows, ({ noShows }) => noShows),
      }
    }),
    no_show_money: toNoShowMoney(groups),
  }
}

/** Returns the prices of no-shows, paid and unpaid, by currency. Source: rule N9. */
function toNoShowMoney({ months }: Groups): Insights['no_show_money'] {
  return [...Map.groupBy(months, ({ currency }) => currency)]
    .map(([currency, rows]) => ({
      currency,
      paid_cents: sumOf(rows, ({ noShowPaidCents }) => noShowPaidCents),
      unpaid_cents: sumOf(rows, ({ noShowUnpaidCents }) => noShowUnpaidCents),
    }))
    .filter(({ paid_cents, unpaid_cents }) => paid_cents + unpaid_cents > 0)
}

/**
 * Lists, for each day of this week and the next, the share of the opening hours that is booked. Hours when two calendars are
 * open count twice. Source: rule N4.
 */
async function listFilledDays(
  deps: InsightsDeps,
  { scope, calendars, timeZone }: Pick<ChosenCalendars, 'scope' | 'calendars' | 'timeZone'>,
): Promise<Insights['days']> {
  const weeks = getThisAndNextWeek(deps.now(), timeZone)
  const hours = await getOpeningHours(deps, calendars, weeks)
  const openings = hours.flatMap((ofCalendar) =>
    listAgendaDays(weeks, timeZone, [ofCalendar]).flatMap(({ date, openings: spans }) =>
      spans.map((span) => ({ ...span, date, calendarId: ofCalendar.calendarId })),
    ),
  )
  const booked = await listBookedMinutes(deps.db, scope, openings)
  return listDates(weeks.firstDate, weeks.dayCount).map((date) => ({
    date,
    open_minutes: Math.round(countOpenMinutes(openings.filter((opening) => opening.date === date))),
    booked_minutes: booked.get(date) ?? 0,
  }))
}

function toTypes({ types }: Groups): { types: Insights['types']; otherTypes: number } {
  const standing = types
    .filter(({ stands }) => stands > 0)
    .sort((a, b) => b.stands - a.stands || (a.name ?? '').localeCompare(b.name ?? ''))
  return {
    types: standing.slice(0, MAX_SHOWN_TYPES).map(({ name, stands }) => ({ name, appointments: stands })),
    otherTypes: sumOf(standing.slice(MAX_SHOWN_TYPES), ({ stands }) => stands),
  }
}

function sumOf<Row>(rows: readonly Row[], countOf: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + countOf(row), 0)
}
