import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import {
  type AppointmentType,
  type AppointmentTypeBody,
  appointmentTypeBody,
  NO_OWN_LOCATION_VALUE,
} from '#contract/availability/appointment-types.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { DEFAULT_POLICY } from '#core/appointments/policy.ts'
import { formatMinutesAsClock } from '#core/availability/day-hours.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { OWNERS_WORK_LIMITS } from '#core/slots/occupied-time.ts'
import { SEAT_LIMITS } from '#core/slots/sessions.ts'
import { LimitsEditor } from '#web/areas/availability/booking-limits/limits-editor.tsx'
import { WindowFields } from '#web/areas/availability/booking-window/window-fields.tsx'
import { availabilityQuery } from '#web/kit/availability-query.ts'
import { FormCheckbox, FormSwitch } from '#web/kit/form-switch.tsx'
import { PolicyEditor } from '#web/kit/policy-editor.tsx'
import { listTypesNotFittingSlots } from '#web/kit/unsuitable-types.ts'
import { formatClock } from '#web/shared/format-clock.ts'
import { todayIn } from '#web/shared/format-date.ts'
import { parseAmount } from '#web/shared/parse-amount.ts'
import { paths } from '#web/shared/paths.ts'
import { TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Select } from '#web/ui/select.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { locationOptionsQuery } from './appointment-type-queries.ts'
import { SeriesRuleFields } from './series-rule-fields.tsx'
import { StartTimesFields } from './start-times-field.tsx'
import { TypeHoursEditor } from './type-hours-editor.tsx'
import {
  APPOINTMENT_TYPE_FIELD_LABELS,
  type AppointmentTypeForm,
  type ConnectedPaymentProviders,
  canChargeCustomers,
} from './use-appointment-type-form.ts'

type DurationWarningProps = {
  calendarId: string
  /** The duration in minutes; NaN while the field is empty. */
  duration: number
  startStepMinutes: number | null
  isPacked: boolean
  /** True while the dialog is open. The slot settings are loaded only then. */
  open: boolean
}

/** Warns about a duration that does not fit the calendar's time slots. Source: rule T16. */
export function DurationWarning({
  calendarId,
  duration,
  startStepMinutes,
  isPacked,
  open,
}: DurationWarningProps) {
  const { data: settings } = useQuery({ ...availabilityQuery(calendarId), enabled: open })
  const type = { duration, start_step_minutes: startStepMinutes, is_packed: isPacked }
  const found = settings === undefined ? undefined : listTypesNotFittingSlots([type], settings)[0]
  return (
    // Always rendered, so that screen readers announce a warning that appears while the owner types.
    <div role="status" className="empty:-mt-5">
      {found !== undefined && isDuration(duration) && (
        <Notice tone={found.reason === 'too_long' ? 'warning' : 'info'}>
          With this duration, the type {found.meaning} You can change that under Availability.
        </Notice>
      )}
    </div>
  )
}

/** False for a duration for which the field itself shows an error. */
function isDuration(minutes: number): boolean {
  return appointmentTypeBody.shape.duration.safeParse(minutes).success
}

type OwnersWorkFieldsProps = {
  form: UseFormReturn<AppointmentTypeForm, unknown, AppointmentTypeBody>
  /** The clock of the calendar, for the example. */
  hourCycle: HourCycle
}

/**
 * Lets the owner set the work before and after an appointment, with an example in words. Folded while there is none. Source:
 * rule T46.
 */
export function OwnersWorkFields({ form, hourCycle }: OwnersWorkFieldsProps) {
  const { errors } = form.formState
  const [duration = Number.NaN, prepare = 0, wrapUp = 0] = form.watch([
    'duration',
    'prepare_minutes',
    'wrap_up_minutes',
  ])
  return (
    <Fold
      title="Preparation and wrap-up"
      isUsed={prepare !== 0 || wrapUp !== 0}
      isRefused={errors.prepare_minutes !== undefined || errors.wrap_up_minutes !== undefined}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {(['prepare_minutes', 'wrap_up_minutes'] as const).map((name) => (
          <TextField
            key={name}
            label={APPOINTMENT_TYPE_FIELD_LABELS[name]}
            type="number"
            inputMode="numeric"
            min={0}
            max={OWNERS_WORK_LIMITS.minutes}
            step={OWNERS_WORK_LIMITS.stepMinutes}
            error={errors[name]?.message}
            {...form.register(name, { valueAsNumber: true })}
          />
        ))}
      </div>
      <p className="text-ink-soft">
        {describeOwnersWork({ duration, prepare, wrapUp }, hourCycle)} Customers only see the appointment.
      </p>
    </Fold>
  )
}

