import type { CalendarProvider } from '#server/ports/external-calendar.ts'
import { buildLaterProvider } from '../icalendar/load-later.ts'
import type { IcsSettings } from './adapter.ts'

/** Published files, with the libraries that read them loaded at their first use. */
export function buildLaterIcsProvider(settings: IcsSettings): CalendarProvider {
  const load = async () => (await import('./adapter.ts')).buildIcsProvider(settings)
  return buildLaterProvider(load, { canWrite: false })
}
