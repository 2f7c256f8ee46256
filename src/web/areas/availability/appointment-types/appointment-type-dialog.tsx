import { useId } from 'react'
import { Controller } from 'react-hook-form'
import type { AppointmentType } from '#contract/availability/appointment-types.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { ColorField } from '#web/kit/color-field.tsx'
import { FormButtons } from '#web/kit/form-buttons.tsx'
import { FormNotices } from '#web/kit/form-notices.tsx'
import { formatEuro } from '#web/shared/format-money.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea, TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { APPOINTMENT_TYPE_LABELS, canTakeMoney, type Providers } from './appointment-type-form.ts'
import { DurationWarning } from './duration-warning.tsx'
import { LocationField } from './location-field.tsx'
import { PolicyField } from './policy-field.tsx'
import { PriceFields } from './price-fields.tsx'
import { useSaveAppointmentType } from './use-save-appointment-type.ts'

type AppointmentTypeDialogProps = {
  calendarId: string
  /** The type to edit, or null for a new one. Give the dialog a `key`, so that it starts anew for another type. */
  type: AppointmentType | null
  providers: Providers
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Creates or edits an appointment type. Source: rule C12. */
export function AppointmentTypeDialog({
  calendarId,
  type,
  providers,
  open,
  onOpenChange,
}: AppointmentTypeDialogProps) {
  const formId = useId()
  const record = useSaveAppointmentType({
    calendarId,
    type,
    providers,
    onSaved: () => onOpenChange(false),
  })
  const { form, save, giveUp } = record
  const { control, register, watch } = form
  const { errors, isSubmitting } = form.formState
  const price = type?.price ?? null
  // The name has the focus first. Leaving it for 'Cancel' is no mistake.
  const { onBlur: _leave, ...nameField } = register('name')
  const close = (next: boolean) => {
    giveUp()
    onOpenChange(next)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={type === null ? 'Create Appointment Type' : 'Edit Appointment Type'}
      footer={
        <FormButtons
          formId={formId}
          onCancel={() => close(false)}
          pending={isSubmitting}
          pendingLabel={type === null ? 'Creating...' : 'Updating...'}
        >
          {type === null ? 'Create' : 'Update'}
        </FormButtons>
      }
    >
      <form id={formId} noValidate onSubmit={save} className="flex flex-col gap-5">
        <FormNotices record={record} labels={APPOINTMENT_TYPE_LABELS} />
        {price !== null && !canTakeMoney(providers) && (
          <Notice tone="warning">
            Saving removes the price of {formatEuro(price)}, because no payment provider is connected.
          </Notice>
        )}
        <TextField
          label={APPOINTMENT_TYPE_LABELS.name}
          required
          maxLength={LIMITS.typeName}
          placeholder="First consultation"
          error={errors.name?.message}
          {...nameField}
        />
        <TextField
          label={APPOINTMENT_TYPE_LABELS.duration}
          required
          type="number"
          inputMode="numeric"
          min={LIMITS.typeDurationMin}
          max={LIMITS.typeDurationMax}
          step={5}
          error={errors.duration?.message}
          {...register('duration', { valueAsNumber: true })}
        />
        <DurationWarning calendarId={calendarId} duration={watch('duration') ?? Number.NaN} open={open} />
        <TextArea
          label={APPOINTMENT_TYPE_LABELS.description}
          maxLength={LIMITS.typeDescription}
          error={errors.description?.message}
          {...register('description')}
        />
        <Controller
          control={control}
          name="color"
          render={({ field, fieldState }) => (
            <ColorField
              label={APPOINTMENT_TYPE_LABELS.color}
              value={field.value ?? ''}
              onChange={field.onChange}
              error={fieldState.error?.message}
            />
          )}
        />
        <Controller
          control={control}
          name="is_online"
          render={({ field }) => (
            <Switch
              label={APPOINTMENT_TYPE_LABELS.is_online}
              hint="It takes place on the phone or by video, not at a location."
              checked={field.value ?? false}
              onChange={field.onChange}
            />
          )}
        />
        {watch('is_online') !== true && (
          <LocationField form={form} calendarId={calendarId} type={type} open={open} />
        )}
        <PriceFields form={form} providers={providers} />
        <PolicyField form={form} />
      </form>
    </Dialog>
  )
}
