import type { CustomerWaitingRequest } from '#contract/waiting-list/waiting-list.ts'

type Words = { readonly title: string; readonly text: string }

const OF_OFFERS: Readonly<Record<NonNullable<CustomerWaitingRequest['offer']>['state'], Words>> = {
  open: { title: 'A time is free for you', text: 'Accept it and it’s yours.' },
  accepted: {
    title: 'Time accepted',
    text: 'You accepted this time. Your booking email has the next steps.',
  },
  unpaid: {
    title: 'This time wasn’t paid for',
    text: 'Your payment didn’t arrive in time, so the next person gets this time. You keep your place on the list, and we’ll email you when another time opens up.',
  },
  declined: {
    title: 'Time declined',
    text: 'We’ve offered the time to the next person. You keep your place on the list, and we’ll email you when another time opens up.',
  },
  expired: {
    title: 'This offer has expired',
    text: 'We’ve offered the time to the next person. You keep your place on the list, and we’ll email you when another time opens up.',
  },
  withdrawn: {
    title: 'This offer is no longer available',
    text: 'The offer was withdrawn or the time was taken, so nothing was booked. We’ll email you when another time opens up.',
  },
  taken: {
    title: 'This time is taken',
    text: 'Somebody else booked it first. You keep your place on the list, and we’ll email you when another time opens up.',
  },
}

const OF_STATES: Readonly<Record<CustomerWaitingRequest['state'], Words>> = {
  unconfirmed: {
    title: 'Join the waiting list',
    text: 'Press the button to join. We’ll email you when a matching time opens up.',
  },
  waiting: {
    title: 'You’re on the waiting list',
    text: 'We’ll email you when a matching time opens up.',
  },
  offered: {
    title: 'You’re on the waiting list',
    text: 'We’ve offered you a time. Open the link in that email.',
  },
  accepted: {
    title: 'Time accepted',
    text: 'You accepted a time. Your booking email has the next steps.',
  },
  removed: { title: 'You’ve left the waiting list', text: 'We won’t email you about free times again.' },
  expired: {
    title: 'Your request has ended',
    text: 'The last day you asked for has passed. You can join again on the booking page.',
  },
}

const AWAITS_PAYMENT: Words = {
  title: 'Please pay for your time',
  text: 'You accepted this time. Pay to complete the booking.',
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
