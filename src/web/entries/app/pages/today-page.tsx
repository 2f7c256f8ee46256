import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { APP_PAGES } from '#contract/pages/app-pages.ts'
import { SetupChecklist } from '#web/areas/accounts/setup/setup-checklist.tsx'
import { CancellationRequests } from '#web/areas/appointments/list/cancellation-requests.tsx'
import { OwnerDay } from '#web/areas/appointments/list/owner-day.tsx'
import { useDocumentTitle } from '#web/kit/use-document-title.ts'
import { useNow } from '#web/kit/use-now.ts'
import { browserTimeZone, formatDateHeading, localDateOf } from '#web/shared/format-date.ts'
import { registerOfflineDayWorker } from './register-day-worker.ts'

const todayApi = getRouteApi('/today')

/** Interval at which an offline page checks whether the server responds again, in ms. Browsers do not always report a new connection. */
const ASK_AGAIN_MS = 5_000

/** The owner's day, designed for phones. The installed app opens this page. Source: rules Y1 and Y7. */
export function TodayPage() {
  const { owner } = todayApi.useRouteContext()
  const router = useRouter()
  const askAgain = useCallback(() => void router.invalidate(), [router])
  const isKnown = owner !== null
  useDocumentTitle(APP_PAGES['/today'])
  useEffect(registerOfflineDayWorker, [])
  useEffect(() => {
    if (isKnown) return undefined
    const timer = setInterval(() => document.visibilityState === 'visible' && askAgain(), ASK_AGAIN_MS)
    window.addEventListener('online', askAgain)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', askAgain)
    }
  }, [isKnown, askAgain])
  return (
    <main className="mx-auto w-full max-w-7xl flex-1 px-4 py-5 sm:px-6 lg:py-6">
      <div className="flex max-w-2xl flex-col gap-4">
        <h1 className="text-2xl sm:text-3xl">
          {formatDateHeading(localDateOf(useNow(), browserTimeZone()))}
        </h1>
        <div className="empty:hidden">{owner !== null && <CancellationRequests />}</div>
        {owner !== null && <SetupChecklist />}
        <OwnerDay ownerId={owner?.id ?? null} onTryAgain={askAgain} />
      </div>
    </main>
  )
}
