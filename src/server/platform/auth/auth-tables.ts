import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import type { SecretColumn } from '#server/platform/secrets/stored-secrets.ts'

/** Maps better-auth's tables and columns to our names. `migrations/` creates them. */
const TIMES = { createdAt: 'created_at', updatedAt: 'updated_at' } as const

export const USERS_TABLE = {
  modelName: 'profiles',
  fields: { name: 'full_name', emailVerified: 'email_verified', image: 'avatar_url', ...TIMES },
  additionalFields: {
    firstName: { type: 'string', fieldName: 'first_name', required: false },
    lastName: { type: 'string', fieldName: 'last_name', required: false },
  },
} as const

export const SESSIONS_TABLE = {
  modelName: 'sessions',
  fields: {
    userId: 'user_id',
    expiresAt: 'expires_at',
    ipAddress: 'ip_address',
    userAgent: 'user_agent',
    ...TIMES,
  },
} as const

export const ACCOUNTS_TABLE = {
  modelName: 'accounts',
  fields: {
    userId: 'user_id',
    accountId: 'account_id',
    providerId: 'provider_id',
    accessToken: 'access_token',
    refreshToken: 'refresh_token',
    idToken: 'id_token',
    accessTokenExpiresAt: 'access_token_expires_at',
    refreshTokenExpiresAt: 'refresh_token_expires_at',
    ...TIMES,
  },
} as const

export const VERIFICATIONS_TABLE = {
  modelName: 'verifications',
  fields: { expiresAt: 'expires_at', ...TIMES },
} as const

export const TWO_FACTORS_TABLE = {
  user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
  twoFactor: {
    modelName: 'two_factors',
    fields: {
      userId: 'user_id',
      backupCodes: 'backup_codes',
      failedVerificationCount: 'failed_verification_count',
      lockedUntil: 'locked_until',
    },
  },
} as const

/** Columns that better-auth encrypts with SECRET_KEY in its own format. */
export const TWO_FACTOR_SECRET_COLUMNS: readonly SecretColumn[] = ['secret', 'backup_codes'].map(
  (column) => ({
    table: 'two_factors',
    id: 'user_id',
    column,
    withKey: (secretKey) => ({
      open: (stored) => symmetricDecrypt({ key: secretKey, data: String(stored) }),
      seal: (secret) => symmetricEncrypt({ key: secretKey, data: secret }),
    }),
  }),
)
