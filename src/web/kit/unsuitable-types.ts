import { type SlotSettings, toSlotRules } from '#contract/slots/slot-settings.ts'
import {
  countFreeMinutesAfter,
  type Incompatibility,
  listIncompatibleTypes,
} from '#core/availability/incompatible-types.ts'

/**
 * Lists the types that do not fit the slot settings. `meaning` describes the consequence as the end of a sentence about the type.
 */
export function listTypesNotFittingSlots<Type extends { readonly duration: number }>(
  types: readonly Type[],
  settings: SlotSettings,
): { readonly type: Type; readonly reason: Incompatibility; readonly meaning: string }[] {
  const found = listIncompatibleTypes(
    types.map((type) => ({ type, durationMinutes: type.duration })),
    toSlotRules(settings),
  )
  return found.map(({ type: { type }, reason }) => ({
    type,
    reason,
    meaning: MEANINGS[reason](settings, type.duration),
  }))
}

const MEANINGS: Record<Incompatibility, (settings: SlotSettings, durationMinutes: number) => string> = {
  too_long: ({ max_appointment_duration_minutes: max }) =>
    `has no times: it’s longer than ${Number.isNaN(max) ? 'the longest appointment' : `${max} minutes`}.`,
  off_grid: (settings, duration) =>
    `leaves ${countFreeMinutesAfter(duration, toSlotRules(settings))} minutes free before the next start.`,
}
