import type { PageProblemKind } from './page-problems.ts'

/** What a sentence about a problem names. */
type ProblemNames = {
  readonly calendar: string
  readonly type: string
  /** Only for a date of a standing appointment that could not be booked: the customer, the date, and a sentence why. */
  readonly customer?: string
  readonly date?: string
  readonly reason?: string
}

type ProblemText = {
  readonly sentence: (name: ProblemNames) => string
  /** The settings tab where the owner can solve the problem, and its link. */
  readonly tab: 'availability' | 'integrations' | 'types' | 'payments' | 'appointments'
  readonly action: string
}

/** What the owner reads about each problem, on screen and in the email. Source: rule C20. */
export const PAGE_PROBLEM_TEXTS: Readonly<Record<PageProblemKind, ProblemText>> = {
  no_hours: {
    sentence: ({ calendar }) => `${calendar} has no opening hours, so customers find no times.`,
    tab: 'availability',
    action: 'Set opening hours',
  },
  taken_elsewhere: {
    sentence: ({ calendar }) =>
      `Events in your external calendars, or appointments on your other calendars, take all times of ${calendar} in the next 7 days.`,
    tab: 'integrations',
    action: 'Check your calendars',
  },
  nothing_offered: {
    sentence: ({ calendar }) =>
      `The minimum notice and the booking window of ${calendar} leave no times that customers can book.`,
    tab: 'availability',
    action: 'Change the settings',
  },
  type_never_fits: {
    sentence: ({ calendar, type }) =>
      `${type} is longer than any opening of ${calendar}, or than its longest appointment, so customers find no times for it.`,
    tab: 'types',
    action: 'Change its length',
  },
  type_hours_never_meet: {
    sentence: ({ calendar, type }) =>
      `The own hours of ${type} leave no time for it in the opening hours of ${calendar}, so customers find no times for it.`,
    tab: 'types',
    action: 'Change its hours',
  },
  no_payment_account: {
    sentence: ({ calendar, type }) =>
      `Customers should pay for ${type} when they book, but ${calendar} has no payment account. They book without paying.`,
    tab: 'payments',
    action: 'Connect an account',
  },
  window_ended: {
    sentence: ({ calendar }) => `The booking window of ${calendar} has ended, so customers find no times.`,
    tab: 'availability',
    action: 'Change the booking window',
  },
  type_window_ended: {
    sentence: ({ calendar, type }) =>
      `The booking window of ${type} in ${calendar} has ended, so customers find no times for it.`,
    tab: 'types',
    action: 'Change its booking window',
  },
  limit_too_small: {
    sentence: ({ calendar }) =>
      `A limit of ${calendar} allows fewer minutes than any appointment takes, so customers find no times.`,
    tab: 'availability',
    action: 'Change the limits',
  },
  type_exceeds_limit: {
    sentence: ({ calendar, type }) =>
      `A limit of ${calendar} allows fewer minutes than ${type} takes, so customers find no times for it.`,
    tab: 'availability',
    action: 'Change the limits',
  },
  type_limit_too_small: {
    sentence: ({ calendar, type }) =>
      `The limits of ${type} in ${calendar} allow fewer minutes than one appointment takes, so customers find no times for it.`,
    tab: 'types',
    action: 'Change its limits',
  },
  standing_date_missed: {
    sentence: ({ calendar, customer = '', date = '', reason = '' }) =>
      `The standing appointment of ${customer} in ${calendar} could not be booked on ${date}. ${reason}`,
    tab: 'appointments',
    action: 'Book another time',
  },
}
