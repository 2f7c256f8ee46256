import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { APP_PAGES } from '#contract/pages/app-pages.ts'
import { setupQuery } from '#web/areas/accounts/setup/setup-query.ts'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { useDocumentTitle } from '#web/kit/use-document-title.ts'
import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { showConnectCalendarResult } from './calendar-outcome.ts'

/** Loaded lazily, because most owners never see the set-up again. */
const SetupSteps = lazy(async () => {
  const { SetupSteps } = await import('./setup-steps.tsx')
  return { default: SetupSteps }
})

const setupApi = getRouteApi('/setup')

/** Leads a new owner through four short steps to a booking page that works. Source: rule U32. */
export function SetupPage() {
  const { owner } = setupApi.useRouteContext()
  const query = useQuery(setupQuery)
  const { data: setup } = query
  useDocumentTitle(APP_PAGES['/setup'])
  useConnectCalendarResult()
  return (
    <main className="mx-auto flex w-full max-w-4xl flex-1 flex-col gap-6 px-4 py-5 sm:px-6 lg:py-6">
      <div>
        <h1 className="text-3xl">{APP_PAGES['/setup']}</h1>
        {setup?.calendar_id === null && (
          <p className="mt-1 text-ink-soft">
            Welcome to Meridian! Your email address is confirmed. Four short steps lead to your link.
          </p>
        )}
      </div>
      <LoadStatus query={query} loading="Loading the set-up..." failed="We couldn’t load the set-up.">
        <Skeleton className="h-96" />
      </LoadStatus>
      {setup === null && (
        <EmptyState
          title="Your account is set up."
          hint="You can change everything in the settings of your calendars."
          action={
            <ButtonLink variant="primary" href={paths.dashboard()}>
              Go to the dashboard
            </ButtonLink>
          }
        />
      )}
      {setup && (
        <Suspense fallback={<Skeleton className="h-96" />}>
          <SetupSteps owner={owner} setup={setup} />
        </Suspense>
      )}
    </main>
  )
}

/** Shows the result when the owner returns from a provider of calendars, and removes the parameters from the URL. */
function useConnectCalendarResult(): void {
  const { step, google_connected, calendar_connected, calendar_failed } = setupApi.useSearch()
  const navigate = setupApi.useNavigate()
  useEffect(() => {
    if (!showConnectCalendarResult({ google_connected, calendar_connected, calendar_failed })) return
    void navigate({ search: { step }, resetScroll: false, replace: true })
  }, [google_connected, calendar_connected, calendar_failed, navigate, step])
}
