import { z } from 'zod'
import { component } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { anyText, idSchema, instantSchema } from '#contract/shared/primitives.ts'
import { passwordSchema, secondFactorCode } from './sessions.ts'

/**
 * The owner's current password, which they have to enter again. The length rules for new passwords do not apply to it. Source:
 * rule U24.
 */
const ownPassword = anyText('Please enter your password')
  .min(1, 'Please enter your password')
  .max(LIMITS.passwordMax, 'account.wrong_password')

export const changePasswordBody = component('ChangePassword', {
  current_password: ownPassword,
  new_password: passwordSchema,
  /** Ends the sessions of all other devices. */
  sign_out_others: z.boolean().default(true),
})

/** A device that is logged in. `id` identifies the session; it is not the session token. */
export const ownSessionSchema = component('OwnSession', {
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
export type OwnSession = z.infer<typeof ownSessionSchema>

export const ownSessionsResponse = component('OwnSessions', { sessions: z.array(ownSessionSchema) })
export const signedOutResponse = component('SignedOut', { signed_out: z.int() })

export const twoFactorResponse = component('TwoFactor', {
  enabled: z.boolean(),
  /** Null while two-factor authentication is off. */
  backup_codes_left: z.int().nullable(),
})
export type TwoFactor = z.infer<typeof twoFactorResponse>

export const startTwoFactorBody = component('StartTwoFactor', { password: ownPassword })
/** The secret for the authenticator app. Two-factor authentication is turned on by the first correct code. */
export const twoFactorSetupResponse = component('TwoFactorSetup', {
  /** An `otpauth://` URI for the QR code. */
  uri: z.string(),
  /** The secret for typing, in base 32. */
  secret: z.string(),
  backup_codes: z.array(z.string()),
})
export type TwoFactorSetup = z.infer<typeof twoFactorSetupResponse>

export const confirmTwoFactorBody = component('ConfirmTwoFactor', { code: secondFactorCode })
/** Requires both, because being logged in is not enough. */
export const twoFactorProofBody = component('TwoFactorProof', {
  password: ownPassword,
  code: secondFactorCode,
})
export const backupCodesResponse = component('BackupCodes', { backup_codes: z.array(z.string()) })
