import { timingSafeEqual } from 'node:crypto'
import type { Signer } from './signer.ts'

/** Content of an appointment's signed link: the appointment, and how many times its link had been replaced. */
export type ManageLink = { readonly appointmentId: string; readonly rotation: number }

/** Creates and verifies signed links of appointments. */
export type ManageLinks = {
  /** Returns 44 letters, digits, `-` and `_`; the same for an appointment until its link is replaced. */
  readonly tokenOf: (link: ManageLink) => string
  /** Returns null for a forged link. Needs no database, so guessing costs nothing. */
  readonly read: (token: string) => ManageLink | null
}

const ID_BYTES = 16
/** The appointment id and two bytes for the number of replacements. */
const NAMED_BYTES = ID_BYTES + 2
/** 18 bytes in base64url. */
const NAMED_LENGTH = 24
/** 120 bits, which nobody can guess. */
const PROOF_LENGTH = 20
const FORMAT = new RegExp(`^[\\w-]{${NAMED_LENGTH + PROOF_LENGTH}}$`)

/**
 * A link consists of its content and a signature. Links are derived rather than stored, because emails sent weeks later
 * repeat them, and a stored hash could not be turned back into a link. Contains no personal data.
 */
export function buildManageLinks({ listGenuine }: Pick<Signer, 'listGenuine'>): ManageLinks {
  // The first proof is used for new links.
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
