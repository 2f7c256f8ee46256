import type { Signer } from '#server/platform/secrets/signer.ts'

/** What a link of an email about the waiting list is about: a place on the list, or one offer. */
export type WaitingLink = { readonly about: 'entry' | 'offer'; readonly id: string }

const PURPOSES = { entry: 'waiting list', offer: 'offer of the waiting list' } as const

/** The text in the link. It is signed and stored nowhere, and it names nobody. */
export function writeWaitingLink(signer: Pick<Signer, 'sign'>, { about, id }: WaitingLink): string {
  return `${id}.${signer.sign(id, PURPOSES[about])}`
}

/** Reads a link that we mailed; null when it was made up. */
export function readWaitingLink(signer: Pick<Signer, 'isGenuine'>, token: string): WaitingLink | null {
  const [id = '', signature = ''] = token.split('.')
  for (const about of ['offer', 'entry'] as const) {
    if (signer.isGenuine(id, signature, PURPOSES[about])) return { about, id }
  }
  return null
}
