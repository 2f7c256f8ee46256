import { z } from 'zod'
import { component } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { idSchema, instantSchema, line } from '#contract/shared/primitives.ts'

/** A person whose time is booked on one or more of an account's calendars. Source: rule T38. */
export const personSchema = component('Person', {
  id: idSchema,
  name: z.string(),
  /** True for the account's owner. */
  is_owner: z.boolean(),
})

export const peopleResponse = component('People', {
  /** The owner first, then the others in order of creation. */
  people: z.array(personSchema.extend({ calendars: z.array(z.object({ id: idSchema, name: z.string() })) })),
})
export type PeopleResponse = z.infer<typeof peopleResponse>

/** An appointment that conflicts with an appointment on another calendar. */
export const overlappingAppointment = component('NamedAppointment', {
  id: idSchema,
  calendar_id: idSchema,
  calendar_name: z.string(),
  customer_name: z.string(),
  title: z.string(),
  starts_at: instantSchema,
  ends_at: instantSchema,
  /** The time zone of the appointment's calendar. */
  time_zone: z.string(),
})
export type OverlappingAppointment = z.infer<typeof overlappingAppointment>

/** Two overlapping appointments of one person, the earlier one first. */
const overlap = z.object({ first: overlappingAppointment, second: overlappingAppointment })

/** Maximum number of listed overlaps. */
export const OVERLAPS_LISTED = 50

export const overlapsResponse = component('Overlaps', {
  /** The total number of overlaps. At most 50 are listed, earliest first. */
  total: z.int(),
  overlaps: z.array(overlap),
})
export type OverlapsResponse = z.infer<typeof overlapsResponse>

/** Selects a person: either by the id of an existing person, or by a name. */
const who = {
  person_id: idSchema.optional(),
  name: line(LIMITS.personName).optional(),
}

function refineWho(
  { person_id, name }: { person_id?: string | undefined; name?: string | undefined },
  refine: z.RefinementCtx,
) {
  if (person_id === undefined && !name)
    refine.addIssue({ code: 'custom', path: ['name'], message: 'person.name_required' })
}

export const personQuery = z.object(who).superRefine(refineWho)
export const changePersonBody = z
  .object({
    ...who,
    /** The id of the person that the form showed before the edit. */
    was: idSchema.optional(),
  })
  .superRefine(refineWho)
  .meta({ id: 'ChangePersonBody' })
export type ChangePersonBody = z.input<typeof changePersonBody>
