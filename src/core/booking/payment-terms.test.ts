import { expect, test } from 'vitest'
import { decidePaymentTerms } from './payment-terms.ts'

test.each([
  // price, calendar asks, type asks, provider → must pay first, status
  [null, true, true, true, false, 'not_required'],
  [0, true, true, true, false, 'not_required'],
  [4_000, false, false, true, false, 'pending'],
  [4_000, true, false, true, true, 'pending'],
  [4_000, false, true, true, true, 'pending'],
  [4_000, true, true, false, false, 'pending'],
] as const)(
  'price %s, calendar asks %s, type asks %s, provider %s: pay first %s, status %s',
  (priceCents, calendarRequiresPayment, typeRequiresPayment, providerConnected, mustPayFirst, paymentStatus) => {
    expect(
      decidePaymentTerms({ priceCents, calendarRequiresPayment, typeRequiresPayment, providerConnected }),
    ).toEqual({ mustPayFirst, paymentStatus })
  },
)
