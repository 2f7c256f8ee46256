import type { CalendarProvider } from '#server/ports/external-calendar.ts'
import { buildLaterProvider } from '../icalendar/load-later.ts'
import type { CaldavSettings } from './adapter.ts'

/** CalDAV, with its libraries loaded at their first use. */
export function buildLaterCaldavProvider(settings: CaldavSettings): CalendarProvider {
  const load = async () => (await import('./adapter.ts')).buildCaldavProvider(settings)
  return buildLaterProvider(load, { canWrite: true })
}
