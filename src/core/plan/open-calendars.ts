/** What decides whether a calendar stays open when the plan allows fewer calendars than the owner has. */
export type CountedCalendar = {
  readonly id: string
  readonly isPaused: boolean
  /** The owner chose that it stays open. */
  readonly staysOpen: boolean
  readonly upcomingAppointments: number
  readonly createdAtMs: number
}

/**
 * The calendars in the order in which they stay open: those of the owner's choice, those that stayed open before while others were
 * paused, those with the most appointments to come, the oldest. Source: rule S13.
 */
export function sortByKeepOpenPriority<Counted extends CountedCalendar>(
  calendars: readonly Counted[],
): Counted[] {
  const arePaused = calendars.some(({ isPaused }) => isPaused)
  const wasOpen = ({ isPaused }: Counted) => arePaused && !isPaused
  const rank = (one: Counted) => (one.staysOpen ? 0 : 2) + (wasOpen(one) ? 0 : 1)
  return [...calendars].sort(
    (a, b) =>
      rank(a) - rank(b) ||
      b.upcomingAppointments - a.upcomingAppointments ||
      a.createdAtMs - b.createdAtMs ||
      (a.id < b.id ? -1 : 1),
  )
}

/** The ids of the calendars that stay open on a plan that allows so many; null is unlimited. Source: rule S13. */
export function listOpenCalendars(calendars: readonly CountedCalendar[], limit: number | null): Set<string> {
  const ordered = sortByKeepOpenPriority(calendars)
  return new Set(ordered.slice(0, limit ?? ordered.length).map(({ id }) => id))
}

/** How long the choice of the calendars stays as it is while some are paused, in days. Source: rule S13. */
export const OPEN_CALENDAR_CHOICE_DAYS = 30
