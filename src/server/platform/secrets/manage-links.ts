import { timingSafeEqual } from 'node:crypto'
import type { Signer } from './signer.ts'

/** What the signed link of an appointment says: which one, and how often its link had been replaced. */
export type ManageLink = { readonly appointmentId: string; readonly rotation: number }

/** The signed links of appointments. */
export type ManageLinks = {
  /** 44 letters, digits, `-` and `_`: the same for the same appointment until its link is replaced. */
  readonly tokenOf: (link: ManageLink) => string
  /** Null when the link is not ours. Nothing is asked of the database, so guessing costs it nothing. */
  readonly read: (token: string) => ManageLink | null
}

const ID_BYTES = 16
/** An id and two bytes of the number of replacements. */
const NAMED_BYTES = ID_BYTES + 2
/** 18 bytes in base64url. */
const NAMED_LENGTH = 24
/** 120 bits, which nobody guesses. */
const PROOF_LENGTH = 20
const FORMAT = new RegExp(`^[\\w-]{${NAMED_LENGTH + PROOF_LENGTH}}$`)

/**
 * A link is what it names and a proof of that. It is derived and not stored, because emails that are written weeks later repeat
 * it, and a stored hash could not be written into them. Nothing in it is personal.
 */
export function buildManageLinks({ listGenuine }: Pick<Signer, 'listGenuine'>): ManageLinks {
  // The first is the one of new links.
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
