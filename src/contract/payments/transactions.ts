import { z } from 'zod'
import { LIMITS } from '#contract/shared/limits.ts'
import { clockSchema, dateSchema, idSchema, instantSchema } from '#contract/shared/primitives.ts'

export const listTransactionsQuery = z.object({
  page: z.coerce.number<number>().int().min(1).max(LIMITS.pages).default(1),
})

/** One payment as its owner sees it (rule F9). */
export const transactionRow = z.object({
  id: idSchema,
  calendar_id: idSchema,
  appointment_id: idSchema.nullable(),
  created_at: instantSchema,
  /** In units of `currency`, two decimals. */
  amount: z.number(),
  refunded_amount: z.number(),
  /** What its cancellation gives back in all; null when none has decided that. Source: rule Q9. */
  return_amount: z.number().nullable(),
  /** The share of the policy that this is; null when the owner chose the amount. */
  return_percent: z.number().int().nullable(),
  currency: z.string(),
  provider: z.enum(['stripe', 'paypal', 'manual']),
  /**
   * `completed`, `failed`, `refunded`, `manual`; anything else is shown as Pending with this value. Source: rule F9.
   */
  status: z.string(),
  /** The provider's name of the payment, to find it there. */
  payment_id: z.string().nullable(),
  /** Why it failed or did not go back. */
  failure: z.string().nullable(),
  /** No real money moved. */
  sandbox: z.boolean(),
  /** The provider cannot be asked any more: the owner returns the money there. */
  returned_by_hand: z.boolean(),
  /** Null when the appointment is gone. */
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

export const transactionsPage = z.object({ transactions: z.array(transactionRow), total: z.number().int() })
export type TransactionsPage = z.infer<typeof transactionsPage>

/** Money of one month in one currency, in units with two decimals. */
const monthOfMoney = z.object({
  /** `yyyy-MM`, in the calendar's zone. */
  month: z.string(),
  currency: z.string(),
  /** Money of a sandbox: not real. It has a row of its own. */
  sandbox: z.boolean(),
  taken: z.number(),
  refunded: z.number(),
})

export const moneyOverview = z.object({
  /** The newest first, at most twelve. */
  months: z.array(monthOfMoney),
  /** What customers still owe for appointments that stand, by currency. */
  outstanding: z.array(z.object({ currency: z.string(), amount: z.number() })),
})
export type MoneyOverview = z.infer<typeof moneyOverview>
