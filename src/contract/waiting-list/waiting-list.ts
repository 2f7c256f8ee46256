import { z } from 'zod'
import { createBookingResponse } from '#contract/appointments/bookings.ts'
import { calendarParams } from '#contract/calendars/calendars.ts'
import { createCheckoutResponse } from '#contract/payments/checkouts.ts'
import { componentSchema } from '#contract/shared/component.ts'
import { emailAddressSchema } from '#contract/shared/international-names.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import {
  dateSchema,
  hourCycleSchema,
  idSchema,
  idSchemaWithError,
  instantInputSchema,
  instantSchema,
  singleLineSchema,
  storableTextSchema,
  urlSchema,
} from '#contract/shared/primitives.ts'
import { DAY_PARTS } from '#core/waiting-list/waiting-request.ts'

const dayPart = z.enum(DAY_PARTS)

/**
 * The times that a customer wants. Dates and parts of the day are in the time zone in which the booking page shows the
 * appointment type.
 */
const requestFields = {
  appointment_type_id: idSchema.nullish(),
  from_date: dateSchema,
  to_date: dateSchema,
  /** 0 is Sunday. */
  weekdays: z.array(z.int().min(0).max(6)).min(1, 'Please choose at least one weekday.').max(7),
  day_parts: z.array(dayPart).min(1, 'Please choose at least one part of the day.').max(3),
  /** The last day on which the customer wants offers. Not later than `to_date`, which is the default. Source: rule Z1. */
  valid_until: dateSchema.nullish(),
}

const person = {
  name: singleLineSchema(LIMITS.personName, 'booking.incomplete').min(1, 'booking.incomplete'),
  email: singleLineSchema(LIMITS.email, 'booking.incomplete')
    .min(1, 'booking.incomplete')
    .pipe(emailAddressSchema),
  phone: singleLineSchema(LIMITS.phone).nullish(),
}

/** A customer's request to join the waiting list. The last two fields detect bots, as in a booking. */
export const joinWaitingListBody = componentSchema('JoinWaitingList', {
  ...requestFields,
  ...person,
  time_zone: singleLineSchema(LIMITS.timeZone).nullish(),
  website: singleLineSchema(LIMITS.hiddenField).nullish(),
  form_open_ms: z.int().min(0).max(LIMITS.formOpenMs).nullish(),
})

/** The response is the same for every email address, so that it reveals nothing. */
export const joinWaitingListResponse = componentSchema('JoinedWaitingList', { email: z.string() })

/** A malformed token is refused like an unknown token. */
export const waitingListLinkParams = z.object({
  token: storableTextSchema('waiting.not_found').regex(/^[\w.-]{1,120}$/, 'waiting.not_found'),
})

export const addToWaitingListResponse = componentSchema('AddedToWaitingList', { id: idSchema })

const offerState = z.enum(['open', 'accepted', 'unpaid', 'declined', 'expired', 'withdrawn', 'taken'])

/** An offer as the customer sees it. */
const offerView = z.object({
  state: offerState,
  starts_at: instantSchema,
  ends_at: instantSchema,
  expires_at: instantSchema,
  /** False when the time was offered to several customers at once, so that the first to accept gets it. */
  is_held: z.boolean(),
  price: z.number().nullable(),
  fee_note: z.string().nullable(),
  /** The policy as text. Source: rule Q1. */
  policy_text: z.string(),
  payment: z.enum(['none', 'optional', 'required']),
  providers: z.array(z.enum(['stripe', 'paypal'])),
  /** The booked appointment, once the offer has been accepted. */
  appointment_id: idSchema.nullable(),
  /**
   * The token of the customer's page for that appointment. Null once the token has been replaced; only a newer email contains the
   * new one. Source: rule R6.
   */
  manage_token: z.string().nullable(),
  /** When the hold of the accepted offer ends unless it is paid. Null when no payment is due. Source: rule Z8. */
  pay_until: instantSchema.nullable(),
})

/** A waiting-list request as the customer sees it, without anything about other customers. Source: rule Z9. */
export const customerWaitingRequestSchema = componentSchema('WaitingView', {
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
  /** The last day on which the customer wants offers. */
  valid_until: dateSchema,
  time_zone: z.string(),
  hour_cycle: hourCycleSchema,
  customer_time_zone: z.string(),
  offer: offerView.nullable(),
})
export type CustomerWaitingRequest = z.infer<typeof customerWaitingRequestSchema>

export const acceptOfferBody = componentSchema('AcceptOffer', {
  provider: z.enum(['stripe', 'paypal']).nullish(),
})

/** `booked`: the appointment is booked. `pay`: the time is held until the customer pays at `url`. */
export const acceptOfferResponse = z
  .discriminatedUnion('outcome', [
    z.object({ outcome: z.literal('booked'), appointment: createBookingResponse }),
    createCheckoutResponse.extend({ outcome: z.literal('pay'), url: urlSchema }),
  ])
  .meta({ id: 'AcceptedOffer' })
export type AcceptOfferResponse = z.infer<typeof acceptOfferResponse>

/** A waiting-list request as the owner sees it. */
export const waitingListEntrySchema = componentSchema('WaitingEntry', {
  id: idSchema,
  /**
   * The position on the list, starting at 1; null when the customer is no longer waiting or has not confirmed their email
   * address.
   */
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
  /** The last day on which the customer wants offers. */
  valid_until: dateSchema,
  /** The request's offers, newest first, at most 20. */
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
export type WaitingListEntry = z.infer<typeof waitingListEntrySchema>

export const waitingListQuery = z.strictObject({
  /** `waiting`: customers who are waiting or have an offer. `ended`: requests that ended in the last 30 days. */
  show: z.enum(['waiting', 'ended']).default('waiting'),
  page: z.coerce.number().int().min(1).max(LIMITS.pages).default(1),
})

export const waitingListResponse = componentSchema('WaitingList', {
  time_zone: z.string(),
  hour_cycle: hourCycleSchema,
  /** The number of customers who are waiting or have an offer. */
  waiting: z.int(),
  total: z.int(),
  entries: z.array(waitingListEntrySchema),
})
export type WaitingListResponse = z.infer<typeof waitingListResponse>

/** The number of waiting customers on each of the owner's calendars. Calendars without any are left out. */
export const waitingListCountsResponse = componentSchema('WaitingCounts', {
  calendars: z.array(
    z.object({
      calendar_id: idSchema,
      /** The number of customers who are waiting or have an offer. */
      waiting: z.int(),
      /** The number of customers with an unanswered offer. */
      offered: z.int(),
    }),
  ),
})
export type WaitingListCounts = z.infer<typeof waitingListCountsResponse>

export const addToWaitingListBody = componentSchema('NewWaitingEntry', { ...requestFields, ...person })

export const waitingListEntryParams = calendarParams.extend({
  entry_id: idSchemaWithError('waiting.not_found'),
})

/** Available times that match a request, at most 50. */
export const matchingTimesResponse = componentSchema('FittingTimes', {
  time_zone: z.string(),
  hour_cycle: hourCycleSchema,
  starts_at: z.array(instantSchema),
})
export type MatchingTimes = z.infer<typeof matchingTimesResponse>

export const offerTimeBody = componentSchema('MakeOffer', {
  starts_at: instantInputSchema({
    unreadable: 'booking.time_required',
    tooEarly: 'waiting.time_not_free',
    tooLate: 'waiting.time_not_free',
  }),
})
