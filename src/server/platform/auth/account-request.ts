import type { Client } from '#server/platform/http/client-of.ts'
import type { Device } from './known-devices.ts'

/**
 * An email about an account that somebody asked for by typing an address. The job finds out whether the address has an
 * account, not the request, so neither the answer nor its time tells. Source: rule U8.
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
