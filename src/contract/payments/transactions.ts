import { z } from 'zod'
import { component } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { clockSchema, dateSchema, idSchema, instantSchema } from '#contract/shared/primitives.ts'

export const listTransactionsQuery = z.object({
  page: z.coerce.number<number>().int().min(1).max(LIMITS.pages).default(1),
})

/** A payment as the owner sees it (rule F9). */
export const transactionRow = component('Transaction', {
  id: idSchema,
  calendar_id: idSchema,
  appointment_id: idSchema.nullable(),
  created_at: instantSchema,
  /** In units of `currency`, two decimals. */
  amount: z.number(),
  refunded_amount: z.number(),
  /** The total refund for the cancellation; null when there is none. Source: rule Q9. */
  return_amount: z.number().nullable(),
  /** The percentage of the policy; null when the owner chose the amount. */
  return_percent: z.number().int().nullable(),
  currency: z.string(),
  provider: z.enum(['stripe', 'paypal', 'manual']),
  /**
   * `completed`, `failed`, `refunded` or `manual`. Other values are shown as Pending, with the value. Source: rule F9.
   */
  status: z.string(),
  /** The provider's id of the payment. */
  payment_id: z.string().nullable(),
  /** Why the payment or its refund failed. */
  failure: z.string().nullable(),
  /** True for simulated payments. */
  sandbox: z.boolean(),
  /** True when we no longer have access to the provider, so that the owner has to refund the payment there. */
  returned_by_hand: z.boolean(),
  /** Null when the appointment was deleted. */
  appointment: z
    .object({
      date: dateSchema,
      start_time: clockSchema,
      end_time: clockSchema,
      starts_at: instantSchema,
      time_zone: z.string(),
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
export type TransactionRow = z.infer<typeof transactionRow>

export const transactionsPage = component('TransactionsPage', {
  transactions: z.array(transactionRow),
  total: z.number().int(),
})
export type TransactionsPage = z.infer<typeof transactionsPage>

/** The payments of one month in one currency, in units of the currency. */
const monthOfMoney = z.object({
  /** `yyyy-MM`, in the calendar's time zone. */
  month: z.string(),
  currency: z.string(),
  /** True for simulated payments, which have their own rows. */
  sandbox: z.boolean(),
  taken: z.number(),
  refunded: z.number(),
})

export const moneyOverview = component('MoneyOverview', {
  /** Newest first, at most twelve. */
  months: z.array(monthOfMoney),
  /** The unpaid prices of appointments, without cancelled ones, by currency. */
  outstanding: z.array(z.object({ currency: z.string(), amount: z.number() })),
})
export type MoneyOverview = z.infer<typeof moneyOverview>
