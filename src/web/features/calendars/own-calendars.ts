import type { Calendar } from '#contract/calendars.ts'

/** Keeps the calendars of `ownerId` and warns when the answer held others. Source: spec §6 "Owner". */
export function keepOwnCalendars(calendars: readonly Calendar[], ownerId: string): Calendar[] {
  const own = calendars.filter((calendar) => calendar.user_id === ownerId)
  const foreign = calendars.length - own.length
  if (foreign > 0) {
    // biome-ignore lint/suspicious/noConsole: the specification asks for this warning (§6)
    console.warn(`The calendar list held ${foreign} calendars of other users; they are not shown.`)
  }
  return own
}
