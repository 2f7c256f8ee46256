/** Refusals of what an owner sets for a calendar (rule M17). */
export const CALENDAR_SETTINGS_PROBLEMS = {
  'reminder.hours_out_of_range': { status: 400, title: 'Please choose between 1 and 72 hours.' },
} as const satisfies Record<string, { status: number; title: string }>
