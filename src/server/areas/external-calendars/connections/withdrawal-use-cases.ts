import { MINUTE_MS, MINUTE_SECONDS } from '#core/shared/duration.ts'
import {
  type CalendarAccess,
  type CalendarProvider,
  CalendarProviderError,
} from '#server/ports/external-calendar.ts'
import { decryptCredentials, encryptCredentials } from './access-use-cases.ts'
import type { AccessDeps } from './deps.ts'
import { isAccountConnected } from './disconnect-repository.ts'
import {
  type AccountRemoval,
  CALENDAR_WITHDRAWAL_JOB,
  type RemovableEvent,
  type WithdrawnAccess,
} from './job-definitions.ts'

/** How long one job removes events before other accounts get their turn. A new job then continues. */
const RUN_MS = MINUTE_MS

/** Pause after an account failed in the middle of a removal, in seconds. */
const PAUSE_SECONDS = MINUTE_SECONDS

/**
 * Removes the remaining events from an account whose connection was deleted, then closes its channels and revokes our
 * access. The access is kept if anybody else is connected to the same account, because most providers revoke it for all
 * connections at once. Throws to have the job retried. Source: rules D4 and G20.
 */
export async function withdrawAccess(
  deps: AccessDeps,
  withdrawn: WithdrawnAccess,
  { runMs = RUN_MS }: { readonly runMs?: number } = {},
): Promise<void> {
  const provider = deps.calendarProviders[withdrawn.provider]
  if (provider === undefined) return
  const { events } = provider
  const { removal } = withdrawn
  const isToRemove = events !== null && removal !== undefined && deps.now() < Date.parse(removal.until)
  const isHandedOn =
    isToRemove && (await removeEvents(deps, { ...withdrawn, removal }, { events, runMs })) === 'handed_on'
  if (!isHandedOn) await endAccess(deps, provider, withdrawn)
}

type Events = NonNullable<CalendarProvider['events']>

/**
 * Removes events until none is left, the account refuses access, or the time limit of this job is reached. In the last
 * case, a new job continues.
 *
 * If the provider renews the credentials, a new job continues with them at once: a retried job would start with the
 * credentials it was queued with, and some providers accept those only once. Two jobs may then remove the same events,
 * which is harmless.
 */
async function removeEvents(
  deps: AccessDeps,
  withdrawn: WithdrawnAccess & { readonly removal: AccountRemoval },
  { events, runMs }: { readonly events: Events; readonly runMs: number },
): Promise<'done' | 'handed_on'> {
  const { connectionId, removal } = withdrawn
  const left = [...removal.events]
  let isHandedOn = false
  const handOn = async (sealedCredentials: string, afterSeconds = 0) => {
    const next = { ...withdrawn, sealedCredentials, removal: { ...removal, events: left } }
    await deps.jobs.send(CALENDAR_WITHDRAWAL_JOB, next, { afterSeconds })
    isHandedOn = true
  }
  try {
    const access = openAccess(deps, withdrawn, async (renewed) => {
      await handOn(encryptCredentials(deps, connectionId, renewed).toString('base64'))
      throw new Error('another job goes on with the renewed credentials')
    })
    await removeInTime(deps, left, { events, access, connectionId, runMs })
    if (left.length === 0) return 'done'
    await handOn(withdrawn.sealedCredentials)
  } catch (error) {
    if (isHandedOn) return 'handed_on'
    if (!isPermanentFailure(error) && left.length === removal.events.length) throw error
    deps.log.warn({ err: error, connectionId }, 'events in an external calendar could not be removed')
    if (isPermanentFailure(error)) return 'done'
    await handOn(withdrawn.sealedCredentials, PAUSE_SECONDS)
  }
  return 'handed_on'
}

type Removing = {
  readonly events: Events
  readonly access: CalendarAccess
  readonly connectionId: string
  readonly runMs: number
}

/**
 * Removes events one by one from the list. An event whose removal is refused permanently is skipped and stays at the
 * provider.
 */
async function removeInTime(
  deps: Pick<AccessDeps, 'log'>,
  left: RemovableEvent[],
  { events, access, connectionId, runMs }: Removing,
): Promise<void> {
  const endMs = performance.now() + runMs
  for (let event = left[0]; event !== undefined; event = performance.now() < endMs ? left[0] : undefined) {
    try {
      await events.remove(access, { ...event, etag: null })
    } catch (error) {
      if (!isPermanentFailure(error) || isExpired(error)) throw error
      deps.log.warn({ err: error, connectionId }, 'an event in an external calendar could not be removed')
    }
    left.shift()
  }
}

/** Closes the channels and revokes our access at the provider. */
async function endAccess(
  deps: AccessDeps,
  provider: CalendarProvider,
  withdrawn: WithdrawnAccess,
): Promise<void> {
  const { connectionId, provider: name, accountId, channels } = withdrawn
  try {
    // Credentials renewed now are not stored, because they will soon be useless.
    const access = openAccess(deps, withdrawn, async (renewed) => renewed)
    for (const channel of channels) {
      await ignoreRefusals(deps, connectionId, async () => provider.push?.unsubscribe(access, channel))
    }
    if (await isAccountConnected(deps.db, { provider: name, accountId })) return
    await ignoreRefusals(deps, connectionId, () => provider.disconnect(access))
  } catch (error) {
    if (!isPermanentFailure(error)) throw error
    deps.log.info({ err: error, connectionId }, 'the credentials of an external calendar were lost')
  }
}

/**
 * Builds the access to an account without a connection. `keep` receives renewed credentials and returns those to
 * continue with.
 */
function openAccess(
  deps: Pick<AccessDeps, 'secrets'>,
  { connectionId, sealedCredentials }: WithdrawnAccess,
  keep: (renewed: string) => Promise<string>,
): CalendarAccess {
  let credentials = decryptCredentials(deps, connectionId, Buffer.from(sealedCredentials, 'base64'))
  return {
    get credentials() {
      return credentials
    },
    async saveCredentials(renewed) {
      // An adapter whose credentials were refused calls this with the same credentials to check for newer ones.
      if (renewed !== credentials) credentials = await keep(renewed)
      return credentials
    },
  }
}

/** Runs `work` and ignores permanent refusals, because the target was already gone. */
async function ignoreRefusals(
  deps: Pick<AccessDeps, 'log'>,
  connectionId: string,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isPermanentFailure(error)) throw error
    deps.log.info({ err: error, connectionId }, 'the access to an external calendar was gone already')
  }
}

/** True when a retry cannot succeed. */
export function isPermanentFailure(error: unknown): boolean {
  return (
    error instanceof CalendarProviderError && error.kind !== 'unavailable' && error.kind !== 'rate_limited'
  )
}

function isExpired(error: unknown): boolean {
  return error instanceof CalendarProviderError && error.kind === 'expired'
}
