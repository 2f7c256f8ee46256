import type { SlotRules } from '#core/slots/slot-rules.ts'
import { OWN_LENGTH, type StartPattern } from '#core/slots/start-pattern.ts'

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
export function listIncompatibleTypes<Type extends StartPattern & { readonly durationMinutes: number }>(
  types: readonly Type[],
  rules: LengthRules,
): { readonly type: Type; readonly reason: Incompatibility }[] {
  return types.flatMap((type) => {
    const reason = reasonAgainst(type, rules)
    return reason === null ? [] : [{ type, reason }]
  })
}

function reasonAgainst(
  { durationMinutes, stepMinutes, isPacked }: StartPattern & { readonly durationMinutes: number },
  rules: LengthRules,
): Incompatibility | null {
  if (durationMinutes > rules.maxDurationMinutes) return 'too_long'
  if (isPacked || stepMinutes === OWN_LENGTH) return null
  return durationMinutes % (stepMinutes ?? rules.slotMinutes) === 0 ? null : 'off_grid'
}

/**
 * Returns the minutes that stay free between the end of an appointment and the next start on the grid, including the
 * buffer. Source: rules T4 and T12.
 */
export function countFreeMinutesAfter(
  durationMinutes: number,
  { slotMinutes, bufferMinutes }: { readonly slotMinutes: number; readonly bufferMinutes: number },
): number {
  return Math.ceil((durationMinutes + bufferMinutes) / slotMinutes) * slotMinutes - durationMinutes
}
