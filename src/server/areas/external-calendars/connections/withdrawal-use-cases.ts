import { MINUTE_MS, MINUTE_SECONDS } from '#core/shared/duration.ts'
import {
  type CalendarAccess,
  type CalendarProvider,
  CalendarProviderError,
} from '#server/ports/external-calendar.ts'
import { openCredentials, sealCredentials } from './access-use-cases.ts'
import type { AccessDeps } from './deps.ts'
import { isAccountConnected } from './disconnect-repository.ts'
import {
  type AccountRemoval,
  CALENDAR_WITHDRAWAL,
  type EventToRemove,
  type WithdrawnAccess,
} from './job-definitions.ts'

/** How long one job removes events. Then those of other accounts come first, and what is left has a job of its own. */
const RUN_MS = MINUTE_MS

/** How long an account is left alone that failed after some of its events were removed. */
const PAUSE_SECONDS = MINUTE_SECONDS

/**
 * Removes the events that are to go from an account whose connection is gone, and then ends its channels and our access to it. The
 * access stays where somebody is connected with the same account: most providers withdraw it for all at once. Throws to be tried
 * again. Source: rules D4 and G20.
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
 * Removes events until none is left, the account refuses us, or the time of this job is over. In the last case another job goes on.
 *
 * When the provider renews the credentials, another job goes on with them at once. A job that is tried again begins with the credentials
 * that it was queued with, and some providers take those only once. Two jobs may then remove the same events, which does no harm.
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
    await deps.jobs.send(CALENDAR_WITHDRAWAL, next, { afterSeconds })
    isHandedOn = true
  }
  try {
    const access = openAccess(deps, withdrawn, async (renewed) => {
      await handOn(sealCredentials(deps, connectionId, renewed).toString('base64'))
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

/** Takes each event from the list once it is removed. One that is refused for good is taken from it as well, and stays there. */
async function removeInTime(
  deps: Pick<AccessDeps, 'log'>,
  left: EventToRemove[],
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

/** Ends the channels, and our access at the provider. */
async function endAccess(
  deps: AccessDeps,
  provider: CalendarProvider,
  withdrawn: WithdrawnAccess,
): Promise<void> {
  const { connectionId, provider: name, accountId, channels } = withdrawn
  try {
    // What is renewed now is not needed much longer.
    const access = openAccess(deps, withdrawn, async (renewed) => renewed)
    for (const channel of channels) {
      await tolerate(deps, connectionId, async () => provider.push?.unsubscribe(access, channel))
    }
    if (await isAccountConnected(deps.db, { provider: name, accountId })) return
    await tolerate(deps, connectionId, () => provider.disconnect(access))
  } catch (error) {
    if (!isPermanentFailure(error)) throw error
    deps.log.info({ err: error, connectionId }, 'the credentials of an external calendar were lost')
  }
}

/** Access to an account that has no connection any more. `keep` is given what is renewed, and answers what to go on with. */
function openAccess(
  deps: Pick<AccessDeps, 'secrets'>,
  { connectionId, sealedCredentials }: WithdrawnAccess,
  keep: (renewed: string) => Promise<string>,
): CalendarAccess {
  let credentials = openCredentials(deps, connectionId, Buffer.from(sealedCredentials, 'base64'))
  return {
    get credentials() {
      return credentials
    },
    async saveCredentials(renewed) {
      // An adapter whose credentials were refused asks in this way whether there are newer ones.
      if (renewed !== credentials) credentials = await keep(renewed)
      return credentials
    },
  }
}

/** What the provider refuses for good was gone already. */
async function tolerate(
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

/** Whether another try changes nothing. */
export function isPermanentFailure(error: unknown): boolean {
  return (
    error instanceof CalendarProviderError && error.kind !== 'unavailable' && error.kind !== 'rate_limited'
  )
}

function isExpired(error: unknown): boolean {
  return error instanceof CalendarProviderError && error.kind === 'expired'
}
