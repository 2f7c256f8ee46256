import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { CalendarLocation, Location, LocationUsageEntry } from '#contract/availability/locations.ts'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { locationUsageQuery, refreshLocations } from './location-queries.ts'
import { describeLocationDeletion, describeLocationRemoval } from './usage-sentences.ts'

type RemoveLocationDialogProps = {
  row: CalendarLocation
  /** The name of the location that becomes primary; null if none is left. */
  nextPrimary: string | null
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Explains what happens when a location is removed from the calendar, and lets the owner confirm. Source: rule L5. */
export function RemoveLocationDialog({ row, nextPrimary, open, onOpenChange }: RemoveLocationDialogProps) {
  const client = useQueryClient()
  const usage = useQuery({ ...locationUsageQuery(row.location_id), enabled: open })
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      callApi(at.removeCalendarLocation, { params: { id: row.calendar_id, calendar_location_id: row.id } }),
    onSuccess: () => {
      toast.success('Location removed successfully!')
      onOpenChange(false)
    },
    onError: (error) => toast.error(`Failed to remove location: ${error.message}`),
    onSettled: () => refreshLocations(client),
  })
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Remove “${row.location.name}” from this calendar?`}
      description={
        <>
          <UsageText
            usage={usage}
            sentences={(uses) =>
              describeLocationRemoval({
                use: uses.find((use) => use.calendar_id === row.calendar_id) ?? NOTHING,
                isPrimary: row.is_primary,
                nextPrimary,
              })
            }
          />
          <span className="mt-2 block">
            {row.location.user_id === null
              ? 'It still belongs to its owner.'
              : 'You’ll find it under “Your other locations”.'}
          </span>
        </>
      }
      confirmLabel="Remove"
      pendingLabel="Removing..."
      pending={isPending}
      onConfirm={mutate}
      tone="danger"
    />
  )
}

const NOTHING = { appointment_types: 0, future_appointments: 0 }

type DeleteLocationDialogProps = {
  location: Location
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Explains what happens when a location is deleted, and lets the owner confirm. */
export function DeleteLocationDialog({ location, open, onOpenChange }: DeleteLocationDialogProps) {
  const client = useQueryClient()
  const usage = useQuery({ ...locationUsageQuery(location.id), enabled: open })
  const { mutate, isPending } = useMutation({
    mutationFn: () => callApi(at.deleteLocation, { params: { location_id: location.id } }),
    onSuccess: () => {
      toast.success('Location deleted successfully!')
      onOpenChange(false)
    },
    onError: (error) => toast.error(`Failed to delete location: ${error.message}`),
    onSettled: () => refreshLocations(client),
  })
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete “${location.name}” for good?`}
      description={
        <>
          <UsageText usage={usage} sentences={describeLocationDeletion} />
          <span className="mt-2 block">This can’t be undone.</span>
        </>
      }
      confirmLabel="Delete"
      pendingLabel="Deleting..."
      pending={isPending}
      onConfirm={mutate}
      tone="danger"
    />
  )
}

type UsageTextProps = {
  usage: Pick<UseQueryResult<LocationUsageEntry[]>, 'data' | 'isError' | 'isFetching'>
  sentences: (uses: LocationUsageEntry[]) => readonly string[]
}

/** Shows how many calendars and appointments are affected. Uses spans, because the dialog renders the text inside a paragraph. */
function UsageText({ usage, sentences }: UsageTextProps) {
  // Do not show cached numbers, because bookings may have changed.
  if (usage.data === undefined || usage.isFetching) {
    return (
      <span className="block">
        {usage.isError && !usage.isFetching
          ? 'We couldn’t count the bookings there.'
          : 'Counting bookings there...'}
      </span>
    )
  }
  return sentences(usage.data).map((sentence) => (
    <span key={sentence} className="block">
      {sentence}
    </span>
  ))
}
