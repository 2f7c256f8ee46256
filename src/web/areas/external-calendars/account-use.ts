import type {
  CalendarConnection,
  ExternalCalendar,
  ExternalCalendars,
} from '#contract/external-calendars/external-calendars.ts'

/** Another calendar of the same person. */
type OtherCalendar = NonNullable<ExternalCalendar['read_by_other']>

/** How a calendar uses an account. Source: rule G32. */
type AccountUse =
  | { readonly kind: 'itself' }
  | { readonly kind: 'none' }
  /** It counts only because another calendar of the same person reads it. */
  | { readonly kind: 'other'; readonly by: OtherCalendar }

export function decideUse({ calendars }: Pick<CalendarConnection, 'calendars'>): AccountUse {
  if (calendars.some(({ reads_busy_times, writes_events }) => reads_busy_times || writes_events)) {
    return { kind: 'itself' }
  }
  const [by] = listReaders(calendars)
  return by === undefined ? { kind: 'none' } : { kind: 'other', by }
}

/** The other calendars of the person whose external calendars count here as well. */
export function listOthers({ connections }: ExternalCalendars): OtherCalendar[] {
  return listReaders(connections.flatMap(({ calendars }) => calendars))
}

/** Whether something counts here that this calendar does not read itself. */
export function countsOnlyByOthers({ connections }: ExternalCalendars): boolean {
  return connections.some(({ calendars }) =>
    calendars.some(({ reads_busy_times, read_by_other }) => !reads_busy_times && read_by_other !== null),
  )
}

function listReaders(calendars: readonly ExternalCalendar[]): OtherCalendar[] {
  const readers = calendars.map(({ read_by_other }) => read_by_other).filter((reader) => reader !== null)
  return [...new Map(readers.map((reader) => [reader.id, reader])).values()]
}
