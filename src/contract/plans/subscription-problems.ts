/** API errors about plans (rule X1). */
export const SUBSCRIPTION_PROBLEMS = {
  'subscription.not_for_sale': { status: 404, title: 'This plan isn’t sold on this site.' },
  'subscription.checkout_failed': {
    status: 502,
    title: 'Failed to start checkout process. Please try again.',
  },
  'subscription.checkout_under_way': {
    status: 409,
    title: 'Your checkout is already opening. Please try again in a few seconds.',
  },
  'subscription.portal_failed': { status: 502, title: 'Failed to open customer portal' },
  'subscription.refresh_failed': { status: 502, title: 'Failed to refresh subscription status' },
  'subscription.invoices_failed': {
    status: 502,
    title: 'We couldn’t load your invoices. Please try again in a few minutes.',
  },
  'subscription.nothing_to_manage': {
    status: 409,
    title: 'You haven’t bought a plan yet, so there is nothing to manage.',
  },
  'subscription.too_many_calendars': {
    status: 400,
    title: 'Your plan allows fewer calendars. Please choose fewer to keep open.',
  },
  'subscription.choice_locked': {
    status: 409,
    title: 'You can change which calendars stay open once every 30 days.',
  },
  'subscription.deletion_failed': {
    status: 502,
    title:
      'We couldn’t end your plan, because the payment provider isn’t responding. Please try again in a few minutes.',
  },
  'subscription.given': {
    status: 409,
    title: 'Your plan is provided by the site operator, so there is nothing to buy.',
  },
  'branding.not_in_plan': { status: 402, title: 'Custom branding is not available on your plan.' },
  'domain.not_in_plan': { status: 402, title: 'Custom domains are not available on your plan.' },
  'calendar.paused': { status: 409, title: 'This calendar isn’t taking new bookings right now.' },
} as const
