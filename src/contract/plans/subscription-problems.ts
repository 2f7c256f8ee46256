/** API errors about plans (rule X1). */
export const SUBSCRIPTION_PROBLEMS = {
  'subscription.not_for_sale': { status: 404, title: 'This plan cannot be bought on this installation.' },
  'subscription.checkout_failed': {
    status: 502,
    title: 'Failed to start checkout process. Please try again.',
  },
  'subscription.checkout_under_way': {
    status: 409,
    title: 'Your checkout is being opened. Please try again in a few seconds.',
  },
  'subscription.portal_failed': { status: 502, title: 'Failed to open customer portal' },
  'subscription.refresh_failed': { status: 502, title: 'Failed to refresh subscription status' },
  'subscription.invoices_failed': {
    status: 502,
    title: 'The invoices could not be loaded. Please try again in a few minutes.',
  },
  'subscription.nothing_to_manage': {
    status: 409,
    title: 'You have not bought a plan yet, so there is nothing to manage.',
  },
  'subscription.too_many_calendars': {
    status: 400,
    title: 'Your plan allows fewer calendars. Please choose fewer that stay open.',
  },
  'subscription.choice_locked': {
    status: 409,
    title: 'You can change which calendars stay open once in 30 days.',
  },
  'subscription.deletion_failed': {
    status: 502,
    title:
      'Your plan could not be ended, because its provider does not answer. Please try again in a few minutes.',
  },
  'subscription.given': {
    status: 409,
    title: 'Whoever runs this site has given you your plan, so there is nothing to buy.',
  },
  'branding.not_in_plan': { status: 402, title: 'Custom branding is not available on your plan.' },
  'domain.not_in_plan': { status: 402, title: 'Custom domains are not available on your plan.' },
  'calendar.paused': { status: 409, title: 'This calendar takes no new bookings at the moment.' },
} as const
