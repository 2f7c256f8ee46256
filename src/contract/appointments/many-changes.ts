import { z } from 'zod'
import { dateSchema, idOf, idSchema, instantSchema, line, paragraph } from '#contract/shared/primitives.ts'
import { MANY_CHANGE_KINDS, MANY_CHANGE_LIMITS } from './many-change-limits.ts'

/** Days of the calendar, both included. */
export const manyChangeRange = z.object({ from: dateSchema, to: dateSchema })

/** What becomes of all appointments of some days. Source: rule A21. */
const manyChangeKind = z.enum(MANY_CHANGE_KINDS)

/** Stands for the appointments of a calendar that the owner saw, and for what would go back to each. It says nothing else. */
const digest = line(64).min(1)

/** What a change of these days would mean, before it is made. */
export const manyChangeEffect = z.object({
  digest,
  appointments: z.array(
    z.object({
      id: idSchema,
      starts_at: instantSchema,
      ends_at: instantSchema,
      time_zone: z.string(),
      customer_name: z.string(),
      /** Null where the owner has to tell the customer. One customer can have several of the appointments. */
      email: z.string().nullable(),
      phone: z.string().nullable(),
      /** What was paid, and what the policy of the booking gives back of it now; null when nothing was paid. */
      paid: z.number().nullable(),
      refund_by_policy: z.number().nullable(),
      /** ISO 4217, in small letters. */
      currency: z.string(),
      /** The sentence that says why its customer is offered no other times; null when they are. */
      no_offer_reason: z.string().nullable(),
    }),
  ),
})
export type ManyChangeEffect = z.infer<typeof manyChangeEffect>

export const manyChangeBody = manyChangeRange.extend({
  /** Made by the browser: the same request twice is one change. */
  id: idSchema,
  kind: manyChangeKind,
  message: paragraph(MANY_CHANGE_LIMITS.message),
  /** What a cancellation gives back: all that was paid, or what the policies give. */
  refund: z.enum(['all', 'policy']).default('all'),
  /** Whether these days are closed for new bookings, on each calendar of the change. Source: rule A24. */
  close_days: z.boolean().default(false),
  /**
   * Whether the waiting list offers what is free on these days. The owner cannot come, so it does so only when told. Days that are
   * closed have nothing to offer: with `close_days` it counts as false. Source: rule A24.
   */
  for_waiting_list: z.boolean().default(false),
  /** Of the effect that the owner saw. When it would be another one by now, nothing is done. */
  digest,
  /** Other calendars of the same owner that are changed with it: all of them, or none. */
  others: z
    .array(z.object({ calendar_id: idOf('calendar.not_found'), digest }))
    .max(MANY_CHANGE_LIMITS.calendars - 1)
    .default([]),
})

export const manyChangeParams = z.object({ id: idSchema, change_id: idSchema })

/** How far a change is, on all its calendars together. */
export const manyChangeResponse = z.object({
  id: idSchema,
  kind: manyChangeKind,
  total: z.number().int(),
  done: z.number().int(),
  /** Of an offer: how many customers have chosen another time. */
  moved: z.number().int(),
  finished_at: instantSchema.nullable(),
  /** Those that were left alone, each with the sentence that says why. */
  skipped: z.array(z.object({ appointment_id: idSchema, customer_name: z.string(), reason: z.string() })),
})
export type ManyChangeResponse = z.infer<typeof manyChangeResponse>
