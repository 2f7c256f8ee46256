import type { PlanEffectResponse } from '#contract/plans/subscription.ts'

type EffectCalendar = PlanEffectResponse['calendars'][number]

/** The ids of calendars that stay open by the stored choice. */
export function listOpenIds({ calendars }: PlanEffectResponse): readonly string[] {
  return calendars.filter(({ stays_open }) => stays_open).map(({ id }) => id)
}

/**
 * The calendars that are paused if `chosen` stay open. If fewer are chosen than the plan allows, the next ones stay
 * open as well.
 */
export function listPaused(
  { calendars, calendar_limit: limit }: PlanEffectResponse,
  chosen: readonly string[],
): readonly EffectCalendar[] {
  if (limit === null) return []
  const others = calendars.filter(({ id }) => !chosen.includes(id))
  return others.slice(Math.max(0, limit - chosen.length))
}

/** Adds a calendar to the choice, or removes it. */
export function toggleOpen(chosen: readonly string[], id: string): readonly string[] {
  return chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]
}

/** True if the plan has too few calendars and the choice is not locked. */
export function canChoose({
  calendars,
  calendar_limit: limit,
  choice_locked_until,
}: PlanEffectResponse): boolean {
  return limit !== null && calendars.length > limit && choice_locked_until === null
}
