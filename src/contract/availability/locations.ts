import { z } from 'zod'
import { changesOf } from '#contract/shared/changes.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { idSchema, line } from '#contract/shared/primitives.ts'

const locationTypeSchema = z.enum(['physical', 'online'])

/** A location (rule L1). */
export const locationSchema = z.object({
  id: idSchema,
  name: z.string(),
  address: z.string().nullable(),
  type: locationTypeSchema,
  /** Other owners may use it who enter its code; it is never listed for them. Source: rule L3. */
  shareable: z.boolean(),
  /** What other owners enter to use it. Null while it is private, and when it is somebody else's. */
  sharing_code: z.string().nullable(),
  /** Only one appointment at a time, on whichever calendar. */
  exclusive: z.boolean(),
  /** Whose it is: the asker's, or null when somebody else shares it. */
  user_id: idSchema.nullable(),
  /** How many calendars of other owners may use it; 0 when it is somebody else's. */
  used_by_others: z.number().int(),
})
export type Location = z.infer<typeof locationSchema>
export const locationsResponse = z.object({ locations: z.array(locationSchema) })

/** A location of a calendar (rule L4). */
export const calendarLocationSchema = z.object({
  id: idSchema,
  calendar_id: idSchema,
  location_id: idSchema,
  is_primary: z.boolean(),
  location: locationSchema,
})
export type CalendarLocation = z.infer<typeof calendarLocationSchema>

/** A location whose owner has ended the sharing. Source: rule L11. */
export const withdrawnLocationSchema = z.object({
  name: z.string(),
  address: z.string().nullable(),
  /** Future appointments that are booked there and no longer reserve it. */
  future_appointments: z.number().int(),
})
export type WithdrawnLocation = z.infer<typeof withdrawnLocationSchema>

export const calendarLocationsResponse = z.object({
  calendar_locations: z.array(calendarLocationSchema),
  withdrawn: z.array(withdrawnLocationSchema),
})
export type CalendarLocations = z.infer<typeof calendarLocationsResponse>

const fields = {
  name: line(LIMITS.locationName, 'location.name_required').min(1, 'location.name_required'),
  address: line(LIMITS.locationAddress).nullable(),
  type: locationTypeSchema,
  shareable: z.boolean(),
  exclusive: z.boolean(),
}

/** A description of a location. When the owner has one with this name and address, that location is used unchanged. Source: rule L2. */
export const locationBody = z.object({
  ...fields,
  address: fields.address.default(null),
  type: fields.type.default('physical'),
  shareable: fields.shareable.default(false),
  exclusive: fields.exclusive.default(true),
})
export type LocationBody = z.infer<typeof locationBody>

/**
 * The location that is added to a calendar: one of the owner's locations by its id, another owner's by its sharing code, or a
 * description.
 */
export const addLocationBody = locationBody
  .partial({ name: true })
  .extend({
    location_id: idSchema.optional(),
    sharing_code: line(LIMITS.sharingCode).min(1, 'location.code_unknown').optional(),
  })
  // Not a union of the three, because its refusals would name no field.
  .refine((body) => [body.name, body.location_id, body.sharing_code].some((value) => value !== undefined), {
    path: ['name'],
    message: 'location.name_required',
  })
  .transform(({ location_id, sharing_code, name = '', ...place }) => {
    if (location_id !== undefined) return { location_id }
    return sharing_code === undefined ? { name, ...place } : { sharing_code }
  })

/** A change of a location. What is absent stays as it is. */
export const locationChanges = changesOf(fields)

/** One calendar that uses a location, and what of the calendar is there. */
export const locationUseSchema = z.object({
  calendar_id: idSchema,
  calendar_name: z.string(),
  /** Null when the calendar is the asker's own. */
  owner_name: z.string().nullable(),
  /** It lists the location or has a type there. False when it only may use it, or has only appointments left there. */
  in_use: z.boolean(),
  is_primary: z.boolean(),
  /** Types that name the location, whether or not the calendar lists it. */
  appointment_types: z.number().int(),
  /** Appointments there that have not ended and are not cancelled. */
  future_appointments: z.number().int(),
})
export type LocationUse = z.infer<typeof locationUseSchema>
export const locationUsageResponse = z.object({ calendars: z.array(locationUseSchema) })
