import type { Client } from '#server/platform/http/client-of.ts'
import type { Device } from './known-devices.ts'

/**
 * An account email that somebody requested by entering an email address. The job, not the request, checks whether the
 * address has an account, so that neither the response nor its timing reveals it. Source: rule U8.
 */
export type AccountRequest =
  | { readonly kind: 'registration'; readonly registrationId: string; readonly client: Client }
  | {
      readonly kind: 'password_reset'
      readonly email: string
      readonly client: Client
      readonly device: Device | null
    }
  | {
      readonly kind: 'address_change'
      readonly userId: string
      readonly name: string
      readonly newEmail: string
      readonly token: string
    }
