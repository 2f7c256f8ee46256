import type { ProblemCode } from '#contract/shared/problem.ts'
import type { Plan } from '#core/plans/plan.ts'

type PlanGate = {
  readonly isIncluded: (plan: Plan) => boolean
  /** The refusal that an owner gets whose plan lacks the feature. */
  readonly refusal: ProblemCode
}

/**
 * The features that depend on the plan, besides the number of calendars. The plan is checked where such a feature is
 * created, enabled or changed. Source: rule S4.
 */
export const PLAN_GATES = {
  stripe: {
    isIncluded: ({ integrations }) => integrations.includes('stripe'),
    refusal: 'payment.not_in_plan',
  },
  paypal: {
    isIncluded: ({ integrations }) => integrations.includes('paypal'),
    refusal: 'payment.not_in_plan',
  },
  external_calendars: {
    isIncluded: ({ integrations }) => integrations.includes('google_calendar'),
    refusal: 'external_calendar.not_in_plan',
  },
  custom_branding: {
    isIncluded: ({ features }) => features.includes('custom_branding'),
    refusal: 'branding.not_in_plan',
  },
  custom_domains: {
    isIncluded: ({ features }) => features.includes('custom_domains'),
    refusal: 'domain.not_in_plan',
  },
} as const satisfies Record<string, PlanGate>

export type PlanGateName = keyof typeof PLAN_GATES
