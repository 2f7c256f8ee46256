import { z } from 'zod'
import { changesOf } from '#contract/shared/changes.ts'
import { emailAddress } from '#contract/shared/international-names.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { dialableNumberSchema } from '#contract/shared/phone-number.ts'
import { idOf, idSchema, instantSchema, line, paragraph } from '#contract/shared/primitives.ts'
import { customerExportSchema } from './customer-records.ts'

/** A malformed id names nobody: it is refused like an unknown one. Source: rule X3. */
export const customerParams = z.object({
  id: idOf('calendar.not_found'),
  customer_id: idOf('customer.not_found'),
})

export const customerListQuery = z.object({
  search: line(LIMITS.customerSearch).default(''),
  page: z.coerce.number<number>().int().min(1).max(LIMITS.pages).default(1),
})

const listedCustomer = z.object({
  id: idSchema,
  client_id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  /** How many appointments they have, cancelled ones too. */
  appointments: z.number().int(),
  /** The start of the latest of them, be it past or to come. */
  latest_at: instantSchema.nullable(),
})
export type ListedCustomer = z.infer<typeof listedCustomer>

/** A page of a calendar's customers by name. Source: rule D10. */
export const customerListResponse = z.object({
  customers: z.array(listedCustomer),
  total: z.number().int(),
})
export type CustomerListResponse = z.infer<typeof customerListResponse>

/** What an owner knows about one customer, besides the appointments. Source: rule D9. */
export const customerSchema = listedCustomer.extend({
  /** The numbers in `phone`. */
  phone_numbers: z.array(dialableNumberSchema),
  created_at: instantSchema,
  /** When everything that names them was erased; null for somebody who is known. */
  erased_at: instantSchema.nullable(),
  /** The owner's own. */
  notes: z.string().nullable(),
  /** What they paid in all, by currency; sandbox money apart. */
  money: z.array(
    z.object({ currency: z.string(), sandbox: z.boolean(), paid: z.number(), refunded: z.number() }),
  ),
})
export type Customer = z.infer<typeof customerSchema>

/** Who the customer is, and the owner's notes. An empty address or number is none. Source: rules D9 and D13. */
export const customerChanges = changesOf({
  name: line(LIMITS.personName).min(1, 'booking.customer_name_required'),
  email: line(LIMITS.email).pipe(z.union([z.literal(''), emailAddress], 'auth.invalid_email')),
  phone: line(LIMITS.phone),
  notes: paragraph(LIMITS.customerNotes),
})

/** The record that is put into the one of the address, and is gone afterwards. */
export const mergeCustomersBody = z.object({ other_id: idSchema })

/** What the owner hands out to a customer who asks what is stored: their data, with the notes about them. Source: rule D12. */
export const ownersCustomerExport = customerExportSchema.extend({ notes: z.string().nullable() })
export type OwnersCustomerExport = z.infer<typeof ownersCustomerExport>
