import { z } from 'zod'
import { idSchema, instantSchema } from './primitives.ts'

const envelopeSchema = z.object({
  to: z.string(),
  from: z.string(),
  reply_to: z.string().nullable(),
  subject: z.string(),
})

/** A whole message, as its reader gets it. */
export const mailContentSchema = envelopeSchema.extend({
  message_id: z.string(),
  /** The headers that are not shown above, such as those that mark it as sent by a machine. */
  headers: z.record(z.string(), z.string()),
  text: z.string(),
  html: z.string(),
  attachments: z.array(z.object({ filename: z.string(), content_type: z.string(), content: z.string() })),
})
export type MailContent = z.infer<typeof mailContentSchema>

const keptSchema = z.object({ id: idSchema, created_at: instantSchema })

/** A message that would have been sent, kept by the sandbox mailbox (development only). */
export const mailSchema = mailContentSchema.extend(keptSchema.shape)
export type Mail = z.infer<typeof mailSchema>
export const mailsResponse = z.object({ mails: z.array(envelopeSchema.extend(keptSchema.shape)) })
export type MailsResponse = z.infer<typeof mailsResponse>

/** The sample data that the messages of the gallery are shown with. */
export const mailSampleScene = z.enum(['everyday', 'online', 'long', 'right_to_left'])
export type MailSampleScene = z.infer<typeof mailSampleScene>

export const mailSampleQuery = z.object({ scene: mailSampleScene.default('everyday') })

/** Every message of the product, by whom it goes to or what it is about. */
export const mailSamplesResponse = z.object({
  samples: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      group: z.enum(['customer', 'waiting', 'owner', 'account', 'operator']),
    }),
  ),
})
export type MailSamplesResponse = z.infer<typeof mailSamplesResponse>
