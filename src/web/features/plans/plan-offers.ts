import { PLANS, type PlanTier } from '#core/plan/plan.ts'

/** How a plan is offered on the pricing page. Source: spec §9 "Plans". */
export type PlanOffer = {
  tier: PlanTier
  name: string
  /** Euro per month; null while the plan is not for sale. */
  monthlyPrice: number | null
  /** The plan whose gifts are all included too. */
  builtOn: string | null
  gives: readonly string[]
  buttonLabel: string
}

/** The four plans, from the smallest to the largest. */
export const PLAN_OFFERS: readonly PlanOffer[] = [
  offer('free', {
    monthlyPrice: 0,
    builtOn: null,
    gives: ['Everything listed below'],
    buttonLabel: 'Get Started',
  }),
  offer('professional', {
    monthlyPrice: 9.99,
    builtOn: PLANS.free.name,
    gives: ['Custom branding', 'Custom domains'],
    buttonLabel: 'Subscribe',
  }),
  offer('business', {
    monthlyPrice: 19.99,
    builtOn: PLANS.professional.name,
    gives: ['Priority support', 'PayPal payments'],
    buttonLabel: 'Subscribe',
  }),
  offer('enterprise', {
    monthlyPrice: null,
    builtOn: PLANS.business.name,
    gives: [],
    buttonLabel: 'Coming Soon',
  }),
]

/** What comes with every plan, the free one too. */
export const IN_EVERY_PLAN = [
  'A booking page with a link of its own',
  'As many appointments and services as you like',
  'Confirmation emails with a calendar file',
  'Time zones that are right on both sides',
  'Cancellation requests by your clients',
  'Protection against double bookings',
] as const

function offer(tier: PlanTier, terms: Pick<PlanOffer, 'monthlyPrice' | 'builtOn' | 'gives' | 'buttonLabel'>) {
  const { name, calendarLimit } = PLANS[tier]
  return { tier, name, ...terms, gives: [calendarsText(calendarLimit), ...terms.gives] }
}

function calendarsText(limit: number | null): string {
  if (limit === null) return 'Unlimited calendars'
  return limit === 1 ? '1 calendar' : `${limit} calendars`
}
