import type { ReactNode } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import type { Location, LocationBody } from '#contract/availability/locations.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { FormNotices } from '#web/kit/form-notices.tsx'
import { FormSwitch } from '#web/kit/form-switch.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Select } from '#web/ui/select.tsx'
import { countWithNoun } from './usage-sentences.ts'
import {
  LOCATION_FIELD_LABELS,
  type LocationForm,
  useAddLocation,
  useLocationForm,
} from './use-location-changes.ts'

type LocationDialogProps = {
  calendarId: string
  /**
   * The location to edit, or null to add one. Give the dialog a `key`, so that it starts with the values of the next location.
   */
  location: Location | null
  /** The owner's locations that this calendar does not use. */
  others: readonly Location[]
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Lets the owner add a location to the calendar, or edit one. Source: rule L1. */
export function LocationDialog({ calendarId, location, others, open, onOpenChange }: LocationDialogProps) {
  const known = useAddLocation(calendarId)
  const record = useLocationForm(calendarId, location, () => onOpenChange(false))
  const { form, save, giveUp } = record
  const { isSubmitting } = form.formState
  const close = (next: boolean) => {
    giveUp()
    onOpenChange(next)
  }
  const isNew = location === null
  return (
    <FormDialog
      open={open}
      onOpenChange={close}
      title={isNew ? 'Add location' : 'Edit location'}
      description={isNew ? undefined : 'Appointments keep the name and address they were booked with.'}
      pending={isSubmitting}
      pendingLabel={isNew ? 'Adding...' : 'Saving...'}
      submitLabel={isNew ? 'Add location' : 'Save'}
      onSubmit={save}
    >
      <FormNotices record={record} labels={LOCATION_FIELD_LABELS} />
      <LocationFields form={form} location={location}>
        {isNew && (
          <KnownLocations
            locations={others}
            typed={form.watch('name')}
            pending={known.isPending}
            onChoose={({ id }) => known.mutate({ location_id: id }, { onSuccess: () => close(false) })}
          />
        )}
      </LocationFields>
    </FormDialog>
  )
}

type LocationFieldsProps = {
  form: UseFormReturn<LocationForm, unknown, LocationBody>
  /** The stored location, or null for a new one. */
  location: Location | null
  /** Known locations that match the name, shown below it. */
  children?: ReactNode
}

const TYPES = [
  { value: 'physical', label: 'Physical – customers come to you' },
  { value: 'online', label: 'Online – a call or meeting link' },
] as const

/** The fields of a location. Source: rule L1. */
function LocationFields({ form, location, children }: LocationFieldsProps) {
  const { control, register, watch } = form
  const { errors } = form.formState
  const isPhysical = watch('type') === 'physical'
  return (
    <>
      <TextField
        label={LOCATION_FIELD_LABELS.name}
        required
        maxLength={LIMITS.locationName}
        placeholder="Riverside Practice"
        autoComplete="off"
        error={errors.name?.message}
        {...register('name')}
      />
      {children}
      <TextField
        label={isPhysical ? LOCATION_FIELD_LABELS.address : 'Address or meeting link'}
        maxLength={LIMITS.locationAddress}
        placeholder={isPhysical ? '14 Wharf Lane, London' : 'https://'}
        hint="Customers see it when they book, and in their emails."
        autoComplete="off"
        error={errors.address?.message}
        {...register('address')}
      />
      <Controller
        control={control}
        name="type"
        render={({ field }) => (
          <Select
            label={LOCATION_FIELD_LABELS.type}
            options={TYPES}
            value={field.value ?? 'physical'}
            onChange={field.onChange}
          />
        )}
      />
      {isPhysical && (
        <FormSwitch
          control={control}
          name="exclusive"
          label={LOCATION_FIELD_LABELS.exclusive}
          hint="While one calendar has it booked, no other calendar offers that time there."
        />
      )}
      {location !== null && (
        <ExclusiveNotice
          before={location.type === 'physical' && location.exclusive}
          after={isPhysical && watch('exclusive') !== false}
        />
      )}
      {location?.shareable === true && watch('shareable') === false && location.used_by_others > 0 && (
        <Notice tone="warning" role="status">
          {countWithNoun(location.used_by_others, 'calendar')} of other owners will lose this location. Their
          appointments stay, but no longer reserve it. We’ll email these owners.
        </Notice>
      )}
      <FormSwitch
        control={control}
        name="shareable"
        label={LOCATION_FIELD_LABELS.shareable}
        hint="You get a code to give to other owners, so that they can book here, too. You can see who uses it, and stop sharing."
      />
    </>
  )
}

/** Explains what a change of `exclusive` means for booked appointments. Source: rule L8. */
function ExclusiveNotice({ before, after }: { before: boolean; after: boolean }) {
  if (before === after) return null
  return (
    <Notice tone="info" role="status">
      {after
        ? 'This applies to all booked appointments from now on. Existing overlaps stay as they are.'
        : 'Appointments there can overlap, including those already booked.'}
    </Notice>
  )
}

type KnownLocationsProps = {
  /** The owner's locations that this calendar does not use. */
  locations: readonly Location[]
  /** The name typed so far. */
  typed: string
  pending: boolean
  onChoose: (location: Location) => void
}

const SHOWN_AT_MOST = 3

/** Suggests the owner's locations that match the typed name. */
function KnownLocations({ locations, typed, pending, onChoose }: KnownLocationsProps) {
  const words = typed.trim().toLowerCase()
  const known = locations.filter(
    (location) => words.length > 1 && location.name.toLowerCase().includes(words),
  )
  if (known.length === 0) return null
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-ink-soft">You already have this location. Use it as it is:</p>
      <ul className="flex flex-col gap-2">
        {known.slice(0, SHOWN_AT_MOST).map((location) => (
          <li key={location.id}>
            <Button
              className="w-full justify-start! text-start"
              pending={pending}
              onClick={() => onChoose(location)}
            >
              <span className="min-w-0 break-words">
                {[location.name, location.address].filter(Boolean).join(', ')}
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
