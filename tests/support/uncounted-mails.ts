import { buildManageLinks } from '#server/platform/secrets/manage-links.ts'
import { buildRecipientKeys } from '#server/platform/secrets/recipient-keys.ts'
import { buildSigner } from '#server/platform/secrets/signer.ts'

const signer = buildSigner('a secret for tests that is long enough')

/** Email dependencies with unlimited rate limits and without paid plans, for tests that are about something else. */
export const UNLIMITED_EMAIL_DEPS = {
  budgets: { spend: async () => null, uncount: async () => {} },
  recipientKeys: buildRecipientKeys(signer, signer),
  signer,
  manageLinks: buildManageLinks(signer),
  defaultTier: 'free' as const,
}
