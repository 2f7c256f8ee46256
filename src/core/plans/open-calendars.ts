/** The facts that decide which calendars stay open when a plan allows fewer calendars than the owner has. */
export type OpenCalendarCandidate = {
  readonly id: string
  readonly is_paused: boolean
  /** The owner chose to keep this calendar open. */
  readonly stays_open: boolean
  readonly upcomingAppointments: number
  readonly createdAtMs: number
}

/**
 * Sorts calendars by priority for staying open: chosen by the owner, already open while others were paused, most
 * upcoming appointments, oldest. Source: rule S13.
 */
export function sortByKeepOpenPriority<Counted extends OpenCalendarCandidate>(
  calendars: readonly Counted[],
): Counted[] {
  const arePaused = calendars.some(({ is_paused }) => is_paused)
  const wasOpen = ({ is_paused }: Counted) => arePaused && !is_paused
  const rank = (one: Counted) => (one.stays_open ? 0 : 2) + (wasOpen(one) ? 0 : 1)
  return [...calendars].sort(
    (a, b) =>
      rank(a) - rank(b) ||
      b.upcomingAppointments - a.upcomingAppointments ||
      a.createdAtMs - b.createdAtMs ||
      (a.id < b.id ? -1 : 1),
  )
}

/**
 * Returns the ids of the calendars that stay open when the plan allows `limit` calendars; null means unlimited. Source:
 * rule S13.
 */
export function listOpenCalendars(
  calendars: readonly OpenCalendarCandidate[],
  limit: number | null,
): Set<string> {
  const ordered = sortByKeepOpenPriority(calendars)
  return new Set(ordered.slice(0, limit ?? ordered.length).map(({ id }) => id))
}

/** Number of days that must pass before the owner can choose other calendars while some are paused. Source: rule S13. */
export const OPEN_CALENDAR_CHOICE_DAYS = 30
