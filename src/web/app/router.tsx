import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
  redirect,
  useLocation,
} from '@tanstack/react-router'
import { NOT_FOUND_PAGE } from '#contract/app-pages.ts'
import {
  type ChoiceParams,
  readChoice,
  toChoiceParams,
} from '#web/features/appointments/appointments-choice.ts'
import { PageNotFound } from '#web/shared/page-not-found.tsx'
import type { ProfileTab, SettingsTab } from '#web/shared/paths.ts'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { AppLayout } from './app-layout.tsx'
import { requireCalendarOwner, requireOwner, requireProfileOwner, skipWhenSignedIn } from './guards.ts'
import { useDocumentTitle } from './kit/use-document-title.ts'
import { loadOwnerPages } from './owner-pages.ts'
import { PageError } from './page-error.tsx'
import { PagePending } from './page-pending.tsx'
import {
  AuthCallbackRoute,
  EmailChangeRoute,
  ForgotPasswordRoute,
  LoginRoute,
  RegisterRoute,
  ResetPasswordRoute,
} from './pages/session-routes.tsx'
import type { RouterPlace } from './routed-here.ts'
import { parseSearchText, stringifySearchText, textParam } from './search-text.ts'
import { isProfileTab, isSettingsTab } from './settings-tab.ts'

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient } & RouterPlace>()({
  component: AppLayout,
  notFoundComponent: NotFound,
})

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: redirectParam,
  beforeLoad: (guard) => skipWhenSignedIn(guard, guard.search.redirect),
  component: LoginRoute,
})

const registerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/register',
  validateSearch: redirectParam,
  beforeLoad: (guard) => skipWhenSignedIn(guard, guard.search.redirect),
  component: RegisterRoute,
})

const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  component: ForgotPasswordRoute,
})

const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  validateSearch: tokenParam,
  component: ResetPasswordRoute,
})

const authCallbackRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth/callback',
  validateSearch: tokenParam,
  component: AuthCallbackRoute,
})

const emailChangeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth/email-change',
  validateSearch: tokenParam,
  component: EmailChangeRoute,
})

const dashboardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dashboard',
  validateSearch: (search: Record<string, unknown>) =>
    given({
      subscription: textParam(search, 'subscription'),
      google_connected: textParam(search, 'google_connected'),
    }),
  beforeLoad: requireOwner,
  component: lazyRouteComponent(loadOwnerPages, 'DashboardPage'),
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
  // A tab that does not exist has to be overwritten: what is only left out stays as it was in the address.
  validateSearch: (
    search: Record<string, unknown>,
  ): { tab?: SettingsTab | undefined } & Partial<ChoiceParams> => ({
    tab: isSettingsTab(search.tab) ? search.tab : undefined,
    ...toChoiceParams(readChoice(search)),
  }),
  beforeLoad: requireCalendarOwner,
  component: lazyRouteComponent(loadOwnerPages, 'CalendarSettingsPage'),
  pendingComponent: PagePending,
})

const profileRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/profile',
  validateSearch: (search: Record<string, unknown>): { tab?: ProfileTab | undefined } => ({
    tab: isProfileTab(search.tab) ? search.tab : undefined,
  }),
  beforeLoad: requireProfileOwner,
  component: lazyRouteComponent(loadOwnerPages, 'ProfilePage'),
  pendingComponent: PagePending,
})

const stripeConnectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/stripe-connect-callback',
  validateSearch: callbackParams,
  beforeLoad: requireOwner,
  component: lazyRouteComponent(loadOwnerPages, 'StripeConnectRoute'),
})

const paypalConnectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/paypal-connect-callback',
  validateSearch: callbackParams,
  beforeLoad: requireOwner,
  component: lazyRouteComponent(loadOwnerPages, 'PaypalConnectRoute'),
})

const mailboxRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sandbox/mail',
  validateSearch: (search: Record<string, unknown>) => given({ id: textParam(search, 'id') }),
  component: lazyRouteComponent(loadOwnerPages, 'MailboxRoute'),
})

const galleryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sandbox/mail/gallery',
  validateSearch: (search: Record<string, unknown>) =>
    given({ message: textParam(search, 'message'), scene: textParam(search, 'scene') }),
  component: lazyRouteComponent(loadOwnerPages, 'GalleryRoute'),
})

const routeTree = rootRoute.addChildren([
  loginRoute,
  registerRoute,
  forgotPasswordRoute,
  resetPasswordRoute,
  authCallbackRoute,
  emailChangeRoute,
  dashboardRoute,
  calendarRoute,
  calendarSettingsRoute,
  profileRoute,
  stripeConnectRoute,
  paypalConnectRoute,
  mailboxRoute,
  galleryRoute,
])

type RouterSettings = Partial<RouterPlace> & {
  /** The browser's, unless a test brings its own. */
  readonly history?: RouterHistory
}

/** The router of the owner's pages. */
export function buildRouter(
  queryClient: QueryClient,
  { history, inPublicPage = false }: RouterSettings = {},
) {
  return createRouter({
    routeTree,
    context: { queryClient, inPublicPage },
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
    // In a public page the browser does it, as for the pages beside this one.
    scrollRestoration: !inPublicPage,
  })
}

export type AppRouter = ReturnType<typeof buildRouter>

declare module '@tanstack/react-router' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: the library is told its router by merging this interface
  interface Register {
    router: AppRouter
  }
}

function NotFound() {
  useDocumentTitle(NOT_FOUND_PAGE)
  const { pathname } = useLocation()
  return <PageNotFound path={pathname} />
}

function redirectParam(search: Record<string, unknown>) {
  return given({ redirect: textParam(search, 'redirect') })
}

function tokenParam(search: Record<string, unknown>) {
  return given({ token: textParam(search, 'token') })
}

/** What a payment provider sends an owner back with (spec §2 "Route table"). */
function callbackParams(search: Record<string, unknown>) {
  return given({
    code: textParam(search, 'code'),
    state: textParam(search, 'state'),
    error: textParam(search, 'error'),
  })
}

/** Leaves out what is undefined, so that addresses stay as they were written. */
function given<Params extends Record<string, string | undefined>>(
  params: Params,
): { [K in keyof Params]?: string } {
  const entries = Object.entries(params).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof Params]?: string } // the same keys, fewer of them
}
