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
import { SETUP_PAGES, type SetupPageName } from '#web/areas/accounts/setup/setup-labels.ts'
import {
  type AppointmentsViewParams,
  readAppointmentsView,
  toAppointmentsViewParams,
} from '#web/areas/appointments/list/appointments-view.ts'
import { isSelectableTier, type SelectableTier } from '#web/areas/plans/subscription-query.ts'
import { useDocumentTitle } from '#web/kit/use-document-title.ts'
import { PageNotFound } from '#web/shared/page-not-found.tsx'
import type { ProfileTab, SettingsTab } from '#web/shared/paths.ts'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { AppLayout } from './app-layout.tsx'
import {
  redirectIfSignedIn,
  requireCalendarOwner,
  requireOwner,
  requireOwnerIfKnown,
  requireProfileOwner,
} from './guards.ts'
import { LoginRoute } from './login-route.tsx'
import { PageError } from './page-error.tsx'
import { PagePlaceholder } from './page-pending.tsx'
import { AllAppointmentsPage } from './pages/all-appointments-page.tsx'
import { AllCustomersPage } from './pages/all-customers-page.tsx'
import { AllInsightsPage } from './pages/all-insights-page.tsx'
import { type ConnectCalendarResult, readConnectCalendarResult } from './pages/calendar-outcome.ts'
import { CalendarSettingsPage } from './pages/calendar-settings-page.tsx'
import { PaypalConnectCallbackRoute, StripeConnectCallbackRoute } from './pages/connect-routes.tsx'
import { CustomerPage } from './pages/customer-page.tsx'
import { type CustomersParams, readCustomersParams } from './pages/customers-params.ts'
import { DashboardPage } from './pages/dashboard-page.tsx'
import { ProfilePage } from './pages/profile-page.tsx'
import { SetupPage } from './pages/setup-page.tsx'
import { TodayPage } from './pages/today-page.tsx'
import { findStringParam, parseQueryString, stringifyQueryString } from './search-text.ts'
import { isProfileTab, isSettingsTab } from './settings-tab.ts'

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: AppLayout,
  notFoundComponent: NotFound,
})

/** The login of an owner whose session has ended. It stays in this document, so that unsaved text is restored after the login. */
const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: (search: Record<string, unknown>) =>
    given({ redirect: findStringParam(search, 'redirect') }),
  beforeLoad: (guard) => redirectIfSignedIn(guard, guard.search.redirect),
  component: LoginRoute,
})

const dashboardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dashboard',
  validateSearch: (search: Record<string, unknown>) =>
    given({
      subscription: findStringParam(search, 'subscription'),
      ...readConnectCalendarResult(search),
    }),
  beforeLoad: requireOwner,
  component: DashboardPage,
  pendingComponent: PagePlaceholder,
})

const todayRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/today',
  beforeLoad: requireOwnerIfKnown,
  component: TodayPage,
  pendingComponent: PagePlaceholder,
})

const allAppointmentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/appointments',
  validateSearch: (
    search: Record<string, unknown>,
  ): { calendar?: string | undefined } & Partial<AppointmentsViewParams> => ({
    calendar: findStringParam(search, 'calendar'),
    ...toAppointmentsViewParams(readAppointmentsView(search)),
    // Kept even if it is the list, which is not where this page begins.
    view: findStringParam(search, 'view'),
  }),
  beforeLoad: requireOwner,
  component: AllAppointmentsPage,
  pendingComponent: PagePlaceholder,
})

const allCustomersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/customers',
  validateSearch: (search: Record<string, unknown>): { calendar?: string | undefined } & CustomersParams => ({
    calendar: findStringParam(search, 'calendar'),
    ...readCustomersParams(search),
  }),
  beforeLoad: requireOwner,
  component: AllCustomersPage,
  pendingComponent: PagePlaceholder,
})

const allInsightsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/insights',
  validateSearch: (search: Record<string, unknown>): { calendar?: string | undefined } => ({
    calendar: findStringParam(search, 'calendar'),
  }),
  beforeLoad: requireOwner,
  component: AllInsightsPage,
  pendingComponent: PagePlaceholder,
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
  ): { tab?: SettingsTab | undefined } & Partial<AppointmentsViewParams> & ConnectCalendarResult => ({
    tab: isSettingsTab(search.tab) ? search.tab : undefined,
    ...readConnectCalendarResult(search),
    ...toAppointmentsViewParams(readAppointmentsView(search)),
  }),
  beforeLoad: requireCalendarOwner,
  component: CalendarSettingsPage,
  pendingComponent: PagePlaceholder,
})

/** The address of a calendar's customers from before the list over all calendars. */
const customersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/calendar/$calendarId/customers',
  validateSearch: (search: Record<string, unknown>): CustomersParams => readCustomersParams(search),
  beforeLoad: ({ params, search }) => {
    throw redirect({ to: '/customers', search: { calendar: params.calendarId, ...search }, replace: true })
  },
})

const customerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/calendar/$calendarId/customers/$customerId',
  beforeLoad: requireCalendarOwner,
  component: CustomerPage,
  pendingComponent: PagePlaceholder,
})

const profileRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/profile',
  validateSearch: (
    search: Record<string, unknown>,
  ): { tab?: ProfileTab | undefined; plan?: SelectableTier | undefined; from?: 'portal' | undefined } => ({
    tab: isProfileTab(search.tab) ? search.tab : undefined,
    plan: isSelectableTier(search.plan) ? search.plan : undefined,
    from: search.from === 'portal' ? search.from : undefined,
  }),
  beforeLoad: requireProfileOwner,
  component: ProfilePage,
  pendingComponent: PagePlaceholder,
})

const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  validateSearch: (
    search: Record<string, unknown>,
  ): { step?: SetupPageName | undefined } & ConnectCalendarResult => ({
    step: SETUP_PAGES.find((page) => page === search.step),
    ...readConnectCalendarResult(search),
  }),
  beforeLoad: requireOwner,
  component: SetupPage,
  pendingComponent: PagePlaceholder,
})

const stripeConnectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/stripe-connect-callback',
  validateSearch: callbackParams,
  beforeLoad: requireOwner,
  component: StripeConnectCallbackRoute,
})

const paypalConnectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/paypal-connect-callback',
  validateSearch: callbackParams,
  beforeLoad: requireOwner,
  component: PaypalConnectCallbackRoute,
})

const routeTree = rootRoute.addChildren([
  loginRoute,
  dashboardRoute,
  todayRoute,
  allAppointmentsRoute,
  allCustomersRoute,
  allInsightsRoute,
  calendarRoute,
  calendarSettingsRoute,
  customersRoute,
  customerRoute,
  profileRoute,
  setupRoute,
  stripeConnectRoute,
  paypalConnectRoute,
])

/** Builds the router of the owner's pages. It uses the browser's history unless a test passes another one. */
export function buildRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    context: { queryClient },
    ...(history === undefined ? {} : { history }),
    parseSearch: parseQueryString,
    stringifySearch: stringifyQueryString,
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
    code: findStringParam(search, 'code'),
    state: findStringParam(search, 'state'),
    error: findStringParam(search, 'error'),
  })
}

/** Removes undefined values, so that a URL stays as it was written. */
function given<Params extends Record<string, string | undefined>>(
  params: Params,
): { [K in keyof Params]?: string } {
  const entries = Object.entries(params).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof Params]?: string } // a subset of the keys
}
