/** API errors about customers. */
export const CUSTOMER_PROBLEMS = {
  'customer.not_found': { status: 404, title: 'Customer not found' },
  'customer.erased': { status: 409, title: 'This customer was erased, so nothing can be changed any more.' },
  'customer.address_taken': {
    status: 409,
    title:
      'Another customer of this calendar has this email address. If they are the same person, please merge the two records.',
  },
  'customer.same_record': {
    status: 400,
    title: 'Please choose another customer to put together with this one.',
  },
  'customer.notes_too_long': {
    status: 409,
    title: 'The notes of both are too long together. Please shorten them first.',
  },
  'customer.appointments_ahead': {
    status: 409,
    title: 'There are still appointments ahead. Please cancel them first.',
  },
} as const satisfies Record<string, { status: number; title: string }>
