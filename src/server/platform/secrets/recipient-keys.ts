import { timingSafeEqual } from 'node:crypto'
import { toMailboxName } from '#core/abuse/mailbox-name.ts'
import type { Signer } from './signer.ts'

/**
 * Names for email addresses that nobody can turn back into the address, and links that only the reader of an address
 * has.
 */
export type RecipientKeys = {
  /** The name of an address where it is counted or stored. */
  readonly keyOf: (address: string) => string
  /** The part of a link that stands in emails to this address and nowhere else. */
  readonly linkOf: (address: string) => string
  /** The key of the address that a link was made for; null when the link is not ours. */
  readonly findKey: (link: string) => string | null
}

/** 132 bits each: a key that meets no other, and a proof that nobody guesses. */
const PART_LENGTH = 22

/**
 * A link is the key and a proof of it, so that nothing has to be stored for an email that was sent. Whoever books for somebody
 * else does not see it.
 */
export function buildRecipientKeys(
  names: Pick<Signer, 'sign'>,
  { listGenuine }: Pick<Signer, 'listGenuine'>,
): RecipientKeys {
  const keyOf = (address: string) =>
    names.sign(toMailboxName(address), 'email recipient').slice(0, PART_LENGTH)
  // The first is the one of new links.
  const listProofs = (key: string) =>
    listGenuine(key, 'link in an email').map((signature) => signature.slice(0, PART_LENGTH))
  return {
    keyOf,
    linkOf: (address) => keyOf(address) + listProofs(keyOf(address))[0],
    findKey: (link) => {
      if (!/^[\w-]{44}$/.test(link)) return null
      const key = link.slice(0, PART_LENGTH)
      const given = Buffer.from(link.slice(PART_LENGTH))
      return listProofs(key).some((proof) => timingSafeEqual(given, Buffer.from(proof))) ? key : null
    },
  }
}
