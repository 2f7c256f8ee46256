import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Location, LocationBody } from '#contract/locations.ts'
import * as at from '#contract/operations/addresses.ts'
import { toSentChanges } from '#web/kit/changed-fields.ts'
import { type DialogDraft, useDialogForm } from '#web/kit/use-dialog-form.ts'
import { callApi } from '#web/shared/call-api.ts'
import { findDraft } from '#web/shared/draft.ts'
import { toast } from '#web/ui/toast.tsx'
import { describeLocation, type LocationForm, locationForm, toLocationForm } from './location-form.ts'
import { ownLocationsQuery, refreshLocations } from './location-queries.ts'
import { useAddLocation } from './use-add-location.ts'

const FIELDS = ['name', 'address'] as const

/** The form of a location, and its saving. */
export function useSaveLocation(calendarId: string, location: Location | null, onSaved: () => void) {
  const client = useQueryClient()
  const add = useAddLocation(calendarId)
  const edit = useMutation({
    mutationFn: ({ body, location }: { body: LocationBody; location: Location }) => {
      const { changes, was } = toSentChanges(body, location)
      return callApi(at.updateLocation, {
        params: { location_id: location.id },
        body: { ...changes, was },
      })
    },
    onSuccess: () => toast.success('Location updated successfully!'),
    onSettled: () => refreshLocations(client),
  })
  return useDialogForm<Location, LocationForm, LocationBody>({
    record: location,
    draftKey: draftKey(calendarId),
    schema: locationForm,
    show: toLocationForm,
    describe: describeLocation,
    fields: FIELDS,
    send: (body, shown) =>
      shown === null ? add.mutateAsync(body) : edit.mutateAsync({ body, location: shown }),
    readAgain: async (shown) => {
      const own = await client.fetchQuery({ ...ownLocationsQuery(), staleTime: 0 })
      return own.find(({ id }) => id === shown?.id)
    },
    failed: (sentence, shown) => (shown === null ? null : `Failed to update location: ${sentence}`),
    onSaved,
  })
}

/** The unsaved text of a location of this calendar, from before a login. */
export function findLocationDraft(calendarId: string): DialogDraft<Location, LocationForm> | undefined {
  return findDraft(draftKey(calendarId))
}

function draftKey(calendarId: string): string {
  return `location:${calendarId}`
}
