/** API errors about the waiting list. */
export const WAITING_LIST_PROBLEMS = {
  'waiting.not_found': {
    status: 404,
    title:
      'This link is no longer valid. If you’re on the waiting list, use the link in our latest email about it.',
  },
  'waiting.dates': {
    status: 400,
    title: 'Please choose future dates, at most three months apart.',
  },
  'waiting.valid_until': {
    status: 400,
    title: 'Please end offers on a day between today and your last date.',
  },
  'waiting.type_required': { status: 400, title: 'Please choose a service.' },
  'waiting.too_many': {
    status: 429,
    title: 'You’ve made too many requests. Please try again later.',
  },
  'waiting.too_many_for_email': {
    status: 429,
    title: 'This email address already has several requests. Please cancel one first.',
  },
  'waiting.list_full': {
    status: 409,
    title: 'The waiting list is full. Please try again in a few days.',
  },
  'waiting.ended': { status: 409, title: 'You’re no longer on the waiting list.' },
  'waiting.offer_expired': {
    status: 409,
    title: 'This offer has expired, and the time went to the next person. You’re still on the waiting list.',
  },
  'waiting.offer_declined': {
    status: 409,
    title: 'You declined this time, so we offered it to the next person. You’re still on the waiting list.',
  },
  'waiting.offer_withdrawn': {
    status: 409,
    title: 'This offer was withdrawn, so nothing was booked.',
  },
  'waiting.offer_unpaid': {
    status: 409,
    title: 'Your payment didn’t arrive in time, so this time is no longer held for you.',
  },
  'waiting.offer_accepted': {
    status: 409,
    title: 'You’ve already accepted this time.',
  },
  'waiting.time_taken': {
    status: 409,
    title: 'Somebody else took this time, so nothing was booked. You’re still on the waiting list.',
  },
  'waiting.offered_already': {
    status: 409,
    title: 'This customer already has an offer. Wait for their answer, or withdraw the offer first.',
  },
  'waiting.time_not_free': {
    status: 409,
    title: 'This time is no longer free. Please choose another one.',
  },
  'waiting.nothing_offered': { status: 409, title: 'This customer has no open offer.' },
} as const satisfies Record<string, { status: number; title: string }>
