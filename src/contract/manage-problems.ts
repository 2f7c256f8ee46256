/** The refusals that customers meet at the signed link of an appointment. They are not in the booking page. */
export const MANAGE_PROBLEMS = {
  'manage.not_found': {
    status: 404,
    title: 'This link leads to no appointment. Please open it again from your newest email.',
  },
  'manage.too_many': {
    status: 429,
    title: 'Too many links that lead nowhere were opened from here. Please try again later.',
  },
  'manage.replaced': {
    status: 410,
    title:
      'This link was replaced, because the email address of the booking changed. Please open the newest email about it.',
  },
  'manage.ended': {
    status: 410,
    title: 'This link has ended. It worked until 90 days after the appointment.',
  },
  'manage.erased': {
    status: 410,
    title: 'The personal details of this appointment were erased, so this link opens nothing any more.',
  },
  'manage.given_back': {
    status: 410,
    title: 'This booking was not completed in time, so its time was given back.',
  },
} as const satisfies Record<string, { status: number; title: string }>
