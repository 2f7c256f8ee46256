import { z } from 'zod'
import { line } from '#contract/shared/primitives.ts'

/** The secret part of a link in an email about an appointment: the text after `EMAIL_LINK_MARK`. */
export const emailLinkBody = z.object({
  link: line(44, 'email_link.invalid').regex(/^[\w-]{44}$/, 'email_link.invalid'),
})
export type EmailLinkBody = z.infer<typeof emailLinkBody>
