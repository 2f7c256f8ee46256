import type { ExternalCheckDeps } from '#server/areas/appointments/bookings/deps.ts'
import type { CheckoutsDeps } from '#server/areas/payments/checkouts/find-payment-account.ts'
import type { RecipientsDeps } from '#server/messages/queue/recipient-use-cases.ts'
import type { Signer } from '#server/platform/secrets/signer.ts'

/** Dependencies of scanning a waiting list and of ending its offers. */
export type WaitingListDeps = CheckoutsDeps

/** Dependencies of the actions of customers and owners on a waiting list. */
export type WaitingActionsDeps = WaitingListDeps &
  ExternalCheckDeps &
  RecipientsDeps & { readonly signer: Signer }
