import { useQueryClient } from '@tanstack/react-query'
import type { Location, LocationBody } from '#contract/availability/locations.ts'
import * as at from '#contract/operations/addresses.ts'
import { toSentChanges } from '#web/kit/changed-fields.ts'
import { type RecordDraft, useRecordForm } from '#web/kit/use-record-form.ts'
import { callApi } from '#web/shared/call-api.ts'
import { findDraft } from '#web/shared/draft.ts'
import { toast } from '#web/ui/toast.tsx'
import { describeLocation, type LocationForm, locationForm, toLocationForm } from './location-form.ts'
import { ownLocationsQuery, refreshLocations } from './location-queries.ts'

/** The form of a location, and its saving. */
export function useSaveLocation(calendarId: string, location: Location | null, onSaved: () => void) {
  const client = useQueryClient()
  const isNew = location === null
  return useRecordForm<Location | null, LocationForm, LocationBody>({
    stored: location,
    draftKey: draftKey(calendarId),
    keepFor: 'login',
    schema: locationForm,
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

/** Adds a location to the calendar, or changes the one that was shown. @throws ApiProblem */
function saveLocation(calendarId: string, body: LocationBody, shown: Location | null): Promise<unknown> {
  if (shown === null) return callApi(at.addCalendarLocation, { params: { id: calendarId }, body })
  const { changes, was } = toSentChanges(body, shown)
  return callApi(at.updateLocation, { params: { location_id: shown.id }, body: { ...changes, was } })
}

/** The unsaved text of a location of this calendar, from before a login. */
export function findLocationDraft(
  calendarId: string,
): RecordDraft<Location | null, LocationForm> | undefined {
  return findDraft(draftKey(calendarId))
}

function draftKey(calendarId: string): string {
  return `location:${calendarId}`
}
