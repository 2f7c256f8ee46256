import type { Calendar } from '#contract/calendars/calendars.ts'
import type {
  CalendarConnection,
  CalendarProviderName,
  ExternalCalendars,
} from '#contract/external-calendars/external-calendars.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { isolate } from '#core/shared/text.ts'
import { PlanGate } from '#web/kit/plan-gate.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { AccountSection } from './account-section.tsx'
import { decideUse } from './account-use.ts'
import { ConnectButton } from './connect-button.tsx'
import { isInPlan } from './is-in-plan.ts'
import { PROVIDER_WORDS } from './provider-words.ts'
import { SandboxNotice } from './sandbox-notice.tsx'
import { findSwitchHome } from './switch-home.ts'
import { SyncSwitches } from './sync-switches.tsx'

type ProviderCardProps = {
  provider: CalendarProviderName
  calendar: Calendar
  external: ExternalCalendars
  subscription: SubscriptionResponse | undefined
  /** Nothing is connected yet, and this is what to do next. */
  isFirst?: boolean
}

/** One provider: what prevents its use, its accounts with their health, and the way to one. Source: rules S4 and G1. */
export function ProviderCard(props: ProviderCardProps) {
  const { provider, calendar, external, subscription, isFirst = false } = props
  const { name, description } = PROVIDER_WORDS[provider]
  const accounts = external.connections.filter((connection) => connection.provider === provider)
  const isOpen = external.offered.includes(provider) && isInPlan(subscription)
  const sandbox = external.sandbox.find((each) => each.provider === provider)
  const switchHome = findSwitchHome(external)
  return (
    <Card
      className="flex flex-col"
      title={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {name}
          <StateBadge accounts={accounts} />
        </span>
      }
      description={description}
    >
      <div className="flex grow flex-col gap-5">
        {subscription !== undefined && !isInPlan(subscription) && (
          <PlanGate feature={name} subscription={subscription} />
        )}
        {isOpen && sandbox !== undefined && <SandboxNotice provider={name} page={sandbox.page} />}
        {accounts.map((connection) => (
          <AccountSection
            key={connection.id}
            calendar={calendar}
            connection={connection}
            waitingEvents={connection.id === switchHome?.id ? external.waiting_events : 0}
            canRenew={isOpen}
          >
            {connection.id === switchHome?.id && <SyncSwitches calendar={calendar} external={external} />}
          </AccountSection>
        ))}
        {isOpen && (
          <ConnectButton
            calendar={calendar}
            provider={provider}
            isAnother={accounts.length > 0}
            isFirst={isFirst}
          />
        )}
      </div>
    </Card>
  )
}

/** Source: rule G32. */
function StateBadge({ accounts }: { accounts: readonly CalendarConnection[] }) {
  if (accounts.some(({ state }) => state === 'expired')) {
    return (
      <Badge tone="danger" className="font-sans">
        Expired
      </Badge>
    )
  }
  const uses = accounts.filter(({ state }) => state === 'active').map(decideUse)
  if (uses.length === 0) return null
  if (uses.some(({ kind }) => kind === 'itself')) {
    return (
      <Badge tone="success" className="font-sans">
        Connected
      </Badge>
    )
  }
  const other = uses.find((use) => use.kind === 'other')
  return (
    <Badge tone={other === undefined ? 'neutral' : 'info'} className="max-w-full font-sans">
      <span className="truncate">
        {other === undefined ? 'Not used' : `Read for ${isolate(other.by.name)}`}
      </span>
    </Badge>
  )
}
