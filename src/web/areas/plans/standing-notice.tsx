import type { ReactNode } from 'react'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { Notice } from '#web/ui/notice.tsx'
import { describeStanding } from './plan-standing.ts'

type StandingNoticeProps = {
  subscription: SubscriptionResponse
  /** What to do about it. */
  action?: ReactNode
}

/** How the owner's plan stands, in their words. */
export function StandingNotice({ subscription, action }: StandingNoticeProps) {
  const { tone, title, text } = describeStanding(subscription)
  return (
    <Notice tone={tone} title={title} action={action}>
      {text}
    </Notice>
  )
}
