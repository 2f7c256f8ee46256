import { z } from 'zod'
import { idSchema, instantSchema } from '#contract/shared/primitives.ts'

const summarySchema = z.object({
  id: idSchema,
  created_at: instantSchema,
  to: z.string(),
  from: z.string(),
  reply_to: z.string().nullable(),
  subject: z.string(),
})

/** An email in the mailbox. */
export const mailSchema = summarySchema.extend({
  message_id: z.string(),
  /** Other headers, such as those that mark automatic emails. */
  headers: z.record(z.string(), z.string()),
  text: z.string(),
  html: z.string(),
  attachments: z.array(z.object({ filename: z.string(), content_type: z.string(), content: z.string() })),
})
export type Mail = z.infer<typeof mailSchema>
export type MailContent = Omit<Mail, 'id' | 'created_at'>

export const mailsResponse = z.object({ mails: z.array(summarySchema) })
export type MailsResponse = z.infer<typeof mailsResponse>
