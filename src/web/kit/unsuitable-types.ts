import type { AppointmentType } from '#contract/availability/appointment-types.ts'
import { type SlotSettings, toSlotRules } from '#contract/slots/slot-settings.ts'
import {
  countFreeMinutesAfter,
  type Incompatibility,
  listIncompatibleTypes,
} from '#core/availability/incompatible-types.ts'

/** The fields of a type on which its fit depends. */
type TypeLength = Pick<AppointmentType, 'duration' | 'start_step_minutes' | 'is_packed'>

/**
 * Lists the types that do not fit the slot settings. `meaning` describes the consequence as the end of a sentence about the type.
 */
export function listTypesNotFittingSlots<Type extends TypeLength>(
  types: readonly Type[],
  settings: SlotSettings,
): { readonly type: Type; readonly reason: Incompatibility; readonly meaning: string }[] {
  const found = listIncompatibleTypes(
    types.map((type) => ({
      type,
      durationMinutes: type.duration,
      stepMinutes: type.start_step_minutes,
      isPacked: type.is_packed,
    })),
    toSlotRules(settings),
  )
  return found.map(({ type: { type }, reason }) => ({
    type,
    reason,
    meaning: MEANINGS[reason](settings, type),
  }))
}

const MEANINGS: Record<Incompatibility, (settings: SlotSettings, type: TypeLength) => string> = {
  too_long: ({ max_appointment_duration_minutes: max }) =>
    `has no times: it’s longer than ${Number.isNaN(max) ? 'the longest appointment' : `${max} minutes`}.`,
  off_grid: (settings, { duration, start_step_minutes }) => {
    const rules = toSlotRules(settings)
    const slotMinutes = start_step_minutes ?? rules.slotMinutes
    return `leaves ${countFreeMinutesAfter(duration, { ...rules, slotMinutes })} minutes free before the next start.`
  },
}
