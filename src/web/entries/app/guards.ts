import type { QueryClient } from '@tanstack/react-query'
import { type ParsedLocation, redirect } from '@tanstack/react-router'
import type { Owner } from '#contract/accounts/sessions.ts'
import { toSafeRedirect } from '#web/areas/accounts/sessions/safe-redirect.ts'
import { consumeLoginReason, sessionQuery } from '#web/areas/accounts/sessions/session-query.ts'
import { storeToastForNextDocument } from '#web/shared/next-document.ts'
import { toast } from '#web/ui/toast.tsx'
import { isOwnerPagePath } from './app-paths.ts'

type GuardContext = { context: { queryClient: QueryClient }; location: ParsedLocation }

/** Lets only owners open a page. Redirects guests to the login, which then returns to the page. Source: rule U13. */
export async function requireOwner({ context, location }: GuardContext): Promise<{ owner: Owner }> {
  const { user } = await context.queryClient.ensureQueryData(sessionQuery)
  if (user !== null) return { owner: user }
  throw redirect({ to: '/login', search: { redirect: location.href }, replace: true })
}

/**
 * Lets only owners open a page. If the server cannot be reached, `owner` is null, and the page shows the data saved in this
 * browser. Source: rule Y7.
 */
export async function requireOwnerIfKnown(guard: GuardContext): Promise<{ owner: Owner | null }> {
  const { queryClient } = guard.context
  const session = await queryClient.ensureQueryData(sessionQuery).catch(() => null)
  return session === null ? { owner: null } : requireOwner(guard)
}

/** Lets only owners open a calendar's settings, and tells guests why they must log in. Source: rule U13. */
export function requireCalendarOwner(guard: GuardContext): Promise<{ owner: Owner }> {
  return requireOwnerSaying(guard, 'Please log in to manage your calendars')
}

/** Lets only owners open the profile, and tells guests why they must log in. Source: rule U13. */
export function requireProfileOwner(guard: GuardContext): Promise<{ owner: Owner }> {
  return requireOwnerSaying(guard, 'Please log in to access your profile.')
}

async function requireOwnerSaying(guard: GuardContext, reason: string): Promise<{ owner: Owner }> {
  const { user } = await guard.context.queryClient.ensureQueryData(sessionQuery)
  if (user === null) toast.info(consumeLoginReason(guard.context.queryClient) ?? reason)
  return requireOwner(guard)
}

/** Redirects a user who is already logged in to the page they wanted, or to the dashboard. */
export async function redirectIfSignedIn(
  { context }: GuardContext,
  wanted: string | undefined,
): Promise<void> {
  // If the server does not respond, the form shows the error.
  const session = await context.queryClient.ensureQueryData(sessionQuery).catch(() => null)
  if (session === null || session.user === null) return
  const href = toSafeRedirect(wanted, location.origin)
  const reloadDocument = !isOwnerPagePath(new URL(href, location.origin).pathname)
  if (reloadDocument) storeToastForNextDocument()
  throw redirect({ href, replace: true, reloadDocument })
}
