import type { CalendarProvider } from '#server/ports/external-calendar.ts'
import { buildLazyCalendarProvider } from '#server/ports/lazy-calendar-provider.ts'
import type { CaldavSettings } from './adapter.ts'

/** CalDAV provider whose libraries are loaded on first use. */
export function buildLazyCaldavProvider(settings: CaldavSettings): CalendarProvider {
  const load = async () => (await import('./adapter.ts')).buildCaldavProvider(settings)
  return buildLazyCalendarProvider(load, {
    isSandbox: false,
    authorization: null,
    canWrite: true,
    hasPush: false,
  })
}
