import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Controller } from 'react-hook-form'
import type { AvailabilityResponse } from '#contract/availability/opening-hours.ts'
import * as at from '#contract/operations/addresses.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import {
  type SlotSettings,
  type SlotSettingsWithLimits,
  slotSettingsFormSchema,
  slotSettingsWithLimits,
} from '#contract/slots/slot-settings.ts'
import { describeLimits } from '#core/slots/describe-limit.ts'
import { nameWindow } from '#core/slots/describe-window.ts'
import { SLOT_INTERVALS_MINUTES } from '#core/slots/slot-rules.ts'
import { LIMITS_LABEL, LimitsEditor } from '#web/areas/availability/booking-limits/limits-editor.tsx'
import { WINDOW_LABEL, WindowFields } from '#web/areas/availability/booking-window/window-fields.tsx'
import { availabilityQuery } from '#web/kit/availability-query.ts'
import { toPartialUpdate } from '#web/kit/changed-fields.ts'
import { FormNotices } from '#web/kit/form-notices.tsx'
import { refreshAvailability } from '#web/kit/refresh-availability.ts'
import { SaveButton } from '#web/kit/save-button.tsx'
import { listTypesNotFittingSlots } from '#web/kit/unsuitable-types.ts'
import { useRecordForm } from '#web/kit/use-record-form.ts'
import { callApi } from '#web/shared/call-api.ts'
import { todayIn } from '#web/shared/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast.tsx'

type SlotSettingsCardProps = {
  calendarId: string
  /** The calendar's time zone, which decides about today. */
  timeZone: string
  week: AvailabilityResponse
}

/** The head of the card, which is also shown while its content loads. */
export const SLOT_SETTINGS_HEADING = {
  title: 'Time slot settings',
  description: 'Which start times you offer, and how much time to leave around appointments.',
} as const

const LABELS = {
  slot_duration_minutes: 'Slot length',
  buffer_time_minutes: 'Buffer time',
  max_appointment_duration_minutes: 'Longest appointment',
  minimum_notice_minutes: 'Minimum notice',
  booking_window: WINDOW_LABEL,
  booking_limits: LIMITS_LABEL,
} as const

/**
 * The error codes after which the record is refetched. For `max_below_slot`, another window may have changed the value that was
 * not sent.
 */
const STALE = ['request.changed_meanwhile', 'availability.max_below_slot'] as const

