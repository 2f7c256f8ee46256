import type { SlotRules } from './slot-rules.ts'

/**
 * Why a type does not suit the slot rules. `too_long` offers no times; `off_grid` is offered all the same (rule T16).
 */
export type Incompatibility = 'too_long' | 'off_grid'

type LengthRules = Pick<SlotRules, 'slotMinutes' | 'maxDurationMinutes'>

/**
 * The types that do not suit the rules, in the order given, each with the more serious reason only: a type longer than
 * the maximum is not offered at all, so its position on the grid no longer matters. Source: rule T16.
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
