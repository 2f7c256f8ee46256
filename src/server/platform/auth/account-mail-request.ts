import type { Client } from '#server/platform/http/client-of-request.ts'
import type { KnownDevice } from './known-devices.ts'

/**
 * An account email that somebody requested by entering an email address. The job, not the request, checks whether the
 * address has an account, so that neither the response nor its timing reveals it. Source: rule U8.
 */
export type AccountMailRequest =
  | { readonly kind: 'registration'; readonly registrationId: string; readonly client: Client }
  | {
      readonly kind: 'password_reset'
      readonly email: string
      readonly client: Client
      readonly device: KnownDevice | null
    }
  | {
      readonly kind: 'address_change'
      readonly userId: string
      readonly name: string
      readonly newEmail: string
      readonly token: string
    }
