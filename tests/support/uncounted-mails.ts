import { buildManageLinks } from '#server/platform/secrets/manage-links.ts'
import { buildRecipientKeys } from '#server/platform/secrets/recipient-keys.ts'
import { buildSigner } from '#server/platform/secrets/signer.ts'

const signer = buildSigner('a secret for tests that is long enough')

/** For tests that send mails by hand and are about something else: there is always room, and nothing was bought. */
export const UNCOUNTED_MAILS = {
  budgets: { spend: async () => null, uncount: async () => {} },
  recipientKeys: buildRecipientKeys(signer, signer),
  signer,
  manageLinks: buildManageLinks(signer),
  defaultTier: 'free' as const,
}
