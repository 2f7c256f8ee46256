import type { ExternalCheckDeps } from '#server/areas/appointments/bookings/deps.ts'
import type { CheckoutsDeps } from '#server/areas/payments/checkouts/find-payment-account.ts'
import type { RecipientsDeps } from '#server/messages/queue/recipient-use-cases.ts'
import type { Signer } from '#server/platform/secrets/signer.ts'

/** What looking through a waiting list and ending its offers needs. */
export type WaitingListDeps = CheckoutsDeps

/** What customers and owners can do needs more. */
export type WaitingActionsDeps = WaitingListDeps &
  ExternalCheckDeps &
  RecipientsDeps & { readonly signer: Signer }
