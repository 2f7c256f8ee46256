import { useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type {
  CalendarConnection,
  CalendarProviderName,
  ExternalCalendar,
  ExternalCalendars,
} from '#contract/external-calendars/external-calendars.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { PlanGate } from '#web/kit/plan-gate.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ExternalLink } from '#web/ui/icons/external-link.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { ConnectedAccountSection } from './account-section.tsx'
import { decideAccountUse, findAccountWithSwitches, planIncludesExternalCalendars } from './account-use.ts'
import { type ConsentProvider, hasConsentPage, PROVIDER_TEXTS } from './provider-words.ts'
import { ConnectByAddressDialog } from './typed-account-dialog.tsx'
import { useOpenConsentPage } from './use-authorize.ts'
import { useSaveExternalCalendarSetting } from './use-save-settings.ts'

type ProviderCardProps = {
  provider: CalendarProviderName
  calendar: Calendar
  external: ExternalCalendars
  subscription: SubscriptionResponse | undefined
  /** True for the first provider while no account is connected: its button is then the primary one. */
  isFirst?: boolean
}

/**
 * A provider with its accounts and a button to connect an account, or the reason why the provider cannot be used.
 * Source: rules S4 and G1.
 */
export function CalendarProviderCard(props: ProviderCardProps) {
  const { provider, calendar, external, subscription, isFirst = false } = props
  const { name, description } = PROVIDER_TEXTS[provider]
  const accounts = external.connections.filter((connection) => connection.provider === provider)
  const isOpen = external.offered.includes(provider) && planIncludesExternalCalendars(subscription)
  const sandbox = external.sandbox.find((each) => each.provider === provider)
  const switchAccount = findAccountWithSwitches(external)
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
        {subscription !== undefined && !planIncludesExternalCalendars(subscription) && (
          <PlanGate feature={name} subscription={subscription} />
        )}
        {isOpen && sandbox !== undefined && (isFirst || accounts.length > 0) && (
          <SandboxNotice provider={name} page={sandbox.page} />
        )}
        {accounts.map((connection) => (
          <ConnectedAccountSection
            key={connection.id}
            calendar={calendar}
            connection={connection}
            waitingEvents={connection.id === switchAccount?.id ? external.waiting_events : 0}
            canRenew={isOpen}
          >
            {connection.id === switchAccount?.id && <SyncSwitches calendar={calendar} external={external} />}
          </ConnectedAccountSection>
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

/** Shows whether the provider's accounts are expired, used by this calendar, or read only for another one. Source: rule G32. */
function StateBadge({ accounts }: { accounts: readonly CalendarConnection[] }) {
  if (accounts.some(({ state }) => state === 'expired')) {
    return (
      <Badge tone="danger" className="font-sans">
        Expired
      </Badge>
    )
  }
  const uses = accounts.filter(({ state }) => state === 'active').map(decideAccountUse)
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
        {other === undefined ? 'Not used' : `Read for ${wrapInBidiIsolates(other.by.name)}`}
      </span>
    </Badge>
  )
}

type ConnectButtonProps = {
  calendar: Calendar
  provider: CalendarProviderName
  /** True if an account of this provider is already connected. */
  isAnother: boolean
  isFirst: boolean
}

/**
 * Lets the owner connect an account, on the provider's consent page or with typed credentials. One consent reads and writes;
 * 'Read only' is the second choice. Source: rule G19.
 */
function ConnectButton({ provider, ...props }: ConnectButtonProps) {
  return hasConsentPage(provider) ? (
    <ConsentButton provider={provider} {...props} />
  ) : (
    <TypedButton provider={provider} {...props} />
  )
}

function ConsentButton(props: ConnectButtonProps & { provider: ConsentProvider }) {
  const { calendar, provider, ...look } = props
  const { authorize, access } = useOpenConsentPage(calendar.id, provider)
  const { className, ...kind } = lookOf(look)
  return (
    <div className={classNames('flex flex-wrap gap-2', className)}>
      <Button
        {...kind}
        pending={access === 'write'}
        pendingLabel="Connecting..."
        disabled={access === 'read'}
        onClick={() => authorize({ access: 'write' })}
      >
        {look.isAnother ? 'Connect another account' : PROVIDER_TEXTS[provider].connect}
      </Button>
      <Button
        size={look.isAnother ? 'sm' : 'md'}
        pending={access === 'read'}
        pendingLabel="Connecting..."
        disabled={access === 'write'}
        onClick={() => authorize({ access: 'read' })}
      >
        Read only
        <span className="sr-only"> ({PROVIDER_TEXTS[provider].name})</span>
      </Button>
    </div>
  )
}

function TypedButton(props: ConnectButtonProps & { provider: 'caldav' | 'ics' }) {
  const { calendar, provider, ...look } = props
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button {...lookOf(look)} onClick={() => setOpen(true)}>
        {look.isAnother ? 'Connect another account' : PROVIDER_TEXTS[provider].connect}
      </Button>
      <ConnectByAddressDialog
        calendarId={calendar.id}
        provider={provider}
        open={open}
        onOpenChange={setOpen}
      />
    </>
  )
}

/** Returns the style of the button and its place. The first Connect button sits at the bottom, so that those of adjacent cards line up. */
function lookOf({ isAnother, isFirst }: Pick<ConnectButtonProps, 'isAnother' | 'isFirst'>) {
  if (isAnother) return { variant: 'ghost', size: 'sm', className: '-ms-3 self-start' } as const
  return { variant: isFirst ? 'primary' : 'secondary', className: 'mt-auto self-start' } as const
}

type SyncSwitchesProps = { calendar: Calendar; external: ExternalCalendars }

/**
 * Lets the owner choose whether appointments are written to the account, and whether changes made there are applied to
 * appointments. Source: rules G9 and G12.
 */
function SyncSwitches({ calendar, external }: SyncSwitchesProps) {
  const { settings, save } = useSaveExternalCalendarSetting(calendar.id, external.settings)
  const written = external.connections
    .flatMap(({ calendars }) => calendars)
    .find(({ writes_events }) => writes_events)
  return (
    <div className="flex flex-col gap-4">
      <Switch
        label="Auto Sync"
        hint={describeWriting(written)}
        checked={settings.auto_sync}
        onChange={(auto_sync) => save({ auto_sync })}
      />
      <Switch
        label="Two-way Sync"
        hint="If you move or delete an appointment there, we move or cancel it here and email the customer."
        checked={settings.two_way_sync}
        onChange={(two_way_sync) => save({ two_way_sync })}
      />
    </div>
  )
}

function describeWriting(written: ExternalCalendar | undefined): string {
  if (written === undefined) {
    return 'We’re not adding appointments yet. Choose a calendar to add them to below.'
  }
  return written.is_gone
    ? `Appointments are waiting to be added, because ‘${written.name}’ no longer exists. Choose another calendar below.`
    : `We add appointments to ‘${written.name}’ within seconds and keep them up to date.`
}

/** Tells the owner that this provider is a sandbox, and links to the sandbox's page. */
function SandboxNotice({ provider, page }: { provider: string; page: string }) {
  return (
    <Notice
      action={
        <ButtonLink size="sm" href={page} target="_blank" rel="noopener">
          <ExternalLink aria-hidden="true" className="size-4" />
          Open its calendar
          <span className="sr-only">({provider})</span>
        </ButtonLink>
      }
    >
      Sandbox: a calendar for trying things out. You can add, move and delete events there.
    </Notice>
  )
}
