import { useQuery } from '@tanstack/react-query'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type {
  CalendarProviderName,
  ExternalCalendars,
} from '#contract/external-calendars/external-calendars.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import {
  ButtonPlaceholder,
  LinePlaceholder,
  LoadingPlaceholder,
  RepeatedPlaceholder,
} from '#web/kit/loading-shape.tsx'
import { Card } from '#web/ui/card.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { ExternalChangesCard } from './changes-card.tsx'
import { ExternalCalendarChoiceCard } from './choice-card.tsx'
import { CalendarFeedCard } from './feed-card.tsx'
import { externalCalendarsQuery, externalChangesQuery } from './integration-queries.ts'
import { CalendarProviderCard } from './provider-card.tsx'
import { CALENDAR_PROVIDERS } from './provider-words.ts'
import { UncheckedCalendarPolicyCard } from './unchecked-card.tsx'

type IntegrationsPanelProps = {
  calendar: Calendar
  /** The owner's plan; undefined until it has loaded. */
  subscription: SubscriptionResponse | undefined
  /** True for a step of the set-up: without the settings that are not about connecting. */
  isSetup?: boolean | undefined
}

/** The Integrations tab: lets the owner connect external calendars. Source: rules G1 to G24. */
export function IntegrationsPanel({ calendar, subscription, isSetup = false }: IntegrationsPanelProps) {
  const { data: external, error, refetch } = useQuery(externalCalendarsQuery(calendar.id))
  // Wait for the external changes, which appear at the top, so that the page does not jump. If they fail to load, show
  // the rest of the tab.
  const changes = useQuery(externalChangesQuery(calendar.id))
  if (external === undefined && error !== null) {
    return (
      <Card>
        <ErrorState title="Failed to load integrations" hint={error.message} onRetry={() => refetch()} />
      </Card>
    )
  }
  if (external === undefined || changes.isPending) {
    return (
      <LoadingPlaceholder text="Loading integrations...">
        <IntegrationsPlaceholder />
      </LoadingPlaceholder>
    )
  }
  return (
    <div className="flex flex-col gap-6">
      {changes.data !== undefined && changes.data.changes.length > 0 && (
        <ExternalChangesCard calendar={calendar} changes={changes.data.changes} />
      )}
      <Accounts calendar={calendar} external={external} subscription={subscription} isSetup={isSetup} />
      {!isSetup && <CalendarFeedCard calendarId={calendar.id} />}
    </div>
  )
}

type AccountsProps = IntegrationsPanelProps & { external: ExternalCalendars }

/** Lists the connected providers with their settings first, then the other providers. */
function Accounts({ calendar, external, subscription, isSetup }: AccountsProps) {
  const isConnected = (provider: CalendarProviderName) =>
    external.connections.some((connection) => connection.provider === provider)
  const isShown = (provider: CalendarProviderName) =>
    external.offered.includes(provider) || isConnected(provider)
  const shown = CALENDAR_PROVIDERS.filter(isShown)
  const connected = shown.filter(isConnected)
  // Without accounts, show the first provider at full width, because most owners look for it.
  const wide = connected.length > 0 ? connected : shown.slice(0, 1)
  const others = shown.filter((provider) => !wide.includes(provider))
  const isUsable = external.connections.some(({ state }) => state !== 'revoked')
  const common = { calendar, external, subscription }
  return (
    <>
      {wide.map((provider) => (
        <CalendarProviderCard
          key={provider}
          provider={provider}
          isFirst={connected.length === 0}
          {...common}
        />
      ))}
      {isUsable && <ExternalCalendarChoiceCard calendar={calendar} external={external} />}
      {isUsable && !isSetup && <UncheckedCalendarPolicyCard calendar={calendar} external={external} />}
      {others.length > 0 && (
        <div className={classNames('grid gap-6', COLUMNS[others.length])}>
          {others.map((provider) => (
            <CalendarProviderCard key={provider} provider={provider} {...common} />
          ))}
        </div>
      )}
    </>
  )
}

/** The grid columns, by number of providers (2 or 3). */
const COLUMNS: Readonly<Record<number, string>> = {
  2: '@2xl:grid-cols-2',
  3: '@2xl:grid-cols-2 @4xl:grid-cols-3',
}

/** The tab's loading placeholder, in the layout of a tab without connected accounts. */
function IntegrationsPlaceholder() {
  return (
    <div className="flex flex-col gap-6">
      <ProviderShape />
      <div className="grid gap-6 @2xl:grid-cols-2 @4xl:grid-cols-3">
        <RepeatedPlaceholder count={3}>
          <ProviderShape />
        </RepeatedPlaceholder>
      </div>
      <ProviderShape />
    </div>
  )
}

function ProviderShape() {
  return (
    <Card>
      <LinePlaceholder size="xl" className="w-40" />
      <div className="mt-1 mb-4">
        <LinePlaceholder className="w-full" />
        <LinePlaceholder className="w-2/3" />
      </div>
      <ButtonPlaceholder className="w-56" />
    </Card>
  )
}
