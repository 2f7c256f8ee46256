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
    purpose: 'Remembers who is logging in, between the password and the two-factor code.',
    lifetime: `${RETENTION_MINUTES.secondFactor} minutes`,
  },
  {
    name: 'meridian.trust_device',
    place: 'cookie',
    purpose: 'Lets a trusted device log in with only the password. Set when an owner asks for it.',
    lifetime: `${RETENTION_DAYS.trustedDevice} days after the last login`,
  },
  {
    name: 'meridian.known_device',
    place: 'cookie',
    purpose:
      'Remembers that an owner has logged in on this device, so that strangers guessing passwords can’t lock them out. It gives no access.',
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
      'Remembers that a customer has entered an emailed code, so that they can see all their appointments with that practice.',
    lifetime: `${RETENTION_MINUTES.customerSession} minutes`,
  },
  {
    name: 'ui-theme',
    place: 'local storage',
    purpose: 'Remembers whether you chose the light, dark or system theme.',
    lifetime: 'Until you clear it',
  },
  {
    name: 'appointment-rows',
    place: 'local storage',
    purpose: 'Remembers whether an owner chose compact or comfortable rows for the list of appointments.',
    lifetime: 'Until you clear it',
  },
  {
    name: 'add-prices',
    place: 'local storage',
    purpose: 'Remembers that an owner put off adding prices to appointment types.',
    lifetime: 'Until you clear it',
  },
  {
    name: 'isLoggedIn',
    place: 'local storage',
    purpose: 'Tells an owner’s other tabs that they logged in or signed out. It gives no access.',
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
      'Keeps an owner’s last known day (times, names, phone numbers, places), so that it can be read offline.',
    lifetime: '48 hours, or until Sign Out',
  },
  {
    name: 'day-page',
    place: 'cache storage',
    purpose: 'Keeps the page for the owner’s day, which is the same for everyone, so that it opens offline.',
    lifetime: 'Until a newer version replaces it, or you clear it',
  },
  {
    name: 'pending-payment',
    place: 'local storage',
    purpose:
      'Remembers the time a customer is paying for, so that it’s released if they come back without paying.',
    lifetime: 'Until it is paid for or released',
  },
  {
    name: 'left-booking-form',
    place: 'session storage',
    purpose:
      'Keeps what a customer typed, and the link to their page, while they’re away to pay, so that they don’t have to type it again.',
    lifetime: 'Until it is back in the form, or the tab is closed',
  },
  {
    name: 'carried-toast',
    place: 'session storage',
    purpose: 'Repeats a message on the next page, such as that you’re logged in.',
    lifetime: 'Until that page is shown, or the tab is closed',
  },
  {
    name: 'tsr-scroll-restoration-v1_3',
    place: 'session storage',
    purpose: 'Remembers how far you scrolled on owner and login pages, for when you go back.',
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
      'Keeps a booking’s email address and the link to the customer’s page, so that the confirmation survives a reload.',
    lifetime: 'Until the tab is closed',
  },
]
