import type { SlotRules } from '#core/slots/slot-rules.ts'

/**
 * Why an appointment type conflicts with the slot rules. `too_long`: no times are offered; `off_grid`: times are still
 * offered (rule T16).
 */
export type Incompatibility = 'too_long' | 'off_grid'

type LengthRules = Pick<SlotRules, 'slotMinutes' | 'maxDurationMinutes'>

/**
 * Lists the types that conflict with the slot rules, in the given order, each with its most serious reason: a type that
 * exceeds the maximum length is not offered at all, so its fit to the grid no longer matters. Source: rule T16.
 */
export function listIncompatibleTypes<Type extends { readonly durationMinutes: number }>(
  types: readonly Type[],
  rules: LengthRules,
): { readonly type: Type; readonly reason: Incompatibility }[] {
  return types.flatMap((type) => {
    const reason = reasonAgainst(type.durationMinutes, rules)
    return reason === null ? [] : [{ type, reason }]
  })
}

function reasonAgainst(durationMinutes: number, rules: LengthRules): Incompatibility | null {
  if (durationMinutes > rules.maxDurationMinutes) return 'too_long'
  return durationMinutes % rules.slotMinutes === 0 ? null : 'off_grid'
}

/**
 * Returns the minutes that stay free between the end of an appointment and the next start on the grid, including the
 * buffer. Source: rules T4 and T12.
 */
export function countFreeMinutesAfter(
  durationMinutes: number,
  { slotMinutes, bufferMinutes }: Pick<SlotRules, 'slotMinutes' | 'bufferMinutes'>,
): number {
  return Math.ceil((durationMinutes + bufferMinutes) / slotMinutes) * slotMinutes - durationMinutes
}
