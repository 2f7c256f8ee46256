import { z } from 'zod'
import { emailSchema } from '#contract/accounts/sessions.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { anyText, line, paragraph } from '#contract/shared/primitives.ts'

/** What somebody writes to the operator of the installation. */
export const contactMessageBody = z.object({
  name: line(LIMITS.personName, 'contact.name_required').min(1, 'contact.name_required'),
  email: line(LIMITS.email, 'contact.email_required').min(1, 'contact.email_required').pipe(emailSchema),
  subject: line(LIMITS.contactSubject).default(''),
  message: paragraph(LIMITS.contactMessage, 'contact.message_required').min(1, 'contact.message_required'),
  /**
   * A field that people do not see. A program that fills in everything gets the usual answer, and its message is
   * dropped.
   */
  website: anyText().max(LIMITS.url).default(''),
})
/** A message as it is passed on. */
export type ContactMessage = Omit<z.output<typeof contactMessageBody>, 'website'>