/** Lets the owner give a type seats, so that customers share its sessions. Folded while it has none. Source: rule B50. */
export function SeatsField({ form }: Pick<OwnersWorkFieldsProps, 'form'>) {
  const { seats: error } = form.formState.errors
  const seats = form.watch('seats') ?? null
  return (
    <Fold title="Group sessions" isUsed={seats !== null} isRefused={error !== undefined}>
      <TextField
        label={APPOINTMENT_TYPE_FIELD_LABELS.seats}
        type="number"
        inputMode="numeric"
        min={SEAT_LIMITS.least}
        max={SEAT_LIMITS.most}
        error={error?.message}
        {...form.register('seats', { setValueAs: toSeats })}
      />
      <p className="text-ink-soft">{describeSeats(seats)}</p>
      {seats !== null && (
        <FormCheckbox
          control={form.control}
          name="shows_seats"
          label={APPOINTMENT_TYPE_FIELD_LABELS.shows_seats}
        />
      )}
    </Fold>
  )
}

/** An empty field means that the type has no seats. */
function toSeats(typed: string | number | null): number | null {
  return typed === '' || typed === null ? null : Number(typed)
}

function describeSeats(seats: number | null): string {
  if (!appointmentTypeBody.shape.seats.safeParse(seats).success || seats === null)
    return 'Leave this empty if each appointment is for one customer.'
  return `Up to ${seats} customers can book the same time. Each has an appointment of their own, and nobody learns who else is coming.`
}

type FoldProps = {
  title: string
  /** True when the type uses the fields, which are then shown at first. */
  isUsed: boolean
  /** True when a field is refused: a closed fold would hide its message. */
  isRefused: boolean
  children: ReactNode
}

/** Folds fields that most types do not use. */
function Fold({ title, isUsed, isRefused, children }: FoldProps) {
  const [isOpen, setOpen] = useState(isUsed)
  return (
    <details
      open={isOpen || isRefused}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="rounded-control border border-line px-4"
    >
      <summary className="-mx-4 min-h-11 rounded-control px-4 py-2.5 font-semibold">{title}</summary>
      <div className="flex flex-col gap-4 pt-1 pb-4">{children}</div>
    </details>
  )
}

/** Lets the owner limit the appointments of a type. Source: rule T51. */
export function LimitsField({ form }: Pick<OwnersWorkFieldsProps, 'form'>) {
  const { booking_limits: error } = form.formState.errors
  const limits = form.watch('booking_limits') ?? []
  return (
    <Fold
      title={APPOINTMENT_TYPE_FIELD_LABELS.booking_limits}
      isUsed={limits.length > 0}
      isRefused={error !== undefined}
    >
      <LimitsEditor
        label="Limits of this appointment type"
        hint="Only appointments of this type count. The calendar’s own limits apply too."
        value={limits}
        onChange={(value) => form.setValue('booking_limits', value, { shouldValidate: true })}
      />
    </Fold>
  )
}

/** Lets the owner choose which series customers can book of a type. Folded while it offers none. Source: rule B47. */
export function SeriesFold({ form }: Pick<OwnersWorkFieldsProps, 'form'>) {
  const { series_rule: error } = form.formState.errors
  return (
    <Fold
      title={APPOINTMENT_TYPE_FIELD_LABELS.series_rule}
      isUsed={Boolean(form.watch('series_rule'))}
      isRefused={error !== undefined}
    >
      <SeriesRuleFields form={form} />
    </Fold>
  )
}

/** Lets the owner choose when appointments of a type start. Folded while they start as often as in other types. Source: rule T63. */
export function StartTimesFold({ form }: Pick<OwnersWorkFieldsProps, 'form'>) {
  const { start_step_minutes: error } = form.formState.errors
  const [step = null, isPacked = false] = form.watch(['start_step_minutes', 'is_packed'])
  return (
    <Fold
      title={APPOINTMENT_TYPE_FIELD_LABELS.start_step_minutes}
      isUsed={step !== null || isPacked}
      isRefused={error !== undefined}
    >
      <StartTimesFields form={form} />
    </Fold>
  )
}