/** Lets the owner edit the slot length, buffer, longest appointment, minimum notice, booking window and limits. Source: rule T17. */
export function SlotSettingsCard({ calendarId, timeZone, week }: SlotSettingsCardProps) {
  const client = useQueryClient()
  const today = todayIn(timeZone)
  const stored = useMemo(() => toSettings(week), [week])
  const record = useRecordForm<SlotSettingsWithLimits, SlotSettingsWithLimits>({
    stored,
    draftKey: `slot-settings:${calendarId}`,
    schema: slotSettingsFormSchema,
    show: (settings) => settings,
    describe: inWords,
    staleCodes: STALE,
    send: async (settings, shown) => {
      const { changes, was } = toPartialUpdate(settings, shown)
      const body = { ...changes, was }
      const saved = await callApi(at.updateSlotSettings, { params: { id: calendarId }, body })
      client.setQueryData(availabilityQuery(calendarId).queryKey, (old) => old && { ...old, ...saved })
      await refreshAvailability(client, calendarId)
      return saved
    },
    readAgain: async () =>
      toSettings(await client.fetchQuery({ ...availabilityQuery(calendarId), staleTime: 0 })),
    onSaved: ({ buffer_time_minutes }) =>
      toast.success(`Time slot settings updated: ${buffer_time_minutes}min buffer time`),
    failed: () => 'Failed to update settings. Please try again.',
  })
  const { form, values, shown, save, isEdited, discard, discardRestored } = record
  const { register, control, setValue, clearErrors, formState } = form
  const { errors, isSubmitting } = formState

  return (
    <Card {...SLOT_SETTINGS_HEADING}>
      <form noValidate onSubmit={save} aria-label="Time slot settings" className="flex flex-col gap-5">
        <FormNotices record={record} labels={LABELS} />
        <div className="grid items-start gap-5 sm:grid-cols-2 @4xl:grid-cols-3">
          <Controller
            control={control}
            name="slot_duration_minutes"
            render={({ field, fieldState }) => (
              <Select
                label={LABELS.slot_duration_minutes}
                hint={`We offer a time every ${values.slot_duration_minutes === 60 ? 'hour' : formatDuration(values.slot_duration_minutes)}.`}
                options={SLOT_INTERVALS_MINUTES.map((minutes) => ({
                  value: `${minutes}`,
                  label: `${minutes} minutes`,
                }))}
                value={`${field.value}`}
                onChange={(text) => {
                  const slot = SLOT_INTERVALS_MINUTES.find((minutes) => `${minutes}` === text) ?? field.value
                  field.onChange(slot)
                  // If the longest appointment is shorter than the new slot length, raise it instead of showing an error. Source:
                  // rule T18.
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
                label={LABELS.buffer_time_minutes}
                hint={
                  values.buffer_time_minutes === shown.buffer_time_minutes
                    ? 'Kept free before and after every appointment.'
                    : 'For new appointments. Existing ones don’t change.'
                }
                options={BUFFERS}
                value={`${field.value}`}
                onChange={(minutes) => field.onChange(Number(minutes))}
                error={fieldState.error?.message}
              />
            )}
          />
          <TextField
            label={LABELS.max_appointment_duration_minutes}
            type="number"
            inputMode="numeric"
            min={values.slot_duration_minutes}
            max={LIMITS.longestAppointmentMinutes}
            step={5}
            hint={`${values.slot_duration_minutes} to ${LIMITS.longestAppointmentMinutes} minutes${asHours(values.max_appointment_duration_minutes)}.`}
            error={errors.max_appointment_duration_minutes?.message}
            {...register('max_appointment_duration_minutes', { valueAsNumber: true })}
          />
          <Controller
            control={control}
            name="minimum_notice_minutes"
            render={({ field, fieldState }) => (
              <Select
                label={LABELS.minimum_notice_minutes}
                hint={
                  field.value === 0
                    ? 'Customers can book right up to the start time.'
                    : `Customers book at least ${inNoticeWords(field.value)} ahead.`
                }
                options={noticeOptions(shown.minimum_notice_minutes)}
                value={`${field.value}`}
                onChange={(minutes) => field.onChange(Number(minutes))}
                error={fieldState.error?.message}
              />
            )}
          />
          <Controller
            control={control}
            name="booking_window"
            render={({ field }) => (
              <WindowFields value={field.value} onChange={field.onChange} today={today} />
            )}
          />
        </div>
        <Controller
          control={control}
          name="booking_limits"
          render={({ field }) => (
            <div className="flex flex-col gap-1.5">
              <h3 className="font-sans text-base font-semibold tracking-normal">{LABELS.booking_limits}</h3>
              <LimitsEditor
                label={LABELS.booking_limits}
                hint="Customers can’t book more than this. You still can."
                value={field.value}
                onChange={field.onChange}
              />
            </div>
          )}
        />
        <IncompatibleTypes types={week.appointment_types} settings={values} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <SaveButton variant="secondary" isEdited={isEdited} pending={isSubmitting}>
            Save settings
          </SaveButton>
          {isEdited && !isSubmitting && discardRestored === undefined && (
            <>
              <Button variant="ghost" onClick={discard}>
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
  return { value: `${minutes}`, label: inBufferWords(minutes) }
})

/** Returns the slot settings, which are part of the availability response. */
function toSettings(week: AvailabilityResponse): SlotSettingsWithLimits {
  return slotSettingsWithLimits.parse(week)
}

/** Formats the settings as texts. */
function inWords(settings: SlotSettingsWithLimits) {
  return {
    slot_duration_minutes: `${settings.slot_duration_minutes} minutes`,
    buffer_time_minutes: inBufferWords(settings.buffer_time_minutes),
    max_appointment_duration_minutes: `${settings.max_appointment_duration_minutes} minutes`,
    minimum_notice_minutes: inNoticeWords(settings.minimum_notice_minutes),
    booking_window: nameWindow(settings.booking_window),
    booking_limits: describeLimits(settings.booking_limits),
  }
}

function inBufferWords(minutes: number): string {
  return minutes === 0 ? 'No buffer' : `${minutes} minutes`
}

/** The notice periods to choose from, in minutes, up to 30 days. */
const NOTICES = [0, 15, 30, 60, 120, 240, 480, 720, 1_440, 2_880, 4_320, 10_080, 20_160, 43_200]

/** Lists the usual notice periods, plus the stored period if it is not among them, because API clients may set any period. */
function noticeOptions(stored: number) {
  return [...new Set([...NOTICES, stored])]
    .sort((a, b) => a - b)
    .map((minutes) => ({ value: `${minutes}`, label: inNoticeWords(minutes) }))
}

/** Formats a notice period: `No notice`, `2 hours`, `1 day`, `30 days`. */
function inNoticeWords(minutes: number): string {
  if (minutes === 0) return 'No notice'
  const days = minutes / DAY_MINUTES
  if (!Number.isInteger(days)) return formatDuration(minutes)
  return days === 1 ? '1 day' : `${days} days`
}

const DAY_MINUTES = 1_440

/** Returns `; now 1 h 30 min` for a duration of an hour or more, otherwise an empty string. */
function asHours(minutes: number): string {
  return minutes >= 60 && minutes <= LIMITS.longestAppointmentMinutes
    ? `; now ${formatDuration(minutes)}`
    : ''
}

type TypeLength = AvailabilityResponse['appointment_types'][number]
type IncompatibleTypesProps = { types: readonly TypeLength[]; settings: SlotSettings }

/**
 * Lists the appointment types that are incompatible with the edited settings: a warning about types that offer no times, and
 * information about types after which some time stays free. Source: rule T16.
 */
function IncompatibleTypes({ types, settings }: IncompatibleTypesProps) {
  const found = listTypesNotFittingSlots(types, settings)
  const tooLong = found.filter(({ reason }) => reason === 'too_long')
  const offGrid = found.filter(({ reason }) => reason === 'off_grid')
  return (
    // Always rendered, so that screen readers announce a list that appears after a change.
    <div role="status" className="flex flex-col gap-3 empty:-mt-5">
      {tooLong.length > 0 && (
        <Notice
          tone="warning"
          title={
            tooLong.length === 1
              ? '1 appointment type doesn’t fit these settings'
              : `${tooLong.length} appointment types don’t fit these settings`
          }
        >
          <TypeList found={tooLong} />
        </Notice>
      )}
      {offGrid.length > 0 && (
        <Notice title="Free time after appointments">
          <TypeList found={offGrid} />
        </Notice>
      )}
    </div>
  )
}

function TypeList({ found }: { found: readonly { type: TypeLength; meaning: string }[] }) {
  return (
    <ul className="mt-1 flex flex-col gap-1">
      {found.map(({ type, meaning }) => (
        <li key={type.id} className="break-words">
          <strong className="font-semibold">{type.name}</strong> ({type.duration} min) {meaning}
        </li>
      ))}
    </ul>
  )
}

/** Formats a duration: `45 minutes`, `1 hour`, `2 h 30 min`. */
export function formatDuration(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours === 0) return `${rest} minutes`
  if (rest === 0) return hours === 1 ? '1 hour' : `${hours} hours`
  return `${hours} h ${rest} min`
}
