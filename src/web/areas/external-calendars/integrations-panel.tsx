import { useQuery } from '@tanstack/react-query'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type {
  CalendarProviderName,
  ExternalCalendars,
} from '#contract/external-calendars/external-calendars.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { ButtonShape, LineShape, LoadingShape, Repeated } from '#web/kit/loading-shape.tsx'
import { Card } from '#web/ui/card.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { ChangesCard } from './changes-card.tsx'
import { ChoiceCard } from './choice-card.tsx'
import { FeedCard } from './feed-card.tsx'
import { externalCalendarsQuery, externalChangesQuery } from './integration-queries.ts'
import { ProviderCard } from './provider-card.tsx'
import { PROVIDERS } from './provider-words.ts'
import { UncheckedCard } from './unchecked-card.tsx'

type IntegrationsPanelProps = {
  calendar: Calendar
  /** The owner's plan; undefined until it has loaded. */
  subscription: SubscriptionResponse | undefined
}

/** The Integrations tab: lets the owner connect external calendars. Source: rules G1 to G24. */
export function IntegrationsPanel({ calendar, subscription }: IntegrationsPanelProps) {
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

/** Lists the connected providers with their settings first, then the other providers. */
function Accounts({ calendar, external, subscription }: AccountsProps) {
  const isConnected = (provider: CalendarProviderName) =>
    external.connections.some((connection) => connection.provider === provider)
  const isShown = (provider: CalendarProviderName) =>
    external.offered.includes(provider) || isConnected(provider)
  const shown = PROVIDERS.filter(isShown)
  const connected = shown.filter(isConnected)
  // Without accounts, show the first provider at full width, because most owners look for it.
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

/** The grid columns, by number of providers (2 or 3). */
const COLUMNS: Readonly<Record<number, string>> = {
  2: 'md:grid-cols-2',
  3: 'md:grid-cols-2 lg:grid-cols-3',
}

/** The tab's loading placeholder, in the layout of a tab without connected accounts. */
function IntegrationsPlaceholder() {
  return (
    <div className="flex flex-col gap-6">
      <ProviderShape />
      <div className="grid gap-6 md:grid-cols-2 lg:grid-cols-3">
        <Repeated count={3}>
          <ProviderShape />
        </Repeated>
      </div>
      <ProviderShape />
    </div>
  )
}

function ProviderShape() {
  return (
    <Card>
      <LineShape size="xl" className="w-40" />
      <div className="mt-1 mb-4">
        <LineShape className="w-full" />
        <LineShape className="w-2/3" />
      </div>
      <ButtonShape className="w-56" />
    </Card>
  )
}
