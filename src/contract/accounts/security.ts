import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { idSchema, instantSchema, storableTextSchema } from '#contract/shared/primitives.ts'
import { passwordSchema, secondFactorCodeSchema } from './sessions.ts'

/**
 * The owner's current password, which they have to enter again. The length rules for new passwords do not apply to it. Source:
 * rule U24.
 */
const ownPassword = storableTextSchema('Please enter your password')
  .min(1, 'Please enter your password')
  .max(LIMITS.passwordMax, 'account.wrong_password')

export const changePasswordBody = componentSchema('ChangePassword', {
  current_password: ownPassword,
  new_password: passwordSchema,
  /** Ends the sessions of all other devices. */
  sign_out_others: z.boolean().default(true),
})

/** A device that is logged in. `id` identifies the session; it is not the session token. */
export const accountSessionSchema = componentSchema('OwnSession', {
  id: idSchema,
  /** Derived from the user agent, for example `Firefox` and `Windows`; null when unknown. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  /** The IP address of the login. */
  ip_address: z.string().nullable(),
  created_at: instantSchema,
  /** Accurate to five minutes. Source: rule U23. */
  last_used_at: instantSchema,
  current: z.boolean(),
})
export type AccountSession = z.infer<typeof accountSessionSchema>

export const accountSessionsResponse = componentSchema('OwnSessions', {
  sessions: z.array(accountSessionSchema),
})
export const signedOutSessionsResponse = componentSchema('SignedOut', { signed_out: z.int() })

export const twoFactorStatusResponse = componentSchema('TwoFactor', {
  enabled: z.boolean(),
  /** Null while two-factor authentication is off. */
  backup_codes_left: z.int().nullable(),
})
export type TwoFactorStatus = z.infer<typeof twoFactorStatusResponse>

export const startTwoFactorBody = componentSchema('StartTwoFactor', { password: ownPassword })
/** The secret for the authenticator app. Two-factor authentication is turned on by the first correct code. */
export const twoFactorSetupResponse = componentSchema('TwoFactorSetup', {
  /** An `otpauth://` URI for the QR code. */
  uri: z.string(),
  /** The secret for typing, in base 32. */
  secret: z.string(),
  backup_codes: z.array(z.string()),
})
export type TwoFactorSetup = z.infer<typeof twoFactorSetupResponse>

export const confirmTwoFactorBody = componentSchema('ConfirmTwoFactor', { code: secondFactorCodeSchema })
/** Requires both, because being logged in is not enough. */
export const twoFactorConfirmationBody = componentSchema('TwoFactorProof', {
  password: ownPassword,
  code: secondFactorCodeSchema,
})
export const backupCodesResponse = componentSchema('BackupCodes', { backup_codes: z.array(z.string()) })
