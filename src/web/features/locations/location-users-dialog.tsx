import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Location, LocationUse } from '#contract/locations.ts'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { toast } from '#web/ui/toast.tsx'
import { locationUsageQuery, refreshLocations } from './location-queries.ts'
import { count } from './usage-sentences.ts'

type LocationUsersDialogProps = {
  location: Location
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Which calendars of other owners use a shared location, and how to end that. Source: rule L9. */
export function LocationUsersDialog({ location, open, onOpenChange }: LocationUsersDialogProps) {
  const { data, error, refetch } = useQuery({ ...locationUsageQuery(location.id), enabled: open })
  const others = data?.filter((use) => use.owner_name !== null && use.in_use)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Who uses “${location.name}”`}
      description="A calendar that you remove keeps its appointments there as they were booked."
      footer={<Button onClick={() => onOpenChange(false)}>Done</Button>}
    >
      {others === undefined && error === null && <LoadingState text="Loading calendars..." />}
      {others === undefined && error !== null && (
        <ErrorState title="Failed to load calendars" hint={error.message} onRetry={() => refetch()} />
      )}
      {others?.length === 0 && (
        <p className="text-ink-soft">No calendar of another owner uses it any more.</p>
      )}
      <ul className="flex flex-col divide-y divide-line">
        {others?.map((use) => (
          <LocationUser key={use.calendar_id} locationId={location.id} use={use} />
        ))}
      </ul>
    </Dialog>
  )
}

function LocationUser({ locationId, use }: { locationId: string; use: LocationUse }) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      callApi(at.removeCalendarFromLocation, {
        params: { location_id: locationId, calendar_id: use.calendar_id },
      }),
    onSuccess: () => toast.success('Location removed successfully!'),
    onError: (error) => toast.error(`Failed to remove location: ${error.message}`),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: locationUsageQuery(locationId).queryKey })
      await refreshLocations(client)
    },
  })
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <div className="min-w-0 flex-1">
        <p className="font-semibold break-words">{use.calendar_name}</p>
        <p className="text-sm break-words text-ink-soft">
          {use.owner_name} · {count(use.future_appointments, 'future appointment')}
        </p>
      </div>
      <Button
        size="sm"
        pending={isPending}
        pendingLabel="Removing..."
        aria-label={`Remove ${use.calendar_name}`}
        onClick={() => mutate()}
      >
        Remove
      </Button>
    </li>
  )
}
