import type { z } from 'zod'
import { type AppointmentType, appointmentTypeBody } from '#contract/appointment-types.ts'
import { DEFAULT_COLOR } from '#contract/limits.ts'

/** What the dialog edits; price and payment are not editable before a payment provider is connected. */
export const appointmentTypeForm = appointmentTypeBody.omit({ price: true, payment_required: true })
export type AppointmentTypeForm = z.input<typeof appointmentTypeForm>

/** The dialog's first values: those of the type, or the defaults of a new one (spec §5). */
export function toAppointmentTypeForm(type: AppointmentType | null): AppointmentTypeForm {
  return {
    name: type?.name ?? '',
    duration: type?.duration ?? 30,
    description: type?.description ?? '',
    color: type?.color ?? DEFAULT_COLOR,
    is_online: type?.is_online ?? false,
  }
}
