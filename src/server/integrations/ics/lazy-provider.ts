import type { CalendarProvider } from '#server/ports/external-calendar.ts'
import { buildLazyCalendarProvider } from '#server/ports/lazy-calendar-provider.ts'
import type { IcsSettings } from './adapter.ts'

/** Provider for published files whose libraries are loaded on first use. */
export function buildLazyIcsProvider(settings: IcsSettings): CalendarProvider {
  const load = async () => (await import('./adapter.ts')).buildIcsProvider(settings)
  return buildLazyCalendarProvider(load, {
    isSandbox: false,
    authorization: null,
    canWrite: false,
    hasPush: false,
  })
}
