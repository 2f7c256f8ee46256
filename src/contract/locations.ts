import { z } from 'zod'
import { changesOf } from './changes.ts'
import { LIMITS } from './limits.ts'
import { idSchema, line } from './primitives.ts'

const locationTypeSchema = z.enum(['physical', 'online'])

/** A location (rule L1). */
export const locationSchema = z.object({
  id: idSchema,
  name: z.string(),
  address: z.string().nullable(),
  type: locationTypeSchema,
  /** Others who type its exact name and address may use it; it is never listed for them. Source: rule L3. */
  shareable: z.boolean(),
  /** Only one appointment at a time, on whichever calendar. */
  exclusive: z.boolean(),
  /** Whose it is: the asker's, or null when somebody else shares it. */
  user_id: idSchema.nullable(),
  /** How many calendars of other owners use it; 0 when it is somebody else's. */
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
export const calendarLocationsResponse = z.object({ calendar_locations: z.array(calendarLocationSchema) })

const fields = {
  name: line(LIMITS.locationName, 'location.name_required').min(1, 'location.name_required'),
  address: line(LIMITS.locationAddress).nullable(),
  type: locationTypeSchema,
  shareable: z.boolean(),
  exclusive: z.boolean(),
}

/** A description of a location. When one with this name and address exists, it is used as it is. Source: rule L2. */
export const locationBody = z.object({
  ...fields,
  address: fields.address.default(null),
  type: fields.type.default('physical'),
  shareable: fields.shareable.default(false),
  exclusive: fields.exclusive.default(true),
})
export type LocationBody = z.infer<typeof locationBody>

/** The location that is added to a calendar: one of the owner's locations by its id, or a description. */
export const addLocationBody = locationBody
  .partial({ name: true })
  .extend({ location_id: idSchema.optional() })
  // Not a union of the two, because its refusals would name no field.
  .refine(({ name, location_id }) => name !== undefined || location_id !== undefined, {
    path: ['name'],
    message: 'location.name_required',
  })
  .transform(({ location_id, name = '', ...place }) =>
    location_id === undefined ? { name, ...place } : { location_id },
  )

/** A change of a location. What is absent stays as it is. */
export const locationChanges = changesOf(fields)

/** One calendar that uses a location, and what of the calendar is there. */
export const locationUseSchema = z.object({
  calendar_id: idSchema,
  calendar_name: z.string(),
  /** Null when the calendar is the asker's own. */
  owner_name: z.string().nullable(),
  /** It lists the location or has a type there. False when only appointments are left that were booked there. */
  in_use: z.boolean(),
  is_primary: z.boolean(),
  /** Types that name the location, whether or not the calendar lists it. */
  appointment_types: z.number().int(),
  /** Appointments there that have not ended and are not cancelled. */
  future_appointments: z.number().int(),
})
export type LocationUse = z.infer<typeof locationUseSchema>
export const locationUsageResponse = z.object({ calendars: z.array(locationUseSchema) })
