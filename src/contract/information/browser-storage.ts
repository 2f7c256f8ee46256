import { RETENTION_DAYS, RETENTION_MINUTES } from '#contract/shared/retention.ts'

/** An item that Meridian stores in a visitor's browser. */
export type BrowserStorageItem = {
  readonly name: string
  readonly place: 'cookie' | 'local storage' | 'session storage' | 'history' | 'cache storage'
  readonly purpose: string
  readonly lifetime: string
}

/**
 * Every item that Meridian stores in browsers, for the cookies page. Over https, cookie names start with `__Secure-`.
 * The pages of the sandboxes are not included. Source: rule D7.
 */
export const BROWSER_STORAGE_ITEMS: readonly BrowserStorageItem[] = [
  {
    name: 'meridian.session_token',
    place: 'cookie',
    purpose: 'Keeps an owner logged in.',
    lifetime: `${RETENTION_DAYS.session} days after the last use, or until Sign Out`,
  },
  {
    name: 'meridian.two_factor',
    place: 'cookie',
    purpose:
      'Remembers, between the password and the code, who is logging in with two-factor authentication.',
    lifetime: `${RETENTION_MINUTES.secondFactor} minutes`,
  },
  {
    name: 'meridian.trust_device',
    place: 'cookie',
    purpose: 'Asks a trusted device for the password only. Set when an owner asks for it.',
    lifetime: `${RETENTION_DAYS.trustedDevice} days after the last login`,
  },
  {
    name: 'meridian.known_device',
    place: 'cookie',
    purpose:
      'Remembers that an owner has logged in on this device, so that strangers who guess passwords cannot keep them out. It opens nothing.',
    lifetime: `${RETENTION_DAYS.knownDevice} days after the last login`,
  },
  {
    name: 'meridian.registration',
    place: 'cookie',
    purpose:
      'Remembers that an owner has registered in this browser, so that the link in the confirmation email logs them in. It opens nothing without that link.',
    lifetime: `${RETENTION_DAYS.registration} days, or until the link was opened`,
  },
  {
    name: 'meridian.customer',
    place: 'cookie',
    purpose:
      'Remembers that a customer has typed the code of an email, so that they see all their appointments with that practice.',
    lifetime: `${RETENTION_MINUTES.customerSession} minutes`,
  },
  {
    name: 'ui-theme',
    place: 'local storage',
    purpose: 'Remembers whether you chose the light or the dark look, or that of your system.',
    lifetime: 'Until you clear it',
  },
  {
    name: 'appointment-rows',
    place: 'local storage',
    purpose: 'Remembers whether an owner chose compact or comfortable rows for the list of appointments.',
    lifetime: 'Until you clear it',
  },
  {
    name: 'isLoggedIn',
    place: 'local storage',
    purpose: 'Tells the other tabs of an owner that they logged in or signed out. It opens nothing.',
    lifetime: 'Until Sign Out',
  },
  {
    name: 'sidebar',
    place: 'local storage',
    purpose: 'Remembers whether an owner collapsed the sidebar to icons.',
    lifetime: 'Until you clear it',
  },
  {
    name: 'owners-day',
    place: 'local storage',
    purpose:
      'Keeps the last known day of an owner (times, names, phone numbers, places), so that it can be read without a connection.',
    lifetime: '48 hours, or until Sign Out',
  },
  {
    name: 'day-page',
    place: 'cache storage',
    purpose:
      'Keeps the page of the owner’s day itself, which is the same for everybody, so that it opens without a connection.',
    lifetime: 'Until a newer version takes its place, or you clear it',
  },
  {
    name: 'pending-payment',
    place: 'local storage',
    purpose:
      'Remembers the time a customer went to pay for, so that it is given back when they return without paying.',
    lifetime: 'Until it is paid or given back',
  },
  {
    name: 'left-booking-form',
    place: 'session storage',
    purpose:
      'Keeps what a customer typed, and the link of their page, while they are away to pay, so that nothing is typed twice.',
    lifetime: 'Until it is back in the form, or the tab is closed',
  },
  {
    name: 'carried-toast',
    place: 'session storage',
    purpose: 'Says on the next page what was just said, such as that you are logged in.',
    lifetime: 'Until that page is there, or the tab is closed',
  },
  {
    name: 'tsr-scroll-restoration-v1_3',
    place: 'session storage',
    purpose:
      'Remembers how far you had scrolled on the pages of an owner and of the login, for the way back.',
    lifetime: 'Until the tab is closed',
  },
  {
    name: 'draft',
    place: 'history',
    purpose: 'Keeps what a customer chose and typed in the booking form, so that a reload loses nothing.',
    lifetime: 'Until it is sent, or the tab is closed',
  },
  {
    name: 'booking',
    place: 'history',
    purpose:
      'Keeps the email address of a booking and the link of the customer’s page, so that the confirmation is the same after a reload.',
    lifetime: 'Until the tab is closed',
  },
]
