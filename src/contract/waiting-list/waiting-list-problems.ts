/** API errors about the waiting list. */
export const WAITING_LIST_PROBLEMS = {
  'waiting.not_found': {
    status: 404,
    title:
      'This link leads to nothing any more. If you are on the waiting list, the newest email about it has a link that works.',
  },
  'waiting.dates': {
    status: 400,
    title: 'Please choose dates that lie ahead, at most three months from the first to the last.',
  },
  'waiting.valid_until': {
    status: 400,
    title: 'Please choose until when offers are wanted: a day from today to the last date.',
  },
  'waiting.type_required': { status: 400, title: 'Please choose what you want to book.' },
  'waiting.too_many': {
    status: 429,
    title: 'That was a lot of requests. Please wait a while before you ask again.',
  },
  'waiting.too_many_for_email': {
    status: 429,
    title: 'There are several requests for this email address already. Please leave one of them first.',
  },
  'waiting.list_full': {
    status: 409,
    title: 'The waiting list is full at the moment. Please try again in a few days.',
  },
  'waiting.ended': { status: 409, title: 'You are not on the waiting list any more.' },
  'waiting.offer_expired': {
    status: 409,
    title: 'This offer has ended, and the time went to the next person. You are still on the waiting list.',
  },
  'waiting.offer_declined': {
    status: 409,
    title: 'You declined this time, and it was passed on. You are still on the waiting list.',
  },
  'waiting.offer_withdrawn': {
    status: 409,
    title: 'This offer was taken back, so nothing was booked.',
  },
  'waiting.offer_unpaid': {
    status: 409,
    title: 'This time was not paid in time, so it is held for you no longer.',
  },
  'waiting.offer_accepted': {
    status: 409,
    title: 'You have accepted this time already.',
  },
  'waiting.time_taken': {
    status: 409,
    title: 'This time was taken meanwhile, so nothing was booked. You are still on the waiting list.',
  },
  'waiting.offered_already': {
    status: 409,
    title: 'This person has an offer already. Wait for the answer, or take the offer back first.',
  },
  'waiting.time_not_free': {
    status: 409,
    title: 'This time is not free any more. Please choose another one.',
  },
  'waiting.nothing_offered': { status: 409, title: 'Nothing is offered to this person at the moment.' },
} as const satisfies Record<string, { status: number; title: string }>
