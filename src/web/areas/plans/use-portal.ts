import { useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import * as at from '#contract/operations/addresses.ts'
import type { customerPortalBody } from '#contract/plans/subscription.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'
import { openTab } from '#web/shared/open-tab.ts'
import { toast } from '#web/ui/toast.tsx'

/** Which page of the portal opens. */
export type PortalPage = z.input<typeof customerPortalBody>

type PortalOptions = {
  /** The sentence where it cannot be opened. */
  failed: string
  /** Somebody looks at this tab again: what they did there may have changed the plan. */
  onBack: () => void
  onFailed?: (() => void) | undefined
}

/** Opens the portal of the provider in a new tab. */
export function usePortal({ failed, onBack, onFailed }: PortalOptions) {
  const [isOpening, setOpening] = useState(false)
  const awaitReturn = useReturn(onBack)
  /** `before` comes first. Says how it went: whether the portal is open. */
  const openPortal = async (page: PortalPage, before?: () => Promise<void>): Promise<boolean> => {
    const tab = openTab()
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

/** Refusals that say more than that it failed. */
const SAID_BY_SERVER: readonly string[] = [
  'subscription.nothing_to_manage',
  'subscription.not_for_sale',
  'subscription.too_many_calendars',
  'subscription.choice_locked',
  'request.too_many',
]

/** Calls back the next time that somebody returns to this tab, once it is asked to. */
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
    // A phone that changes between tabs may say only the second of the two.
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
