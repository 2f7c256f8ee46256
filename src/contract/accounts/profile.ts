import { z } from 'zod'
import { partialUpdateSchema } from '#contract/shared/changes.ts'
import { componentSchema } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import {
  idSchema,
  instantSchema,
  multilineTextSchema,
  singleLineSchema,
  storableTextSchema,
} from '#contract/shared/primitives.ts'
import { emailLinkTokenSchema, emailSchema } from './sessions.ts'

/**
 * Whether the owner wants each kind of message about customers. Messages about the account itself are always sent.
 * Source: rule M12.
 */
const notificationFields = {
  notify_bookings: z.boolean(),
  notify_cancellation_requests: z.boolean(),
  notify_cancellations: z.boolean(),
}
export const notificationChanges = z.object(notificationFields).partial().meta({ id: 'NotificationChanges' })
export type NotificationChanges = z.input<typeof notificationChanges>

/** All the details an owner has entered about themselves (rule U11). */
export const profileSchema = componentSchema('Profile', {
  id: idSchema,
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  /** The new email address, until it is confirmed; null otherwise. */
  pending_email: z.string().nullable(),
  avatar_url: z.string().nullable(),
  phone: z.string().nullable(),
  /** IANA name; null until the owner has chosen one. */
  time_zone: z.string().nullable(),
  bio: z.string().nullable(),
  ...notificationFields,
  two_factor_enabled: z.boolean(),
  created_at: instantSchema,
  updated_at: instantSchema,
})
export type Profile = z.infer<typeof profileSchema>

/** The fields of the profile that an owner can edit. Source: rule U11. */
export const editableProfileFields = {
  first_name: singleLineSchema(LIMITS.personName, 'account.first_name_required').min(
    1,
    'account.first_name_required',
  ),
  last_name: singleLineSchema(LIMITS.personName),
  email: singleLineSchema(LIMITS.email, 'account.email_required')
    .min(1, 'account.email_required')
    .pipe(emailSchema),
  phone: singleLineSchema(LIMITS.phone),
  time_zone: singleLineSchema(LIMITS.timeZone),
  bio: multilineTextSchema(LIMITS.bio),
}

const passwordSchema = storableTextSchema().min(1, 'account.password_required').max(LIMITS.passwordMax)
/** A value that the form showed before the edit. It may be empty, even where the field is required. */
const shown = storableTextSchema().max(LIMITS.bio).nullable().optional()

export const profileChanges = partialUpdateSchema(editableProfileFields)
  .extend({
    was: z
      .object({
        first_name: shown,
        last_name: shown,
        email: shown,
        phone: shown,
        time_zone: shown,
        bio: shown,
      })
      .optional(),
    /** Required to change the email address. */
    current_password: passwordSchema.optional(),
  })
  .meta({ id: 'ProfileChanges' })

export const emailChangeBody = componentSchema('EmailChange', { token: emailLinkTokenSchema(200) })

/** Requires the password, because being logged in is not enough to export or delete all data. */
export const passwordConfirmationBody = componentSchema('AccountProof', { password: passwordSchema })
