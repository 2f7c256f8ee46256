import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as at from '#contract/operations/addresses.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { SUBSCRIPTION_PROBLEMS } from '#contract/plans/subscription-problems.ts'
import { PLANS } from '#core/plans/plan.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { canChooseOpenCalendars, listOpenCalendarIds } from './open-calendars.ts'
import { InactiveFeatures, PausedCalendarsPreview } from './plan-effect.tsx'
import { planChangePreviewQuery, type SelectableTier } from './subscription-query.ts'
import { useOwnerBillingPortal } from './use-owner-portal.ts'
import type { BillingPortalPage } from './use-portal.ts'

type PlanChangeDialogProps = {
  /** The smaller plan that the owner wants to change to; null while the dialog is closed. */
  tier: SelectableTier | null
  /** The name of the owner's current plan. */
  from: SubscriptionResponse['subscription_tier']
  /** True if the owner gets the smaller plan by ending the current one. */
  isEnd: boolean
  onClose: () => void
}

/**
 * Lets the owner change to a smaller plan: explains the effects, asks which calendars stay open, and opens the billing
 * portal. Source: rule S12.
 */
export function PlanChangeDialog({ tier, from, isEnd, onClose }: PlanChangeDialogProps) {
  // The plan that the dialog is about. Not cleared on closing, so that the text stays during the closing animation.
  const [shown, setShown] = useState(tier)
  if (tier !== null && shown !== tier) setShown(tier)
  const [picked, setPicked] = useState<readonly string[] | null>(null)
  const {
    data: effect,
    error,
    refetch,
  } = useQuery({
    ...planChangePreviewQuery(shown ?? 'free'),
    enabled: tier !== null,
  })
  const { openPortal, isOpening } = useOwnerBillingPortal(
    SUBSCRIPTION_PROBLEMS['subscription.portal_failed'].title,
  )
  if (shown === null) return null
  const chosen = picked ?? (effect === undefined ? [] : listOpenCalendarIds(effect))
  const go = async () => {
    if (effect === undefined) return
    const keep = canChooseOpenCalendars(effect) ? () => keepChoice(chosen) : undefined
    if (await openPortal(toPortalPage(shown, isEnd), keep)) onClose()
  }
  return (
    <Dialog
      open={tier !== null}
      onOpenChange={(open) => !open && onClose()}
      title={isEnd ? `End the ${from} plan?` : `Change to the ${PLANS[shown].name} plan?`}
      description={`You keep the ${from} plan until the end of the month you’ve paid for. Then you’ll have the ${PLANS[shown].name} plan.`}
      footer={
        <>
          <Button onClick={onClose}>Keep the {from} plan</Button>
          <Button
            variant="primary"
            pending={isOpening}
            pendingLabel="Opening..."
            disabled={effect === undefined}
            onClick={() => void go()}
          >
            Continue
          </Button>
        </>
      }
    >
      {effect !== undefined && (
        <div className="flex flex-col gap-5">
          <PausedCalendarsPreview
            effect={effect}
            plan={PLANS[shown].name}
            chosen={chosen}
            onChoose={setPicked}
          />
          <InactiveFeatures inactive={effect.inactive} />
        </div>
      )}
      {effect === undefined && error === null && <LoadingState text="Loading what changes..." />}
      {effect === undefined && error !== null && (
        <ErrorState title="Failed to load what changes" hint={error.message} onRetry={() => refetch()} />
      )}
    </Dialog>
  )
}

function toPortalPage(tier: SelectableTier, isEnd: boolean): BillingPortalPage {
  return isEnd || tier === 'free' ? { page: 'cancel' } : { page: 'change', tier }
}

async function keepChoice(chosen: readonly string[]): Promise<void> {
  await callApi(at.chooseOpenCalendars, { body: { calendar_ids: [...chosen] } })
}
