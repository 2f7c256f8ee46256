/** API errors of a bulk change of appointments. */
export const WHOLE_DAYS_PROBLEMS = {
  'many_change.range': { status: 400, title: 'Please choose 1 to 31 days, the first before the last.' },
  'many_change.none': { status: 409, title: 'There is no appointment to come on these days.' },
  'many_change.too_many': {
    status: 409,
    title: 'These are more than 500 appointments. Please choose fewer days at a time.',
  },
  'many_change.changed_meanwhile': {
    status: 409,
    title:
      'The appointments of these days have changed meanwhile. Please look at them again before you go on.',
  },
  'many_change.too_often': {
    status: 429,
    title: 'You have changed whole days many times in the last 24 hours. Please try again later.',
  },
  'many_change.not_found': { status: 404, title: 'There is no such change.' },
} as const satisfies Record<string, { status: number; title: string }>
