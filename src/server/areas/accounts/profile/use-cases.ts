import type { z } from 'zod'
import type { NotificationChanges, Profile, profileChanges } from '#contract/accounts/profile.ts'
import { PROBLEMS, type ProblemCode } from '#contract/shared/problem.ts'
import { findCanonicalTimeZone } from '#contract/shared/stored-zone.ts'
import { splitName } from '#core/accounts/person-name.ts'
import { type IdentityCheckDeps, verifyPassword } from '#server/areas/accounts/security/prove-identity.ts'
import { deleteLockedLocation, lockAllLocations } from '#server/areas/availability/locations/use-cases.ts'
import { disconnectAllOfOwner } from '#server/areas/external-calendars/connections/disconnect-use-cases.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { refuseIfOverBudget } from '#server/platform/budgets/budgets.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { refuseStaleChange } from '#server/platform/http/refuse-stale-change.ts'
import {
  type CalendarsDeps,
  closeCheckoutsOfOwner,
  deleteAllCalendars,
} from '#server/records/calendars/use-cases.ts'
import { deleteEmailChange, findEmailChange } from './email-change-repository.ts'
import { type EmailChangeDeps, requestEmailChange } from './email-change-use-cases.ts'
import { deleteProfileRow, findProfile, lockProfile, type ProfileRow, updateProfile } from './repository.ts'

export type ProfileDeps = EmailChangeDeps &
  CalendarsDeps &
  IdentityCheckDeps &
  Parameters<typeof disconnectAllOfOwner>[0] & {
    /**
     * Ends the owner's paid plan. Calls the billing provider, so it is slow.
     * @throws ProblemError `subscription.deletion_failed`
     */
    readonly endPlan: (ownerId: OwnerId) => Promise<boolean>
  }

type Changes = z.output<typeof profileChanges>

/**
 * Returns the owner's profile.
 * @throws ProblemError `auth.required` when the account was deleted in the meantime
 */
