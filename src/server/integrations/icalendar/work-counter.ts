import { CalendarTooLargeError } from '#server/ports/external-calendar.ts'

/** Counts the work that parsing a file causes. The count depends only on the file, not on the machine's speed. */
export type WorkCounter = {
  /** @throws CalendarTooLargeError when the limit is exceeded */
  spend(units: number): void
}

/**
 * Work limit per file, in units. A unit is one day examined or one time compared, about 0.1 µs. 30,000 daily series
 * over the whole synced period take about 50 million. Source: rule G25.
 */
const MAX_WORK = 200_000_000

export function buildWorkCounter(most = MAX_WORK): WorkCounter {
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
