import type { z } from 'zod'
import {
  type AppointmentType,
  type AppointmentTypeBody,
  type AppointmentTypesResponse,
  appointmentTypeBody,
  NO_LOCATION,
} from '#contract/appointment-types.ts'
import { DEFAULT_COLOR } from '#contract/limits.ts'
import type { FieldError } from '#contract/problem.ts'
import type { MeanwhileChange } from '#web/app/kit/changed-notice.tsx'
import { formatEuro } from '#web/shared/format-money.ts'

/** What the dialog edits. Source: spec §5 "Appointment type form". */
export const appointmentTypeForm = appointmentTypeBody
export type AppointmentTypeForm = z.input<typeof appointmentTypeForm>

/** The dialog's first values: those of the type, or the defaults of a new one (spec §5). */
export function toAppointmentTypeForm(type: AppointmentType | null): Required<AppointmentTypeForm> {
  return {
    name: type?.name ?? '',
    duration: type?.duration ?? 30,
    description: type?.description ?? '',
    color: type?.color ?? DEFAULT_COLOR,
    price: type?.price ?? null,
    stripe_price_id: type?.stripe_price_id ?? '',
    is_online: type?.is_online ?? false,
    location_id: type?.location_id ?? NO_LOCATION,
    payment_required: type?.payment_required ?? false,
  }
}

/** Which providers can take money for a calendar. */
export type Providers = Pick<AppointmentTypesResponse, 'stripe_connected' | 'paypal_connected'>

/** What is sent: without the fields that the connected providers, or an online type, have no use for (spec §5). */
export function toBody(values: AppointmentTypeBody, providers: Providers): AppointmentTypeBody {
  const canCharge = providers.stripe_connected || providers.paypal_connected
  return {
    ...values,
    price: canCharge ? values.price : null,
    stripe_price_id: providers.stripe_connected ? values.stripe_price_id || null : null,
    payment_required: canCharge && values.payment_required,
    location_id: values.is_online ? null : values.location_id,
  }
}

/** What another window has put into the fields that differ, in the words of the form. */
export function describeChanges(errors: readonly FieldError[], now: AppointmentType): MeanwhileChange[] {
  const words: Record<string, MeanwhileChange> = {
    name: { label: 'Name', value: now.name },
    duration: { label: 'Duration', value: `${now.duration} min` },
    description: { label: 'Description', value: now.description ?? 'none' },
    color: { label: 'Colour', value: now.color },
    price: { label: 'Price', value: now.price === null ? 'none' : formatEuro(now.price) },
    stripe_price_id: { label: 'Stripe price ID', value: now.stripe_price_id ?? 'none' },
    is_online: { label: 'Online', value: now.is_online ? 'on' : 'off' },
    location_id: { label: 'Location', value: now.location?.name ?? 'none' },
    payment_required: { label: 'Payment required', value: now.payment_required ? 'on' : 'off' },
  }
  return errors.flatMap(({ path }) => words[path] ?? [])
}
