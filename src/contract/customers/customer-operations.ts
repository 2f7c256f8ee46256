import { z } from 'zod'
import { customersQuery, customersResponse } from '#contract/appointments/owner-booking.ts'
import { calendarParams } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import {
  allCustomersResponse,
  customerChanges,
  customerExportByOwnerSchema,
  customerListQuery,
  customerListResponse,
  customerParams,
  customerSchema,
  mergeCustomersBody,
} from './customers.ts'

const OF_ONE_CUSTOMER = ['calendar.not_found', 'calendar.forbidden', 'customer.not_found'] as const

/** Operations on a calendar's customers, for its owner. */
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
  listCustomers: {
    address: at.listCustomers,
    summary: 'A page of the customers of a calendar, by name',
    tag: 'Customers',
    forOwners: true,
    params: calendarParams,
    query: customerListQuery,
    answers: { 200: customerListResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  listAllCustomers: {
    address: at.listAllCustomers,
    summary: 'A page of the customers of all my calendars, by name',
    tag: 'Customers',
    forOwners: true,
    query: customerListQuery,
    answers: { 200: allCustomersResponse },
    problems: [],
  },
  getCustomer: {
    address: at.getCustomer,
    summary: 'A customer, with the notes about them and their payments',
    tag: 'Customers',
    forOwners: true,
    params: customerParams,
    answers: { 200: customerSchema },
    problems: [...OF_ONE_CUSTOMER],
  },
  updateCustomer: {
    address: at.updateCustomer,
    summary: 'Change the name, the contact details or the notes of a customer',
    tag: 'Customers',
    forOwners: true,
    params: customerParams,
    body: customerChanges,
    answers: { 200: customerSchema },
    problems: [
      ...OF_ONE_CUSTOMER,
      'customer.erased',
      'customer.address_taken',
      'request.changed_meanwhile',
      'booking.customer_name_required',
      'auth.invalid_email',
    ],
  },
  mergeCustomers: {
    address: at.mergeCustomers,
    summary: 'Merge another customer into this one; this cannot be undone',
    tag: 'Customers',
    forOwners: true,
    params: customerParams,
    body: mergeCustomersBody,
    answers: { 200: customerSchema },
    problems: [...OF_ONE_CUSTOMER, 'customer.erased', 'customer.same_record', 'customer.notes_too_long'],
  },
  exportCustomer: {
    address: at.exportCustomer,
    summary: 'Export everything that is stored about a customer',
    tag: 'Customers',
    forOwners: true,
    params: customerParams,
    answers: { 200: customerExportByOwnerSchema },
    problems: [...OF_ONE_CUSTOMER],
  },
  eraseCustomer: {
    address: at.eraseCustomer,
    summary: 'Erase the personal data of a customer; data for accounting stays',
    tag: 'Customers',
    forOwners: true,
    params: customerParams,
    answers: { 204: z.undefined() },
    problems: [...OF_ONE_CUSTOMER, 'customer.appointments_ahead'],
  },
})
