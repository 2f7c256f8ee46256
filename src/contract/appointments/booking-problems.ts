/**
 * The refusals that the booking page itself shows without sending a request. A separate file without zod, to keep the page's
 * scripts small; `problem.ts` has all refusals. Source: rule X1.
 */
export const BOOKING_PROBLEMS = {
  'auth.invalid_email': { status: 400, title: 'Please enter a valid email address' },
  'booking.incomplete': {
    status: 400,
    title: 'Please fill in all required fields to continue with your booking.',
  },
  'server.unexpected': { status: 500, title: 'Something went wrong. Please try again.' },
} as const satisfies Record<string, { status: number; title: string }>
