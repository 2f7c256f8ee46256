import { timingSafeEqual } from 'node:crypto'
import { toMailboxName } from '#core/shared/mailbox-name.ts'
import type { Signer } from './signer.ts'

/**
 * Derives pseudonyms of email addresses, which cannot be reversed, and link tokens that only the person who reads the
 * address's emails has.
 */
export type RecipientKeys = {
  /** Returns the pseudonym of an email address, for counting or storing. */
  readonly keyOf: (address: string) => string
  /** Returns the link token that appears only in emails to this address. */
  readonly linkOf: (address: string) => string
  /** Returns the pseudonym that a link token belongs to; null for a forged token. */
  readonly findKey: (link: string) => string | null
}

/**
 * Length of each of the two parts of a token: 132 bits, enough to avoid equal pseudonyms and to prevent guessing of
 * signatures.
 */
const PART_LENGTH = 22

/**
 * Builds the functions for pseudonyms and tokens. A token is the pseudonym plus a signature, so nothing has to be
 * stored for emails that were sent. A person who books on behalf of another does not see the other's token.
 */
export function buildRecipientKeys(
  names: Pick<Signer, 'sign'>,
  { listGenuine }: Pick<Signer, 'listGenuine'>,
): RecipientKeys {
  const keyOf = (address: string) =>
    names.sign(toMailboxName(address), 'email recipient').slice(0, PART_LENGTH)
  // Lists the valid signatures; new links use the first one.
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
