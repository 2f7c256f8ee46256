import { timingSafeEqual } from 'node:crypto'
import type { Signer } from './signer.ts'

/** The content of an appointment's signed link: the appointment, and how many times its link has been replaced. */
export type ManageLink = { readonly appointmentId: string; readonly rotation: number }

/** Creates and verifies signed links of appointments. */
export type ManageLinks = {
  /**
   * Returns the token of a link: 44 letters, digits, `-` and `_`. It stays the same for an appointment until the link
   * is replaced.
   */
  readonly tokenOf: (link: ManageLink) => string
  /** Parses a token; returns null for a forged one. This needs no database, so guesses cost nothing. */
  readonly read: (token: string) => ManageLink | null
}

const ID_BYTES = 16
/** Length of a token's content in bytes: the appointment id, and two bytes for the number of replacements. */
const NAMED_BYTES = ID_BYTES + 2
/** Length of the content in base64url: it encodes 18 bytes. */
const NAMED_LENGTH = 24
/** Length of the signature in a token: 120 bits, which nobody can guess. */
const PROOF_LENGTH = 20
const FORMAT = new RegExp(`^[\\w-]{${NAMED_LENGTH + PROOF_LENGTH}}$`)

/**
 * Builds the functions for signed links. A link consists of its content and a signature, and contains no personal data.
 * Links are derived rather than stored, because emails sent weeks later repeat them, and a stored hash could not be
 * turned back into a link.
 */
export function buildManageLinks({ listGenuine }: Pick<Signer, 'listGenuine'>): ManageLinks {
  // Lists the valid signatures; new links use the first one.
  const listProofs = (named: string) =>
    listGenuine(named, 'link of an appointment').map((signature) => signature.slice(0, PROOF_LENGTH))
  return {
    tokenOf: ({ appointmentId, rotation }) => {
      const bytes = Buffer.alloc(NAMED_BYTES)
      bytes.write(appointmentId.replaceAll('-', ''), 'hex')
      bytes.writeUInt16BE(rotation, ID_BYTES)
      const named = bytes.toString('base64url')
      return named + listProofs(named)[0]
    },
    read: (token) => {
      if (!FORMAT.test(token)) return null
      const named = token.slice(0, NAMED_LENGTH)
      const given = Buffer.from(token.slice(NAMED_LENGTH))
      if (!listProofs(named).some((proof) => timingSafeEqual(given, Buffer.from(proof)))) return null
      const bytes = Buffer.from(named, 'base64url')
      return { appointmentId: toUuid(bytes.subarray(0, ID_BYTES)), rotation: bytes.readUInt16BE(ID_BYTES) }
    },
  }
}

function toUuid(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
