import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import type { PaymentSettings } from '#contract/payments/payment-settings.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { PROVIDER_NAMES, SANDBOX_LABEL } from '#core/payments/provider-names.ts'
import { PlanGate } from '#web/kit/plan-gate.tsx'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { type BlankTab, openBlankTab } from '#web/shared/open-tab.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'
import { DisconnectPaymentAccountDialog } from './disconnect-dialog.tsx'
import type { PaymentProviderName } from './payment-queries.ts'
import { ReuseButtons } from './reuse-buttons.tsx'

type ProviderCardProps = {
  calendar: Calendar
  provider: PaymentProviderName
  settings: PaymentSettings
  subscription: SubscriptionResponse | undefined
  description: string
  /** The provider's name for the connected account; null if no account is connected. */
  account: string | null
  /** The reason why the provider cannot be connected yet, shown as a toast; null if it can be connected. */
  obstacle?: string | null
  /** True if connecting this provider is the next action. */
  isNext?: boolean
  /** The setup fields. Shown only if the plan and the installation support the provider. */
  children?: ReactNode
}

/** Lets the owner connect a payment provider, or shows the reason why it cannot be used. Source: rule S4. */
export function PaymentProviderCard(props: ProviderCardProps) {
  const {
    calendar,
    provider,
    settings,
    subscription,
    description,
    account,
    obstacle = null,
    isNext = false,
    children,
  } = props
  const name = PROVIDER_NAMES[provider]
  const isConnected = settings[`${provider}_connected`]
  const isOffered = settings.offered.includes(provider)
  const isInPlan = subscription?.limits.integrations.includes(provider) ?? true
  const isOpen = isOffered && isInPlan
  const [asking, setAsking] = useState(false)
  const row = useRef<HTMLDivElement>(null)
  const [isReused, setReused] = useState(false)
  // Focus another button, because the pressed one no longer exists.
  useEffect(() => {
    if (isReused && isConnected) row.current?.querySelector('button')?.focus()
  }, [isReused, isConnected])
  const { connect, isConnecting } = useConnect(calendar.id, provider)
  const onConnect = () => {
    if (obstacle === null) connect()
    else toast.error(obstacle)
  }
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
            {isConnected && <p>It stays set up, but is inactive until your plan includes it.</p>}
          </PlanGate>
        )}
        {isInPlan && !isOffered && <Notice>{name} isn’t available on this site.</Notice>}
        {isOpen && settings.sandbox.includes(provider) && <Notice>{SANDBOX_LABEL}</Notice>}
        {isOpen && children}
        {(isOpen || isConnected) && (
          <div ref={row} className="flex flex-wrap items-center justify-between gap-3">
            {account === null ? (
              <>
                <p className="text-ink-soft">No account is connected.</p>
                <div className="flex min-w-0 flex-wrap gap-2">
                  {isOpen && (
                    <ReuseButtons
                      calendar={calendar}
                      provider={provider}
                      settings={settings}
                      onConnected={() => setReused(true)}
                    />
                  )}
                  <Button
                    variant={isNext ? 'primary' : 'secondary'}
                    pending={isConnecting}
                    pendingLabel="Connecting..."
                    onClick={onConnect}
                  >
                    Connect {name}
                  </Button>
                </div>
              </>
            ) : (
              <>
                <p className="min-w-0">
                  Connected as <span className="font-semibold break-all">{account}</span>
                </p>
                <Button onClick={() => setAsking(true)}>Disconnect {name}</Button>
              </>
            )}
            <DisconnectPaymentAccountDialog
              calendarId={calendar.id}
              provider={provider}
              hasOther={settings[provider === 'stripe' ? 'paypal_connected' : 'stripe_connected']}
              home={row}
              open={asking}
              onOpenChange={setAsking}
            />
          </div>
        )}
      </div>
    </Card>
  )
}

/** Opens the provider's page in a new tab, or in this one if the browser blocks new tabs. Source: rule F5. */
function useConnect(calendarId: string, provider: PaymentProviderName) {
  const name = PROVIDER_NAMES[provider]
  const { mutate, isPending } = useMutation({
    mutationFn: (_tab: BlankTab) => callApi(at.createConnectUrl, { params: { id: calendarId, provider } }),
    onSuccess: ({ url }, tab) => {
      toast.info(`Redirecting to ${name} Connect...`)
      tab.show(url)
    },
    onError: (error, tab) => {
      tab.close()
      toast.error(`Failed to connect ${name}: ${toProblem(error).message}`)
    },
  })
  return { connect: () => mutate(openBlankTab()), isConnecting: isPending }
}
