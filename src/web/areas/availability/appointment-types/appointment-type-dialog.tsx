import { Controller } from 'react-hook-form'
import type { AppointmentType } from '#contract/availability/appointment-types.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { ColorField } from '#web/kit/color-field.tsx'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { FormNotices } from '#web/kit/form-notices.tsx'
import { FormSwitch } from '#web/kit/form-switch.tsx'
import { formatEuro } from '#web/shared/format-money.ts'
import { TextArea, TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import {
  DurationWarning,
  LimitsField,
  ListingField,
  LocationField,
  OwnersWorkFields,
  PolicyField,
  PriceFields,
  SeatsField,
  SeriesFold,
  StartTimesFold,
  TypeHoursField,
  WindowFold,
} from './appointment-type-fields.tsx'
import { TypePreview } from './type-preview.tsx'
import {
  APPOINTMENT_TYPE_FIELD_LABELS,
  type ConnectedPaymentProviders,
  canChargeCustomers,
  useAppointmentTypeForm,
} from './use-appointment-type-form.ts'

type AppointmentTypeDialogProps = {
  calendarId: string
  hourCycle: HourCycle
  timeZone: string
  /** The type to edit, or null for a new one. Give the dialog a `key`, so that it starts with the values of the next type. */
  type: AppointmentType | null
  providers: ConnectedPaymentProviders
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Lets the owner create or edit an appointment type. Source: rule C12. */
export function AppointmentTypeDialog({
  calendarId,
  hourCycle,
  timeZone,
  type,
  providers,
  open,
  onOpenChange,
}: AppointmentTypeDialogProps) {
  const record = useAppointmentTypeForm({
    calendarId,
    hourCycle,
    type,
    providers,
    onSaved: () => onOpenChange(false),
  })
  const { form, save, giveUp } = record
  const { control, register, watch } = form
  const { errors, isSubmitting } = form.formState
  const price = type?.price ?? null
  // The name has the focus at first. The field does not validate on blur, so that moving to 'Cancel' shows no error.
  const { onBlur: _leave, ...nameField } = register('name')
  const close = (next: boolean) => {
    giveUp()
    onOpenChange(next)
  }
  return (
    <FormDialog
      open={open}
      onOpenChange={close}
      title={type === null ? 'Create Appointment Type' : 'Edit Appointment Type'}
      pending={isSubmitting}
      pendingLabel={type === null ? 'Creating...' : 'Updating...'}
      submitLabel={type === null ? 'Create' : 'Update'}
      onSubmit={save}
      aside={<TypePreview {...{ form, calendarId, timeZone, hourCycle }} typeId={type?.id} />}
    >
      <FormNotices record={record} labels={APPOINTMENT_TYPE_FIELD_LABELS} />
      {price !== null && !canChargeCustomers(providers) && (
        <Notice tone="warning">
          Saving removes the price of {formatEuro(price)}, because no payment provider is connected.
        </Notice>
      )}
      <TextField
        label={APPOINTMENT_TYPE_FIELD_LABELS.name}
        required
        maxLength={LIMITS.typeName}
        placeholder="First consultation"
        error={errors.name?.message}
        {...nameField}
      />
      <TextField
        label={APPOINTMENT_TYPE_FIELD_LABELS.duration}
        required
        type="number"
        inputMode="numeric"
        min={LIMITS.typeDurationMin}
        max={LIMITS.typeDurationMax}
        step={5}
        error={errors.duration?.message}
        {...register('duration', { valueAsNumber: true })}
      />
      <DurationWarning
        calendarId={calendarId}
        duration={watch('duration') ?? Number.NaN}
        startStepMinutes={watch('start_step_minutes') ?? null}
        isPacked={watch('is_packed') ?? false}
        open={open}
      />
      <OwnersWorkFields form={form} hourCycle={hourCycle} />
      <SeatsField form={form} />
      <SeriesFold form={form} />
      <StartTimesFold form={form} />
      <TypeHoursField form={form} hourCycle={hourCycle} />
      <WindowFold form={form} timeZone={timeZone} />
      <LimitsField form={form} />
      <TextArea
        label={APPOINTMENT_TYPE_FIELD_LABELS.description}
        maxLength={LIMITS.typeDescription}
        error={errors.description?.message}
        {...register('description')}
      />
      <Controller
        control={control}
        name="color"
        render={({ field, fieldState }) => (
          <ColorField
            label={APPOINTMENT_TYPE_FIELD_LABELS.color}
            value={field.value ?? ''}
            onChange={field.onChange}
            error={fieldState.error?.message}
          />
        )}
      />
      <FormSwitch
        control={control}
        name="is_online"
        label={APPOINTMENT_TYPE_FIELD_LABELS.is_online}
        hint="It takes place by phone or video, not at a location."
      />
      {watch('is_online') !== true && (
        <LocationField form={form} calendarId={calendarId} type={type} open={open} />
      )}
      <PriceFields form={form} calendarId={calendarId} providers={providers} />
      <PolicyField form={form} />
      <ListingField form={form} />
    </FormDialog>
  )
}
