import { buildPseudonyms, buildSigner } from '#server/platform/secrets/signer.ts'

/** Pseudonyms under a key of the tests. */
export const toPseudonym = buildPseudonyms(buildSigner('a secret for tests that is long enough'))
