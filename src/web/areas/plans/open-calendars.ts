import type { PlanEffectResponse } from '#contract/plans/subscription.ts'

type EffectCalendar = PlanEffectResponse['calendars'][number]

/** The calendars that stay open as things are. */
export function listOpenIds({ calendars }: PlanEffectResponse): readonly string[] {
  return calendars.filter(({ stays_open }) => stays_open).map(({ id }) => id)
}

/** The calendars that are paused when these stay open. Where fewer are chosen than the plan allows, the next in order join them. */
export function listPaused(
  { calendars, calendar_limit: limit }: PlanEffectResponse,
  chosen: readonly string[],
): readonly EffectCalendar[] {
  if (limit === null) return []
  const others = calendars.filter(({ id }) => !chosen.includes(id))
  return others.slice(Math.max(0, limit - chosen.length))
}

/** Takes a calendar in, or out. */
export function toggleOpen(chosen: readonly string[], id: string): readonly string[] {
  return chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]
}

/** Whether there is something to choose, and it may be chosen now. */
export function canChoose({
  calendars,
  calendar_limit: limit,
  choice_locked_until,
}: PlanEffectResponse): boolean {
  return limit !== null && calendars.length > limit && choice_locked_until === null
}
