import { z } from 'zod'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { contactMessageBody } from './contact.ts'

/** The operation for visitors to write to the installation's operator. */
export const contactOperations = defineOperations({
  sendContactMessage: {
    address: at.sendContactMessage,
    summary: 'Write to the operator',
    tag: 'Contact',
    body: contactMessageBody,
    answers: { 204: z.undefined() },
    problems: [
      'auth.invalid_email',
      'contact.name_required',
      'contact.email_required',
      'contact.message_required',
      'contact.no_operator',
      'contact.too_many',
      'contact.too_many_today',
    ],
  },
})
