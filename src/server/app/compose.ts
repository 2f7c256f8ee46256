import type { FastifyInstance } from 'fastify'
import { Registry } from 'prom-client'
import { UNDO_SECONDS } from '#core/appointments/undo-seconds.ts'
import { ACCOUNT_MAIL_JOB, ACCOUNT_REQUEST_JOB } from '#server/areas/accounts/sessions/jobs.ts'
import { releaseHostsOfCalendar } from '#server/areas/addresses/host-repository.ts'
import { queueClosedCalendarNotices } from '#server/areas/appointments/bookings/use-cases.ts'
import { copyOffer } from '#server/areas/availability/copies/copy-offer.ts'
import {
  buildCheckBeforeBooking,
  toTimeToQuery,
  verifyTimeWithProviders,
} from '#server/areas/external-calendars/connections/check-before-booking.ts'
import { queueSyncsInNewZone } from '#server/areas/external-calendars/connections/queue-syncs.ts'
import { copyWriting, startWriting } from '#server/areas/external-calendars/connections/start-writing.ts'
import { queueEventRemovals } from '#server/areas/external-calendars/events/remove-leftover-events.ts'
import { buildEventHooks } from '#server/areas/external-calendars/events/use-cases.ts'
import {
  closeCheckoutAtProvider,
  closeOpenCheckouts,
  endPaymentsOfCalendar,
} from '#server/areas/payments/checkouts/end-checkouts.ts'
import { queueUnfinishedPaymentsMail } from '#server/areas/payments/checkouts/queue-unfinished-payments-mail.ts'
import { refundAppointment } from '#server/areas/payments/checkouts/refund-payment.ts'
import { replaceEarlierHolds } from '#server/areas/payments/checkouts/replace-earlier-holds.ts'
import { queueEmailChange } from '#server/areas/plans/billing/change-email.ts'
import { endPlanOfOwner } from '#server/areas/plans/billing/end-plan.ts'
import { queueClosedListMails } from '#server/areas/waiting-list/closed-list-mail.ts'
import { buildSmtpMailer } from '#server/integrations/smtp/adapter.ts'
import { toMailOrigin } from '#server/messages/emails/mail-origin.ts'
import type { AccountMailRequest } from '#server/platform/auth/account-mail-request.ts'
import { type AccountMail, type Auth, buildAuth, type VerifyPassword } from '#server/platform/auth/auth.ts'
import { buildCustomerSessions } from '#server/platform/auth/customer-sessions.ts'
import { buildKnownDevices } from '#server/platform/auth/known-devices.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { buildRegistrationCookies } from '#server/platform/auth/registration-cookies.ts'
import { buildBudgets } from '#server/platform/budgets/budgets.ts'
import { type Clock, systemClock } from '#server/platform/clock.ts'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { buildApp } from '#server/platform/http/build-app.ts'
import { buildCertificateCheckListener } from '#server/platform/http/certificate-check-listener.ts'
import { sendProblem } from '#server/platform/http/error-handler.ts'
import type { FetchOwnerUrl } from '#server/platform/http/fetch-owner-url.ts'
import { toAllowedNetworks } from '#server/platform/http/reachable-networks.ts'
import { addRequestCounts } from '#server/platform/http/request-counts.ts'
import { buildJobQueue, type JobQueue } from '#server/platform/jobs/job-queue.ts'
import { buildLog, type Log } from '#server/platform/log.ts'
import { buildManageLinks } from '#server/platform/secrets/manage-links.ts'
import { buildRecipientKeys } from '#server/platform/secrets/recipient-keys.ts'
import { buildSecretBox } from '#server/platform/secrets/secret-box.ts'
import { buildSigner, buildToPseudonym } from '#server/platform/secrets/signer.ts'
import { withTimeout } from '#server/platform/with-timeout.ts'
import type { BillingProvider } from '#server/ports/billing-provider.ts'
import type { Dns } from '#server/ports/dns.ts'
import type { CalendarProviders } from '#server/ports/external-calendar.ts'
import type { Mailer } from '#server/ports/mailer.ts'
import type { PaymentProviderName, PaymentProviders } from '#server/ports/payment-provider.ts'
import { copyBrandingFiles } from '#server/records/branding/use-cases.ts'
import { cacheHosts } from '#server/records/hostnames/cache-hosts.ts'
import { hasOpenPayment } from '#server/records/ledger/ledger-repository.ts'
import { buildBackups } from './backups/backups.ts'
import { buildLazyOwnerUrlFetcher } from './build-lazy-owner-url-fetcher.ts'
import {
  buildInstallationHostCheck,
  hasCalendarHosts,
  isCalendarHostRoute,
  isCustomerCookie,
} from './calendar-hosts.ts'
import { buildCommandListener, type CommandListener } from './commands/command-listener.ts'
import { runOperatorCommand } from './commands/operator-commands.ts'
import type { Config } from './config.ts'
import { DemoAccountError, findDemoLogin } from './demo-account.ts'
import { checkDatabase } from './doctor/check-database.ts'
import { startDomainServices } from './domain-setup.ts'
import { ALL_JOBS, startJobWorkers } from './jobs.ts'
import { findOperatorMailbox, toSitePageData, warnOfUnknownOperator, warnOfWeakSettings } from './operator.ts'
import { buildPlansForSale } from './plans-for-sale.ts'
import { registerQueueMetrics } from './register-queue-metrics.ts'
import { type RouteDeps, registerRoutes } from './routes.ts'
import { buildMailboxMailer } from './sandbox.ts'
import { bindSecretKeys, type InstallationKeys } from './secret-key.ts'
import { startBillingProvider, startCalendarProviders, startPaymentProviders } from './start-providers.ts'

