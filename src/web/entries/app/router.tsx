import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  type RouterHistory,
  redirect,
  useLocation,
} from '@tanstack/react-router'
import { NOT_FOUND_PAGE } from '#contract/pages/app-pages.ts'
import {
  type AppointmentsViewParams,
  readAppointmentsView,
  toAppointmentsViewParams,
} from '#web/areas/appointments/list/appointments-view.ts'
import { isNextTier, type NextTier } from '#web/areas/plans/subscription-query.ts'
import { useDocumentTitle } from '#web/kit/use-document-title.ts'
import { PageNotFound } from '#web/shared/page-not-found.tsx'
import type { ProfileTab, SettingsTab } from '#web/shared/paths.ts'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { AppLayout } from './app-layout.tsx'
import {
  requireCalendarOwner,
  requireOwner,
  requireOwnerIfKnown,
  requireProfileOwner,
  skipWhenSignedIn,
} from './guards.ts'
import { LoginRoute } from './login-route.tsx'
import { PageError } from './page-error.tsx'
import { PagePending } from './page-pending.tsx'
import type { CalendarOutcome } from './pages/calendar-outcome.ts'
import { CalendarSettingsPage } from './pages/calendar-settings-page.tsx'
import { PaypalConnectRoute, StripeConnectRoute } from './pages/connect-routes.tsx'
import { CustomerPage } from './pages/customer-page.tsx'
import { CustomersPage } from './pages/customers-page.tsx'
import { type CustomersParams, readCustomersParams } from './pages/customers-params.ts'
import { DashboardPage } from './pages/dashboard-page.tsx'
import { ProfilePage } from './pages/profile-page.tsx'
import { TodayPage } from './pages/today-page.tsx'
import { parseSearchText, stringifySearchText, textParam } from './search-text.ts'
import { isProfileTab, isSettingsTab } from './settings-tab.ts'

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: AppLayout,
  notFoundComponent: NotFound,
})

/** The login of an owner whose session has ended. It stays in this document, so that unsaved text is restored after the login. */
const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: (search: Record<string, unknown>) => given({ redirect: textParam(search, 'redirect') }),
  beforeLoad: (guard) => skipWhenSignedIn(guard, guard.search.redirect),
  component: LoginRoute,
})

const dashboardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dashboard',
  validateSearch: (search: Record<string, unknown>) =>
    given({
      subscription: textParam(search, 'subscription'),
      google_connected: textParam(search, 'google_connected'),
      calendar_connected: textParam(search, 'calendar_connected'),
      calendar_failed: textParam(search, 'calendar_failed'),
    }),
  beforeLoad: requireOwner,
  component: DashboardPage,
  pendingComponent: PagePending,
})

const todayRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/today',
  beforeLoad: requireOwnerIfKnown,
  component: TodayPage,
  pendingComponent: PagePending,
})

const calendarRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/calendar/$calendarId',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/calendar/$calendarId/settings', params, search: {}, replace: true })
  },
})

const calendarSettingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/calendar/$calendarId/settings',
  // An unknown tab must be set to undefined, because a parameter that is merely left out stays in the URL.
  validateSearch: (
    search: Record<string, unknown>,
  ): { tab?: SettingsTab | undefined } & Partial<AppointmentsViewParams> & CalendarOutcome => ({
    tab: isSettingsTab(search.tab) ? search.tab : undefined,
    calendar_connected: textParam(search, 'calendar_connected'),
    calendar_failed: textParam(search, 'calendar_failed'),
    ...toAppointmentsViewParams(readAppointmentsView(search)),
  }),
  beforeLoad: requireCalendarOwner,
  component: CalendarSettingsPage,
  pendingComponent: PagePending,
})

const customersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/calendar/$calendarId/customers',
  validateSearch: (search: Record<string, unknown>): CustomersParams => readCustomersParams(search),
  beforeLoad: requireCalendarOwner,
  component: CustomersPage,
  pendingComponent: PagePending,
})

const customerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/calendar/$calendarId/customers/$customerId',
  beforeLoad: requireCalendarOwner,
  component: CustomerPage,
  pendingComponent: PagePending,
})

const profileRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/profile',
  validateSearch: (
    search: Record<string, unknown>,
  ): { tab?: ProfileTab | undefined; plan?: NextTier | undefined; from?: 'portal' | undefined } => ({
    tab: isProfileTab(search.tab) ? search.tab : undefined,
    plan: isNextTier(search.plan) ? search.plan : undefined,
    from: search.from === 'portal' ? search.from : undefined,
  }),
  beforeLoad: requireProfileOwner,
  component: ProfilePage,
  pendingComponent: PagePending,
})

const stripeConnectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/stripe-connect-callback',
  validateSearch: callbackParams,
  beforeLoad: requireOwner,
  component: StripeConnectRoute,
})

const paypalConnectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/paypal-connect-callback',
  validateSearch: callbackParams,
  beforeLoad: requireOwner,
  component: PaypalConnectRoute,
})

const routeTree = rootRoute.addChildren([
  loginRoute,
  dashboardRoute,
  todayRoute,
  calendarRoute,
  calendarSettingsRoute,
  customersRoute,
  customerRoute,
  profileRoute,
  stripeConnectRoute,
  paypalConnectRoute,
])

/** Builds the router of the owner's pages. It uses the browser's history unless a test passes another one. */
export function buildRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    context: { queryClient },
    ...(history === undefined ? {} : { history }),
    parseSearch: parseSearchText,
    stringifySearch: stringifySearchText,
    defaultPendingMs: 300,
    defaultPendingComponent: () => (
      <main className="flex-1">
        <LoadingState text="Loading..." />
      </main>
    ),
    defaultErrorComponent: PageError,
    scrollRestoration: true,
  })
}

export type AppRouter = ReturnType<typeof buildRouter>

declare module '@tanstack/react-router' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: merging this interface tells the library the type of its router
  interface Register {
    router: AppRouter
  }
}

function NotFound() {
  useDocumentTitle(NOT_FOUND_PAGE)
  const { pathname } = useLocation()
  return <PageNotFound path={pathname} />
}

/** Reads the query parameters with which a payment provider returns an owner (rule F4). */
function callbackParams(search: Record<string, unknown>) {
  return given({
    code: textParam(search, 'code'),
    state: textParam(search, 'state'),
    error: textParam(search, 'error'),
  })
}

/** Removes undefined values, so that a URL stays as it was written. */
function given<Params extends Record<string, string | undefined>>(
  params: Params,
): { [K in keyof Params]?: string } {
  const entries = Object.entries(params).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof Params]?: string } // a subset of the keys
}
