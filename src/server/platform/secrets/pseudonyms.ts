import type { Signer } from './signer.ts'

/**
 * Returns a pseudonym: the same address always gives the same name, but without the product's key nobody can find the
 * address by trying all of them. `kind` separates pseudonyms of different things.
 */
export type ToPseudonym = (kind: string, text: string) => string

export function buildPseudonyms(names: Pick<Signer, 'sign'>): ToPseudonym {
  return (kind, text) => names.sign(text, `pseudonym of ${kind}`)
}
