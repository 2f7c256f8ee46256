import { z } from 'zod'
import { partialUpdateSchema } from '#contract/shared/changes.ts'
import { componentSchema } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { idSchema, singleLineSchema } from '#contract/shared/primitives.ts'

const locationTypeSchema = z.enum(['physical', 'online'])

/** A location where appointments take place (rule L1). */
export const locationSchema = componentSchema('Location', {
  id: idSchema,
  name: z.string(),
  address: z.string().nullable(),
  type: locationTypeSchema,
  /** True when other owners can use the location with its sharing code. It never appears in their lists. Source: rule L3. */
  shareable: z.boolean(),
  /** The code that other owners enter to use the location. Null when it is not shareable or belongs to another owner. */
  sharing_code: z.string().nullable(),
  /** True when the location allows only one appointment at a time across all calendars. */
  exclusive: z.boolean(),
  /** The owner's id; null when the location belongs to another owner. */
  user_id: idSchema.nullable(),
  /** The number of other owners' calendars that may use it; 0 when it belongs to another owner. */
  used_by_others: z.number().int(),
})
export type Location = z.infer<typeof locationSchema>
export const locationsResponse = componentSchema('Locations', { locations: z.array(locationSchema) })

/** A location as used by a calendar (rule L4). */
export const calendarLocationSchema = componentSchema('CalendarLocation', {
  id: idSchema,
  calendar_id: idSchema,
  location_id: idSchema,
  is_primary: z.boolean(),
  location: locationSchema,
})
export type CalendarLocation = z.infer<typeof calendarLocationSchema>

/** A location that its owner no longer shares. Source: rule L11. */
export const withdrawnLocationSchema = z.object({
  name: z.string(),
  address: z.string().nullable(),
  /** The number of future appointments at this location, which no longer reserve it. */
  future_appointments: z.number().int(),
})
export type WithdrawnLocation = z.infer<typeof withdrawnLocationSchema>

export const calendarLocationsResponse = componentSchema('CalendarLocations', {
  calendar_locations: z.array(calendarLocationSchema),
  withdrawn: z.array(withdrawnLocationSchema),
})
export type CalendarLocations = z.infer<typeof calendarLocationsResponse>

const fields = {
  name: singleLineSchema(LIMITS.locationName, 'location.name_required').min(1, 'location.name_required'),
  address: singleLineSchema(LIMITS.locationAddress).nullable(),
  type: locationTypeSchema,
  shareable: z.boolean(),
  exclusive: z.boolean(),
}

/** A new location. If the owner already has a location with this name and address, the existing one is used. Source: rule L2. */
export const locationBody = z.object({
  ...fields,
  address: fields.address.default(null),
  type: fields.type.default('physical'),
  shareable: fields.shareable.default(false),
  exclusive: fields.exclusive.default(true),
})
export type LocationBody = z.infer<typeof locationBody>

/**
 * Adds a location to a calendar: one of the owner's locations by its id, another owner's location by its sharing code, or a new
 * location.
 */
export const addLocationBody = locationBody
  .partial({ name: true })
  .extend({
    location_id: idSchema.optional(),
    sharing_code: singleLineSchema(LIMITS.sharingCode).min(1, 'location.code_unknown').optional(),
  })
  // Not a union of the three variants, because errors of a union do not name a field.
  .refine((body) => [body.name, body.location_id, body.sharing_code].some((value) => value !== undefined), {
    path: ['name'],
    message: 'location.name_required',
  })
  .transform(({ location_id, sharing_code, name = '', ...place }) => {
    if (location_id !== undefined) return { location_id }
    return sharing_code === undefined ? { name, ...place } : { sharing_code }
  })
  .meta({ id: 'NewLocation' })

/** A change to a location. Absent fields stay unchanged. */
export const locationChanges = partialUpdateSchema(fields).meta({ id: 'LocationChanges' })

/** A calendar that uses a location, and its kind of use. */
export const locationUsageEntrySchema = componentSchema('LocationUse', {
  calendar_id: idSchema,
  calendar_name: z.string(),
  /** The name of the calendar's owner; null for the owner's own calendars. */
  owner_name: z.string().nullable(),
  /**
   * True when the location is assigned to the calendar or to one of its types. False when the calendar is only allowed to use it,
   * or only has appointments there.
   */
  in_use: z.boolean(),
  is_primary: z.boolean(),
  /** The number of appointment types with this location. */
  appointment_types: z.number().int(),
  /** The number of appointments at this location that have not ended and are not cancelled. */
  future_appointments: z.number().int(),
})
export type LocationUsageEntry = z.infer<typeof locationUsageEntrySchema>
export const locationUsageResponse = componentSchema('LocationUsage', {
  calendars: z.array(locationUsageEntrySchema),
})
