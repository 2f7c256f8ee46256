import type { Signer } from '#server/platform/secrets/signer.ts'

/** What a link of an email about the waiting list is about: a place on the list, or one offer. */
export type WaitingLink = {
  readonly about: 'entry' | 'offer'
  readonly id: string
  /** How often the links of the place had been replaced when the email was written. Source: rule Z14. */
  readonly rotation: number
}

const PURPOSES = { entry: 'waiting list', offer: 'offer of the waiting list' } as const

/** An id and a number of replacements, of which the schema allows so many digits. */
const NAMED = /^([\da-f-]{36})\.(\d{1,5})$/

/** The text in the link. It is signed and stored nowhere, and it names nobody. */
export function writeWaitingLink(signer: Pick<Signer, 'sign'>, { about, id, rotation }: WaitingLink): string {
  const named = `${id}.${rotation}`
  return `${named}.${signer.sign(named, PURPOSES[about])}`
}

/**
 * Reads a link that we mailed; null when it was made up. It does not ask the database: the caller compares `rotation` with that
 * of the place on the list, to see whether the link was replaced.
 */
export function readWaitingLink(signer: Pick<Signer, 'isGenuine'>, token: string): WaitingLink | null {
  const end = token.lastIndexOf('.')
  const [named, signature] = [token.slice(0, Math.max(end, 0)), token.slice(end + 1)]
  const [, id, rotation] = NAMED.exec(named) ?? []
  if (id === undefined) return null
  for (const about of ['offer', 'entry'] as const) {
    if (signer.isGenuine(named, signature, PURPOSES[about])) return { about, id, rotation: Number(rotation) }
  }
  return null
}
