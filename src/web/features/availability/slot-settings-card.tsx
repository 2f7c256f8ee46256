import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { type AvailabilityResponse, type SlotSettings, slotSettingsForm } from '#contract/availability.ts'
import { LIMITS, SLOT_LENGTHS } from '#contract/limits.ts'
import { contractResolver } from '#web/app/kit/contract-resolver.ts'
import { findDraft, forgetDraft, keepDraft } from '#web/app/kit/draft.ts'
import { showFieldProblems, toProblem } from '#web/app/kit/show-problem.ts'
import { sendJson } from '#web/shared/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast.tsx'
import { availabilityQuery, refreshAvailability, slotSettingsPath } from './availability-queries.ts'
import { IncompatibleTypes } from './incompatible-types.tsx'
import { formatMinutes } from './minutes.ts'

type SlotSettingsCardProps = { calendarId: string; week: AvailabilityResponse }

const FIELDS = ['slot_duration_minutes', 'buffer_time_minutes', 'max_appointment_duration_minutes'] as const

/** How often times are offered, how far apart and how long. Source: spec §5 "Time-slot settings". */
export function SlotSettingsCard({ calendarId, week }: SlotSettingsCardProps) {
  const client = useQueryClient()
  const stored = toSettings(week)
  const [draft] = useState(() => findDraft<SlotSettingsDraft>(draftKey(calendarId)))
  /** What the form was filled with: what somebody who saves believes to change. */
  const [was, setWas] = useState(draft?.was ?? stored)
  const form = useForm({
    resolver: contractResolver(slotSettingsForm),
    defaultValues: draft?.values ?? stored,
  })
  const { register, control, handleSubmit, setError, setValue, clearErrors, reset, formState } = form
  const { mutateAsync } = useMutation({
    mutationFn: (body: SlotSettings & { was: SlotSettings }) =>
      sendJson<SlotSettings>('PATCH', slotSettingsPath(calendarId), body),
  })
  // The form is complete from the start, so every field has a value.
  const values = useWatch({ control }) as SlotSettings
  const { errors, isSubmitting } = formState
  const isChanged = FIELDS.some((field) => values[field] !== was[field])

  const { slot_duration_minutes, buffer_time_minutes, max_appointment_duration_minutes } = week
  useEffect(() => {
    // Another window may have saved. While something is being changed here, that is left alone.
    if (isChanged) return
    const now = { slot_duration_minutes, buffer_time_minutes, max_appointment_duration_minutes }
    setWas(now)
    reset(now)
  }, [isChanged, slot_duration_minutes, buffer_time_minutes, max_appointment_duration_minutes, reset])

  const save = handleSubmit(async (settings) => {
    try {
      const saved = await mutateAsync({ ...settings, was })
      forgetDraft(draftKey(calendarId))
      toast.success(`Time slot settings updated: ${saved.buffer_time_minutes}min buffer time`)
      client.setQueryData(availabilityQuery(calendarId).queryKey, (old) => old && { ...old, ...saved })
      await refreshAvailability(client, calendarId)
      setWas(saved)
      reset(saved)
    } catch (error) {
      const problem = toProblem(error)
      if (problem.code === 'auth.required') keepDraft(draftKey(calendarId), { values: settings, was })
      toast.error('Failed to update settings. Please try again.')
      if (problem.code === 'request.changed_meanwhile') {
        const fresh = await client
          .fetchQuery({ ...availabilityQuery(calendarId), staleTime: 0 })
          .catch(() => null)
        if (fresh !== null) setWas(toSettings(fresh))
        setError('root', { message: problem.message })
      } else if (!showFieldProblems(problem, setError, FIELDS)) {
        setError('root', { message: problem.message })
      }
    }
  })

  return (
    <Card
      title="Time slot settings"
      description="How often times are offered, and how much room appointments get."
    >
      <form noValidate onSubmit={save} aria-label="Time slot settings" className="flex flex-col gap-5">
        {errors.root?.message !== undefined && (
          <Notice tone="danger" role="alert">
            {errors.root.message}
          </Notice>
        )}
        <div className="grid items-start gap-5 md:grid-cols-3">
          <Controller
            control={control}
            name="slot_duration_minutes"
            render={({ field, fieldState }) => (
              <Select
                label="Slot length"
                hint={`A time is offered every ${values.slot_duration_minutes === 60 ? 'hour' : formatMinutes(values.slot_duration_minutes)}.`}
                options={SLOT_LENGTHS.map((minutes) => ({
                  value: `${minutes}`,
                  label: `${minutes} minutes`,
                }))}
                value={`${field.value}`}
                onChange={(text) => {
                  const slot = SLOT_LENGTHS.find((minutes) => `${minutes}` === text) ?? field.value
                  field.onChange(slot)
                  // The longest appointment follows, in sight, instead of being refused.
                  if (values.max_appointment_duration_minutes < slot) {
                    setValue('max_appointment_duration_minutes', slot)
                    clearErrors('max_appointment_duration_minutes')
                  }
                }}
                error={fieldState.error?.message}
              />
            )}
          />
          <Controller
            control={control}
            name="buffer_time_minutes"
            render={({ field, fieldState }) => (
              <Select
                label="Buffer time"
                hint={
                  values.buffer_time_minutes === was.buffer_time_minutes
                    ? 'Stays free before and after every appointment.'
                    : 'For new appointments. Those that are booked keep their times.'
                }
                options={BUFFERS}
                value={`${field.value}`}
                onChange={(minutes) => field.onChange(Number(minutes))}
                error={fieldState.error?.message}
              />
            )}
          />
          <TextField
            label="Longest appointment"
            type="number"
            inputMode="numeric"
            min={values.slot_duration_minutes}
            max={LIMITS.longestAppointmentMinutes}
            step={5}
            hint={`${values.slot_duration_minutes} to ${LIMITS.longestAppointmentMinutes} minutes${asHours(values.max_appointment_duration_minutes)}.`}
            error={errors.max_appointment_duration_minutes?.message}
            {...register('max_appointment_duration_minutes', { valueAsNumber: true })}
          />
        </div>
        <IncompatibleTypes types={week.appointment_types} settings={values} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button type="submit" disabled={!isChanged} pending={isSubmitting} pendingLabel="Saving...">
            Save settings
          </Button>
          {isChanged && !isSubmitting && (
            <>
              <Button
                variant="ghost"
                onClick={() => {
                  forgetDraft(draftKey(calendarId))
                  reset(was)
                }}
              >
                Discard
              </Button>
              <p role="status" className="text-sm text-ink-soft">
                Not saved yet
              </p>
            </>
          )}
        </div>
      </form>
    </Card>
  )
}

const BUFFERS = Array.from({ length: LIMITS.bufferMinutes / LIMITS.bufferStepMinutes + 1 }, (_, i) => {
  const minutes = i * LIMITS.bufferStepMinutes
  return { value: `${minutes}`, label: minutes === 0 ? 'No buffer' : `${minutes} minutes` }
})

type SlotSettingsDraft = { values: SlotSettings; was: SlotSettings }

function draftKey(calendarId: string): string {
  return `slot-settings:${calendarId}`
}

function toSettings(week: AvailabilityResponse): SlotSettings {
  const { slot_duration_minutes, buffer_time_minutes, max_appointment_duration_minutes } = week
  return { slot_duration_minutes, buffer_time_minutes, max_appointment_duration_minutes }
}

/** What minutes come to in hours, once there is an hour of them. */
function asHours(minutes: number): string {
  return minutes >= 60 && minutes <= LIMITS.longestAppointmentMinutes ? `; now ${formatMinutes(minutes)}` : ''
}
