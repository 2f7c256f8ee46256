/** Numbers of months that insights can cover, including the current month. Source: rule N1. */
export const INSIGHT_MONTHS = ['3', '6', '12', '24'] as const
export type InsightMonths = (typeof INSIGHT_MONTHS)[number]

/** Maximum number of appointments that one query reads, latest first. Source: rule N7. */
export const MAX_READ_APPOINTMENTS = 50_000

/** Appointment types with a bar of their own; all others share one bar. */
export const MAX_SHOWN_TYPES = 8
