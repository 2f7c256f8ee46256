import type { ReactNode } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import type { Location, LocationBody } from '#contract/availability/locations.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Select } from '#web/ui/select.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { LOCATION_LABELS, type LocationForm } from './location-form.ts'
import { count } from './usage-sentences.ts'

type LocationFieldsProps = {
  form: UseFormReturn<LocationForm, unknown, LocationBody>
  /** What it was before, when it is edited. */
  location: Location | null
  /** Below the name: which known locations it may mean. */
  children?: ReactNode
}

const TYPES = [
  { value: 'physical', label: 'Physical – a room people come to' },
  { value: 'online', label: 'Online – a call or a meeting link' },
] as const

/** What a location is made of. Source: rule L1. */
export function LocationFields({ form, location, children }: LocationFieldsProps) {
  const { control, register, watch } = form
  const { errors } = form.formState
  const isPhysical = watch('type') === 'physical'
  return (
    <>
      <TextField
        label={LOCATION_LABELS.name}
        required
        maxLength={LIMITS.locationName}
        placeholder="Riverside Practice"
        autoComplete="off"
        error={errors.name?.message}
        {...register('name')}
      />
      {children}
      <TextField
        label={isPhysical ? LOCATION_LABELS.address : 'Address or meeting link'}
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
            label={LOCATION_LABELS.type}
            options={TYPES}
            value={field.value ?? 'physical'}
            onChange={field.onChange}
          />
        )}
      />
      {isPhysical && (
        <Controller
          control={control}
          name="exclusive"
          render={({ field }) => (
            <Switch
              label={LOCATION_LABELS.exclusive}
              hint="While it is taken on one calendar, no other calendar offers that time there."
              checked={field.value ?? true}
              onChange={field.onChange}
            />
          )}
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
          {count(location.used_by_others, 'calendar')} of other owners will lose this location. Their
          appointments stay, but no longer reserve it. We’ll email these owners.
        </Notice>
      )}
      <Controller
        control={control}
        name="shareable"
        render={({ field }) => (
          <Switch
            label={LOCATION_LABELS.shareable}
            hint="You get a code to give to other owners. With it they can book here, too. You see who uses it, and can end it."
            checked={field.value ?? false}
            onChange={field.onChange}
          />
        )}
      />
    </>
  )
}

/**
 * What happens to the appointments that are booked there when the location becomes exclusive or ceases to be.
 * Source: rule L8.
 */
function ExclusiveNotice({ before, after }: { before: boolean; after: boolean }) {
  if (before === after) return null
  return (
    <Notice tone="info" role="status">
      {after
        ? 'Appointments that are booked there count from now on. Any that overlap already stay as they are.'
        : 'Appointments there no longer exclude each other, also those that are booked already.'}
    </Notice>
  )
}
