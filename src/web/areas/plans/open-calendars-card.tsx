import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as at from '#contract/operations/addresses.ts'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { LinePlaceholder, RepeatedPlaceholder } from '#web/kit/loading-shape.tsx'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { toast } from '#web/ui/toast.tsx'
import { canChooseOpenCalendars, listOpenCalendarIds } from './open-calendars.ts'
import { PausedCalendarsPreview } from './plan-effect.tsx'
import {
  invalidatePlanDetails,
  planChangePreviewQuery,
  type SelectableTier,
  subscriptionQuery,
} from './subscription-query.ts'

type OpenCalendarsCardProps = {
  /** The tier of the owner's current plan. */
  tier: SelectableTier
  /** The name of the owner's current plan. */
  plan: string
}

/** Lets the owner choose which calendars stay open while the plan pauses the others. Source: rule S13. */
export function OpenCalendarsCard({ tier, plan }: OpenCalendarsCardProps) {
  const client = useQueryClient()
  const query = useQuery(planChangePreviewQuery(tier))
  const { data: effect } = query
  const [picked, setPicked] = useState<readonly string[] | null>(null)
  const save = useMutation({
    mutationFn: (chosen: readonly string[]) =>
      callApi(at.chooseOpenCalendars, { body: { calendar_ids: [...chosen] } }),
    onSuccess: () => {
      setPicked(null)
      toast.success('Your choice has been saved. The other calendars are paused.')
    },
    onError: (problem) => toast.error(toProblem(problem).message),
    // Refetch after a refusal too, because the plan may have changed in the meantime.
    onSettled: async () => {
      invalidatePlanDetails(client)
      await client.invalidateQueries({ queryKey: subscriptionQuery.queryKey })
    },
  })
  const chosen = picked ?? (effect === undefined ? [] : listOpenCalendarIds(effect))
  return (
    <Card title="Calendars that stay open">
      {effect !== undefined && (
        <div className="flex flex-col gap-5">
          <PausedCalendarsPreview effect={effect} plan={plan} chosen={chosen} onChoose={setPicked} />
          {canChooseOpenCalendars(effect) && (
            <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-5">
              <p className="text-ink-soft">Once saved, you can’t change this for 30 days.</p>
              <Button
                pending={save.isPending}
                pendingLabel="Saving..."
                disabled={picked === null || picked.length === 0}
                onClick={() => save.mutate(chosen)}
              >
                Save choice
              </Button>
            </div>
          )}
        </div>
      )}
      <LoadStatus query={query} loading="Loading your calendars..." failed="Failed to load your calendars">
        <RepeatedPlaceholder count={4}>
          <div className="py-1.5">
            <LinePlaceholder className="w-64" />
          </div>
        </RepeatedPlaceholder>
      </LoadStatus>
    </Card>
  )
}
