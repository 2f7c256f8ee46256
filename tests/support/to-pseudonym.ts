import { buildPseudonyms, buildSigner } from '#server/platform/secrets/signer.ts'

/** Makes pseudonyms with a test key. */
export const toPseudonym = buildPseudonyms(buildSigner('a secret for tests that is long enough'))
