import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type {
  CalendarProviderName,
  calendarAuthorizationBody,
  ExternalCalendars,
} from '#contract/external-calendars/external-calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import type { ProblemCode } from '#contract/shared/problem.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import type { OwnerId, SignedInOwner } from '#server/platform/auth/owner-id.ts'
import { refuseIfOverBudget } from '#server/platform/budgets/budgets.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import {
  type CalendarErrorKind,
  type CalendarProvider,
  CalendarProviderError,
  type ConnectedCalendarAccount,
  type EnteredAccount,
  type ListedCalendar,
} from '#server/ports/external-calendar.ts'
import { getOwnCalendar, lockOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { encryptCredentials } from './access-use-cases.ts'
import { storeListedCalendars } from './calendar-repository.ts'
import { toApiUrl } from './channel-use-cases.ts'
import { chooseMainCalendar, refuseWithoutExternalCalendarsInPlan } from './choice-use-cases.ts'
import {
  type AuthorizationRow,
  consumeAuthorization,
  countOwnConnections,
  findOwnConnection,
  insertAuthorization,
  insertConnection,
  lockConnectionToAccount,
  lockOwner,
  storeRenewedCredentials,
} from './connection-repository.ts'
import type { ExternalCalendarsDeps } from './deps.ts'
import { queueSyncs } from './queue-syncs.ts'
import { getExternalCalendars } from './use-cases.ts'

type Session = Pick<SignedInOwner, 'ownerId' | 'sessionId'>
type ConsentProvider = 'google' | 'microsoft'

/** How long an owner may take on the provider's consent page, in milliseconds. */
const AUTHORIZATION_MS = 10 * MINUTE_MS

/**
 * Returns the URL of the consent page where an owner allows access to their calendars. The OAuth state is valid once,
 * for the same session. Source: rule G19.
 * @throws ProblemError `calendar.*`, `external_calendar.not_in_plan`, `external_calendar.provider_not_offered`,
 * `external_calendar.not_found`, `external_calendar.too_many`, `external_calendar.authorization_failed`
 */
export async function authorizeExternalCalendar(
  deps: ExternalCalendarsDeps,
  { ownerId, sessionId }: Session,
  {
    calendarId,
    provider: name,
    access: askedAccess,
    connection_id,
    returns_to,
  }: z.output<typeof calendarAuthorizationBody> & {
    readonly calendarId: string
    readonly provider: ConsentProvider
  },
): Promise<{ authorization_url: string }> {
  await getOwnCalendar(deps, ownerId, calendarId)
  const { authorization } = getProvider(deps, name)
  if (authorization === null) throw new ProblemError('external_calendar.provider_not_offered')
  await refuseWithoutExternalCalendarsInPlan(deps, ownerId)
  const renewed =
    connection_id === undefined ? null : await findOwnConnection(deps.db, ownerId, connection_id)
  if (connection_id !== undefined && renewed?.provider !== name) {
    throw new ProblemError('external_calendar.not_found')
  }
  if (renewed === null) await refuseTooMany(deps.db, ownerId)
  // An owner who has granted write access keeps it when renewing the connection.
  const couldWrite = renewed !== null && authorization.allowsWriting(renewed.granted_scopes)
  const access = couldWrite ? 'write' : askedAccess
  // The state names the page to return to, so that even an owner who returns too late gets there.
  const [state, codeVerifier] = [`${newSecret()}.${returns_to}`, newSecret()]
  await insertAuthorization(deps.db, {
    state_hash: hashOf(state),
    session_id: sessionId,
    calendar_id: calendarId,
    provider: name,
    access,
    code_verifier: codeVerifier,
    connection_id: renewed?.id ?? null,
    expires_at: new Date(deps.now() + AUTHORIZATION_MS),
  })
  const redirectUri = callbackUrl(deps, name)
  const accountName = renewed?.account_name ?? null
  try {
    const url = authorization.buildAuthorizationUrl({ state, codeVerifier, redirectUri, access, accountName })
    return { authorization_url: url }
  } catch (error) {
    throw toRefusal(error, 'external_calendar.authorization_failed')
  }
}

/** The result of an OAuth flow. `calendarId` is null when the state is unknown. */
export type AuthorizationOutcome = {
  readonly calendarId: string | null
  /**
   * `other_account` means that the owner wanted to reconnect one account but chose a different one on the consent page.
   */
  readonly result: 'connected' | 'other_account' | 'denied' | 'invalid' | 'too_many' | 'failed'
}

/**
 * Connects the account after the provider has redirected its owner back. Refusals are returned, not thrown, because the
 * browser is redirected to a page that shows the result.
 */
export async function completeAuthorization(
  deps: ExternalCalendarsDeps,
  { ownerId, sessionId }: Session,
  callback: { readonly provider: ConsentProvider; readonly state: string; readonly code: string },
): Promise<AuthorizationOutcome> {
  const way = await consumeAuthorization(deps.db, {
    stateHash: hashOf(callback.state),
    sessionId,
    provider: callback.provider,
  })
  if (way === null) return { calendarId: null, result: 'invalid' }
  const { calendar_id: calendarId } = way
  if (way.expires_at.getTime() <= deps.now()) return { calendarId, result: 'invalid' }
  if (callback.code === '') return { calendarId, result: 'denied' }
  try {
    return { calendarId, result: await connectByCode(deps, ownerId, way, callback.code) }
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'external_calendar.too_many') {
      return { calendarId, result: 'too_many' }
    }
    if (!(error instanceof CalendarProviderError || error instanceof ProblemError)) throw error
    deps.log.warn({ err: error, provider: callback.provider }, 'a calendar account could not be connected')
    return { calendarId, result: 'failed' }
  }
}

