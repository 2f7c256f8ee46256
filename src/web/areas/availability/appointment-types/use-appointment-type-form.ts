import { useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import {
  type AppointmentType,
  type AppointmentTypeBody,
  type AppointmentTypesResponse,
  appointmentTypeBody,
  NO_OWN_LOCATION_VALUE,
} from '#contract/availability/appointment-types.ts'
import * as at from '#contract/operations/addresses.ts'
import { DEFAULT_COLOR } from '#contract/shared/limits.ts'
import { describePolicy } from '#core/appointments/describe-policy.ts'
import { toDecimalAmount } from '#core/shared/decimal-amount.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { describeLimits } from '#core/slots/describe-limit.ts'
import { nameWindow } from '#core/slots/describe-window.ts'
import { describeSeriesRule } from '#core/slots/series-rule.ts'
import { LIMITS_LABEL } from '#web/areas/availability/booking-limits/limits-editor.tsx'
import { WINDOW_LABEL } from '#web/areas/availability/booking-window/window-fields.tsx'
import { removeSeconds } from '#web/areas/availability/opening-hours/week.ts'
import { appointmentTypesQuery, refreshAppointmentTypes } from '#web/kit/appointment-types-query.ts'
import { toPartialUpdate } from '#web/kit/changed-fields.ts'
import { typedPriceSchema } from '#web/kit/typed-price.ts'
import { type RecordDraft, useRecordForm } from '#web/kit/use-record-form.ts'
import { callApi } from '#web/shared/call-api.ts'
import { findDraft } from '#web/shared/draft.ts'
import { formatEuro } from '#web/shared/format-money.ts'
import { toast } from '#web/ui/toast.tsx'
import { describeStarts } from './describe-starts.ts'
import { describeTypeHours } from './describe-type-hours.ts'

type SaveOptions = {
  calendarId: string
  hourCycle: HourCycle
  /** The type to edit, or null for a new one. */
  type: AppointmentType | null
  providers: ConnectedPaymentProviders
  onSaved: () => void
}

const FIELDS = [
  'name',
  'duration',
  'prepare_minutes',
  'wrap_up_minutes',
  'start_step_minutes',
  'seats',
  'description',
  'color',
  'price',
  'fee_note',
  'stripe_price_id',
  'location_id',
] as const

/** Manages the form of an appointment type. */
export function useAppointmentTypeForm({ calendarId, hourCycle, type, providers, onSaved }: SaveOptions) {
  const client = useQueryClient()
  return useRecordForm<AppointmentType | null, AppointmentTypeForm, AppointmentTypeBody>({
    stored: type,
    draftKey: draftKey(calendarId),
    keepFor: 'login',
    schema: appointmentTypeForm,
    show: toAppointmentTypeForm,
    describe: (shown) => describeAppointmentType(shown, hourCycle),
    fields: FIELDS,
    send: async (values, shown) => {
      await saveType(calendarId, toBody(values, providers), shown)
      return null
    },
    readAgain: async (shown) => {
      const answer = await client.fetchQuery({ ...appointmentTypesQuery(calendarId), staleTime: 0 })
      return answer.appointment_types.find(({ id }) => id === shown?.id)
    },
    onSaved: async () => {
      toast.success(type === null ? 'Appointment type created!' : 'Appointment type updated!')
      onSaved()
      await refreshAppointmentTypes(client, calendarId)
    },
    failed: (sentence) => `Failed: ${sentence}`,
  })
}

/** Creates a type, or updates the type that the form showed. @throws ApiProblem */
function saveType(
  calendarId: string,
  body: AppointmentTypeBody,
  shown: AppointmentType | null,
): Promise<unknown> {
  if (shown === null) return callApi(at.createAppointmentType, { params: { id: calendarId }, body })
  const { changes, was } = toPartialUpdate(body, shown)
  return callApi(at.updateAppointmentType, {
    params: { id: calendarId, type_id: shown.id },
    body: { ...changes, was },
  })
}

/** Finds the unsaved edits of a type in this calendar that were made before the owner had to log in again. */
export function findAppointmentTypeDraft(
  calendarId: string,
): RecordDraft<AppointmentType | null, AppointmentTypeForm> | undefined {
  return findDraft(draftKey(calendarId))
}

function draftKey(calendarId: string): string {
  return `appointment-type:${calendarId}`
}

/** The values of the form: the price as typed text, all others as they are sent. Source: rule C12. */
const appointmentTypeForm = appointmentTypeBody.extend({ price: typedPriceSchema })
export type AppointmentTypeForm = z.input<typeof appointmentTypeForm>

/** Returns the initial values: those of the type, or the defaults of a new one (rule C12). */
function toAppointmentTypeForm(type: AppointmentType | null): Required<AppointmentTypeForm> {
  if (type === null) return NEW_TYPE
  const { id: _id, calendar_id: _calendar, location: _location, ...fields } = type
  return {
    ...fields,
    description: type.description ?? '',
    price: type.price === null ? '' : toDecimalAmount(Math.round(type.price * 100)),
    fee_note: type.fee_note ?? '',
    stripe_price_id: type.stripe_price_id ?? '',
    location_id: type.location_id ?? NO_OWN_LOCATION_VALUE,
    hours: type.hours.map(removeSeconds),
  }
}

const NEW_TYPE: Required<AppointmentTypeForm> = {
  name: '',
  duration: 30,
  prepare_minutes: 0,
  wrap_up_minutes: 0,
  start_step_minutes: null,
  is_packed: false,
  description: '',
  color: DEFAULT_COLOR,
  price: '',
  fee_note: '',
  stripe_price_id: '',
  is_online: false,
  location_id: NO_OWN_LOCATION_VALUE,
  payment_required: false,
  seats: null,
  shows_seats: true,
  is_listed: true,
  booking_window: null,
  policy: null,
  series_rule: null,
  booking_limits: [],
  hours: [],
}

/** The payment providers that are connected to a calendar. */
export type ConnectedPaymentProviders = Pick<
  AppointmentTypesResponse,
  'stripe_connected' | 'paypal_connected'
>

/** True if any payment provider is connected, so that types can have prices. */
export function canChargeCustomers(providers: ConnectedPaymentProviders): boolean {
  return providers.stripe_connected || providers.paypal_connected
}

/**
 * Converts the values to a request body, leaving out fields that do not apply without a payment provider or to an online type,
 * and the fee note of a type with a price. Source: rules C13 and C19.
 */
function toBody(values: AppointmentTypeBody, providers: ConnectedPaymentProviders): AppointmentTypeBody {
  const canCharge = canChargeCustomers(providers)
  const price = canCharge ? values.price : null
  return {
    ...values,
    price,
    fee_note: price === null ? values.fee_note : null,
    stripe_price_id: providers.stripe_connected ? values.stripe_price_id : null,
    payment_required: canCharge && values.payment_required,
    location_id: values.is_online ? null : values.location_id,
  }
}

export const APPOINTMENT_TYPE_FIELD_LABELS = {
  name: 'Name',
  duration: 'Duration (minutes)',
  prepare_minutes: 'Preparation (minutes)',
  wrap_up_minutes: 'Wrap-up (minutes)',
  start_step_minutes: 'Start times',
  is_packed: 'Also right before and after other appointments',
  description: 'Description',
  color: 'Colour',
  price: 'Price (€)',
  fee_note: 'Fee note',
  stripe_price_id: 'Stripe price ID',
  is_online: 'Online',
  location_id: 'Location',
  payment_required: 'Payment required',
  seats: 'Seats per session',
  shows_seats: 'Show customers how many seats are left',
  is_listed: 'Listed on the booking page',
  booking_window: WINDOW_LABEL,
  policy: 'Changes and cancellations differ',
  series_rule: 'Repeats',
  booking_limits: LIMITS_LABEL,
  hours: 'Own hours',
} as const

/** Converts the values that are not text in the form to readable text. */
function describeAppointmentType(
  {
    price,
    location,
    policy,
    series_rule,
    booking_limits,
    booking_window,
    hours,
    start_step_minutes,
    is_packed,
    duration,
  }: AppointmentType,
  hourCycle: HourCycle,
) {
  return {
    price: price === null ? null : formatEuro(price),
    location_id: location?.name,
    policy: policy && describePolicy(policy, { hasPrice: (price ?? 0) > 0 }),
    series_rule: series_rule && describeSeriesRule(series_rule),
    booking_limits: describeLimits(booking_limits),
    booking_window: booking_window && nameWindow(booking_window),
    hours: describeTypeHours(hours, hourCycle),
    start_step_minutes: describeStarts({ duration, step: start_step_minutes, isPacked: is_packed }),
  }
}
