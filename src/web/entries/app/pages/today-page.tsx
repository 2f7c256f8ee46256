import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { APP_PAGES } from '#contract/pages/app-pages.ts'
import { CancellationRequests } from '#web/areas/appointments/list/cancellation-requests.tsx'
import { OwnerDay } from '#web/areas/appointments/list/owner-day.tsx'
import { useDocumentTitle } from '#web/kit/use-document-title.ts'
import { useNow } from '#web/kit/use-now.ts'
import { browserTimeZone, formatDateHeading, localDateOf } from '#web/shared/format-date.ts'
import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
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
    <main className="mx-auto flex w-full max-w-2xl flex-1 flex-col gap-4 px-4 py-5 sm:px-6">
      <div className="flex items-center justify-between gap-x-2">
        <h1 className="min-w-0 text-xl sm:text-2xl">
          {formatDateHeading(localDateOf(useNow(), browserTimeZone()))}
        </h1>
        <ButtonLink size="sm" variant="ghost" className="-me-3 shrink-0" href={paths.dashboard()}>
          Dashboard
        </ButtonLink>
      </div>
      <div className="empty:hidden">{owner !== null && <CancellationRequests />}</div>
      <OwnerDay ownerId={owner?.id ?? null} onTryAgain={askAgain} />
    </main>
  )
}
