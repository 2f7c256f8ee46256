/** API errors about calendar settings (rules M17 and W19). */
export const CALENDAR_SETTINGS_PROBLEMS = {
  'reminder.hours_out_of_range': { status: 400, title: 'Please choose between 1 and 72 hours.' },
  'calendar.embed_site_invalid': {
    status: 400,
    title: 'Please enter each website’s address, such as https://www.example.com.',
  },
  'calendar.embed_sites_too_many': { status: 400, title: 'Please enter at most 20 websites.' },
} as const satisfies Record<string, { status: number; title: string }>
