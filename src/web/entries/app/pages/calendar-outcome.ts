import { PROBLEMS } from '#contract/shared/problem.ts'
import { toast } from '#web/ui/toast.tsx'
import { findStringParam } from '../search-text.ts'

/** The result of connecting an external calendar, from the query parameters of the return URL. */
export type ConnectCalendarResult = {
  readonly google_connected?: string | undefined
  readonly calendar_connected?: string | undefined
  readonly calendar_failed?: string | undefined
}

/** Reads the result of connecting an external calendar from the query parameters. */
export function readConnectCalendarResult(search: Record<string, unknown>): ConnectCalendarResult {
  return {
    google_connected: findStringParam(search, 'google_connected'),
    calendar_connected: findStringParam(search, 'calendar_connected'),
    calendar_failed: findStringParam(search, 'calendar_failed'),
  }
}

const CONNECTED: Readonly<Record<string, () => void>> = {
  microsoft: () => toast.success('Connected to Microsoft 365'),
  // Source: rule G18.
  other_account: () =>
    toast.warning(
      'You signed in to a different account. It’s now connected alongside the expired one. Please choose its calendars.',
    ),
}

const FAILED: Readonly<Record<string, string>> = {
  denied: 'You didn’t allow access, so nothing was connected.',
  invalid: 'Connecting took too long, or was started in another browser. Please connect again.',
  too_many: PROBLEMS['external_calendar.too_many'].title,
}

/**
 * Shows a toast about the result. Ignores unknown values of `calendar_connected`, because anybody can write a URL. Returns true
 * if there was a result. Source: rule W6.
 */
export function showConnectCalendarResult(outcome: ConnectCalendarResult): boolean {
  const { google_connected, calendar_connected, calendar_failed } = outcome
  if (google_connected === 'success') toast.success('Connected to Google Calendar')
  if (calendar_connected !== undefined) CONNECTED[calendar_connected]?.()
  if (calendar_failed !== undefined) {
    toast.error(FAILED[calendar_failed] ?? 'Failed to connect to your calendar. Please try again.')
  }
  return [google_connected, calendar_connected, calendar_failed].some((part) => part !== undefined)
}
