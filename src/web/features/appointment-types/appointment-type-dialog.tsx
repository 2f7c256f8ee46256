import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import type { AppointmentType, AppointmentTypeBody } from '#contract/appointment-types.ts'
import { LIMITS } from '#contract/limits.ts'
import { ColorField } from '#web/app/kit/color-field.tsx'
import { contractResolver } from '#web/app/kit/contract-resolver.ts'
import { findDraft, forgetDraft, keepDraft } from '#web/app/kit/draft.ts'
import { showFieldProblems, toProblem } from '#web/app/kit/show-problem.ts'
import { sendJson } from '#web/shared/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea, TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { toast } from '#web/ui/toast.tsx'
import {
  type AppointmentTypeForm,
  appointmentTypeForm,
  toAppointmentTypeForm,
} from './appointment-type-form.ts'
import { appointmentTypesPath, appointmentTypesQuery } from './appointment-type-queries.ts'
import { PriceFields } from './price-fields.tsx'

type AppointmentTypeDialogProps = {
  calendarId: string
  /** The type to edit, or null for a new one. Give the dialog a `key`, so that it starts anew for another type. */
  type: AppointmentType | null
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Creates or edits an appointment type. Source: spec §2, §5 "Appointment type form", §8 "Appointment types". */
export function AppointmentTypeDialog({ calendarId, type, open, onOpenChange }: AppointmentTypeDialogProps) {
  const client = useQueryClient()
  const formId = useId()
  const [draft] = useState(() => findAppointmentTypeDraft(calendarId))
  const { register, control, handleSubmit, setError, reset, formState } = useForm({
    resolver: contractResolver(appointmentTypeForm),
    defaultValues: draft?.values ?? toAppointmentTypeForm(type),
  })
  const { mutateAsync } = useMutation({
    mutationFn: (body: AppointmentTypeBody) =>
      type === null
        ? sendJson('POST', appointmentTypesPath(calendarId), body)
        : sendJson('PATCH', appointmentTypesPath(calendarId, type.id), body),
  })
  const { errors, isSubmitting } = formState

  const save = handleSubmit(async (values) => {
    // Without a connected provider there is no price and nothing to require (spec §5).
    const body: AppointmentTypeBody = { ...values, price: null, payment_required: false }
    try {
      await mutateAsync(body)
    } catch (error) {
      const problem = toProblem(error)
      if (problem.code === 'auth.required') keepDraft(draftKey(calendarId), { values, type })
      toast.error(`Failed: ${problem.message}`)
      if (!showFieldProblems(problem, setError, FIELDS)) setError('root', { message: problem.message })
      return
    }
    toast.success(type === null ? 'Appointment type created!' : 'Appointment type updated!')
    close(false)
    reset(toAppointmentTypeForm(null))
    await client.invalidateQueries({ queryKey: appointmentTypesQuery(calendarId).queryKey })
  })

  const close = (next: boolean) => {
    forgetDraft(draftKey(calendarId))
    onOpenChange(next)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={type === null ? 'Create Appointment Type' : 'Edit Appointment Type'}
      footer={
        <>
          <Button onClick={() => close(false)}>Cancel</Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            pending={isSubmitting}
            pendingLabel={type === null ? 'Creating...' : 'Updating...'}
          >
            {type === null ? 'Create' : 'Update'}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={save} className="flex flex-col gap-5">
        {errors.root?.message !== undefined && <Notice tone="danger">{errors.root.message}</Notice>}
        <TextField
          label="Name"
          required
          maxLength={LIMITS.typeName}
          placeholder="First consultation"
          error={errors.name?.message}
          {...register('name')}
        />
        <TextField
          label="Duration (minutes)"
          required
          type="number"
          inputMode="numeric"
          min={LIMITS.typeDurationMin}
          max={LIMITS.typeDurationMax}
          step={5}
          error={errors.duration?.message}
          {...register('duration', { valueAsNumber: true })}
        />
        <TextArea
          label="Description"
          maxLength={LIMITS.typeDescription}
          error={errors.description?.message}
          {...register('description')}
        />
        <Controller
          control={control}
          name="color"
          render={({ field, fieldState }) => (
            <ColorField
              label="Colour"
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
              label="Online"
              hint="It takes place on the phone or by video, not at a location."
              checked={field.value ?? false}
              onChange={field.onChange}
            />
          )}
        />
        <PriceFields price={type?.price ?? null} />
      </form>
    </Dialog>
  )
}

const FIELDS = ['name', 'duration', 'description', 'color'] as const

type AppointmentTypeDraft = { values: AppointmentTypeForm; type: AppointmentType | null }

/** What somebody was writing on a type of this calendar when they had to log in again. */
export function findAppointmentTypeDraft(calendarId: string): AppointmentTypeDraft | undefined {
  return findDraft(draftKey(calendarId))
}

function draftKey(calendarId: string): string {
  return `appointment-type:${calendarId}`
}
