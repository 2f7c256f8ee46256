import { z } from 'zod'
import { idSchema, instantSchema } from './primitives.ts'

/** A message that would have been sent, kept by the sandbox mailbox (development only). */
const mailSummarySchema = z.object({
  id: idSchema,
  to: z.string(),
  from: z.string(),
  reply_to: z.string().nullable(),
  subject: z.string(),
  created_at: instantSchema,
})
export const mailSchema = mailSummarySchema.extend({
  message_id: z.string(),
  text: z.string(),
  html: z.string(),
  attachments: z.array(z.object({ filename: z.string(), content_type: z.string(), content: z.string() })),
})
export type Mail = z.infer<typeof mailSchema>
export const mailsResponse = z.object({ mails: z.array(mailSummarySchema) })
export type MailsResponse = z.infer<typeof mailsResponse>