export type Meridian = {
  readonly app: FastifyInstance
  /** The server that tells a TLS proxy which hosts it may request certificates for. It listens only when configured. */
  readonly asks: FastifyInstance
  /** The server that responds to the command line. It listens only while the product runs on the embedded database. */
  readonly commands: CommandListener
  readonly database: Database
  readonly jobs: JobQueue
  readonly auth: Auth
  readonly deps: RouteDeps
  /**
   * Starts the job workers, if this process has that role. Call it last, because the first queries would delay startup.
   */
  readonly startWorkers: () => Promise<void>
  /** Stops taking work, completes running work, and closes everything. */
  readonly stop: () => Promise<void>
}

/** Parts of the product that tests and tools replace. */
export type Substitutes = {
  readonly now?: Clock
  readonly database?: Database
  readonly mailer?: Mailer
  readonly providers?: PaymentProviders
  readonly calendarProviders?: CalendarProviders
  readonly dns?: Dns
  /** Replaces the fetching of URLs, because tests must not contact other servers. */
  readonly fetchAddress?: FetchOwnerUrl
  /** The billing provider; null when no plans are for sale. */
  readonly billing?: BillingProvider | null
  /** Replaces password verification, because tests verify the same password hundreds of times. */
  readonly verifyPassword?: VerifyPassword
  readonly log?: ReturnType<typeof buildLog>
  /** Delay of messages about a move, in seconds. */
  readonly undoSeconds?: number
  /** Adds the pages and the 404 response to the server before it starts. */
  readonly extend?: (app: FastifyInstance, deps: RouteDeps) => Promise<void>
  /** Allows the inline scripts of Vite's development server. */
  readonly allowInline?: boolean
}

/** Maximum wait for the mailer's connections on shutdown, in milliseconds; its emails are finished by then. */
const MAILER_CLOSE_MS = 1_000

