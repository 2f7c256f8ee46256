import type { Calendar } from '#contract/calendars/calendars.ts'

/** Keeps the calendars of `ownerId` and warns when the answer held others. Source: rule C10. */
export function keepOwnCalendars(calendars: readonly Calendar[], ownerId: string): Calendar[] {
  const own = calendars.filter((calendar) => calendar.user_id === ownerId)
  const foreign = calendars.length - own.length
  if (foreign > 0) {
    // biome-ignore lint/suspicious/noConsole: an answer with other owners' calendars is a fault of the server, and this is its only trace (rule C10)
    console.warn(`The calendar list held ${foreign} calendars of other users; they are not shown.`)
  }
  return own
}
