import type { CalendarProvider } from '#server/ports/external-calendar.ts'
import type { GoogleSettings } from './google-settings.ts'

/** Whether a stand-in is asked, and where its calendar page is. */
export function sandboxPageOf({
  sandboxUrl,
}: Pick<GoogleSettings, 'sandboxUrl'>): Pick<CalendarProvider, 'isSandbox' | 'sandboxPage'> {
  return sandboxUrl === undefined
    ? { isSandbox: false }
    : { isSandbox: true, sandboxPage: `${sandboxUrl}/calendar` }
}