export async function getProfile(deps: Pick<ProfileDeps, 'db' | 'now'>, ownerId: OwnerId): Promise<Profile> {
  const row = await findProfile(deps.db, ownerId)
  if (row === null) throw new ProblemError('auth.required')
  const change = await findEmailChange(deps.db, ownerId, new Date(deps.now()))
  return {
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    email: row.email,
    pending_email: change?.newEmail ?? null,
    avatar_url: row.avatar_url,
    phone: row.phone,
    time_zone: row.time_zone,
    bio: row.bio,
    notify_bookings: row.notify_bookings,
    notify_cancellation_requests: row.notify_cancellation_requests,
    notify_cancellations: row.notify_cancellations,
    two_factor_enabled: row.two_factor_enabled,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/**
 * Changes an owner's profile. A new email address requires the password and takes effect when it is confirmed;
 * everything else takes effect at once. Source: rule U11.
 * @throws ProblemError `account.password_required`, `account.wrong_password`, `request.too_many`,
 * `calendar.time_zone_unknown`, `request.changed_meanwhile`
 */
export async function changeProfile(
  deps: ProfileDeps,
  ownerId: OwnerId,
  { was, current_password: password, email, ...asked }: Changes,
): Promise<Profile> {
  const zone = asked.time_zone === undefined ? undefined : findCanonicalTimeZone(asked.time_zone)
  if (zone === null) throw refusalOf('calendar.time_zone_unknown', 'time_zone')
  const changes = { ...asked, time_zone: zone }
  const before = await findProfile(deps.db, ownerId)
  const wantsOtherAddress = email !== undefined && email !== before?.email
  if (wantsOtherAddress) {
    if (password === undefined) throw refusalOf('account.password_required', 'current_password')
    await verifyPassword(deps, ownerId, { password, field: 'current_password' })
    refuseIfOverBudget(await deps.budgets.spend([{ budget: 'address_changes', subject: ownerId }]))
  }
  return inTransaction(deps.db, async (trx) => {
    const stored = await lockProfile(trx, ownerId)
    if (stored === null) throw new ProblemError('auth.required')
    refuseStaleChange(stored, was)
    await updateProfile(trx, ownerId, toValues(stored, changes), new Date(deps.now()))
    if (email !== undefined && email !== stored.email) {
      // The stored address has changed since the comparison above, so the password was not checked.
      if (!wantsOtherAddress) throw new ProblemError('request.changed_meanwhile')
      await requestEmailChange(deps, trx, stored, email)
    }
    return getProfile({ ...deps, db: trx }, ownerId)
  })
}

/**
 * Returns the values to store. An empty text is stored as null. The full name, used in emails, follows the first and
 * last name and keeps its title. Source: rules U11 and U31.
 */
function toValues(stored: ProfileRow, changes: Omit<Changes, 'was' | 'current_password' | 'email'>) {
  const firstName = changes.first_name ?? stored.first_name
  const lastName = changes.last_name ?? stored.last_name
  const named = changes.first_name !== undefined || changes.last_name !== undefined
  return {
    ...(named ? { first_name: firstName, last_name: lastName } : {}),
    ...(named ? { full_name: toFullName(stored, `${firstName} ${lastName}`.trim()) } : {}),
    ...(changes.phone === undefined ? {} : { phone: changes.phone || null }),
    ...(changes.time_zone === undefined ? {} : { time_zone: changes.time_zone }),
    ...(changes.bio === undefined ? {} : { bio: changes.bio || null }),
  }
}

/** Returns the full name for a new name. The title of the stored full name is kept, unless the new name has a title. */
function toFullName({ full_name }: ProfileRow, name: string): string {
  const { title } = splitName(full_name)
  return title === '' || splitName(name).title !== '' ? name : `${title} ${name}`
}

/** Changes which notification emails the owner gets. @throws ProblemError `auth.required` */
export async function changeNotifications(
  deps: ProfileDeps,
  ownerId: OwnerId,
  changes: NotificationChanges,
): Promise<Profile> {
  const values = Object.fromEntries(Object.entries(changes).filter(([, on]) => on !== undefined))
  if (!(await updateProfile(deps.db, ownerId, values, new Date(deps.now())))) {
    throw new ProblemError('auth.required')
  }
  return getProfile(deps, ownerId)
}

/**
 * Deletes the account and everything in it, in one transaction: customers of future appointments get an email, booking
 * links are retired, and payment records are kept. The plan is ended first. The owner gets an email. Source: rules D4
 * and S16.
 * @throws ProblemError `account.wrong_password`, `request.too_many`, `payment.deletion_under_way`,
 * `payment.deletion_unanswered`, `subscription.deletion_failed`
 */
export async function deleteAccount(deps: ProfileDeps, ownerId: OwnerId, password: string): Promise<void> {
  await verifyPassword(deps, ownerId, { password, field: 'password' })
  await closeCheckoutsOfOwner(deps, ownerId)
  const hadPlan = await deps.endPlan(ownerId)
  await inTransaction(deps.db, async (trx) => {
    const profile = await lockProfile(trx, ownerId)
    // The account was already deleted by a second click or from another window.
    if (profile === null) return
    const locationIds = await lockAllLocations(deps, trx, ownerId)
    await deleteAllCalendars(deps, trx, ownerId)
    await disconnectAllOfOwner(deps, trx, ownerId)
    // Calendars of other owners that used these locations get another primary location. Source: rule D5.
    for (const id of locationIds) await deleteLockedLocation(deps, trx, id)
    await deleteEmailChange(trx, ownerId)
    await deleteProfileRow(trx, ownerId)
    await deps.queueAccountMails(trx, [
      { kind: 'account_deleted', name: profile.full_name, email: profile.email, hadPlan },
    ])
  })
}

/** Builds a refusal whose message is shown at its form field. */
function refusalOf(code: ProblemCode, path: string): ProblemError {
  return new ProblemError(code, [{ path, message: PROBLEMS[code].title }])
}
