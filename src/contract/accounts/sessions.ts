import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { emailAddressSchema } from '#contract/shared/international-names.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import {
  idSchema,
  idSchemaWithError,
  singleLineSchema,
  storableTextSchema,
} from '#contract/shared/primitives.ts'

export const emailSchema = singleLineSchema(LIMITS.email, 'auth.invalid_email')
  .toLowerCase()
  .pipe(emailAddressSchema)
export const passwordSchema = storableTextSchema('auth.password_too_short')
  .min(LIMITS.passwordMin, 'auth.password_too_short')
  .max(LIMITS.passwordMax, 'auth.password_too_long')

export const signUpBody = componentSchema('SignUp', {
  full_name: singleLineSchema(LIMITS.personName, 'auth.name_too_short').min(
    LIMITS.nameMin,
    'auth.name_too_short',
  ),
  email: emailSchema,
  password: passwordSchema,
  /** The id in an invitation's link, where registration needs one. Source: rule U36. */
  invitation: idSchemaWithError('auth.invitation_invalid').optional(),
})

export const signInBody = componentSchema('SignIn', {
  email: emailSchema,
  /** The length rules for new passwords do not apply, so that the response reveals nothing about them. */
  password: storableTextSchema().min(1).max(LIMITS.passwordMax),
})

/** Six digits from the authenticator app, or a backup code. */
export const secondFactorCodeSchema = storableTextSchema('account.code_required')
  .trim()
  .min(1, 'account.code_required')
  .max(LIMITS.secondFactorCode, 'account.wrong_code')

export const secondFactorBody = componentSchema('SecondFactor', {
  code: secondFactorCodeSchema,
  /** Lets this browser log in with only the password for 30 days. Source: rule U21. */
  trust_device: z.boolean().default(false),
})

export const passwordResetRequestBody = componentSchema('PasswordResetRequest', { email: emailSchema })

/** The schema of a token in an emailed link. */
export function emailLinkTokenSchema(max: number) {
  return storableTextSchema()
    .min(1)
    .max(max)
    .regex(/^[!-~]*$/, 'auth.invalid_token')
}
export const passwordResetBody = componentSchema('PasswordReset', {
  token: emailLinkTokenSchema(200),
  password: passwordSchema,
})
export const emailVerificationBody = componentSchema('EmailVerification', {
  token: emailLinkTokenSchema(2_000),
})

export const ownerSchema = componentSchema('Owner', {
  id: idSchema,
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  full_name: z.string(),
  avatar_url: z.string().nullable(),
})
export type Owner = z.infer<typeof ownerSchema>

/** The session's owner. `user` is null when nobody is logged in, which is never an error. */
export const sessionResponse = componentSchema('Session', { user: ownerSchema.nullable() })
export type SessionResponse = z.infer<typeof sessionResponse>

/** With a second factor, the correct password does not create a session yet: the code is requested next. Source: rule U18. */
export const signInResponse = sessionResponse
  .extend({ two_factor_required: z.literal(true).optional() })
  .meta({ id: 'SignInAnswer' })
export type SignInResponse = z.infer<typeof signInResponse>

export const okResponse = componentSchema('Accepted', { ok: z.literal(true) })

/** `user` is the owner whom the link has logged in; null when the owner has to log in with the password. Source: rule U4. */
export const emailVerificationResponse = okResponse
  .extend({ user: ownerSchema.nullable() })
  .meta({ id: 'EmailVerificationAnswer' })
export type EmailVerificationResponse = z.infer<typeof emailVerificationResponse>
