import { z } from 'zod'
import { testAppointmentSchema } from '#contract/appointments/test-appointments.ts'
import { appointmentTypeFields } from '#contract/availability/appointment-types.ts'
import { componentSchema } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { hourCycleSchema, idSchema, singleLineSchema } from '#contract/shared/primitives.ts'
import { DEFAULT_HOUR_CYCLE } from '#core/shared/hour-cycle.ts'

const stepState = z.enum(['open', 'done', 'skipped'])

/** How far an owner has come with the set-up of their account. Source: rule U32. */
export const setupSchema = componentSchema('Setup', {
  steps: z.object({ you: stepState, hours: stepState, services: stepState, external_calendar: stepState }),
  /** The calendar that is set up; null before the first step. */
  calendar_id: idSchema.nullable(),
  /** True when the owner has put the checklist away. */
  is_dismissed: z.boolean(),
  /** True when one of the owner's calendars has an appointment that is no test. */
  has_booking: z.boolean(),
  /** True when the calendar has a location. */
  has_location: z.boolean(),
  /** True when a country or region is chosen for the calendar's public holidays. */
  has_holidays: z.boolean(),
  /** The upcoming test appointment in the calendar that is set up. */
  test_appointment: testAppointmentSchema.nullable(),
})
export type Setup = z.infer<typeof setupSchema>

/** `setup` is null for an account that registered before the set-up existed. */
export const setupResponse = componentSchema('SetupAnswer', { setup: setupSchema.nullable() })
export type SetupResponse = z.infer<typeof setupResponse>

/** The first step. It creates the calendar, or changes the calendar that the set-up has created. */
export const setupOwnerBody = z.object({
  /** The name with its title, as customers read it: `Dr. Ada Example`. */
  name: singleLineSchema(LIMITS.personName, 'auth.name_too_short').min(LIMITS.nameMin, 'auth.name_too_short'),
  /** The category of the calendar; may be empty. */
  profession: singleLineSchema(LIMITS.category),
  time_zone: singleLineSchema(LIMITS.timeZone),
  /** The clock of a new calendar. A calendar that exists keeps its own. */
  hour_cycle: hourCycleSchema.default(DEFAULT_HOUR_CYCLE),
})

/** The maximum number of services that one request creates. */
export const SETUP_SERVICES_MAX = 20

export const setupServiceBody = z.object({
  name: appointmentTypeFields.name,
  duration: appointmentTypeFields.duration,
  price: appointmentTypeFields.price.default(null),
  fee_note: appointmentTypeFields.fee_note.default(null),
})

/** A change of the set-up. Absent fields stay unchanged. A step that sends data is done, unless `steps` says otherwise. */
export const setupChanges = componentSchema('SetupChanges', {
  /** The name may be absent only if the owner has a calendar. */
  you: setupOwnerBody.partial().optional(),
  /** The services to create. They are created once: a second request is refused, unless it repeats them. */
  services: z.array(setupServiceBody).max(SETUP_SERVICES_MAX).optional(),
  steps: setupSchema.shape.steps.partial().optional(),
  is_dismissed: z.boolean().optional(),
})
export type SetupChanges = z.input<typeof setupChanges>
