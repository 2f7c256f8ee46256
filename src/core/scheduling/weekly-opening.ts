/** A stretch of a day by the clock. */
export type ClockSpan = {
  /** Clock reading in seconds from 00:00. */
  readonly startSeconds: number
  /** Exclusive; 86400 is 24:00. */
  readonly endSeconds: number
}

/** One stretch of a calendar's weekly hours, in the clock time of the calendar's zone (rule T1). */
export type WeeklyOpening = ClockSpan & {
  /** 0 = Sunday … 6 = Saturday. */
  readonly dayOfWeek: number
}
