import type { ReactNode } from 'react'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { browserTimeZone, formatLongDate, localDateOf } from '#web/shared/format-date.ts'
import { formatPrice } from '#web/shared/format-price.ts'
import { Notice } from '#web/ui/notice.tsx'
import type { Tone } from '#web/ui/tones.tsx'

type PlanStatusNoticeProps = {
  subscription: SubscriptionResponse
  /** A button or link with which the owner can fix the problem. */
  action?: ReactNode
}

/** Shows the status of the owner's plan as a notice. */
export function PlanStatusNotice({ subscription, action }: PlanStatusNoticeProps) {
  const { tone, title, text } = describePlanStatus(subscription)
  return (
    <Notice tone={tone} title={title} action={action}>
      {text}
    </Notice>
  )
}

/** A plan's status as text: the plan, its price, and the date of its next charge or its end. */
export type PlanStatus = { readonly tone: Tone; readonly title: string; readonly text: string }

/** Describes the plan's status in words. Source: rules S11 and S14. */
export function describePlanStatus(subscription: SubscriptionResponse): PlanStatus {
  const { standing, subscription_tier: tier, subscription_end, next_charge } = subscription
  const end = subscription_end === null ? null : formatPlanDate(subscription_end)
  switch (standing) {
    case 'none':
      return {
        tone: 'info',
        title: `You’re on the ${tier} plan`,
        text: 'Free forever.',
      }
    case 'given':
      return {
        tone: 'info',
        title: `You have the ${tier} plan free of charge`,
        text: end === null ? 'You don’t pay anything.' : `It’s yours until ${end}.`,
      }
    case 'active':
      return {
        tone: 'info',
        title: `You pay monthly for the ${tier} plan`,
        text: [nextPlan(subscription), nextCharge(next_charge)].filter((line) => line !== null).join(' '),
      }
    case 'ending':
      return {
        tone: 'warning',
        title: `Your ${tier} plan ends${end === null ? '' : ` on ${end}`}`,
        text: `You won’t be charged again. ${afterwards(subscription)}`,
      }
    case 'past_due':
      return {
        tone: 'danger',
        title: `The payment for your ${tier} plan failed`,
        text: `${since(subscription)} Your plan continues while we try again, and your customers won’t notice. Please check your card before the next try.`,
      }
    case 'unpaid':
      return {
        tone: 'danger',
        title: `We couldn’t charge you for your ${tier} plan`,
        text: `${since(subscription)} ${end === null ? 'The plan ends soon.' : `You keep the plan until ${end}.`} ${afterwards(subscription)} Subscribe again to keep it.`,
      }
  }
}

/** Explains what happens to the plan when the owner deletes their account; null if they do not pay for a plan. */
export function describePlanDeletion(subscription: SubscriptionResponse | undefined): string | null {
  if (subscription === undefined) {
    return 'Paid plans end right away. You won’t be charged again, but past payments aren’t refunded.'
  }
  const { standing, subscription_tier: tier, subscription_end, next_charge } = subscription
  if (standing === 'none' || standing === 'given') return null
  const paidUntil =
    standing === 'active' || standing === 'ending' ? (subscription_end ?? next_charge?.at) : null
  const rest = paidUntil ? ` for the time until ${formatPlanDate(paidUntil)}` : ''
  return `Your ${tier} plan ends right away. You won’t be charged again, but what you’ve paid${rest} isn’t refunded.`
}

function nextCharge(charge: SubscriptionResponse['next_charge']): string | null {
  if (charge === null) return null
  return `The next payment is ${formatPrice(charge)} on ${formatPlanDate(charge.at)}.`
}

function nextPlan({ next_tier, next_charge, subscription_end }: SubscriptionResponse): string | null {
  if (next_tier === null) return null
  const at = subscription_end ?? next_charge?.at ?? null
  return at === null
    ? `The ${next_tier} plan comes next.`
    : `You’ll change to the ${next_tier} plan on ${formatPlanDate(at)}.`
}

function since({ past_due_since }: SubscriptionResponse): string {
  return past_due_since === null
    ? 'The payment was declined.'
    : `The payment was declined on ${formatPlanDate(past_due_since)}.`
}

/** Names the plan that follows: the Free plan if no other one is set. */
function afterwards({ next_tier }: SubscriptionResponse): string {
  return `Then you’ll have the ${next_tier ?? 'Free'} plan. Nothing is deleted.`
}

/** Formats an instant as a date in the viewer's time zone: `December 24, 2026`. */
export function formatPlanDate(instantIso: string): string {
  return formatLongDate(localDateOf(instantIso, browserTimeZone()))
}
