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
        title: `You are on the ${tier} plan`,
        text: 'It costs nothing, and it has no end.',
      }
    case 'given':
      return {
        tone: 'info',
        title: `You have the ${tier} plan at no charge`,
        text: end === null ? 'Nobody asks you for a payment.' : `It is yours until ${end}.`,
      }
    case 'active':
      return {
        tone: 'info',
        title: `You pay for the ${tier} plan month by month`,
        text: [nextPlan(subscription), nextCharge(next_charge)].filter((line) => line !== null).join(' '),
      }
    case 'ending':
      return {
        tone: 'warning',
        title: `Your ${tier} plan ends${end === null ? '' : ` on ${end}`}`,
        text: `Nothing more is charged. ${afterwards(subscription)}`,
      }
    case 'past_due':
      return {
        tone: 'danger',
        title: `The payment for your ${tier} plan failed`,
        text: `${since(subscription)} Your plan goes on while we try again, and your customers notice nothing. Please check your card, so that the next try succeeds.`,
      }
    case 'unpaid':
      return {
        tone: 'danger',
        title: `Your ${tier} plan could not be paid`,
        text: `${since(subscription)} ${end === null ? 'The plan ends soon.' : `The plan stays until ${end}.`} ${afterwards(subscription)} Subscribe again to keep it.`,
      }
  }
}

/** Explains what happens to the plan when the owner deletes their account; null if they do not pay for a plan. */
export function describePlanDeletion(subscription: SubscriptionResponse | undefined): string | null {
  if (subscription === undefined) {
    return 'A plan that you pay for ends at once. Nothing more is charged, and what you have paid is not refunded.'
  }
  const { standing, subscription_tier: tier, subscription_end, next_charge } = subscription
  if (standing === 'none' || standing === 'given') return null
  const paidUntil =
    standing === 'active' || standing === 'ending' ? (subscription_end ?? next_charge?.at) : null
  const rest = paidUntil ? ` for the time until ${formatPlanDate(paidUntil)}` : ''
  return `Your ${tier} plan ends at once. Nothing more is charged, and what you have paid${rest} is not refunded.`
}

function nextCharge(charge: SubscriptionResponse['next_charge']): string | null {
  if (charge === null) return null
  return `The next payment is ${formatPrice(charge)} on ${formatPlanDate(charge.at)}.`
}

function nextPlan({ next_tier, next_charge, subscription_end }: SubscriptionResponse): string | null {
  if (next_tier === null) return null
  const at = subscription_end ?? next_charge?.at ?? null
  return at === null
    ? `The ${next_tier} plan follows.`
    : `On ${formatPlanDate(at)} you change to the ${next_tier} plan.`
}

function since({ past_due_since }: SubscriptionResponse): string {
  return past_due_since === null ? 'It was refused.' : `It was refused on ${formatPlanDate(past_due_since)}.`
}

/** Names the plan that follows: the Free plan if no other one is set. */
function afterwards({ next_tier }: SubscriptionResponse): string {
  return `Then you have the ${next_tier ?? 'Free'} plan, and nothing is deleted.`
}

/** Formats an instant as a date in the viewer's time zone: `December 24, 2026`. */
export function formatPlanDate(instantIso: string): string {
  return formatLongDate(localDateOf(instantIso, browserTimeZone()))
}
