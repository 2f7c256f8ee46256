import { z } from 'zod'
import { addressSchema, idSchema, instantSchema } from '#contract/shared/primitives.ts'

const tierName = z.enum(['Free', 'Professional', 'Business', 'Enterprise'])

/** A plan that can be bought. */
const boughtTier = z.enum(['professional', 'business'])

const amount = {
  /** Minor units of `currency`. */
  amount_cents: z.number().int().min(0),
  /** ISO 4217, lower case. */
  currency: z.string(),
}

/**
 * How the plan stands (rule S11). `given`: the operator's, nothing is paid. `ending`: the owner has ended it, and it runs until
 * `subscription_end`. `past_due`: the last payment failed and is tried again. `unpaid`: it failed for good, and the plan lasts until
 * `subscription_end`.
 */
const planStanding = z.enum(['none', 'given', 'active', 'ending', 'past_due', 'unpaid'])

const pausedCalendar = z.object({ id: idSchema, name: z.string() })

/** What the owner's plan is, costs and allows (rules S5, S11). */
export const subscriptionResponse = z.object({
  subscribed: z.boolean(),
  subscription_tier: tierName,
  /** Until when the plan applies; null when no end is known. */
  subscription_end: instantSchema.nullable(),
  standing: planStanding,
  /** What is paid next, and when; null when nothing will be. */
  next_charge: z.object({ ...amount, at: instantSchema }).nullable(),
  /** The plan that follows at `subscription_end` or at the end of the period; null when it stays. */
  next_tier: tierName.nullable(),
  past_due_since: instantSchema.nullable(),
  /** Whether the provider's portal can be opened: there was a purchase. */
  can_manage: z.boolean(),
  /** Calendars that take no new bookings because the plan allows fewer (rule S13). */
  paused_calendars: z.array(pausedCalendar),
  limits: z.object({
    /** Calendars the plan allows; null is unlimited. */
    calendars: z.number().int().nullable(),
    integrations: z.array(z.string()),
    features: z.array(z.string()),
  }),
})
export type SubscriptionResponse = z.infer<typeof subscriptionResponse>

export const subscriptionCheckoutBody = z.strictObject({ tier: boughtTier })

/** `portal`: the owner has a subscription already and changes it there. */
export const subscriptionCheckoutResponse = z.object({
  kind: z.enum(['checkout', 'portal']),
  url: addressSchema,
})

/** Which page of the portal opens. `change` needs the plan. */
export const customerPortalBody = z.strictObject({
  page: z.enum(['home', 'card', 'cancel', 'change']).default('home'),
  tier: boughtTier.optional(),
})
export const customerPortalResponse = z.object({ url: addressSchema })

export const listInvoicesResponse = z.object({
  invoices: z.array(
    z.object({
      id: z.string(),
      number: z.string().nullable(),
      issued_at: instantSchema,
      ...amount,
      status: z.enum(['draft', 'open', 'paid', 'void', 'uncollectible']),
      url: addressSchema.nullable(),
    }),
  ),
})
export type ListInvoicesResponse = z.infer<typeof listInvoicesResponse>

export const planEffectQuery = z.strictObject({ tier: z.enum(['free', 'professional', 'business']) })

/** What a change to a plan would do (rule S12). */
export const planEffectResponse = z.object({
  calendar_limit: z.number().int().nullable(),
  /** In the order in which they stay open; the first `calendar_limit` do. */
  calendars: z.array(
    z.object({
      id: idSchema,
      name: z.string(),
      /** Appointments still to come. */
      upcoming_appointments: z.number().int(),
      stays_open: z.boolean(),
      is_paused: z.boolean(),
    }),
  ),
  /** What is set up today and would be inactive. */
  inactive: z.array(z.enum(['paypal', 'custom_branding', 'custom_domains'])),
  /** Until when the choice of calendars cannot be changed; null when it can. */
  choice_locked_until: instantSchema.nullable(),
})
export type PlanEffectResponse = z.infer<typeof planEffectResponse>

/** The calendars that stay open on a smaller plan (rule S13). */
export const chooseOpenCalendarsBody = z.strictObject({ calendar_ids: z.array(idSchema).max(50) })
