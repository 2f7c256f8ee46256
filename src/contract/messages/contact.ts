import type { z } from 'zod'
import { emailSchema } from '#contract/accounts/sessions.ts'
import { component } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { anyText, line, paragraph } from '#contract/shared/primitives.ts'

/** A visitor's message to the installation's operator. */
export const contactMessageBody = component('ContactMessage', {
  name: line(LIMITS.personName, 'contact.name_required').min(1, 'contact.name_required'),
  email: line(LIMITS.email, 'contact.email_required').min(1, 'contact.email_required').pipe(emailSchema),
  subject: line(LIMITS.contactSubject).default(''),
  message: paragraph(LIMITS.contactMessage, 'contact.message_required').min(1, 'contact.message_required'),
  /** A honeypot field that people cannot see. A bot that fills it in gets the usual response, and its message is discarded. */
  website: anyText().max(LIMITS.url).default(''),
})
/** A visitor's message as it is sent to the operator. */
export type ContactMessage = Omit<z.output<typeof contactMessageBody>, 'website'>
