/**
 * The paths of the owner's pages for all calendars. Separate from `shared/paths.ts`, which the booking page downloads. `calendarId`
 * limits a page to one calendar.
 */
export const workspacePaths = {
  appointments: (calendarId?: string) => withCalendar('/appointments', calendarId),
  /** The list of upcoming appointments in all calendars. */
  upcomingAppointments: () => '/appointments?view=list',
  customers: (calendarId?: string) => withCalendar('/customers', calendarId),
  insights: (calendarId?: string) => withCalendar('/insights', calendarId),
  /** `step`: the page of the set-up; without it, the first step that is open. */
  setup: (step?: string) => (step === undefined ? '/setup' : `/setup?step=${encodeURIComponent(step)}`),
} as const

function withCalendar(path: string, calendarId: string | undefined): string {
  return calendarId === undefined ? path : `${path}?calendar=${encodeURIComponent(calendarId)}`
}
