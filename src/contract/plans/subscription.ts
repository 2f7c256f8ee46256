import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { idSchema, instantSchema, urlSchema } from '#contract/shared/primitives.ts'

const tierName = z.enum(['Free', 'Professional', 'Business', 'Enterprise'])

/** A plan that can be bought. */
const boughtTier = z.enum(['professional', 'business'])

const amount = {
  /** In minor units of `currency`. */
  amount_cents: z.number().int().min(0),
  /** ISO 4217, in lower case. */
  currency: z.string(),
}

/**
 * The plan's status (rule S11). `given`: granted by the operator for free. `ending`: cancelled, but valid until
 * `subscription_end`. `past_due`: the latest payment failed and is being retried. `unpaid`: the payment failed permanently, and
 * the plan is valid until `subscription_end`.
 */
const planStanding = z.enum(['none', 'given', 'active', 'ending', 'past_due', 'unpaid'])

const pausedCalendar = z.object({ id: idSchema, name: z.string() })

/** The owner's plan, its status and its limits (rules S5, S11). */
export const subscriptionResponse = componentSchema('Subscription', {
  subscribed: z.boolean(),
  subscription_tier: tierName,
  /** When the plan ends; null when no end is known. */
  subscription_end: instantSchema.nullable(),
  standing: planStanding,
  /** The next payment; null when there is none. */
  next_charge: z.object({ ...amount, at: instantSchema }).nullable(),
  /** The plan that replaces this one at `subscription_end` or at the end of the period; null when the plan stays the same. */
  next_tier: tierName.nullable(),
  past_due_since: instantSchema.nullable(),
  /** True when the owner has bought a plan, so that the billing provider's portal can be opened. */
  can_manage: z.boolean(),
  /** Calendars that take no new bookings because the plan allows fewer (rule S13). */
  paused_calendars: z.array(pausedCalendar),
  limits: z.object({
    /** The number of calendars that the plan allows; null for no limit. */
    calendars: z.number().int().nullable(),
    integrations: z.array(z.string()),
    features: z.array(z.string()),
  }),
})
export type SubscriptionResponse = z.infer<typeof subscriptionResponse>

export const subscriptionCheckoutBody = z
  .strictObject({ tier: boughtTier })
  .meta({ id: 'NewSubscriptionCheckout' })

/** `portal`: the owner already has a subscription, and changes it in the billing provider's portal. */
export const subscriptionCheckoutResponse = componentSchema('SubscriptionCheckout', {
  kind: z.enum(['checkout', 'portal']),
  url: urlSchema,
})

/** The portal page to open. `change` requires `tier`. */
export const customerPortalBody = z
  .strictObject({
    page: z.enum(['home', 'card', 'cancel', 'change']).default('home'),
    tier: boughtTier.optional(),
  })
  .meta({ id: 'NewPortalVisit' })
export const customerPortalResponse = componentSchema('CustomerPortal', { url: urlSchema })

export const listInvoicesResponse = componentSchema('Invoices', {
  invoices: z.array(
    z.object({
      id: z.string(),
      number: z.string().nullable(),
      issued_at: instantSchema,
      ...amount,
      status: z.enum(['draft', 'open', 'paid', 'void', 'uncollectible']),
      url: urlSchema.nullable(),
    }),
  ),
})
export type ListInvoicesResponse = z.infer<typeof listInvoicesResponse>

export const planChangePreviewQuery = z.strictObject({ tier: z.enum(['free', 'professional', 'business']) })

/** The effects of changing to another plan (rule S12). */
export const planChangePreviewResponse = componentSchema('PlanEffect', {
  calendar_limit: z.number().int().nullable(),
  /** The owner's calendars, sorted by priority. The first `calendar_limit` calendars stay open. */
  calendars: z.array(
    z.object({
      id: idSchema,
      name: z.string(),
      /** The number of future appointments. */
      upcoming_appointments: z.number().int(),
      stays_open: z.boolean(),
      is_paused: z.boolean(),
    }),
  ),
  /** Features currently in use that would become inactive. */
  inactive: z.array(z.enum(['paypal', 'custom_branding', 'custom_domains'])),
  /** When the choice of open calendars is unlocked again; null when it is not locked. */
  choice_locked_until: instantSchema.nullable(),
})
export type PlanChangePreview = z.infer<typeof planChangePreviewResponse>

/** The calendars that should stay open on a smaller plan (rule S13). */
export const chooseOpenCalendarsBody = z
  .strictObject({ calendar_ids: z.array(idSchema).max(50) })
  .meta({ id: 'ChosenCalendars' })