/** Lets the owner give a type weekly hours inside those of the calendar. Source: rule T60. */
export function TypeHoursField({ form, hourCycle }: OwnersWorkFieldsProps) {
  const { hours: error } = form.formState.errors
  const hours = form.watch('hours') ?? []
  return (
    <Fold
      title={APPOINTMENT_TYPE_FIELD_LABELS.hours}
      isUsed={hours.length > 0}
      isRefused={error !== undefined}
    >
      <TypeHoursEditor
        value={hours}
        hourCycle={hourCycle}
        onChange={(value) => form.setValue('hours', value, { shouldValidate: true })}
      />
    </Fold>
  )
}

/** Says when the owner is busy for an example appointment that starts at 10:00. */
function describeOwnersWork(
  { duration, prepare, wrapUp }: { duration: number; prepare: number; wrapUp: number },
  hourCycle: HourCycle,
): string {
  const atMinute = (minutes: number) => formatClock(formatMinutesAsClock(minutes), hourCycle)
  const [start, end] = [TEN_O_CLOCK, TEN_O_CLOCK + duration]
  const { prepare_minutes, wrap_up_minutes } = appointmentTypeBody.shape
  const isKnown = prepare_minutes.safeParse(prepare).success && wrap_up_minutes.safeParse(wrapUp).success
  if (!isKnown || !isDuration(duration) || prepare + wrapUp === 0)
    return 'Time for you before and after each appointment.'
  return `You’re busy from ${atMinute(start - prepare)} to ${atMinute(end + wrapUp)} for an appointment from ${atMinute(start)} to ${atMinute(end)}.`
}

const TEN_O_CLOCK = 600

type LocationFieldProps = {
  form: UseFormReturn<AppointmentTypeForm, unknown, AppointmentTypeBody>
  calendarId: string
  type: AppointmentType | null
  /** True while the dialog is open. The locations are loaded only then. */
  open: boolean
}

/** Lets the owner choose the location of a type that is not online. Source: rule C14. */
export function LocationField({ form, calendarId, type, open }: LocationFieldProps) {
  const { data, isPending, isError } = useQuery({ ...locationOptionsQuery(calendarId), enabled: open })
  // Until the list has loaded, the field offers at least the type's current location.
  const known = data?.places ?? (type?.location == null ? [] : [type.location])
  const options = known.map(({ id, name, address }) => ({
    value: id,
    label: [name, address].filter(Boolean).join(', '),
  }))
  return (
    <Controller
      control={form.control}
      name="location_id"
      render={({ field, fieldState }) => (
        <Select
          label={APPOINTMENT_TYPE_FIELD_LABELS.location_id}
          options={[
            {
              value: NO_OWN_LOCATION_VALUE,
              label: isPending ? 'Loading locations...' : noneLabel(data?.primary?.name),
            },
            ...options,
          ]}
          value={field.value ?? NO_OWN_LOCATION_VALUE}
          onChange={field.onChange}
          disabled={isPending}
          hint={hintOf(field.value ?? NO_OWN_LOCATION_VALUE, {
            isError,
            hasPrimary: isPending || data?.primary != null,
          })}
          error={fieldState.error?.message}
        />
      )}
    />
  )
}

/** Returns the label for 'no location', which means the calendar's primary location if there is one. */
function noneLabel(primary: string | undefined): string {
  return primary === undefined ? 'No location' : `Primary location (${primary})`
}

function hintOf(choice: string, { isError, hasPrimary }: { isError: boolean; hasPrimary: boolean }) {
  if (isError) return 'We couldn’t load your locations.'
  return hasPrimary || choice !== NO_OWN_LOCATION_VALUE ? undefined : 'Add locations in the Locations tab.'
}

type PriceFieldsProps = {
  form: UseFormReturn<AppointmentTypeForm, unknown, AppointmentTypeBody>
  calendarId: string
  providers: ConnectedPaymentProviders
}

/**
 * Lets the owner set a type's price and payment, which are disabled while no payment provider is connected, or the fee
 * note of a type without a price. Source: rules C13 and C19.
 */
