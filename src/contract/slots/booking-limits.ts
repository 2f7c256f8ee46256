import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { areLimitsInOrder, LIMIT_PERIODS, LIMIT_UNITS, MOST_MINUTES } from '#core/slots/booking-limits.ts'

const BOUNDS = `Please use 1 to ${MOST_MINUTES}.`

/** At most so many appointments, or minutes of them, in a day, week or month. Source: rule T51. */
const bookingLimitSchema = z
  .strictObject({
    most: z.number(BOUNDS).int(BOUNDS).min(1, BOUNDS).max(MOST_MINUTES, BOUNDS),
    unit: z.enum(LIMIT_UNITS),
    period: z.enum(LIMIT_PERIODS),
  })
  .meta({ id: 'BookingLimit' })

/** The limits of a calendar or of one of its types: one for each unit and period. Source: rule T54. */
export const bookingLimitsSchema = z
  .array(bookingLimitSchema)
  .max(LIMIT_UNITS.length * LIMIT_PERIODS.length, 'booking_limits.twice')
  .refine((limits) => new Set(limits.map(({ unit, period }) => `${unit} ${period}`)).size === limits.length, {
    message: 'booking_limits.twice',
  })
  .refine(areLimitsInOrder, { message: 'booking_limits.out_of_order' })
  .meta({ id: 'BookingLimits' })

/** A limit that leaves no room for one more appointment, and what has been booked towards it. Source: rule T53. */
export const reachedLimitSchema = componentSchema('ReachedLimit', {
  limit: bookingLimitSchema,
  taken: z.int(),
  /** True when only appointments of the type count. */
  is_of_type: z.boolean(),
})
