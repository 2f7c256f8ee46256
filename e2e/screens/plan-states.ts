import type {
  ListInvoicesResponse,
  PlanEffectResponse,
  SubscriptionResponse,
} from '#contract/subscription.ts'
import type { Answers } from './answers.ts'
import { onPlan } from './on-plan.ts'

const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

type State = Partial<SubscriptionResponse> & { readonly plan: SubscriptionResponse['subscription_tier'] }

/** The ways a plan that was bought can stand. */
export const PLAN_STATES = {
  active: {
    plan: 'Professional',
    standing: 'active',
    next_charge: { amount_cents: 999, currency: 'eur', at: inDays(21) },
  },
  changing: {
    plan: 'Business',
    standing: 'active',
    next_charge: { amount_cents: 999, currency: 'eur', at: inDays(21) },
    next_tier: 'Professional',
  },
  pastDue: { plan: 'Professional', standing: 'past_due', past_due_since: inDays(-3) },
  ending: { plan: 'Business', standing: 'ending', subscription_end: inDays(5), next_tier: 'Free' },
  unpaid: {
    plan: 'Professional',
    standing: 'unpaid',
    past_due_since: inDays(-21),
    subscription_end: inDays(9),
    next_tier: 'Free',
  },
} as const satisfies Record<string, State>

/** The answers about the plan of an owner who pays, as it stands. */
export function planAnswers(state: keyof typeof PLAN_STATES): Answers {
  return {
    '**/api/subscription': (subscription: SubscriptionResponse) => {
      const { plan, ...rest } = PLAN_STATES[state]
      return { ...onPlan(plan)(subscription), can_manage: true, ...rest }
    },
    '**/api/subscription/invoices': { json: { invoices: INVOICES } },
  }
}

const INVOICES: ListInvoicesResponse['invoices'] = [
  { id: 'in_3', number: 'MER-0003', issued_at: inDays(-3), status: 'open' as const },
  { id: 'in_2', number: 'MER-0002', issued_at: inDays(-33), status: 'paid' as const },
  { id: 'in_1', number: 'MER-0001', issued_at: inDays(-63), status: 'paid' as const },
].map((invoice) => ({
  ...invoice,
  amount_cents: 999,
  currency: 'eur',
  url: `https://invoice.example/${invoice.id}`,
}))

const NAMES = ['Riverside Physio', 'Riverside Massage', 'Riverside Talks', 'Riverside Walks']

/** What a change to a plan with so many calendars would do to four of them. */
export function effectOf(calendar_limit: number, over: Partial<PlanEffectResponse> = {}): PlanEffectResponse {
  return {
    calendar_limit,
    calendars: NAMES.map((name, index) => ({
      id: `00000000-0000-4000-8000-00000000010${index}`,
      name,
      upcoming_appointments: [12, 3, 1, 0][index] ?? 0,
      stays_open: index < calendar_limit,
      is_paused: false,
    })),
    inactive: [],
    choice_locked_until: null,
    ...over,
  }
}

/** An owner whose plan allows three of four calendars. */
export function pausedAnswers(over: Partial<PlanEffectResponse> = {}): Answers {
  const { id, name } = effectOf(3).calendars[3] ?? { id: '', name: '' }
  return {
    '**/api/subscription': (subscription: SubscriptionResponse) => ({
      ...onPlan('Professional')(subscription),
      standing: 'active',
      next_charge: PLAN_STATES.active.next_charge,
      can_manage: true,
      paused_calendars: [{ id, name }],
    }),
    '**/api/subscription/invoices': { json: { invoices: INVOICES } },
    '**/api/subscription/effect*': { json: effectOf(3, over) },
  }
}

export const IN_A_MONTH = inDays(28)
