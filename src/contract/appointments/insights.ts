import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { dateSchema, hourCycleSchema } from '#contract/shared/primitives.ts'
import { shownZone } from '#contract/slots/slots.ts'
import { INSIGHT_MONTHS } from '#core/appointments/insight-range.ts'
import { LEAD_TIME_BANDS } from '#core/appointments/lead-times.ts'

export const insightsQuery = z.object({
  /** The number of months, including the current one. */
  months: z.enum(INSIGHT_MONTHS).default('6'),
})

/** For the statistics over all calendars: their time zone. The zone of the owner's newest calendar when absent. */
export const allInsightsQuery = insightsQuery.extend({ time_zone: shownZone })

/** `yyyy-MM`, in the calendar's time zone. */
const month = z.string()
const count = z.int()

/** Amounts in one currency, in minor units, oldest month first. Source: rule N3. */
const moneyChart = z.object({
  currency: z.string(),
  /** True for simulated payments. */
  sandbox: z.boolean(),
  months: z.array(
    z.object({
      month,
      taken_cents: z.int(),
      refunded_cents: z.int(),
      /** Unpaid prices of the month's appointments, excluding cancelled ones. */
      outstanding_cents: z.int(),
    }),
  ),
})

/** Statistics of the appointments and payments of a calendar, or of all calendars of an owner. Source: rules N1 to N7. */
export const insightsResponse = componentSchema('Insights', {
  /** The time zone that determines the months, days and hours. */
  time_zone: z.string(),
  hour_cycle: hourCycleSchema,
  first_month: month,
  last_month: month,
  /** False when there are too many appointments to count, so that only the latest are counted. */
  is_complete: z.boolean(),
  /** The number of appointments, excluding cancelled ones. */
  appointments: count,
  money: z.array(moneyChart),
  /** The days of this week and the next. `open_minutes` is 0 on a closed day. */
  days: z.array(z.object({ date: dateSchema, open_minutes: count, booked_minutes: count })),
  /** The most frequent appointment types first; the name is null for appointments without a type. */
  types: z.array(z.object({ name: z.string().nullable(), appointments: count })),
  /** The number of appointments of all other types. */
  other_types: count,
  /** Appointments by the weekday and hour of their start, excluding hours without appointments. `day_of_week`: 0 is Sunday. */
  hours: z.array(z.object({ day_of_week: count, hour: count, appointments: count })),
  customers: z.array(z.object({ month, new: count, returning: count })),
  lead_times: z.array(z.object({ band: z.enum(LEAD_TIME_BANDS), appointments: count })),
  /** Here `appointments` includes cancelled ones. */
  cancellations: z.array(z.object({ month, appointments: count, cancelled: count })),
  /** Here `appointments` counts those that have started and were not cancelled. Source: rule N9. */
  no_shows: z.array(z.object({ month, appointments: count, no_shows: count })),
  /** The total price of no-shows, by currency: the part that was paid and not refunded, and the unpaid part. Source: rule N9. */
  no_show_money: z.array(z.object({ currency: z.string(), paid_cents: z.int(), unpaid_cents: z.int() })),
})
export type Insights = z.infer<typeof insightsResponse>
