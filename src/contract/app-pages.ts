/**
 * The pages that nobody finds by searching, and what each is called before anything is known of whom it is for. The
 * server writes it into the document and the page keeps it, so that no tab is renamed while it loads. Source: rule W16.
 */

/** Where somebody signs in, or gets to where they can. They belong to the entry `site`, beside the pages for everybody. */
export const SESSION_PAGES = {
  '/login': 'Log in',
  '/register': 'Create your account',
  '/forgot-password': 'Forgot password',
  '/reset-password': 'Choose a new password',
  '/auth/callback': 'Confirm your email',
  '/auth/email-change': 'Confirm your new email',
} as const

/** An owner's own pages, which are the entry `app`. */
export const APP_PAGES = {
  '/dashboard': 'Dashboard',
  '/profile': 'Profile',
  '/stripe-connect-callback': 'Connecting your account',
  '/paypal-connect-callback': 'Connecting your account',
  '/calendar/:id': 'Calendar',
  '/calendar/:id/settings': 'Calendar',
} as const

/** Those that an installation to try has besides. */
export const SANDBOX_PAGES = {
  '/sandbox/mail': 'Mailbox',
  '/sandbox/mail/gallery': 'Messages',
} as const

/** Of any other address. Source: rule W1. */
export const NOT_FOUND_PAGE = 'Page Not Found'

/** What the browser's tab and history say. */
export function toDocumentTitle(page: string): string {
  return `${page} · Meridian`
}
