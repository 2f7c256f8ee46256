/**
 * The pages that search engines do not list, with their titles. The server writes the title into the HTML, and the page keeps it
 * until its data has loaded, so that the tab's title does not flicker. Source: rule W16.
 */

/** The pages for logging in and registering. Like the public pages, they belong to the entry `site`. */
export const LOGIN_AND_REGISTRATION_PAGES = {
  '/login': 'Log in',
  '/register': 'Create your account',
  '/forgot-password': 'Forgot password',
  '/reset-password': 'Choose a new password',
  '/auth/callback': 'Confirm your email',
  '/auth/email-change': 'Confirm your new email',
} as const

/** The owner's own pages, which belong to the entry `app`. */
export const APP_PAGES = {
  '/dashboard': 'Dashboard',
  '/today': 'Today',
  '/appointments': 'Appointments',
  '/customers': 'Customers',
  '/insights': 'Insights',
  '/profile': 'Profile',
  '/setup': 'Set up your booking page',
  '/stripe-connect-callback': 'Connecting your account',
  '/paypal-connect-callback': 'Connecting your account',
  '/calendar/:id': 'Calendar',
  '/calendar/:id/settings': 'Calendar',
  '/calendar/:id/customers': 'Customers',
  '/calendar/:id/customers/:customerId': 'Customer',
} as const

/** The title of the page for any unknown path. Source: rule W1. */
export const NOT_FOUND_PAGE = 'Page Not Found'

/** Builds the text for the browser's tab and history. */
export function toDocumentTitle(page: string): string {
  return `${page} · Meridian`
}
