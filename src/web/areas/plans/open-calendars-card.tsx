import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as at from '#contract/operations/addresses.ts'
import { LineShape, LoadingShape, Repeated } from '#web/kit/loading-shape.tsx'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { toast } from '#web/ui/toast.tsx'
import { canChoose, listOpenIds } from './open-calendars.ts'
import { CalendarsEffect } from './plan-effect.tsx'
import { forgetPlanDetails, type NextTier, planEffectQuery, subscriptionQuery } from './subscription-query.ts'

type OpenCalendarsCardProps = {
  /** The present plan. */
  tier: NextTier
  /** Its name. */
  plan: string
}

/** The choice of the calendars that stay open while some are paused. Source: rule S13. */
export function OpenCalendarsCard({ tier, plan }: OpenCalendarsCardProps) {
  const client = useQueryClient()
  const { data: effect, error, refetch } = useQuery(planEffectQuery(tier))
  const [picked, setPicked] = useState<readonly string[] | null>(null)
  const save = useMutation({
    mutationFn: (chosen: readonly string[]) =>
      callApi(at.chooseOpenCalendars, { body: { calendar_ids: [...chosen] } }),
    onSuccess: () => {
      setPicked(null)
      toast.success('Your choice is saved. The other calendars are paused.')
    },
    onError: (problem) => toast.error(toProblem(problem).message),
    // A refusal may mean that something has changed meanwhile.
    onSettled: async () => {
      forgetPlanDetails(client)
      await client.invalidateQueries({ queryKey: subscriptionQuery.queryKey })
    },
  })
  const chosen = picked ?? (effect === undefined ? [] : listOpenIds(effect))
  return (
    <Card title="Calendars that stay open">
      {effect !== undefined && (
        <div className="flex flex-col gap-5">
          <CalendarsEffect effect={effect} plan={plan} chosen={chosen} onChoose={setPicked} />
          {canChoose(effect) && (
            <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-5">
              <p className="text-ink-soft">Once saved, it stays like this for 30 days.</p>
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
      {effect === undefined && error === null && (
        <LoadingShape text="Loading your calendars...">
          <Repeated count={4}>
            <div className="py-1.5">
              <LineShape className="w-64" />
            </div>
          </Repeated>
        </LoadingShape>
      )}
      {effect === undefined && error !== null && (
        <ErrorState title="Failed to load your calendars" hint={error.message} onRetry={() => refetch()} />
      )}
    </Card>
  )
}
