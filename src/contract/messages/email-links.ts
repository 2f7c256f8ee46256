import type { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { singleLineSchema } from '#contract/shared/primitives.ts'

/** The secret part of a link in an email about an appointment: the text after `EMAIL_LINK_TOKEN_PREFIX`. */
export const emailLinkBody = componentSchema('EmailLink', {
  link: singleLineSchema(44, 'email_link.invalid').regex(/^[\w-]{44}$/, 'email_link.invalid'),
})
export type EmailLinkBody = z.infer<typeof emailLinkBody>
