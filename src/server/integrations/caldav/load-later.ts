import type { CalendarProvider } from '#server/ports/external-calendar.ts'
import { buildLaterCalendarProvider } from '#server/ports/later-calendar-provider.ts'
import type { CaldavSettings } from './adapter.ts'

/** CalDAV, with its libraries loaded at their first use. */
export function buildLaterCaldavProvider(settings: CaldavSettings): CalendarProvider {
  const load = async () => (await import('./adapter.ts')).buildCaldavProvider(settings)
  return buildLaterCalendarProvider(load, {
    isSandbox: false,
    authorization: null,
    canWrite: true,
    hasPush: false,
  })
}
