import type { CalendarProvider } from '#server/ports/external-calendar.ts'
import { buildLaterCalendarProvider } from '#server/ports/later-calendar-provider.ts'
import type { IcsSettings } from './adapter.ts'

/** Published files, with the libraries that read them loaded at their first use. */
export function buildLaterIcsProvider(settings: IcsSettings): CalendarProvider {
  const load = async () => (await import('./adapter.ts')).buildIcsProvider(settings)
  return buildLaterCalendarProvider(load, {
    isSandbox: false,
    authorization: null,
    canWrite: false,
    hasPush: false,
  })
}
