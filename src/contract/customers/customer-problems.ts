/** API errors about customers. */
export const CUSTOMER_PROBLEMS = {
  'customer.not_found': { status: 404, title: 'Customer not found' },
  'customer.erased': {
    status: 409,
    title: 'This customer’s details were erased and can no longer be changed.',
  },
  'customer.address_taken': {
    status: 409,
    title:
      'Another customer of this calendar has this email address. If they’re the same person, please merge the two records.',
  },
  'customer.same_record': {
    status: 400,
    title: 'Please choose a different customer to merge with this one.',
  },
  'customer.notes_too_long': {
    status: 409,
    title: 'The combined notes are too long. Please shorten them first.',
  },
  'customer.appointments_ahead': {
    status: 409,
    title: 'There are still upcoming appointments. Please cancel them first.',
  },
} as const satisfies Record<string, { status: number; title: string }>
