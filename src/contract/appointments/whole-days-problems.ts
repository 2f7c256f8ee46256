/** API errors of a bulk change of appointments. */
export const WHOLE_DAYS_PROBLEMS = {
  'many_change.range': { status: 400, title: 'Please choose 1 to 31 days, the first before the last.' },
  'many_change.none': { status: 409, title: 'There are no upcoming appointments on these days.' },
  'many_change.too_many': {
    status: 409,
    title: 'These days have more than 500 appointments. Please choose fewer days at a time.',
  },
  'many_change.changed_meanwhile': {
    status: 409,
    title: 'The appointments on these days have changed. Please check them before you continue.',
  },
  'many_change.too_often': {
    status: 429,
    title: 'You’ve changed whole days too often in the last 24 hours. Please try again later.',
  },
  'many_change.not_found': { status: 404, title: 'This change was not found.' },
} as const satisfies Record<string, { status: number; title: string }>
