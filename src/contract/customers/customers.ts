import { z } from 'zod'
import { partialUpdateSchema } from '#contract/shared/changes.ts'
import { componentSchema } from '#contract/shared/component.ts'
import { emailAddressSchema } from '#contract/shared/international-names.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { dialableNumberSchema } from '#contract/shared/phone-number.ts'
import {
  idSchema,
  idSchemaWithError,
  instantSchema,
  multilineTextSchema,
  singleLineSchema,
} from '#contract/shared/primitives.ts'
import { customerExportSchema } from './customer-records.ts'

/** A malformed id is refused like an unknown id. Source: rule X3. */
export const customerParams = z.object({
  id: idSchemaWithError('calendar.not_found'),
  customer_id: idSchemaWithError('customer.not_found'),
})

export const customerListQuery = z.object({
  search: singleLineSchema(LIMITS.customerSearch).default(''),
  page: z.coerce.number<number>().int().min(1).max(LIMITS.pages).default(1),
})

const listedCustomer = z.object({
  id: idSchema,
  client_id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  /** The number of appointments, including cancelled ones. */
  appointments: z.number().int(),
  /** The start of the latest appointment, past or future. */
  latest_at: instantSchema.nullable(),
})
export type ListedCustomer = z.infer<typeof listedCustomer>

/** One page of a calendar's customers, sorted by name. Source: rule D10. */
export const customerListResponse = componentSchema('CustomerList', {
  customers: z.array(listedCustomer),
  total: z.number().int(),
})
export type CustomerListResponse = z.infer<typeof customerListResponse>

/** One page of the customers of all calendars of an owner, sorted by name. Source: rule D10. */
export const allCustomersResponse = componentSchema('AllCustomers', {
  customers: z.array(listedCustomer.extend({ calendar_id: idSchema })),
  total: z.number().int(),
})
export type AllCustomersResponse = z.infer<typeof allCustomersResponse>

/** A customer without their appointments, for the owner. Source: rule D9. */
export const customerSchema = listedCustomer
  .extend({
    /** The phone numbers found in `phone`. */
    phone_numbers: z.array(dialableNumberSchema),
    created_at: instantSchema,
    /** When the customer's personal data was erased; null otherwise. */
    erased_at: instantSchema.nullable(),
    /** The owner's private notes. */
    notes: z.string().nullable(),
    /** The customer's total payments, by currency; simulated payments are listed separately. */
    money: z.array(
      z.object({ currency: z.string(), sandbox: z.boolean(), paid: z.number(), refunded: z.number() }),
    ),
  })
  .meta({ id: 'Customer' })
export type Customer = z.infer<typeof customerSchema>

/**
 * Changes to a customer and to the owner's notes. An empty string removes the email address or the phone number. Source: rules D9
 * and D13.
 */
export const customerChanges = partialUpdateSchema({
  name: singleLineSchema(LIMITS.personName).min(1, 'booking.customer_name_required'),
  email: singleLineSchema(LIMITS.email).pipe(
    z.union([z.literal(''), emailAddressSchema], 'auth.invalid_email'),
  ),
  phone: singleLineSchema(LIMITS.phone),
  notes: multilineTextSchema(LIMITS.customerNotes),
}).meta({ id: 'CustomerChanges' })

/** The customer to merge into the customer in the URL. The merged customer is then deleted. */
export const mergeCustomersBody = componentSchema('MergeCustomers', { other_id: idSchema })

/**
 * The export that an owner gives to a customer who asks for their data. It includes the owner's notes, and private answers in
 * clear. Source: rules D12 and B36.
 */
export const customerExportByOwnerSchema = customerExportSchema
  .extend({ notes: z.string().nullable() })
  .meta({ id: 'CustomerExport' })
export type CustomerExportByOwner = z.infer<typeof customerExportByOwnerSchema>
