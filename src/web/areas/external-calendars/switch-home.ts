import type {
  CalendarConnection,
  ExternalCalendars,
} from '#contract/external-calendars/external-calendars.ts'

/**
 * The account whose card has the two switches: the one that appointments are written to, else the first that could be.
 * There is one pair of switches for a calendar, however many accounts there are.
 */
export function findSwitchHome({ connections }: ExternalCalendars): CalendarConnection | undefined {
  const able = connections.filter(({ provider, state }) => provider !== 'ics' && state !== 'revoked')
  return able.find(({ calendars }) => calendars.some(({ writes_events }) => writes_events)) ?? able[0]
}
