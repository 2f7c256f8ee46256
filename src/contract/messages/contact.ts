import type { z } from 'zod'
import { emailSchema } from '#contract/accounts/sessions.ts'
import { componentSchema } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { multilineTextSchema, singleLineSchema, storableTextSchema } from '#contract/shared/primitives.ts'

/** A visitor's message to the installation's operator. */
export const contactMessageBody = componentSchema('ContactMessage', {
  name: singleLineSchema(LIMITS.personName, 'contact.name_required').min(1, 'contact.name_required'),
  email: singleLineSchema(LIMITS.email, 'contact.email_required')
    .min(1, 'contact.email_required')
    .pipe(emailSchema),
  subject: singleLineSchema(LIMITS.contactSubject).default(''),
  message: multilineTextSchema(LIMITS.contactMessage, 'contact.message_required').min(
    1,
    'contact.message_required',
  ),
  /** A honeypot field that people cannot see. A bot that fills it in gets the usual response, and its message is discarded. */
  website: storableTextSchema().max(LIMITS.url).default(''),
})
/** A visitor's message as it is sent to the operator. */
export type ContactMessage = Omit<z.output<typeof contactMessageBody>, 'website'>
