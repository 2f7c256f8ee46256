import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { areRefundTiersDescending, POLICY_LIMITS } from '#core/appointments/policy.ts'

const HOURS = `Please enter whole hours from 0 to ${POLICY_LIMITS.hours}.`
const PERCENT = 'Please enter a whole number from 0 to 100.'
const TIMES = `Please enter a number from 1 to ${POLICY_LIMITS.moves}.`
const FALLING = 'Each row needs fewer hours and a smaller refund than the row above it.'

const hours = z.number(HOURS).int(HOURS).min(0, HOURS).max(POLICY_LIMITS.hours, HOURS)

const refundRows = z
  .array(z.object({ hours, percent: z.number(PERCENT).int(PERCENT).min(0, PERCENT).max(100, PERCENT) }))
  .max(POLICY_LIMITS.refundRows, `Please use at most ${POLICY_LIMITS.refundRows} rows.`)
  .refine(areRefundTiersDescending, FALLING)
  .readonly()

/** The rules for moves, cancellations and refunds by customers (rule Q1), in the structure of core's `Policy`. */
export const policySchema = componentSchema('Policy', {
  moving: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('never') }),
    z.object({
      kind: z.literal('until'),
      hours,
      /** Maximum number of moves; null for no limit. */
      times: z.number(TIMES).int(TIMES).min(1, TIMES).max(POLICY_LIMITS.moves, TIMES).nullable(),
    }),
  ]),
  cancelling: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('by_request') }),
    z.object({ kind: z.literal('alone'), hours, after: z.enum(['by_request', 'never']) }),
  ]),
  refunds: refundRows,
})
