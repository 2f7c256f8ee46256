import type { Signer } from './signer.ts'

/**
 * A name that recognises somebody without identifying them: an address always becomes the same name, and without the
 * product's key nobody finds the address by trying all of them. `kind` keeps the names of different things apart.
 */
export type ToPseudonym = (kind: string, text: string) => string

export function buildPseudonyms(names: Pick<Signer, 'sign'>): ToPseudonym {
  return (kind, text) => names.sign(text, `pseudonym of ${kind}`)
}
