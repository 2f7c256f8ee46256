import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { CalendarLocation } from '#contract/availability/locations.ts'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { locationUsageQuery, refreshLocations } from './location-queries.ts'
import { removalSentences } from './usage-sentences.ts'
import { UsageText } from './usage-text.tsx'

type RemoveLocationDialogProps = {
  row: CalendarLocation
  /** The name of the location that is primary afterwards, or null when none is left. */
  nextPrimary: string | null
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Says what happens when a location leaves the calendar, and removes it. Source: rule L5. */
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
              removalSentences({
                use: uses.find((use) => use.calendar_id === row.calendar_id) ?? NOTHING,
                isPrimary: row.is_primary,
                nextPrimary,
              })
            }
          />
          <span className="mt-2 block">
            {row.location.user_id === null
              ? 'It still belongs to its owner.'
              : 'You will find it under “Your other locations”.'}
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
