import type {
  CalendarConnection,
  ExternalCalendar,
  ExternalCalendars,
} from '#contract/external-calendars/external-calendars.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'

/** Another calendar of the same person that reads the account. */
type OtherCalendar = NonNullable<ExternalCalendar['read_by_other']>

/** How a calendar uses an account. Source: rule G32. */
type AccountUse =
  | { readonly kind: 'itself' }
  | { readonly kind: 'none' }
  /** This calendar does not read the account, but another calendar of the same person does, so its events count here too. */
  | { readonly kind: 'other'; readonly by: OtherCalendar }

export function decideAccountUse({ calendars }: Pick<CalendarConnection, 'calendars'>): AccountUse {
  if (calendars.some(({ reads_busy_times, writes_events }) => reads_busy_times || writes_events)) {
    return { kind: 'itself' }
  }
  const [by] = listReaders(calendars)
  return by === undefined ? { kind: 'none' } : { kind: 'other', by }
}

/** Lists the person's other calendars that read external calendars. The events they read also block times in this calendar. */
export function listOtherCalendarsOfPerson({ connections }: ExternalCalendars): OtherCalendar[] {
  return listReaders(connections.flatMap(({ calendars }) => calendars))
}

/** True if this calendar's times are blocked by events that only another calendar of the person reads. */
export function hasIndirectBusyTimes({ connections }: ExternalCalendars): boolean {
  return connections.some(({ calendars }) =>
    calendars.some(({ reads_busy_times, read_by_other }) => !reads_busy_times && read_by_other !== null),
  )
}

function listReaders(calendars: readonly ExternalCalendar[]): OtherCalendar[] {
  const readers = calendars.map(({ read_by_other }) => read_by_other).filter((reader) => reader !== null)
  return [...new Map(readers.map((reader) => [reader.id, reader])).values()]
}

/**
 * Finds the account whose card shows the two sync switches: the account that events are written to, otherwise the first
 * account that supports writing. Each calendar has only one pair of switches.
 */
export function findAccountWithSwitches({ connections }: ExternalCalendars): CalendarConnection | undefined {
  const able = connections.filter(({ provider, state }) => provider !== 'ics' && state !== 'revoked')
  return able.find(({ calendars }) => calendars.some(({ writes_events }) => writes_events)) ?? able[0]
}

/** True if the plan includes external calendars, or if the plan has not loaded yet. Source: rule S4. */
export function planIncludesExternalCalendars(subscription: SubscriptionResponse | undefined): boolean {
  return subscription?.limits.integrations.includes('google_calendar') ?? true
}
