import { z } from 'zod'
import { instantSchema } from './primitives.ts'

/** What the owner's plan allows (rule S5). */
export const subscriptionResponse = z.object({
  subscribed: z.boolean(),
  subscription_tier: z.enum(['Free', 'Professional', 'Business', 'Enterprise']),
  subscription_end: instantSchema.nullable(),
  limits: z.object({
    /** Calendars the plan allows; null is unlimited. */
    calendars: z.number().int().nullable(),
    integrations: z.array(z.string()),
    features: z.array(z.string()),
  }),
})
export type SubscriptionResponse = z.infer<typeof subscriptionResponse>
