import { normaliseEmailAddress } from '#core/shared/comparable-address.ts'
import type { Client } from '#server/platform/http/client-of-request.ts'
import type { ToPseudonym } from '#server/platform/secrets/signer.ts'

/** The person who holds a time, identified by keyed hashes instead of personal data. Source: rule H2. */
export type HoldOwner = {
  readonly client: string
  /** The hash of the /48 network of an IPv6 address; for IPv4 the same as `client`. */
  readonly network: string
  readonly email: string
}

export function toHoldOwner(
  { toPseudonym }: { readonly toPseudonym: ToPseudonym },
  { address, network }: Client,
  email: string,
): HoldOwner {
  return {
    client: toPseudonym('client', address),
    network: toPseudonym('network', network ?? address),
    email: toPseudonym('email', normaliseEmailAddress(email)),
  }
}
