import type { CustomerWaitingRequest } from '#contract/waiting-list/waiting-list.ts'

type Words = { readonly title: string; readonly text: string }

const OF_OFFERS: Readonly<Record<NonNullable<CustomerWaitingRequest['offer']>['state'], Words>> = {
  open: { title: 'A Time Is Free for You', text: 'Accept it, and it is yours.' },
  accepted: {
    title: 'Time Accepted',
    text: 'You accepted this time. The email about your booking says what follows.',
  },
  unpaid: {
    title: 'This Time Was Not Paid',
    text: 'No payment came in time, so the next person gets it. You keep your place on the list, and we write again when another time is free.',
  },
  declined: {
    title: 'Time Declined',
    text: 'The time was passed on. You keep your place on the list, and we write again when another time is free.',
  },
  expired: {
    title: 'This Offer Has Ended',
    text: 'Its time is over, so the next person got it. You keep your place on the list, and we write again when another time is free.',
  },
  withdrawn: {
    title: 'This Offer Is Over',
    text: 'The time was taken back or taken meanwhile, so nothing was booked. We write again when another time is free.',
  },
  taken: {
    title: 'This Time Is Taken',
    text: 'Somebody else has it, so nothing was booked. You keep your place on the list, and we write again when a time is free.',
  },
}

const OF_STATES: Readonly<Record<CustomerWaitingRequest['state'], Words>> = {
  unconfirmed: {
    title: 'Join the Waiting List',
    text: 'Press the button to take your place. We write when a time becomes free that suits you.',
  },
  waiting: {
    title: 'You Are on the Waiting List',
    text: 'We write when a time becomes free that suits you.',
  },
  offered: {
    title: 'You Are on the Waiting List',
    text: 'A time is offered to you. Open the link in its email.',
  },
  accepted: {
    title: 'Time Accepted',
    text: 'You accepted a time. The email about your booking says what follows.',
  },
  removed: { title: 'You Left the Waiting List', text: 'We do not write to you about free times any more.' },
  expired: {
    title: 'Your Request Has Ended',
    text: 'The last day that you named is over. You can ask again on the booking page.',
  },
}

const AWAITS_PAYMENT: Words = {
  title: 'Please Pay for Your Time',
  text: 'You accepted this time. It is booked once it is paid.',
}

/**
 * Returns the page's heading and text. They describe the offer if there is one and the customer is still on the list,
 * otherwise the request.
 */
export function describeWaitingRequestState({ state, offer }: CustomerWaitingRequest): Words {
  if (offer?.pay_until) return AWAITS_PAYMENT
  const isOn = state === 'waiting' || state === 'offered'
  return isOn && offer !== null ? OF_OFFERS[offer.state] : OF_STATES[state]
}
