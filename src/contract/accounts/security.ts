import { z } from 'zod'
import { LIMITS } from '#contract/shared/limits.ts'
import { anyText, idSchema, instantSchema } from '#contract/shared/primitives.ts'
import { passwordSchema, secondFactorCode } from './sessions.ts'

/**
 * The owner's own password, asked for again. The length rules of new passwords do not apply to it. Source: rule U24.
 */
const ownPassword = anyText('Please enter your password')
  .min(1, 'Please enter your password')
  .max(LIMITS.passwordMax, 'account.wrong_password')

export const changePasswordBody = z.object({
  current_password: ownPassword,
  new_password: passwordSchema,
  /** Ends the sessions of all other devices. */
  sign_out_others: z.boolean().default(true),
})

/** One device that is logged in. `id` identifies the session; it is not the session token. */
export const ownSessionSchema = z.object({
  id: idSchema,
  /** Read from the user agent, for example `Firefox` and `Windows`; null when unknown. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  /** The IP address of the login. */
  ip_address: z.string().nullable(),
  created_at: instantSchema,
  /** To within five minutes. Source: rule U23. */
  last_used_at: instantSchema,
  current: z.boolean(),
})
export type OwnSession = z.infer<typeof ownSessionSchema>

export const ownSessionsResponse = z.object({ sessions: z.array(ownSessionSchema) })
export const signedOutResponse = z.object({ signed_out: z.int() })

export const twoFactorResponse = z.object({
  enabled: z.boolean(),
  /** Null while it is off. */
  backup_codes_left: z.int().nullable(),
})
export type TwoFactor = z.infer<typeof twoFactorResponse>

export const startTwoFactorBody = z.object({ password: ownPassword })
/** The secret for the authenticator app. Two-factor authentication starts only after a first correct code. */
export const twoFactorSetupResponse = z.object({
  /** `otpauth://`, for the QR code */
  uri: z.string(),
  /** The secret to type, in base 32. */
  secret: z.string(),
  backup_codes: z.array(z.string()),
})
export type TwoFactorSetup = z.infer<typeof twoFactorSetupResponse>

export const confirmTwoFactorBody = z.object({ code: secondFactorCode })
/** Both are required: being logged in is not enough. */
export const twoFactorProofBody = z.object({ password: ownPassword, code: secondFactorCode })
export const backupCodesResponse = z.object({ backup_codes: z.array(z.string()) })
