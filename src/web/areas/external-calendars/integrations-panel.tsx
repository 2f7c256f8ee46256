import { useQuery } from '@tanstack/react-query'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type {
  CalendarProviderName,
  ExternalCalendars,
} from '#contract/external-calendars/external-calendars.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { LoadingShape } from '#web/kit/loading-shape.tsx'
import { Card } from '#web/ui/card.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { ChangesCard } from './changes-card.tsx'
import { ChoiceCard } from './choice-card.tsx'
import { FeedCard } from './feed-card.tsx'
import { externalCalendarsQuery, externalChangesQuery } from './integration-queries.ts'
import { IntegrationsPlaceholder } from './integrations-placeholder.tsx'
import { ProviderCard } from './provider-card.tsx'
import { PROVIDERS } from './provider-words.ts'
import { UncheckedCard } from './unchecked-card.tsx'

type IntegrationsPanelProps = {
  calendar: Calendar
  /** The owner's plan; undefined while it is not known. */
  subscription: SubscriptionResponse | undefined
}

/** The owner's own calendars: busy there, written there, followed there. Source: rules G1 to G24. */
export function IntegrationsPanel({ calendar, subscription }: IntegrationsPanelProps) {
  const { data: external, error, refetch } = useQuery(externalCalendarsQuery(calendar.id))
  // It is shown on top, so that what is below must wait for it. Without it, the rest is shown.
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
      <LoadingShape text="Loading integrations...">
        <IntegrationsPlaceholder />
      </LoadingShape>
    )
  }
  return (
    <div className="flex flex-col gap-6">
      {changes.data !== undefined && changes.data.changes.length > 0 && (
        <ChangesCard calendar={calendar} changes={changes.data.changes} />
      )}
      <Accounts calendar={calendar} external={external} subscription={subscription} />
      <FeedCard calendarId={calendar.id} />
    </div>
  )
}

type AccountsProps = IntegrationsPanelProps & { external: ExternalCalendars }

/** First what is connected, with how it is used; then what can be connected besides. */
function Accounts({ calendar, external, subscription }: AccountsProps) {
  const isConnected = (provider: CalendarProviderName) =>
    external.connections.some((connection) => connection.provider === provider)
  const isShown = (provider: CalendarProviderName) =>
    external.offered.includes(provider) || isConnected(provider)
  const shown = PROVIDERS.filter(isShown)
  const connected = shown.filter(isConnected)
  // Without any account the first provider has the whole width, as the one that most people look for.
  const wide = connected.length > 0 ? connected : shown.slice(0, 1)
  const others = shown.filter((provider) => !wide.includes(provider))
  const isUsable = external.connections.some(({ state }) => state !== 'revoked')
  const common = { calendar, external, subscription }
  return (
    <>
      {wide.map((provider) => (
        <ProviderCard key={provider} provider={provider} isFirst={connected.length === 0} {...common} />
      ))}
      {isUsable && <ChoiceCard calendar={calendar} external={external} />}
      {isUsable && <UncheckedCard calendar={calendar} external={external} />}
      {others.length > 0 && (
        <div className={classNames('grid gap-6', COLUMNS[others.length])}>
          {others.map((provider) => (
            <ProviderCard key={provider} provider={provider} {...common} />
          ))}
        </div>
      )}
    </>
  )
}

/** As many as fill a row. */
const COLUMNS: Readonly<Record<number, string>> = {
  2: 'md:grid-cols-2',
  3: 'md:grid-cols-2 lg:grid-cols-3',
}
