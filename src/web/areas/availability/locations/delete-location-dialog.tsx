import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Location } from '#contract/availability/locations.ts'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { locationUsageQuery, refreshLocations } from './location-queries.ts'
import { deletionSentences } from './usage-sentences.ts'
import { UsageText } from './usage-text.tsx'

type DeleteLocationDialogProps = {
  location: Location
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Says what happens when a location is deleted for good, and deletes it. */
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
          <UsageText usage={usage} sentences={deletionSentences} />
          <span className="mt-2 block">This cannot be undone.</span>
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
