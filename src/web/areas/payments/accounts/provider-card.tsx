import type { ReactNode } from 'react'
import type { PaymentSettings } from '#contract/payments/payment-settings.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { PROVIDER_NAMES, SANDBOX_NOTE } from '#core/payments/provider-names.ts'
import { PlanGate } from '#web/kit/plan-gate.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { Notice } from '#web/ui/notice.tsx'
import type { Provider } from './payment-queries.ts'

type ProviderCardProps = {
  provider: Provider
  settings: PaymentSettings
  subscription: SubscriptionResponse | undefined
  isConnected: boolean
  description: string
  /** The fields to set up; only where the plan has it and the installation can. */
  children?: ReactNode
  connection: ReactNode
}

/** The section of one provider, with what prevents its use. Source: rule S4. */
export function ProviderCard(props: ProviderCardProps) {
  const { provider, settings, subscription, isConnected, description, children, connection } = props
  const name = PROVIDER_NAMES[provider]
  const isOffered = settings.offered.includes(provider)
  const isInPlan = subscription?.limits.integrations.includes(provider) ?? true
  const isOpen = isOffered && isInPlan
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {name}
          {isConnected && (
            <Badge tone="success" className="font-sans">
              Connected
            </Badge>
          )}
        </span>
      }
      description={description}
    >
      <div className="flex flex-col gap-5">
        {subscription !== undefined && !isInPlan && (
          <PlanGate feature={name} subscription={subscription}>
            {isConnected && <p>It stays set up, and is inactive until your plan includes it.</p>}
          </PlanGate>
        )}
        {isInPlan && !isOffered && <Notice>{name} is not set up on this installation.</Notice>}
        {isOpen && settings.sandbox.includes(provider) && <Notice>{SANDBOX_NOTE}</Notice>}
        {isOpen && children}
        {(isOpen || isConnected) && connection}
      </div>
    </Card>
  )
}
