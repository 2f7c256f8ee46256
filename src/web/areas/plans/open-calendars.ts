import type { PlanChangePreview } from '#contract/plans/subscription.ts'

type EffectCalendar = PlanChangePreview['calendars'][number]

/** Lists the ids of the calendars that stay open according to the owner's stored choice. */
export function listOpenCalendarIds({ calendars }: PlanChangePreview): readonly string[] {
  return calendars.filter(({ stays_open }) => stays_open).map(({ id }) => id)
}

/**
 * Lists the calendars that are paused if the calendars in `chosen` stay open. If the owner has chosen fewer calendars
 * than the plan allows, the next ones in the list stay open as well.
 */
export function listPausedCalendars(
  { calendars, calendar_limit: limit }: PlanChangePreview,
  chosen: readonly string[],
): readonly EffectCalendar[] {
  if (limit === null) return []
  const others = calendars.filter(({ id }) => !chosen.includes(id))
  return others.slice(Math.max(0, limit - chosen.length))
}

/** Adds a calendar to the chosen ones, or removes it if it is already chosen. */
export function toggleOpenCalendar(chosen: readonly string[], id: string): readonly string[] {
  return chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]
}

/** True if the plan allows fewer calendars than the owner has, and the owner's choice is not locked. */
export function canChooseOpenCalendars({
  calendars,
  calendar_limit: limit,
  choice_locked_until,
}: PlanChangePreview): boolean {
  return limit !== null && calendars.length > limit && choice_locked_until === null
}
