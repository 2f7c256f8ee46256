import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { Location, LocationBody } from '#contract/locations.ts'
import * as at from '#contract/operations/addresses.ts'
import { toSentChanges } from '#web/kit/changed-fields.ts'
import { contractResolver } from '#web/kit/contract-resolver.ts'
import { showFieldProblems, toProblem } from '#web/kit/show-problem.ts'
import { useShownRecord } from '#web/kit/use-shown-record.ts'
import { callApi } from '#web/shared/call-api.ts'
import { findDraft, forgetDraft, keepDraft } from '#web/shared/draft.ts'
import { toast } from '#web/ui/toast.tsx'
import { describeLocation, type LocationForm, locationForm, toLocationForm } from './location-form.ts'
import { ownLocationsQuery, refreshLocations } from './location-queries.ts'
import { useAddLocation } from './use-add-location.ts'

type LocationDraft = { values: LocationForm; location: Location | null }

const FIELDS = ['name', 'address'] as const

/**
 * The form of a location, and its saving. Typed text survives a failed request and the way to the login. A change in
 * another window is shown before it can be overwritten.
 */
export function useSaveLocation(calendarId: string, location: Location | null, onSaved: () => void) {
  const client = useQueryClient()
  const [draft] = useState(() => findLocationDraft(calendarId))
  const form = useForm({
    resolver: contractResolver(locationForm),
    defaultValues: draft?.values ?? toLocationForm(location),
  })
  const { shown, overtaken, overtake, takeStored } = useShownRecord({
    form,
    first: location,
    show: toLocationForm,
    describe: (record) => (record === null ? {} : describeLocation(record)),
  })
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

  const tell = async (error: unknown, values: LocationBody) => {
    const problem = toProblem(error)
    if (problem.code === 'auth.required') keepDraft(draftKey(calendarId), { values, location: shown })
    if (await overtake(problem, findFresh)) return
    if (shown !== null) toast.error(`Failed to update location: ${problem.message}`)
    if (!showFieldProblems(problem, form.setError, FIELDS))
      form.setError('root', { message: problem.message })
  }
  const findFresh = async () => {
    const own = await client.fetchQuery({ ...ownLocationsQuery(), staleTime: 0 })
    return own.find(({ id }) => id === shown?.id)
  }

  const save = form.handleSubmit(async (values) => {
    try {
      await (shown === null ? add.mutateAsync(values) : edit.mutateAsync({ body: values, location: shown }))
    } catch (error) {
      await tell(error, values)
      return
    }
    giveUp()
    form.reset(toLocationForm(null))
    onSaved()
  })
  const giveUp = () => forgetDraft(draftKey(calendarId))
  return { form, save, giveUp, overtaken, takeStored }
}

/** The unsaved text of a location of this calendar, from before a login. */
export function findLocationDraft(calendarId: string): LocationDraft | undefined {
  return findDraft(draftKey(calendarId))
}

function draftKey(calendarId: string): string {
  return `location:${calendarId}`
}
