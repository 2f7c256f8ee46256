/** Refusals around what is stored about one customer. */
export const CUSTOMER_PROBLEMS = {
  'customer.not_found': { status: 404, title: 'Customer not found' },
  'customer.appointments_ahead': {
    status: 409,
    title: 'There are still appointments ahead. Please cancel them first.',
  },
} as const satisfies Record<string, { status: number; title: string }>
