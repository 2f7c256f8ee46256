import { calendarParams } from '#contract/calendars.ts'
import { customersQuery, customersResponse } from '#contract/owner-booking.ts'
import * as at from './addresses.ts'
import { defineOperations } from './operation.ts'

/** Who has been a customer of a calendar. */
export const customerOperations = defineOperations({
  searchCustomers: {
    address: at.searchCustomers,
    summary: 'Customers by parts of their name, email, client number or phone number, at most 10',
    tag: 'Appointments',
    forOwners: true,
    params: calendarParams,
    query: customersQuery,
    answers: { 200: customersResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
})