async function connectByCode(
  deps: ExternalCalendarsDeps,
  ownerId: OwnerId,
  way: AuthorizationRow,
  code: string,
): Promise<'connected' | 'other_account'> {
  const { calendar_id: calendarId, provider: name, access, code_verifier: codeVerifier } = way
  const provider = getProvider(deps, name)
  if (provider.authorization === null) throw new ProblemError('external_calendar.provider_not_offered')
  const redirectUri = callbackUrl(deps, name)
  const account = await provider.authorization.completeAuthorization({
    code,
    codeVerifier,
    redirectUri,
    access,
  })
  const connectionId = await keepAccount(deps, ownerId, {
    calendarId,
    provider: name,
    account,
    wantsWriting: access === 'write',
    // If the owner wanted to reconnect a different account, no calendars of this one are chosen automatically. Source:
    // rule G18.
    expectedId: way.connection_id,
  })
  return way.connection_id === null || way.connection_id === connectionId ? 'connected' : 'other_account'
}

/**
 * Connects an account with the credentials or URL that its owner entered.
 * @throws ProblemError `calendar.*`, `external_calendar.*`
 */
export async function connectWithCredentials(
  deps: ExternalCalendarsDeps,
  ownerId: OwnerId,
  {
    calendarId,
    provider: name,
    typed,
  }: { readonly calendarId: string; readonly provider: 'caldav' | 'ics'; readonly typed: EnteredAccount },
): Promise<ExternalCalendars> {
  await getOwnCalendar(deps, ownerId, calendarId)
  const { connect } = getProvider(deps, name)
  if (connect === null) throw new ProblemError('external_calendar.provider_not_offered')
  await refuseWithoutExternalCalendarsInPlan(deps, ownerId)
  refuseIfOverBudget(await deps.budgets.spend([{ budget: 'calendar_connects', subject: ownerId }]))
  try {
    const account = await connect(typed)
    await keepAccount(deps, ownerId, {
      calendarId,
      provider: name,
      account,
      wantsWriting: false,
      expectedId: null,
    })
  } catch (error) {
    throw toRefusal(error, 'external_calendar.connect_failed')
  }
  return getExternalCalendars(deps, ownerId, calendarId)
}

type NewAccount = {
  readonly calendarId: string
  readonly provider: CalendarProviderName
  readonly account: ConnectedCalendarAccount
  readonly wantsWriting: boolean
  /** The connection that the owner wanted to renew. */
  readonly expectedId: string | null
}

/**
 * Stores an account and its calendars, or renews the owner's existing connection to it. Returns the id of the
 * connection. Source: rules G1 and G18.
 * @throws ProblemError `calendar.*`, `external_calendar.too_many`
 */