/** Builds the product. The order matters: migrations, queues, sessions, routes. */
export async function compose(config: Config, substitutes: Substitutes = {}): Promise<Meridian> {
  const log = substitutes.log ?? buildLog(config.LOG_LEVEL)
  const now = substitutes.now ?? systemClock
  const { undoSeconds = UNDO_SECONDS } = substitutes
  warnOfUnknownOperator(config, log)
  warnOfWeakSettings(config, log)
  const database =
    substitutes.database ??
    (await openDatabase({
      url: config.DATABASE_URL,
      dataDir: config.DATA_DIR,
      poolSize: config.DATABASE_POOL_SIZE,
      onError: (err) => log.warn({ err }, 'idle database connection'),
      onPanic: (err) => {
        log.fatal(
          { err },
          'the database has ended itself, and the process with it: start it when there is room',
        )
        process.exit(1)
      },
    }))
  const closers: (() => Promise<void>)[] = [() => database.close()]
  const stop = async () => {
    const failures: unknown[] = []
    for (const close of closers.splice(0).reverse()) await close().catch((error) => failures.push(error))
    if (failures.length > 0) throw new AggregateError(failures, 'not everything could be closed')
  }
  try {
    const { keys, names } = await prepareDatabase(config, database, log)
    if (config.NODE_ENV === 'production') await refuseDemoAccount(database)
    const mailer = substitutes.mailer ?? (await buildMailer(config, database))
    closers.push(() => withTimeout(mailer.close(), MAILER_CLOSE_MS))
    let listener: FastifyInstance | null = null
    const payments =
      substitutes.providers === undefined
        ? await startPaymentProviders(config, { db: database.db, now, app: () => listener })
        : { providers: substitutes.providers, stop: async () => {} }
    closers.push(() => payments.stop())
    const calendars =
      substitutes.calendarProviders === undefined
        ? await startCalendarProviders(config, { db: database.db, now, app: () => listener })
        : { providers: substitutes.calendarProviders, stop: async () => {} }
    closers.push(() => calendars.stop())
    const billing =
      substitutes.billing === undefined
        ? await startBillingProvider(config, { db: database.db, now, app: () => listener })
        : { provider: substitutes.billing, stop: async () => {} }
    closers.push(() => billing.stop())
    const domains = await startDomainServices(config, { db: database.db, dns: substitutes.dns })
    closers.push(() => domains.stop())
    const jobs = buildJobQueue(database, log, ALL_JOBS)
    // Stop the workers before the mailer, because they use it.
    closers.push(() => jobs.stop())
    await jobs.start()
    const metrics = new Registry()
    registerQueueMetrics(metrics, database)
    const signer = buildSigner(keys.current, keys.previous)
    const toPseudonym = buildToPseudonym(names)
    const amounts = config.BUDGETS
    const budgets = buildBudgets({ db: database.db, now, log, amounts, metrics, toPseudonym })
    const parts = {
      db: database.db,
      now,
      jobs,
      log,
      budgets,
      defaultTier: config.DEFAULT_PLAN,
      baseUrl: config.BASE_URL,
      undoSeconds,
      providers: payments.providers,
      calendarProviders: calendars.providers,
      billing: billing.provider,
      domains: domains.setup,
      secrets: buildSecretBox(keys.current, keys.previous),
      toPseudonym,
      recipientKeys: buildRecipientKeys(names, signer),
      manageLinks: buildManageLinks(signer),
      customerSessions: buildCustomerSessions({ signer, baseUrl: config.BASE_URL }),
      fetchAddress: toFetchAddress(config, substitutes),
      origin: toMailOrigin({ baseUrl: config.BASE_URL, mailFrom: config.MAIL_FROM }),
    }
    const shared = { ...parts, ...buildEventHooks(parts) }
    const checkBeforeBooking = buildCheckBeforeBooking(shared)
    const devices = buildKnownDevices({ signer, baseUrl: config.BASE_URL })
    const auth = buildAuth({
      db: database.db,
      baseUrl: config.BASE_URL,
      secretKeys: keys,
      trustedOrigins: config.sandbox ? loopbackNames(config.BASE_URL) : [config.BASE_URL],
      budgets,
      devices,
      log,
      queueMail: (mail) => jobs.send(ACCOUNT_MAIL_JOB, mail),
      verifyPassword: substitutes.verifyPassword,
    })
    const plans = {
      endPlan: (ownerId: OwnerId) => endPlanOfOwner(shared, ownerId),
      announceEmail: (trx: Trx, ownerId: OwnerId) => queueEmailChange(shared, trx, ownerId),
    }
    const accounts = {
      auth,
      signer,
      devices,
      registration: config.REGISTRATION,
      registrationCookies: buildRegistrationCookies({ signer, baseUrl: config.BASE_URL }),
      queueAccountMailRequest: (trx: Trx, request: AccountMailRequest) =>
        jobs.insert(trx, ACCOUNT_REQUEST_JOB, [request]),
      queueAccountMails: (trx: Trx, mails: readonly AccountMail[]) =>
        jobs.insert(trx, ACCOUNT_MAIL_JOB, mails),
    }
    const backups = buildBackups({ database, config, now, log })
    const startWorkers = async () => {
      if (config.ROLE !== 'web') {
        await startJobWorkers(jobs, {
          ...shared,
          ...accounts,
          ...plans,
          mailer,
          database,
          nightlyBackups: config.BACKUP_DIR === undefined ? null : backups,
          operatorMailbox: findOperatorMailbox(config),
        })
      }
    }
    const aboutSite = toSitePageData(config)
    const listPlansForSale = buildPlansForSale({ billing: billing.provider, now, log })
    const deps: RouteDeps = {
      ...shared,
      ...accounts,
      ...plans,
      sandbox: config.sandbox,
      dnsPageUrl: domains.dnsPageUrl,
      mailFrom: config.MAIL_FROM,
      operatorMailbox: findOperatorMailbox(config),
      site: () => ({ ...aboutSite, plans_for_sale: listPlansForSale() }),
      money: {
        payBack: (key) => refundAppointment(shared, key),
        endCheckout: (key) => closeCheckoutAtProvider(shared, key),
      },
      endCheckouts: (calendarId: string, provider: PaymentProviderName | null = null) =>
        closeOpenCheckouts(shared, { calendarId, provider }),
      replaceEarlierHolds: (held) => replaceEarlierHolds(shared, held),
      isPaymentOpen: hasOpenPayment,
      checkExternalCalendars: (time) => checkBeforeBooking(toTimeToQuery(time)),
      verifyExternalCalendars: (time) => verifyTimeWithProviders(shared, checkBeforeBooking, time),
      startWriting: (trx, calendar) => startWriting(shared, trx, calendar),
      readInNewZone: (trx, calendar) => queueSyncsInNewZone(shared, trx, calendar),
      copyContent: async (trx, copy) => {
        await copyOffer(trx, copy)
        await copyBrandingFiles(trx, copy)
        await copyWriting(shared, trx, copy)
      },
      announceClosed: async (trx, calendarId) => {
        await queueClosedCalendarNotices(shared, trx, calendarId)
        await queueClosedListMails(shared, trx, calendarId)
        await queueEventRemovals(shared, trx, calendarId)
        await releaseHostsOfCalendar(trx, calendarId, new Date(now()))
        await endPaymentsOfCalendar(trx, calendarId, new Date(now()))
        await queueUnfinishedPaymentsMail(shared, trx, calendarId)
      },
    }
    const knownHosts = cacheHosts({ db: database.db, log })
    const app = await buildApp({
      log,
      hosts: {
        isOwnHost: buildInstallationHostCheck({
          baseUrl: config.BASE_URL,
          hasCalendarHosts: hasCalendarHosts(config),
        }),
        findCalendarHost: knownHosts.find,
        isCalendarHostRoute,
        isCustomerCookie,
      },
      baseUrl: config.BASE_URL,
      allowInline: substitutes.allowInline ?? false,
      loopbackOnly: config.sandbox,
      trustProxy: config.TRUST_PROXY,
      publicRequestsPerMinute: config.PUBLIC_REQUESTS_PER_MINUTE,
      now,
      addRequestCounts: database.kind === 'server' ? addRequestCounts(database.db) : null,
      metrics,
      // If the operator sets a token, it is required in development too.
      metricsOpen: config.sandbox && config.METRICS_TOKEN === undefined,
      metricsToken: config.METRICS_TOKEN,
      overloadDelayMs: config.OVERLOAD_DELAY_MS,
      isReady: () => isDatabaseReachable(database),
    })
    listener = app
    closers.push(() => app.close())
    await registerRoutes(app, deps)
    if (substitutes.extend !== undefined) await substitutes.extend(app, deps)
    else app.setNotFoundHandler((_request, reply) => sendProblem(reply, 'request.not_found'))
    await app.ready()
    const asks = buildCertificateCheckListener(async (host) => (await knownHosts.find(host)) !== null)
    closers.push(() => asks.close())
    const commands = buildCommandListener(config.DATA_DIR, {
      doctor: () => checkDatabase(database, config, Date.now),
      operator: (words) => runOperatorCommand(deps, words),
      backup: ([path]) => backups.make(path),
    })
    closers.push(() => commands.close())
    return { app, asks, commands, database, jobs, auth, deps, startWorkers, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Refuses a database with the demo account in production, because its password is public.
 * @throws DemoAccountError
 */
async function refuseDemoAccount(database: Database): Promise<void> {
  if ((await findDemoLogin(database.db)) !== null) throw new DemoAccountError()
}

/**
 * Applies the migrations and checks the key against the database. With a database server, this uses a separate
 * connection without a statement timeout.
 */
async function prepareDatabase(config: Config, database: Database, log: Log): Promise<InstallationKeys> {
  const prepare = async ({ db }: Database) => {
    await migrate(db)
    return bindSecretKeys(config, db, log)
  }
  if (config.DATABASE_URL === undefined) return prepare(database)
  const { DATABASE_URL: url, DATA_DIR: dataDir } = config
  const patient = await openDatabase({ url, dataDir, poolSize: 1, patient: true })
  try {
    return await prepare(patient)
  } finally {
    await patient.close()
  }
}

/** Returns the function that fetches URLs entered by owners. */
function toFetchAddress({ allowedNetworks }: Config, { fetchAddress }: Substitutes): FetchOwnerUrl {
  return fetchAddress ?? buildLazyOwnerUrlFetcher(toAllowedNetworks(allowedNetworks))
}

/** Builds the mailer: SMTP when a mail server is configured, and otherwise, outside production, the mailbox page. */
async function buildMailer(config: Config, database: Database): Promise<Mailer> {
  if (config.SMTP_URL !== undefined) {
    const { SMTP_URL: url, MAIL_BOUNCE_ADDRESS: bounceAddress } = config
    return buildSmtpMailer({ url, bounceAddress, timeoutMs: 10_000 })
  }
  if (!config.sandbox) throw new Error('SMTP_URL is needed outside the sandbox')
  return buildMailboxMailer(database.db)
}

async function isDatabaseReachable(database: Database): Promise<boolean> {
  try {
    await database.execute('select 1')
    return true
  } catch {
    return false
  }
}

/** Lists the loopback names of this server: in development, both names reach it. */
function loopbackNames(baseUrl: string): string[] {
  const { protocol, port } = new URL(baseUrl)
  const suffix = port === '' ? '' : `:${port}`
  return [baseUrl, `${protocol}//localhost${suffix}`, `${protocol}//127.0.0.1${suffix}`]
}
