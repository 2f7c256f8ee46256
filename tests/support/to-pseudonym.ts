import { buildSigner, buildToPseudonym } from '#server/platform/secrets/signer.ts'

/** Makes pseudonyms with a test key. */
export const toPseudonym = buildToPseudonym(buildSigner('a secret for tests that is long enough'))
