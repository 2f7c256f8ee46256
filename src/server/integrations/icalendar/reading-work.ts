import { CalendarTooLargeError } from '#server/ports/external-calendar.ts'

/** Counts the work that a file causes. The count depends on the file alone, never on the speed of the machine. */
export type ReadingWork = {
  /** @throws CalendarTooLargeError when all is spent */
  spend(units: number): void
}

/**
 * What one file may cost. A unit is one day looked at or one time compared, about a tenth of a microsecond. 30,000 daily series over the
 * whole copy take some 50 million. Source: rule G25.
 */
const MOST_WORK = 200_000_000

export function buildReadingWork(most = MOST_WORK): ReadingWork {
  let left = most
  return {
    spend(units) {
      left -= units
      if (left < 0) {
        throw new CalendarTooLargeError(
          'refused',
          'The calendar repeats its events in more ways than can be read.',
        )
      }
    },
  }
}
