/** The clocks on which a calendar shows times, by their ECMA-402 names: `3:00 PM` (h12) and `15:00` (h23). Source: rule W24. */
export const HOUR_CYCLES = ['h12', 'h23'] as const
export type HourCycle = (typeof HOUR_CYCLES)[number]

export const DEFAULT_HOUR_CYCLE: HourCycle = 'h12'
