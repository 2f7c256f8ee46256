import { makeStoredChoice } from '#web/kit/stored-choice.ts'

/** `compact`: rows with the essentials. `comfortable`: everything in the row. */
export type RowDensity = 'compact' | 'comfortable'

/** Listed on the cookies page (rule D7). */
const density = makeStoredChoice<RowDensity>('appointment-rows', ['compact', 'comfortable'])

/** Returns how the browser's user wants the rows of appointments. */
export function useRowDensity(): RowDensity {
  return density.useChoice() ?? 'compact'
}

export const setRowDensity = density.choose
