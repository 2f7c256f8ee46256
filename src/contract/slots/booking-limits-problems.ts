import { LIMITS_PER_CALENDAR } from '#core/slots/booking-limits.ts'

/** The refusals of changed limits. */
export const LIMITS_REFUSALS = [
  'booking_limits.twice',
  'booking_limits.out_of_order',
  'booking_limits.too_many',
] as const

/** API errors about limits. Source: rule T54. */
export const BOOKING_LIMITS_PROBLEMS = {
  'booking_limits.twice': { status: 400, title: 'There can be only one limit for each period and unit.' },
  'booking_limits.out_of_order': {
    status: 400,
    title: 'A day can’t allow more than its week, or a week more than its month.',
  },
  'booking_limits.too_many': {
    status: 409,
    title: `A calendar and its appointment types can have ${LIMITS_PER_CALENDAR} limits.`,
  },
} as const satisfies Record<string, { status: number; title: string }>
