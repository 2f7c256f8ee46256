import type {
  CalendarConnection,
  ExternalCalendars,
} from '#contract/external-calendars/external-calendars.ts'
import { formatRelativeTime } from '#web/shared/format-ago.ts'

/** Returns `Checked 2 minutes ago`, or `Last checked 2 minutes ago` if checks have failed since. */
export function lastCheckedText(
  { last_success_at, state, problem }: CalendarConnection,
  now: string,
): string {
  if (last_success_at === null) return 'Not checked yet'
  const word = state === 'active' && problem === null ? 'Checked' : 'Last checked'
  // `now` is rounded down to the minute, so the time of the last check can be later than `now`.
  const isAhead = Date.parse(last_success_at) > Date.parse(now)
  return `${word} ${formatRelativeTime(isAhead ? now : last_success_at, now)}`
}

/** Returns `3 appointments wait to be written`, or null if there are none. Source: rule G11. */
export function pendingWritesText(appointments: number): string | null {
  if (appointments === 0) return null
  return appointments === 1
    ? '1 appointment waiting to be added'
    : `${appointments} appointments waiting to be added`
}

/** Returns the time of the next attempt, such as `We try again in 5 minutes.` */
export function nextSyncText({ next_sync_at }: CalendarConnection, now: string): string {
  const isDue = Date.parse(next_sync_at) <= Date.parse(now)
  return isDue ? 'We’re trying again now.' : `We’ll try again ${formatRelativeTime(next_sync_at, now)}.`
}

/** How external calendars affect the times offered to customers. Source: rule G8. */
export type OfferedTimesEffect =
  | { readonly kind: 'nothing_read' | 'all_checked' | 'offers_nothing' | 'offers_all' }
  /** Offered times are based on the stored copy of the external calendar. `of`: when it was synced; null without a copy. */
  | { readonly kind: 'by_copy'; readonly of: string | null }

/** Decides the effect from the accounts whose events block times in this calendar. Source: rule G31. */
export function decideOfferedTimesEffect({
  connections,
  settings,
  offers_nothing,
}: ExternalCalendars): OfferedTimesEffect {
  const read = connections
    .map((connection) => ({
      isTroubled: connection.state !== 'active' || connection.problem !== null,
      copies: connection.calendars.filter(
        ({ reads_busy_times, read_by_other }) => reads_busy_times || read_by_other !== null,
      ),
    }))
    .filter(({ copies }) => copies.length > 0)
  if (read.length === 0) return { kind: 'nothing_read' }
  if (offers_nothing) return { kind: 'offers_nothing' }
  const troubled = read.filter(({ isTroubled }) => isTroubled)
  if (troubled.length === 0) return { kind: 'all_checked' }
  const isDecidedHere = troubled.every(({ copies }) => copies.every((copy) => copy.reads_busy_times))
  if (isDecidedHere && settings.when_unchecked === 'always_offer') return { kind: 'offers_all' }
  const times = troubled.flatMap(({ copies }) => copies.map(({ synced_at }) => synced_at))
  const known = times.filter((time) => time !== null).toSorted((a, b) => a.localeCompare(b))
  return { kind: 'by_copy', of: known.at(0) ?? null }
}
