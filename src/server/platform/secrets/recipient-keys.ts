import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { toMailboxName } from '#core/abuse/mailbox-name.ts'

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

/** 128 bits each: a key without collisions, and a proof that nobody guesses. */
const PART_BYTES = 16
const PART_LENGTH = 22

/**
 * A link is the key and a proof of it (HMAC-SHA-256, RFC 2104), so nothing has to be stored for a sent email. Somebody
 * who books for another person does not see it. Source: rule E5.
 */
export function buildRecipientKeys(secretKey: string): RecipientKeys {
  const [naming, proving] = ['email recipients', 'links in emails'].map((purpose) =>
    Buffer.from(hkdfSync('sha256', secretKey, '', `meridian ${purpose}`, 32)),
  ) as [Buffer, Buffer] // of two purposes two keys
  const keyOf = (address: string) => sign(naming, toMailboxName(address))
  return {
    keyOf,
    linkOf: (address) => keyOf(address) + sign(proving, keyOf(address)),
    findKey: (link) => {
      if (!/^[\w-]{44}$/.test(link)) return null
      const key = link.slice(0, PART_LENGTH)
      const isOurs = timingSafeEqual(Buffer.from(link.slice(PART_LENGTH)), Buffer.from(sign(proving, key)))
      return isOurs ? key : null
    },
  }
}

function sign(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest().subarray(0, PART_BYTES).toString('base64url')
}
