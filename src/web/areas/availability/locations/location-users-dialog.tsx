import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Location, LocationUsageEntry } from '#contract/availability/locations.ts'
import * as at from '#contract/operations/addresses.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { CopyButton } from '#web/kit/copy-button.tsx'
import { callApi } from '#web/shared/call-api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { toast } from '#web/ui/toast.tsx'
import { locationUsageQuery, refreshLocations } from './location-queries.ts'
import { countWithNoun } from './usage-sentences.ts'

type LocationUsersDialogProps = {
  location: Location
  open: boolean
  onOpenChange: (open: boolean) => void
}

/**
 * Shows the sharing code of a location and the other owners' calendars that use it, and lets the owner remove them. Source: rules
 * L3 and L9.
 */
export function LocationUsersDialog({ location, open, onOpenChange }: LocationUsersDialogProps) {
  const { data, error, refetch } = useQuery({ ...locationUsageQuery(location.id), enabled: open })
  const others = data?.filter((use) => use.owner_name !== null)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Who uses “${location.name}”`}
      description="When you remove a calendar, its time there becomes free. Its appointments stay, but no longer reserve the location. We’ll email its owner."
      footer={<Button onClick={() => onOpenChange(false)}>Done</Button>}
    >
      {location.sharing_code !== null && (
        <SharingCode locationId={location.id} code={location.sharing_code} />
      )}
      {others === undefined && error === null && <LoadingState text="Loading calendars..." />}
      {others === undefined && error !== null && (
        <ErrorState title="Failed to load calendars" hint={error.message} onRetry={() => refetch()} />
      )}
      {others?.length === 0 && <p className="text-ink-soft">No other owner uses this location.</p>}
      <ul className="flex flex-col divide-y divide-line">
        {others?.map((use) => (
          <LocationUser key={use.calendar_id} locationId={location.id} use={use} />
        ))}
      </ul>
    </Dialog>
  )
}

function SharingCode({ locationId, code }: { locationId: string; code: string }) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => callApi(at.replaceSharingCode, { params: { location_id: locationId } }),
    onSuccess: () => toast.success('The old code no longer works.'),
    onError: (error) => toast.error(`Failed to update location: ${error.message}`),
    onSettled: () => refreshLocations(client),
  })
  return (
    <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1 border-b border-line pb-3">
      <p className="w-full sm:w-auto sm:min-w-0 sm:flex-1">
        Sharing code: <strong className="font-mono whitespace-nowrap">{code}</strong>
        <span className="block text-sm text-ink-soft">
          Owners who enter it can book here. It changes when you remove a calendar.
        </span>
      </p>
      <CopyButton text={code} label="Copy sharing code" done="Copied to clipboard!" />
      <Button size="sm" pending={isPending} pendingLabel="Changing..." onClick={() => mutate()}>
        New code
      </Button>
    </div>
  )
}

function LocationUser({ locationId, use }: { locationId: string; use: LocationUsageEntry }) {
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
      <div className="min-w-0 grow basis-40">
        <p className="font-semibold break-words">{use.calendar_name}</p>
        <p className="text-sm break-words text-ink-soft">
          {wrapInBidiIsolates(use.owner_name ?? '')} ·{' '}
          {countWithNoun(use.future_appointments, 'future appointment')}
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
