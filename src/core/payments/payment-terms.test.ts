import { expect, test } from 'vitest'
import { decidePaymentTerms } from './payment-terms.ts'

test.each([
  // Inputs: price in cents, calendar requires payment, type requires payment, payment enabled, provider connected.
  // Expected: must pay first, lacks provider, payment status.
  [null, true, true, true, true, false, false, 'not_required'],
  [0, true, true, true, true, false, false, 'not_required'],
  [0, true, true, true, false, false, false, 'not_required'],
  [4_000, false, false, true, true, false, false, 'pending'],
  [4_000, false, false, true, false, false, false, 'pending'],
  [4_000, true, false, true, true, true, false, 'pending'],
  [4_000, false, true, true, true, true, false, 'pending'],
  [4_000, true, true, true, false, false, true, 'pending'],
  [4_000, true, true, false, true, false, false, 'pending'],
  [4_000, true, true, false, false, false, false, 'pending'],
] as const)(
  'price %s, calendar asks %s, type asks %s, online %s, provider %s: pay first %s, lacks one %s, status %s',
  (priceCents, calendarRequiresPayment, typeRequiresPayment, paymentEnabled, providerConnected, mustPayFirst, lacksProvider, paymentStatus) => {
    expect(
      decidePaymentTerms({
        priceCents,
        calendarRequiresPayment,
        typeRequiresPayment,
        paymentEnabled,
        providerConnected,
      }),
    ).toEqual({ mustPayFirst, lacksProvider, paymentStatus })
  },
)
