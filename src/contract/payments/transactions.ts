import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import {
  clockTimeSchema,
  dateSchema,
  hourCycleSchema,
  idSchema,
  instantSchema,
} from '#contract/shared/primitives.ts'

export const listTransactionsQuery = z.object({
  page: z.coerce.number<number>().int().min(1).max(LIMITS.pages).default(1),
})

/** A payment as the owner sees it (rule F9). */
export const transactionSchema = componentSchema('Transaction', {
  id: idSchema,
  calendar_id: idSchema,
  appointment_id: idSchema.nullable(),
  created_at: instantSchema,
  /** In units of `currency`, with two decimals. */
  amount: z.number(),
  refunded_amount: z.number(),
  /** The total refund due for the cancellation; null when there is none. Source: rule Q9. */
  return_amount: z.number().nullable(),
  /** The policy's refund percentage; null when the owner chose the amount. */
  return_percent: z.number().int().nullable(),
  currency: z.string(),
  provider: z.enum(['stripe', 'paypal', 'manual']),
  /**
   * `completed`, `failed`, `refunded` or `manual`. Any other value is displayed as Pending, followed by the value. Source: rule
   * F9.
   */
  status: z.string(),
  /** The provider's id of the payment. */
  payment_id: z.string().nullable(),
  /** The reason why the payment or its refund failed. */
  failure: z.string().nullable(),
  /** True for simulated payments. */
  sandbox: z.boolean(),
  /** True when Meridian no longer has access to the provider account, so that the owner has to refund the payment there. */
  returned_by_hand: z.boolean(),
  /** Null when the appointment was deleted. */
  appointment: z
    .object({
      date: dateSchema,
      start_time: clockTimeSchema,
      end_time: clockTimeSchema,
      starts_at: instantSchema,
      time_zone: z.string(),
      hour_cycle: hourCycleSchema,
      title: z.string(),
      booking_reference: z.string(),
      customer_id: idSchema,
      customer: z.object({
        name: z.string(),
        email: z.string().nullable(),
        phone: z.string().nullable(),
        client_id: z.string(),
      }),
    })
    .nullable(),
})
export type TransactionRow = z.infer<typeof transactionSchema>

export const transactionsResponse = componentSchema('TransactionsPage', {
  transactions: z.array(transactionSchema),
  total: z.number().int(),
})
export type TransactionsResponse = z.infer<typeof transactionsResponse>

/** A month's payments in one currency, in currency units. */
const monthOfMoney = z.object({
  /** `yyyy-MM`, in the calendar's time zone. */
  month: z.string(),
  currency: z.string(),
  /** True for simulated payments, which are listed separately. */
  sandbox: z.boolean(),
  taken: z.number(),
  refunded: z.number(),
})

export const paymentsOverviewResponse = componentSchema('MoneyOverview', {
  /** The months, newest first, at most twelve. */
  months: z.array(monthOfMoney),
  /** The unpaid prices of appointments, excluding cancelled ones, by currency. */
  outstanding: z.array(z.object({ currency: z.string(), amount: z.number() })),
})
export type PaymentsOverview = z.infer<typeof paymentsOverviewResponse>