export function PriceFields({ form, calendarId, providers }: PriceFieldsProps) {
  const { control, register } = form
  const { errors } = form.formState
  const canCharge = canChargeCustomers(providers)
  const isPriced = form.watch('price').trim() !== ''
  const hasPrice = canCharge && isPriced
  return (
    <div className="flex flex-col gap-5">
      {isPriced && !canCharge && (
        <Notice tone="warning">
          No payment account is connected, so saving removes the price of this type.
        </Notice>
      )}
      <TextField
        label={APPOINTMENT_TYPE_FIELD_LABELS.price}
        inputMode="decimal"
        autoComplete="off"
        hint={canCharge ? undefined : <PaymentSettingsLink calendarId={calendarId} />}
        error={errors.price?.message}
        {...register('price')}
        disabled={!canCharge}
      />
      {/* While the field is hidden, the form keeps the note, in case the owner removes the price again. */}
      {!hasPrice && (
        <TextField
          label={APPOINTMENT_TYPE_FIELD_LABELS.fee_note}
          maxLength={LIMITS.feeNote}
          placeholder="€90, paid at the appointment"
          autoComplete="off"
          hint="Optional. Customers read it where the price would be."
          error={errors.fee_note?.message}
          {...register('fee_note')}
        />
      )}
      <TextField
        label={APPOINTMENT_TYPE_FIELD_LABELS.stripe_price_id}
        maxLength={LIMITS.stripePriceId}
        placeholder="price_…"
        autoComplete="off"
        hint={providers.stripe_connected ? 'Optional. The price in your Stripe account.' : undefined}
        error={errors.stripe_price_id?.message}
        {...register('stripe_price_id')}
        disabled={!providers.stripe_connected}
      />
      <FormCheckbox
        control={control}
        name="payment_required"
        label={APPOINTMENT_TYPE_FIELD_LABELS.payment_required}
        disabled={!canCharge}
      />
    </div>
  )
}

/** The reason why prices are disabled, as the way to change that. Edits of the type are kept meanwhile. */
function PaymentSettingsLink({ calendarId }: { calendarId: string }) {
  return (
    <a
      href={paths.calendarSettings(calendarId, 'payments')}
      className="inline-block min-h-6 rounded-sm text-link underline underline-offset-4"
    >
      Connect Stripe or PayPal in Payment Settings to set prices.
    </a>
  )
}

type WindowFoldProps = PolicyFieldProps & {
  /** The time zone of the calendar, which decides about today. */
  timeZone: string
}

/** Lets the owner give a type a booking window of its own. Folded while it has none. Source: rule T69. */
export function WindowFold({ form, timeZone }: WindowFoldProps) {
  const window = form.watch('booking_window') ?? null
  return (
    <Fold
      title={APPOINTMENT_TYPE_FIELD_LABELS.booking_window}
      isUsed={window !== null}
      isRefused={form.formState.errors.booking_window !== undefined}
    >
      <WindowFields
        isOfType
        value={window}
        today={todayIn(timeZone)}
        onChange={(value) =>
          form.setValue('booking_window', value, { shouldDirty: true, shouldValidate: true })
        }
      />
    </Fold>
  )
}

/** Lets the owner take a type off the booking page, so that customers reach it only by its link. Source: rule T65. */
export function ListingField({ form }: PolicyFieldProps) {
  return (
    <FormSwitch
      control={form.control}
      name="is_listed"
      label={APPOINTMENT_TYPE_FIELD_LABELS.is_listed}
      hint={
        form.watch('is_listed') === false
          ? 'By link only: your booking page doesn’t show this type. Anyone with the link can book it and pass the link on.'
          : 'Every visitor of your booking page can book this type.'
      }
    />
  )
}

type PolicyFieldProps = { form: UseFormReturn<AppointmentTypeForm, unknown, AppointmentTypeBody> }

/** Lets the owner give a type a policy that differs from its calendar's. Source: rule Q1. */
export function PolicyField({ form }: PolicyFieldProps) {
  const hasPrice = (parseAmount(form.watch('price')) ?? 0) > 0
  return (
    <Controller
      control={form.control}
      name="policy"
      render={({ field: { value, onChange } }) => (
        <>
          <Switch
            label={APPOINTMENT_TYPE_FIELD_LABELS.policy}
            hint="This type has its own rules for moving, cancelling and refunds, instead of the calendar’s."
            checked={Boolean(value)}
            onChange={(differs) => onChange(differs ? DEFAULT_POLICY : null)}
          />
          {value && <PolicyEditor value={value} onChange={onChange} hasPrice={hasPrice} />}
        </>
      )}
    />
  )
}
