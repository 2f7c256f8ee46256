import { createContext, useContext } from 'react'
import { DEFAULT_HOUR_CYCLE, type HourCycle } from '#core/shared/hour-cycle.ts'

/** Provides the clock of the calendar that a page or a part of it is about. Source: rule W24. */
export const HourCycleContext = createContext<HourCycle>(DEFAULT_HOUR_CYCLE)

/** Returns the clock of the calendar that the surrounding page is about. */
export function useHourCycle(): HourCycle {
  return useContext(HourCycleContext)
}
