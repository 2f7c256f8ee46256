import { useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import * as at from '#contract/operations/addresses.ts'
import type { customerPortalBody } from '#contract/plans/subscription.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'
import { openBlankTab } from '#web/shared/open-tab.ts'
import { toast } from '#web/ui/toast.tsx'

/** The page of the billing portal to open. */
export type BillingPortalPage = z.input<typeof customerPortalBody>

type PortalOptions = {
  /** The text of the toast shown if the portal cannot be opened. */
  failed: string
  /** Called when the owner returns to this tab: they may have changed the plan. */
  onBack: () => void
  onFailed?: (() => void) | undefined
}

/** Opens the provider's billing portal in a new tab. */
export function useBillingPortal({ failed, onBack, onFailed }: PortalOptions) {
  const [isOpening, setOpening] = useState(false)
  const awaitReturn = useReturn(onBack)
  /** Runs `before`, then opens the portal. Resolves to true if the portal was opened. */
  const openPortal = async (page: BillingPortalPage, before?: () => Promise<void>): Promise<boolean> => {
    const tab = openBlankTab()
    setOpening(true)
    try {
      await before?.()
      const { url } = await callApi(at.openCustomerPortal, { body: page })
      awaitReturn()
      tab.show(url)
      return true
    } catch (error) {
      tab.close()
      toast.error(error instanceof ApiProblem && SAID_BY_SERVER.includes(error.code) ? error.message : failed)
      onFailed?.()
      return false
    } finally {
      setOpening(false)
    }
  }
  return { openPortal, isOpening }
}

/** Error codes whose message from the server is more helpful than `failed`. */
const SAID_BY_SERVER: readonly string[] = [
  'subscription.nothing_to_manage',
  'subscription.not_for_sale',
  'subscription.too_many_calendars',
  'subscription.choice_locked',
  'request.too_many',
]

/** Returns a function that calls `onBack` the next time the owner returns to this tab. */
function useReturn(onBack: () => void): () => void {
  const latest = useRef(onBack)
  useEffect(() => {
    latest.current = onBack
  })
  const waiting = useRef<AbortController | null>(null)
  useEffect(() => () => waiting.current?.abort(), [])
  return () => {
    waiting.current?.abort()
    const controller = new AbortController()
    waiting.current = controller
    // Listen to both events, because phones may fire only `visibilitychange`.
    const onReturn = () => {
      if (document.visibilityState === 'hidden') return
      controller.abort()
      latest.current()
    }
    const { signal } = controller
    addEventListener('focus', onReturn, { signal })
    document.addEventListener('visibilitychange', onReturn, { signal })
  }
}
