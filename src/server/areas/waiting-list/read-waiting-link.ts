import type { Signer } from '#server/platform/secrets/signer.ts'

/** The target of a link in a waiting-list email: an entry on the list, or one offer. */
export type WaitingLink = {
  readonly about: 'entry' | 'offer'
  readonly id: string
  /** How many times the entry's links had been replaced when the email was written. Source: rule Z14. */
  readonly rotation: number
}

const PURPOSES = { entry: 'waiting list', offer: 'offer of the waiting list' } as const

/** Matches an id and the number of link replacements, with as many digits as the database allows. */
const ID_AND_ROTATION = /^([\da-f-]{36})\.(\d{1,5})$/

/** Builds the token of a link. It is signed, contains no personal data and is not stored. */
export function writeWaitingLink(signer: Pick<Signer, 'sign'>, { about, id, rotation }: WaitingLink): string {
  const named = `${id}.${rotation}`
  return `${named}.${signer.sign(named, PURPOSES[about])}`
}

/**
 * Parses the token of a link that we emailed; null when the signature is wrong. This does not query the database: the
 * caller compares `rotation` with the entry's to see whether the link has been replaced.
 */
export function readWaitingLink(signer: Pick<Signer, 'isGenuine'>, token: string): WaitingLink | null {
  const end = token.lastIndexOf('.')
  const [named, signature] = [token.slice(0, Math.max(end, 0)), token.slice(end + 1)]
  const [, id, rotation] = ID_AND_ROTATION.exec(named) ?? []
  if (id === undefined) return null
  for (const about of ['offer', 'entry'] as const) {
    if (signer.isGenuine(named, signature, PURPOSES[about])) return { about, id, rotation: Number(rotation) }
  }
  return null
}
