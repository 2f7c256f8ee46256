import { z } from 'zod'
import { createBookingResponse } from '#contract/appointments/bookings.ts'
import { calendarParams } from '#contract/calendars/calendars.ts'
import { createCheckoutResponse } from '#contract/payments/checkouts.ts'
import { emailAddress } from '#contract/shared/international-names.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import {
  addressSchema,
  anyInstant,
  anyText,
  dateSchema,
  idOf,
  idSchema,
  instantSchema,
  line,
} from '#contract/shared/primitives.ts'
import { DAY_PARTS } from '#core/waiting-list/waiting-request.ts'

const dayPart = z.enum(DAY_PARTS)

/** Which times would suit. The dates and parts of the day are read on the clock on which the booking page shows the type. */
const wishFields = {
  appointment_type_id: idSchema.nullish(),
  from_date: dateSchema,
  to_date: dateSchema,
  /** 0 is Sunday. */
  weekdays: z.array(z.int().min(0).max(6)).min(1, 'Please choose at least one weekday.').max(7),
  day_parts: z.array(dayPart).min(1, 'Please choose at least one part of the day.').max(3),
  /** The last day on which offers are wanted: at most, and when absent, the last date. Source: rule Z1. */
  valid_until: dateSchema.nullish(),
}

const person = {
  name: line(LIMITS.personName, 'booking.incomplete').min(1, 'booking.incomplete'),
  email: line(LIMITS.email, 'booking.incomplete').min(1, 'booking.incomplete').pipe(emailAddress),
  phone: line(LIMITS.phone).nullish(),
}

/** What a customer sends to join the waiting list. The last two fields are as in a booking. */
export const joinWaitingListBody = z.object({
  ...wishFields,
  ...person,
  time_zone: line(LIMITS.timeZone).nullish(),
  website: line(LIMITS.hiddenField).nullish(),
  form_open_ms: z.int().min(0).max(LIMITS.formOpenMs).nullish(),
})

/** The answer is the same for every address. */
export const joinWaitingListResponse = z.object({ email: z.string() })

/** What cannot be a link of ours leads to nothing, like one that is made up. */
export const waitingLinkParams = z.object({
  token: anyText('waiting.not_found').regex(/^[\w.-]{1,120}$/, 'waiting.not_found'),
})

export const addedToWaitingList = z.object({ id: idSchema })

const offerState = z.enum(['open', 'accepted', 'unpaid', 'declined', 'expired', 'withdrawn', 'taken'])

/** How an offer stands for its customer. */
const offerView = z.object({
  state: offerState,
  starts_at: instantSchema,
  ends_at: instantSchema,
  expires_at: instantSchema,
  /** False when all who fit were told, and the first wins. */
  is_held: z.boolean(),
  price: z.number().nullable(),
  /** What can be changed after booking, in a sentence. Source: rule Q1. */
  policy_text: z.string(),
  payment: z.enum(['none', 'optional', 'required']),
  providers: z.array(z.enum(['stripe', 'paypal'])),
  /** The booking, once it was accepted. */
  appointment_id: idSchema.nullable(),
  /** The link of the customer's page for that booking. Null once it was replaced: then only a newer email has it. Source: rule R6. */
  manage_token: z.string().nullable(),
  /** Until when the accepted time is held for its payment. Null where no payment is awaited. Source: rule Z8. */
  pay_until: instantSchema.nullable(),
})

/** What whoever has the link of an email sees. Nobody else on the list is in it. Source: rule Z9. */
export const waitingView = z.object({
  state: z.enum(['unconfirmed', 'waiting', 'offered', 'accepted', 'removed', 'expired']),
  calendar_name: z.string(),
  calendar_color: z.string(),
  calendar_slug: z.string(),
  customer_name: z.string(),
  appointment_type_name: z.string().nullable(),
  from_date: dateSchema,
  to_date: dateSchema,
  weekdays: z.array(z.int()),
  day_parts: z.array(dayPart),
  /** The last day on which offers are wanted. */
  valid_until: dateSchema,
  time_zone: z.string(),
  customer_time_zone: z.string(),
  offer: offerView.nullable(),
})
export type WaitingView = z.infer<typeof waitingView>

export const acceptOfferBody = z.object({ provider: z.enum(['stripe', 'paypal']).nullish() })

/** Booked, or to be paid at the address while the time is held. */
export const acceptOfferResponse = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('booked'), appointment: createBookingResponse }),
  createCheckoutResponse.extend({ outcome: z.literal('pay'), url: addressSchema }),
])
export type AcceptOfferResponse = z.infer<typeof acceptOfferResponse>

/** Somebody on the list, for the owner. */
export const waitingEntrySchema = z.object({
  id: idSchema,
  /** 1 is the first; null for whoever does not wait any more, or has not confirmed their address. */
  place: z.int().nullable(),
  state: z.enum(['unconfirmed', 'waiting', 'offered', 'accepted', 'removed', 'expired']),
  added_by: z.enum(['customer', 'owner']),
  customer_name: z.string(),
  customer_email: z.string(),
  customer_phone: z.string().nullable(),
  appointment_type_id: idSchema.nullable(),
  appointment_type_name: z.string().nullable(),
  from_date: dateSchema,
  to_date: dateSchema,
  weekdays: z.array(z.int()),
  day_parts: z.array(dayPart),
  created_at: instantSchema,
  /** The last day on which offers are wanted. */
  valid_until: dateSchema,
  /** Newest first, at most 20. */
  offers: z.array(
    z.object({
      id: idSchema,
      state: offerState,
      starts_at: instantSchema,
      offered_at: instantSchema,
      expires_at: instantSchema,
      is_held: z.boolean(),
      made_by: z.enum(['list', 'owner']),
    }),
  ),
})
export type WaitingEntry = z.infer<typeof waitingEntrySchema>

export const waitingListQuery = z.strictObject({
  /** `waiting`: who waits or has an offer. `ended`: who was on the list in the last 30 days. */
  show: z.enum(['waiting', 'ended']).default('waiting'),
  page: z.coerce.number().int().min(1).max(LIMITS.pages).default(1),
})

export const waitingListResponse = z.object({
  time_zone: z.string(),
  /** Of everybody who waits or has an offer. */
  waiting: z.int(),
  total: z.int(),
  entries: z.array(waitingEntrySchema),
})
export type WaitingListResponse = z.infer<typeof waitingListResponse>

/** How many wait on the calendars of an owner. A calendar on which nobody does is not among them. */
export const waitingCountsResponse = z.object({
  calendars: z.array(
    z.object({
      calendar_id: idSchema,
      /** Of everybody who waits or has an offer. */
      waiting: z.int(),
      /** Of those who have an offer that they have not answered. */
      offered: z.int(),
    }),
  ),
})
export type WaitingCounts = z.infer<typeof waitingCountsResponse>

export const addToWaitingListBody = z.object({ ...wishFields, ...person })

export const waitingEntryParams = calendarParams.extend({ entry_id: idOf('waiting.not_found') })

/** Free times that suit somebody, at most 50. */
export const fittingTimesResponse = z.object({ time_zone: z.string(), starts_at: z.array(instantSchema) })
export type FittingTimes = z.infer<typeof fittingTimesResponse>

export const makeOfferBody = z.object({
  starts_at: anyInstant({
    unreadable: 'booking.time_required',
    tooEarly: 'waiting.time_not_free',
    tooLate: 'waiting.time_not_free',
  }),
})
