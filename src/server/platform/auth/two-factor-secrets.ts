import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import type { SecretColumn } from '#server/platform/secrets/stored-secrets.ts'

/** Columns that better-auth encrypts with SECRET_KEY in its own format. */
export const TWO_FACTOR_SECRETS: readonly SecretColumn[] = ['secret', 'backup_codes'].map((column) => ({
  table: 'two_factors',
  id: 'user_id',
  column,
  withKey: (secretKey) => ({
    open: (stored) => symmetricDecrypt({ key: secretKey, data: String(stored) }),
    seal: (secret) => symmetricEncrypt({ key: secretKey, data: secret }),
  }),
}))
