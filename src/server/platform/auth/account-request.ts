import type { Client } from '#server/platform/http/client-of.ts'
import type { Device } from './known-devices.ts'

/**
 * An email that somebody asked for about an account, by an address that they typed. Whether the address has an account
 * is found out by the job and not by the request, so that neither the answer nor its time tells. Source: rule U8.
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
