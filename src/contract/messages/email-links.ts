import type { z } from 'zod'
import { component } from '#contract/shared/component.ts'
import { line } from '#contract/shared/primitives.ts'

/** The secret part of a link in an email about an appointment: the text after `EMAIL_LINK_MARK`. */
export const emailLinkBody = component('EmailLink', {
  link: line(44, 'email_link.invalid').regex(/^[\w-]{44}$/, 'email_link.invalid'),
})
export type EmailLinkBody = z.infer<typeof emailLinkBody>