async function keepAccount(
  deps: ExternalCalendarsDeps,
  ownerId: OwnerId,
  given: NewAccount,
): Promise<string> {
  const { provider: name, account, calendarId, expectedId } = given
  const { credentials, listed } = await listFirstCalendars(getProvider(deps, name), account)
  return inTransaction(deps.db, async (trx) => {
    // The account may have been deleted while its owner was on the provider's page. Lock it first, as its deletion
    // does.
    if (!(await lockOwner(trx, ownerId))) throw new ProblemError('calendar.not_found')
    await lockOwnCalendar(trx, ownerId, calendarId)
    const keptAt = new Date(deps.now())
    const { accountId, accountName, grantedScopes } = account
    const known = await lockConnectionToAccount(trx, { ownerId, provider: name, accountId })
    const id = known?.id ?? randomUUID()
    const sealed = encryptCredentials(deps, id, credentials)
    if (known === null || known.state === 'revoked') await refuseTooMany(trx, ownerId)
    if (known !== null) {
      await storeRenewedCredentials(trx, id, { accountName, sealed, grantedScopes, renewedAt: keptAt })
    } else {
      await insertConnection(trx, {
        id,
        user_id: ownerId,
        provider: name,
        account_id: accountId,
        account_name: accountName,
        credentials_encrypted: sealed,
        granted_scopes: [...grantedScopes],
        problem: null,
        last_success_at: null,
        next_sync_at: keptAt,
        expiry_told_at: null,
        reconnected_at: null,
        created_at: keptAt,
        updated_at: keptAt,
      })
    }
    await storeListedCalendars(trx, id, { listed, listedAt: keptAt, goneIds: [] })
    if (expectedId === null || expectedId === id) {
      await chooseMainCalendar(deps, trx, { ...given, ownerId, connectionId: id })
    }
    await queueSyncs(deps, trx, [id])
    if (known !== null) await deps.writePendingEventsOfConnection(trx, id)
    return id
  })
}

/** Lists the calendars of an account that is not stored yet. The adapter may renew the credentials in the process. */
async function listFirstCalendars(
  provider: CalendarProvider,
  account: ConnectedCalendarAccount,
): Promise<{ credentials: string; listed: ListedCalendar[] }> {
  let { credentials } = account
  const saveCredentials = async (renewed: string) => {
    credentials = renewed
    return renewed
  }
  const listed = await provider.listCalendars({ credentials, saveCredentials })
  return { credentials, listed }
}

/**
 * Refuses a connection when the owner has the maximum number.
 * @throws ProblemError `external_calendar.too_many`
 */
async function refuseTooMany(db: Parameters<typeof countOwnConnections>[0], ownerId: OwnerId): Promise<void> {
  if ((await countOwnConnections(db, ownerId)) >= LIMITS.connectionsPerOwner) {
    throw new ProblemError('external_calendar.too_many')
  }
}

/**
 * Returns a provider that this installation offers.
 * @throws ProblemError `external_calendar.provider_not_offered`
 */
function getProvider(
  { calendarProviders }: Pick<ExternalCalendarsDeps, 'calendarProviders'>,
  name: CalendarProviderName,
): CalendarProvider {
  const provider = calendarProviders[name]
  if (provider === undefined) throw new ProblemError('external_calendar.provider_not_offered')
  return provider
}

/** The refusal that the owner sees for each kind of error; all other kinds lead to `connect_failed`. */
const CONNECT_REFUSALS: Partial<Record<CalendarErrorKind, ProblemCode>> = {
  expired: 'external_calendar.login_refused',
  forbidden: 'external_calendar.login_refused',
  address_refused: 'external_calendar.address_refused',
}

/** Errors whose message from the provider would only repeat the refusal. */
const EXPLAINED_BY_REFUSAL: ReadonlySet<CalendarErrorKind> = new Set(['expired', 'address_refused'])

/** Converts a provider error to a refusal with the provider's message. Other errors are returned unchanged. */
function toRefusal(
  error: unknown,
  otherwise: 'external_calendar.authorization_failed' | 'external_calendar.connect_failed',
): unknown {
  if (!(error instanceof CalendarProviderError)) return error
  const code =
    otherwise === 'external_calendar.connect_failed' ? (CONNECT_REFUSALS[error.kind] ?? otherwise) : otherwise
  const isSaid = code !== otherwise && EXPLAINED_BY_REFUSAL.has(error.kind)
  return new ProblemError(code, isSaid ? [] : [{ path: 'provider', message: error.message }])
}

/** Returns the OAuth redirect URI, which the operator registers with the provider. */
function callbackUrl({ baseUrl }: Pick<ExternalCalendarsDeps, 'baseUrl'>, provider: ConsentProvider): string {
  return toApiUrl({ baseUrl }, at.completeCalendarAuthorization, { provider })
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the hash of a state to store: somebody who reads the table cannot use it to complete the flow. */
function hashOf(state: string): string {
  return createHash('sha256').update(state).digest('hex')
}
