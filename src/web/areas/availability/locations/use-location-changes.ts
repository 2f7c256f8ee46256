import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { type Location, type LocationBody, locationBody } from '#contract/availability/locations.ts'
import * as at from '#contract/operations/addresses.ts'
import { toPartialUpdate } from '#web/kit/changed-fields.ts'
import { type RecordDraft, useRecordForm } from '#web/kit/use-record-form.ts'
import { callApi } from '#web/shared/call-api.ts'
import { findDraft } from '#web/shared/draft.ts'
import { toast } from '#web/ui/toast.tsx'
import { ownLocationsQuery, refreshLocations } from './location-queries.ts'

/** Manages the form of a location. */
export function useLocationForm(calendarId: string, location: Location | null, onSaved: () => void) {
  const client = useQueryClient()
  const isNew = location === null
  return useRecordForm<Location | null, LocationForm, LocationBody>({
    stored: location,
    draftKey: draftKey(calendarId),
    keepFor: 'login',
    schema: locationBody,
    mode: 'onSubmit',
    show: toLocationForm,
    describe: describeLocation,
    fields: ['name', 'address'],
    send: async (body, shown) => {
      await saveLocation(calendarId, body, shown).finally(() => refreshLocations(client))
      return null
    },
    readAgain: async (shown) => {
      const own = await client.fetchQuery({ ...ownLocationsQuery(), staleTime: 0 })
      return own.find(({ id }) => id === shown?.id)
    },
    onSaved: () => {
      toast.success(isNew ? 'Location added successfully!' : 'Location updated successfully!')
      onSaved()
    },
    failed: (sentence) => `Failed to ${isNew ? 'add' : 'update'} location: ${sentence}`,
  })
}

/** Adds a location to the calendar, or updates the location that the form showed. @throws ApiProblem */
function saveLocation(calendarId: string, body: LocationBody, shown: Location | null): Promise<unknown> {
  if (shown === null) return callApi(at.addCalendarLocation, { params: { id: calendarId }, body })
  const { changes, was } = toPartialUpdate(body, shown)
  return callApi(at.updateLocation, { params: { location_id: shown.id }, body: { ...changes, was } })
}

/** Finds the unsaved edits of a location in this calendar that were made before the owner had to log in again. */
export function findLocationDraft(
  calendarId: string,
): RecordDraft<Location | null, LocationForm> | undefined {
  return findDraft(draftKey(calendarId))
}

function draftKey(calendarId: string): string {
  return `location:${calendarId}`
}

/**
 * Adds a location to the calendar: the owner's own by id, or another owner's by sharing code. Source: rules L2 and L3.
 */
export function useAddLocation(calendarId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { location_id: string } | { sharing_code: string }) =>
      callApi(at.addCalendarLocation, { params: { id: calendarId }, body }),
    onSuccess: () => toast.success('Location added successfully!'),
    onError: (error) => toast.error(`Failed to add location: ${error.message}`),
    onSettled: () => refreshLocations(client),
  })
}

/** The values of the form. Source: rule L1. */
export type LocationForm = z.input<typeof locationBody>

/** Returns the initial values: those of the location, or the defaults of a new one. */
function toLocationForm(location: Location | null): Required<LocationForm> {
  return {
    name: location?.name ?? '',
    address: location?.address ?? '',
    type: location?.type ?? 'physical',
    shareable: location?.shareable ?? false,
    exclusive: location?.exclusive ?? true,
  }
}

export const LOCATION_FIELD_LABELS = {
  name: 'Name',
  address: 'Address',
  type: 'Type',
  shareable: 'Shareable',
  exclusive: 'Only one appointment at a time',
} as const

/** Converts the values that are not text in the form to readable text. */
function describeLocation({ type }: Location) {
  return { type: type === 'online' ? 'Online' : 'Physical' }
}
