import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { hourCycleSchema, idSchema, instantSchema, singleLineSchema } from '#contract/shared/primitives.ts'

/** A person whose time is booked on one or more of an account's calendars. Source: rule T38. */
export const personSchema = componentSchema('Person', {
  id: idSchema,
  name: z.string(),
  /** True for the account's owner. */
  is_owner: z.boolean(),
})

export const peopleResponse = componentSchema('People', {
  /** The owner first, then the others in order of creation. */
  people: z.array(personSchema.extend({ calendars: z.array(z.object({ id: idSchema, name: z.string() })) })),
})
export type PeopleResponse = z.infer<typeof peopleResponse>

/** An appointment that conflicts with an appointment on another calendar. */
export const overlappingAppointment = componentSchema('NamedAppointment', {
  id: idSchema,
  calendar_id: idSchema,
  calendar_name: z.string(),
  customer_name: z.string(),
  title: z.string(),
  starts_at: instantSchema,
  ends_at: instantSchema,
  /** The time zone of the appointment's calendar. */
  time_zone: z.string(),
  hour_cycle: hourCycleSchema,
})
export type OverlappingAppointment = z.infer<typeof overlappingAppointment>

/** Two overlapping appointments of one person, the earlier one first. */
const overlap = z.object({ first: overlappingAppointment, second: overlappingAppointment })

/** Maximum number of listed overlaps. */
export const MAX_LISTED_OVERLAPS = 50

export const overlapsResponse = componentSchema('Overlaps', {
  /** The total number of overlaps. At most 50 are listed, earliest first. */
  total: z.int(),
  overlaps: z.array(overlap),
})
export type OverlapsResponse = z.infer<typeof overlapsResponse>

/** Selects a person: either by the id of an existing person, or by a name. */
const who = {
  person_id: idSchema.optional(),
  name: singleLineSchema(LIMITS.personName).optional(),
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
