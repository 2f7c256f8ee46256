import { z } from 'zod'
import {
  type AppointmentType,
  type AppointmentTypeBody,
  type AppointmentTypesResponse,
  appointmentTypeBody,
  NO_LOCATION,
  priceSchema,
} from '#contract/availability/appointment-types.ts'
import { DEFAULT_COLOR } from '#contract/shared/limits.ts'
import { describePolicy } from '#core/appointments/describe-policy.ts'
import { toDecimalAmount } from '#core/shared/decimal-amount.ts'
import { formatEuro } from '#web/shared/format-money.ts'
import { AMOUNT_UNCLEAR, parseAmount } from '#web/shared/parse-amount.ts'

/** An empty field is no price. Source: rule F13. */
const typedPrice = z
  .string()
  .transform((typed, { addIssue }) => {
    if (typed.trim() === '') return null
    const price = parseAmount(typed)
    if (price !== null) return price
    addIssue(AMOUNT_UNCLEAR)
    return z.NEVER
  })
  .pipe(priceSchema.nullable())

/** What the dialog edits: a price as it is typed, everything else as it is sent. Source: rule C12. */
export const appointmentTypeForm = appointmentTypeBody.extend({ price: typedPrice })
export type AppointmentTypeForm = z.input<typeof appointmentTypeForm>

/** The dialog's first values: those of the type, or the defaults of a new one (rule C12). */
export function toAppointmentTypeForm(type: AppointmentType | null): Required<AppointmentTypeForm> {
  return {
    name: type?.name ?? '',
    duration: type?.duration ?? 30,
    description: type?.description ?? '',
    color: type?.color ?? DEFAULT_COLOR,
    price: type === null || type.price === null ? '' : toDecimalAmount(Math.round(type.price * 100)),
    stripe_price_id: type?.stripe_price_id ?? '',
    is_online: type?.is_online ?? false,
    location_id: type?.location_id ?? NO_LOCATION,
    payment_required: type?.payment_required ?? false,
    policy: type?.policy ?? null,
  }
}

/** Which providers can take money for a calendar. */
export type Providers = Pick<AppointmentTypesResponse, 'stripe_connected' | 'paypal_connected'>

/** Whether prices can be set, and are saved. */
export function canTakeMoney(providers: Providers): boolean {
  return providers.stripe_connected || providers.paypal_connected
}

/** The request: without the fields that the connected providers, or an online type, cannot use. Source: rule C13. */
export function toBody(values: AppointmentTypeBody, providers: Providers): AppointmentTypeBody {
  const canCharge = canTakeMoney(providers)
  return {
    ...values,
    price: canCharge ? values.price : null,
    stripe_price_id: providers.stripe_connected ? values.stripe_price_id || null : null,
    payment_required: canCharge && values.payment_required,
    location_id: values.is_online ? null : values.location_id,
  }
}

export const APPOINTMENT_TYPE_LABELS = {
  name: 'Name',
  duration: 'Duration (minutes)',
  description: 'Description',
  color: 'Colour',
  price: 'Price (€)',
  stripe_price_id: 'Stripe price ID',
  is_online: 'Online',
  location_id: 'Location',
  payment_required: 'Payment required',
  policy: 'Changes and cancellations differ',
} as const

/** The texts of a type, for values that are not text in the form. */
export function describeAppointmentType({ price, location, policy }: AppointmentType) {
  return {
    price: price === null ? null : formatEuro(price),
    location_id: location?.name,
    policy: policy && describePolicy(policy, { hasPrice: (price ?? 0) > 0 }),
  }
}
