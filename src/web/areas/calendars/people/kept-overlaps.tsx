import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { toast } from '#web/ui/toast.tsx'
import { OverlappingAppointmentsList } from './overlap-list.tsx'
import { existingOverlapsQuery } from './people-queries.ts'

const TITLE = 'Appointments at the same time'

/**
 * Lists appointments of one person that were booked at overlapping times before Meridian prevented that. The owner can hide
 * the list. Source: rule T42.
 */
export function ExistingOverlapsNotice() {
  const client = useQueryClient()
  const { data } = useQuery(existingOverlapsQuery)
  const { mutate, isPending } = useMutation({
    mutationFn: () => callApi(at.putKeptOverlapsAway),
    onSuccess: () => client.setQueryData(existingOverlapsQuery.queryKey, { total: 0, overlaps: [] }),
    onError: (error) => toast.error(toProblem(error).message),
  })
  if (data === undefined || data.total === 0) return null
  return (
    <Card
      title={TITLE}
      description="From now on, we prevent double bookings. These appointments were booked before, and stay as they are until you move or cancel them."
    >
      <OverlappingAppointmentsList label={TITLE} overlaps={data} inNewTab={false} />
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-4">
        <Button pending={isPending} pendingLabel="Hiding..." onClick={() => mutate()}>
          Hide this list
        </Button>
        <p className="text-sm text-ink-soft">It won’t be shown again.</p>
      </div>
    </Card>
  )
}
