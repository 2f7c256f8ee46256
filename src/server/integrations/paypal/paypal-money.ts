import { z } from 'zod'
import { toDecimalAmount } from '#core/shared/decimal-amount.ts'

/** An amount in PayPal's format: `{ "currency_code": "EUR", "value": "40.00" }`. */
export const paypalMoneySchema = z.object({
  currency_code: z.string().length(3),
  value: z
    .string()
    .max(32)
    .regex(/^\d+(\.\d+)?$/),
})

/** Formats an amount for PayPal. Every supported currency has two decimals. */
export function toPaypalMoney(amountCents: number, currency: string): z.infer<typeof paypalMoneySchema> {
  return { currency_code: currency.toUpperCase(), value: toDecimalAmount(amountCents) }
}

export function toCents({ value }: z.infer<typeof paypalMoneySchema>): number {
  return Math.round(Number(value) * 100)
}
