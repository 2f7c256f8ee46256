import { PROBLEMS } from '#contract/shared/problem.ts'
import { toast } from '#web/ui/toast.tsx'

/** What became of the way to a provider of calendars, as its address says on the way back. */
export type CalendarOutcome = {
  readonly google_connected?: string | undefined
  readonly calendar_connected?: string | undefined
  readonly calendar_failed?: string | undefined
}

const CONNECTED: Readonly<Record<string, () => void>> = {
  microsoft: () => toast.success('Connected to Microsoft 365'),
  // Source: rule G18.
  other_account: () =>
    toast.warning(
      'You came back with another account. It is connected now, beside the one that expired. Please choose its calendars.',
    ),
}

const FAILED: Readonly<Record<string, string>> = {
  denied: 'You did not allow the access, so nothing was connected.',
  invalid: 'Connecting took too long, or was begun in another browser. Please connect again.',
  too_many: PROBLEMS['external_calendar.too_many'].title,
}

/**
 * Says it. Anybody can write an address: what is not known is not said. Returns whether there was an outcome.
 * Source: rule W6.
 */
export function tellCalendarOutcome(outcome: CalendarOutcome): boolean {
  const { google_connected, calendar_connected, calendar_failed } = outcome
  if (google_connected === 'success') toast.success('Connected to Google Calendar')
  if (calendar_connected !== undefined) CONNECTED[calendar_connected]?.()
  if (calendar_failed !== undefined) {
    toast.error(FAILED[calendar_failed] ?? 'Failed to connect to your calendar. Please try again.')
  }
  return [google_connected, calendar_connected, calendar_failed].some((part) => part !== undefined)
}
