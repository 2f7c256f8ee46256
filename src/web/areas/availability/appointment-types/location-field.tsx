import { useQuery } from '@tanstack/react-query'
import { Controller, type UseFormReturn } from 'react-hook-form'
import {
  type AppointmentType,
  type AppointmentTypeBody,
  NO_LOCATION,
} from '#contract/availability/appointment-types.ts'
import { Select } from '#web/ui/select.tsx'
import { APPOINTMENT_TYPE_LABELS, type AppointmentTypeForm } from './appointment-type-form.ts'
import { locationOptionsQuery } from './appointment-type-queries.ts'

type PlaceFieldProps = {
  form: UseFormReturn<AppointmentTypeForm, unknown, AppointmentTypeBody>
  calendarId: string
  type: AppointmentType | null
  /** Locations are loaded when the dialog opens. */
  open: boolean
}

/** Where a type takes place, unless it is online. Source: rule C14. */
export function LocationField({ form, calendarId, type, open }: PlaceFieldProps) {
  const { data, isPending, isError } = useQuery({ ...locationOptionsQuery(calendarId), enabled: open })
  // While the list is loading, at least the type's own location is there.
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
          label={APPOINTMENT_TYPE_LABELS.location_id}
          options={[
            {
              value: NO_LOCATION,
              label: isPending ? 'Loading locations...' : noneLabel(data?.primary?.name),
            },
            ...options,
          ]}
          value={field.value ?? NO_LOCATION}
          onChange={field.onChange}
          disabled={isPending}
          hint={hintOf(field.value ?? NO_LOCATION, {
            isError,
            hasPrimary: isPending || data?.primary != null,
          })}
          error={fieldState.error?.message}
        />
      )}
    />
  )
}

/** What it means to choose no location: the calendar's primary one, if there is one. */
function noneLabel(primary: string | undefined): string {
  return primary === undefined ? 'No location' : `Primary location (${primary})`
}

function hintOf(choice: string, { isError, hasPrimary }: { isError: boolean; hasPrimary: boolean }) {
  if (isError) return 'Your locations could not be loaded.'
  return hasPrimary || choice !== NO_LOCATION ? undefined : 'Add locations in the Locations tab.'
}
