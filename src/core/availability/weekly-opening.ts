/** A clock-time range within a day. */
export type ClockSpan = {
  /** Seconds since 00:00 on the clock. */
  readonly startSeconds: number
  /** Exclusive; 86400 is 24:00. */
  readonly endSeconds: number
}

/** One opening in a calendar's weekly hours, as local clock times (rule T1). */
export type WeeklyOpening = ClockSpan & {
  /** 0 = Sunday … 6 = Saturday. */
  readonly dayOfWeek: number
}
