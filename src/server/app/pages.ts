import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteShorthandOptions,
} from 'fastify'
import { typeLinkQuery } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import {
  APP_PAGES,
  LOGIN_AND_REGISTRATION_PAGES,
  NOT_FOUND_PAGE,
  toDocumentTitle,
} from '#contract/pages/app-pages.ts'
import {
  type BookingPageData,
  EMBED_PARAM,
  PAGE_DATA_ID,
  PREVIEW_PARAM,
  type SitePageData,
  WITHOUT_CUSTOM_CSS_PARAM,
} from '#contract/pages/page-data.ts'
import { PRODUCT_DESCRIPTION, PUBLIC_PAGES } from '#contract/pages/site-pages.ts'
import { CHOSEN_START_PARAM, CHOSEN_TYPE_PARAM } from '#core/addresses/public-url.ts'
import { isValidSlug } from '#core/addresses/slug.ts'
import { findCalendarOfPath } from '#server/areas/addresses/repository.ts'
import {
  type AppointmentTypesDeps,
  listPublicTypesOf,
} from '#server/areas/availability/appointment-types/use-cases.ts'
import { isDatabaseUnavailable } from '#server/platform/db/pg-errors.ts'
import { sendProblem } from '#server/platform/http/error-handler.ts'
import { isApiRequest } from '#server/platform/http/is-api-request.ts'
import { escapeHtml, sendPlainPage, UNAVAILABLE_PAGE } from '#server/platform/http/plain-page.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { COUNT_AS_PUBLIC_READ } from '#server/platform/http/rate-limits.ts'
import { findCalendarHost, sendPageNotFound } from '#server/platform/http/request-hosts.ts'
import { allowEmbedding, restrictPageRequests } from '#server/platform/http/security.ts'
import { type HtmlPage, sendHtml, sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { getPublicBrandingForCalendar } from '#server/records/branding/use-cases.ts'
import {
  type BookingPageCalendar,
  type CalendarsDeps,
  getBookingPageCalendar,
  getOfferedPaymentProviders,
  listEmbedSites,
} from '#server/records/calendars/use-cases.ts'
import { findDemoLogin } from './demo-account.ts'
import { findPageBranding, type PageBrandingDeps } from './find-page-branding.ts'
import { findHostRedirect, findPageRedirect } from './find-redirect.ts'
import type { PageRenderer, RenderedEntry } from './page-renderer.ts'
import {
  type PageContent,
  type PageEntry,
  type PageHead,
  type PageTemplates,
  renderPage,
} from './page-templates.ts'
import { getQueryString } from './requested-record.ts'
import type { StyledHtml } from './separate-styles.ts'

export type PagesDeps = AppointmentTypesDeps &
  PageBrandingDeps &
  Pick<CalendarsDeps, 'providers' | 'now' | 'defaultTier' | 'baseUrl'> & {
    readonly templates: PageTemplates
    /**
     * Renders pages on the server. Absent in development, where pages change while the server runs; the browser then
     * renders them.
     */
    readonly renderer?: PageRenderer | undefined
    readonly sandbox: boolean
    readonly site: () => SitePageData
  }

/** A page to render. `path` is the page's canonical path, however the request wrote it. */
type DrawnPage = {
  readonly entry: RenderedEntry
  readonly path: string
  readonly head: PageHead
  readonly data: BookingPageData | SitePageData
  readonly isEmbedded?: boolean
  readonly hasChoice?: boolean
  readonly notice?: string | undefined
}

/** The head of appointment pages, whose HTML reveals nothing about the appointment. */
const APPOINTMENT_HEAD: PageHead = {
  title: toDocumentTitle('Your appointment'),
  description: 'Your appointment.',
  noIndex: true,
}

/**
 * Registers the HTML pages. The server knows every page, so unknown addresses return a real 404. Each page has one
 * address; the same address with a trailing slash redirects to it. Source: rule W1.
 */
export function registerPages(app: FastifyInstance, deps: PagesDeps): void {
  /**
   * Cache of complete pages by body: the renderer returns the same object while path and data, and therefore the head,
   * stay the same.
   */
  const drawnPages = new WeakMap<StyledHtml, HtmlPage>()
  const embeddedPages = new WeakMap<StyledHtml, HtmlPage>()
  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    entry: PageEntry,
    head: PageHead,
    // The booking page sets its own initial data, or has none while the database is unavailable.
    content: PageContent = entry === 'booking' ? {} : { data: { id: PAGE_DATA_ID, json: deps.site() } },
  ) => {
    const { body, isEmbedded } = content
    const known = isEmbedded ? embeddedPages : drawnPages
    const isKept = isCommon(content)
    let page = body && isKept ? known.get(body) : undefined
    if (page === undefined) {
      page = renderPage(await deps.templates(entry, request.url), head, content)
      if (body !== undefined && isKept) known.set(body, page)
    }
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache')
    return sendHtml(request, reply, page)
  }
  /** Sends a server-rendered page. If rendering fails, the browser renders it. */
  const sendDrawn = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { entry, path, head, data, ...shown }: DrawnPage,
  ) => {
    const body = await deps.renderer?.(entry, path, data).catch((err: unknown) => {
      request.log.error({ err }, 'page not drawn')
      return undefined
    })
    return send(request, reply, entry, head, { body, ...shown, data: { id: PAGE_DATA_ID, json: data } })
  }
  const page = (
    path: string,
    handler: (request: FastifyRequest<{ Params: Params }>, reply: FastifyReply) => Promise<FastifyReply>,
    guards: RouteShorthandOptions = {},
  ) => {
    const options = { schema: { hide: true }, preHandler: refuseIncomplete, ...guards }
    app.get<{ Params: Params }>(path, options, handler)
    if (path === '/') return
    app.get<{ Params: Params }>(`${path}/`, options, (request, reply) => {
      const [address = '', ...query] = request.url.split('?')
      return reply.redirect([address.slice(0, -1), ...query].join('?'), 308)
    })
  }

  for (const [path, { title, description }] of Object.entries(PUBLIC_PAGES)) {
    const head = { title, description, url: `${deps.baseUrl}${path}` }
    page(path, async (request, reply) => {
      const host = findCalendarHost(request)
      if (host !== null && path === '/') return sendBookingPage(request, reply, { slug: host.slug, path })
      if (host !== null) return reply.redirect(`${deps.baseUrl}${path}`)
      const data = await loadSitePage(deps, request.log)
      return sendDrawn(request, reply, { entry: 'site', path, head, data })
    })
  }

  registerCrawlerFiles(app, deps.baseUrl)

  /** Registers a personal page, which the browser renders. */
  const personalPage = (entry: 'site' | 'app', path: string, title: string) => {
    const head = { title: toDocumentTitle(title), description: PRODUCT_DESCRIPTION, noIndex: true }
    page(
      path,
      async (request, reply) => {
        const data = { id: PAGE_DATA_ID, json: await loadSitePage(deps, request.log) }
        return send(request, reply, entry, head, { data })
      },
      { onRequest: sendPrivateHeaders },
    )
  }
  for (const [path, title] of Object.entries(LOGIN_AND_REGISTRATION_PAGES)) personalPage('site', path, title)
  for (const [path, title] of Object.entries(APP_PAGES)) personalPage('app', path, title)

  /** Sends the booking page while the database is unavailable. */
  const sendWithoutData = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('retry-after', '2')
    // Without initial data, the page loads its calendar by the slug in the URL. URLs on a calendar's host have no slug,
    // so send a plain page there.
    if (findCalendarHost(request) !== null)
      return sendPlainPage(reply, 'server.unavailable', UNAVAILABLE_PAGE)
    reply.code(503)
    // The page itself explains the problem and offers a retry.
    const head = { ...APPOINTMENT_HEAD, title: toDocumentTitle('Book an appointment') }
    return send(request, reply, 'booking', head)
  }

  /** Serves the booking page of a slug or path, or redirects to its own address. Source: rule J5. */
  const sendBookingPage = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { slug, path }: { readonly slug: string; readonly path: string },
  ) => {
    const host = findCalendarHost(request)
    const query = new URLSearchParams(getQueryString(request))
    // In a preview, the branding comes from the unsaved form next to the page, so the saved CSS is left out.
    const isPreview = query.has(PREVIEW_PARAM)
    const isPlain = query.has(WITHOUT_CUSTOM_CSS_PARAM) || isPreview
    const linkedTypeId = readTypeLink(query)
    const loaded = await loadBookingPage(deps, slug, { isPlain, linkedTypeId }).catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) throw error
      request.log.warn({ err: error }, 'database not available')
      return undefined
    })
    if (isPreview) preparePreview(request, reply, loaded?.data.calendar?.slug)
    if (loaded === undefined) return sendWithoutData(request, reply)
    const { data, embedSites, link } = loaded
    if (data.calendar === null) reply.code(404)
    const isEmbedded = data.calendar !== null && isForFrame(request)
    const asked = { host, path, query: getQueryString(request), isEmbedded }
    const wayOn =
      isPreview || data.calendar === null
        ? null
        : await findPageRedirect(deps, asked, data.calendar.public_url)
    if (wayOn !== null) return reply.header('cache-control', 'no-store').redirect(wayOn)
    if (isEmbedded) allowEmbedding(reply, embedSites)
    const head = { ...bookingHead(loaded), isOnCalendarHost: host !== null }
    return sendDrawn(request, reply, {
      entry: 'booking',
      path,
      head,
      data,
      isEmbedded,
      hasChoice: hasChoice(query, link),
      notice: NOTICES[link],
    })
  }

  page(
    '/book/:slug',
    async (request, reply) => {
      if (findCalendarHost(request) !== null) return reply.redirect(`/${getQueryString(request)}`)
      const { slug = '' } = request.params
      const spelling = slug.toLowerCase()
      if (slug !== spelling && isValidSlug(spelling)) {
        return reply.redirect(`/book/${spelling}${getQueryString(request)}`, 308)
      }
      return sendBookingPage(request, reply, { slug, path: `/book/${encodeURIComponent(slug)}` })
    },
    { config: COUNT_AS_PUBLIC_READ },
  )
  for (const path of [
    '/book/:slug/confirmation',
    '/confirmation',
    '/cancel/:appointmentId',
    '/manage/:token',
    '/waiting/:token',
    '/payment-success',
    '/payment-cancelled',
  ]) {
    page(
      path,
      async (request, reply) => {
        const host = findCalendarHost(request)
        // Refuse this path on the installation's own host, because it does not identify a calendar: the installation's
        // confirmation page is below `/book/{slug}`. Source: rule J3.
        if (host === null && path === '/confirmation') return sendUnknownPage(request, reply)
        const wayOn = host && (await findHostRedirect(deps, request, host))
        if (wayOn !== null) return reply.redirect(wayOn)
        // On a calendar's host, that calendar decides which sites may show the page, whatever calendar the URL names.
        // Of these pages, only the confirmation can be shown in a frame.
        const slug = host?.slug ?? request.params.slug
        const isConfirmation = slug !== undefined && isValidSlug(slug) && path.endsWith('/confirmation')
        const isEmbedded = isConfirmation && isForFrame(request)
        if (isEmbedded) allowEmbedding(reply, await findEmbedSites(deps, slug))
        const look = await findPageBranding(deps, request)
        const head = { ...APPOINTMENT_HEAD, ...look, isOnCalendarHost: host !== null }
        return send(request, reply, 'booking', head, { isEmbedded })
      },
      { onRequest: sendPrivateHeaders, config: COUNT_AS_PUBLIC_READ },
    )
  }

  app.setNotFoundHandler(async (request, reply) => {
    const wantsPage = ['GET', 'HEAD'].includes(request.method) && !isApiRequest(request)
    if (!wantsPage) return sendProblem(reply, 'request.not_found')
    if (findCalendarHost(request) !== null) return sendPageNotFound(request, reply)
    return sendUnknownPage(request, reply)
  })

  async function sendUnknownPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.code(404)
    const head = { title: toDocumentTitle(NOT_FOUND_PAGE), description: PRODUCT_DESCRIPTION, noIndex: true }
    const data = { id: PAGE_DATA_ID, json: await loadSitePage(deps, request.log) }
    return send(request, reply, 'site', head, { data })
  }
}

type Params = Readonly<Record<string, string>>

/** Operations that the branding preview may call: those for the free times of its calendar. */
const PREVIEWED = [
  at.getPublicAvailableTimeSlotsWithGoogle,
  at.listPublicAvailableDays,
  at.listFirstAvailableTimes,
]

/** Allows our own pages to show this page in a frame, in which visitors cannot book. Source: rule K9. */
function preparePreview(request: FastifyRequest, reply: FastifyReply, slug: string | undefined): void {
  allowEmbedding(reply, [])
  const paths = PREVIEWED.map((address) => address.slice(address.indexOf(' ') + 1))
  restrictPageRequests(
    request,
    reply,
    slug === undefined ? [] : paths.map((path) => path.replace(':slug', slug)),
  )
}

/**
 * True when the page is requested for a frame on another website. The sites that the owner has listed may then show it.
 * Source: rule W19.
 */
function isForFrame(request: FastifyRequest): boolean {
  return new URLSearchParams(getQueryString(request)).has(EMBED_PARAM)
}

/** Finds the sites that may show a page in a frame. While the database is unavailable, no site may. */
async function findEmbedSites(deps: PagesDeps, slug: string): Promise<readonly string[] | null> {
  return listEmbedSites(deps, slug).catch((error: unknown) => {
    if (!isDatabaseUnavailable(error)) throw error
    return []
  })
}

/** Refuses URLs with an empty parameter (`/calendar/`). */
async function refuseIncomplete(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  // The router returns path parameters by name.
  const isComplete = !Object.values(request.params as Params).includes('')
  return isComplete ? undefined : reply.callNotFound()
}

/**
 * Loads the data of the installation's own pages. On a trial installation, they tell visitors how to log in to the demo
 * account.
 */
async function loadSitePage(deps: PagesDeps, log: FastifyBaseLogger): Promise<SitePageData> {
  const site = deps.site()
  if (!deps.sandbox) return site
  const demo_login = await findDemoLogin(deps.db).catch((err: unknown) => {
    // Continue without the demo account: the page works without it and reports problems itself.
    log.warn({ err }, 'demo account not found')
    return null
  })
  return demo_login === null ? site : { ...site, demo_login }
}

/** Pages opened by links with a choice, or with a notice, are rare, so they are not kept. */
function isCommon({ hasChoice = false, notice }: PageContent): boolean {
  return !hasChoice && notice === undefined
}

/** The data of a booking page, and the sites that may show it in a frame. */
type LoadedPage = {
  readonly data: BookingPageData
  readonly embedSites: BookingPageCalendar['embedSites']
  /** What the link names. */
  readonly link: 'no type' | 'listed type' | 'type by link only' | 'unknown type'
}

/** True when the page opens with a time or a listed type chosen. */
function hasChoice(query: URLSearchParams, link: LoadedPage['link']): boolean {
  return query.has(CHOSEN_START_PARAM) || link === 'listed type'
}

/** What the booking page says about its link. Source: rule T66. */
const NOTICES: { readonly [Link in LoadedPage['link']]?: string } = {
  'unknown type': 'We can’t find the appointment type in this link. It may have been removed.',
}

/** Returns the type's id in a link; null when there is none. A text that cannot be an id becomes an empty one, which no type has. */
function readTypeLink(query: URLSearchParams): string | null {
  const typed = query.get(CHOSEN_TYPE_PARAM)
  return typed ? (typeLinkQuery.shape.type.safeParse(typed).data ?? '') : null
}

async function loadBookingPage(
  deps: PagesDeps,
  slug: string,
  { isPlain, linkedTypeId }: { isPlain: boolean; linkedTypeId: string | null },
): Promise<LoadedPage> {
  const { sandbox } = deps.site()
  const found = await findPageCalendar(deps, slug, linkedTypeId)
  if (found === null) {
    const payment_providers = { stripe_connected: false, paypal_connected: false, note: null }
    const nothing = { calendar: null, appointment_types: [], payment_providers, branding: null }
    return { data: { ...nothing, sandbox }, embedSites: [], link: 'no type' }
  }
  const { calendar, embedSites } = found
  const branding = await getPublicBrandingForCalendar(deps, found)
  const data: BookingPageData = {
    calendar,
    // The data must contain the style sheet's name, because rendered pages are cached by their data.
    branding: isPlain ? { ...branding, stylesheet: null } : branding,
    appointment_types: await listPublicTypesOf(deps, calendar, linkedTypeId),
    payment_providers: await getOfferedPaymentProviders(deps, calendar.calendar_id),
    sandbox,
  }
  return { data, embedSites, link: describeLink(data.appointment_types, linkedTypeId) }
}

function describeLink(
  shown: BookingPageData['appointment_types'],
  linkedTypeId: string | null,
): LoadedPage['link'] {
  if (linkedTypeId === null) return 'no type'
  const type = shown.find(({ id }) => id === linkedTypeId)
  if (type === undefined) return 'unknown type'
  return type.is_listed ? 'listed type' : 'type by link only'
}

/** Finds the calendar of a slug, or of a current or earlier path; null when there is none. */
async function findPageCalendar(
  deps: PagesDeps,
  slug: string,
  linkedTypeId: string | null,
): Promise<BookingPageCalendar | null> {
  if (!isValidSlug(slug)) return null
  try {
    return await getBookingPageCalendar(deps, slug, linkedTypeId)
  } catch (error) {
    if (!isUnknownCalendar(error)) throw error
    const ofPath = await findCalendarOfPath(deps.db, slug)
    return ofPath && getBookingPageCalendar(deps, ofPath.slug, linkedTypeId)
  }
}

function isUnknownCalendar(error: unknown): boolean {
  return error instanceof ProblemError && error.code === 'calendar.not_found'
}

function bookingHead({ data: { calendar, appointment_types, branding }, link }: LoadedPage): PageHead {
  if (calendar === null) {
    return { title: toDocumentTitle('Calendar Not Found'), description: PRODUCT_DESCRIPTION, noIndex: true }
  }
  const services = appointment_types.map((type) => type.name).join(', ')
  return {
    title: `Book an appointment · ${calendar.calendar_name}`,
    description:
      calendar.calendar_description ??
      `Choose a date and a time with ${calendar.calendar_name}.${services === '' ? '' : ` ${services}.`}`,
    url: calendar.public_url,
    noIndex: link === 'type by link only',
    image: branding?.logo ? new URL(branding.logo.url, calendar.public_url).href : undefined,
    stylesheet: branding?.stylesheet,
    colors: branding?.colors,
    logo: branding?.logo,
  }
}

const EMBED_SCRIPT = 'embed.js'

/**
 * Serves the pages' files. Files with a hash in their name are cached for a year, files with fixed names (favicon,
 * theme) for an hour.
 */
export async function registerAssets(app: FastifyInstance, webDir: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(webDir, 'assets'),
    prefix: '/assets/',
    immutable: true,
    maxAge: '365d',
    preCompressed: true,
    index: false,
  })
  const files = await readdir(webDir, { withFileTypes: true })
  for (const file of files.filter((one) => one.isFile() && !one.name.startsWith('.'))) {
    app.get(`/${file.name}`, { schema: { hide: true } }, (_request, reply) => {
      // Allow other websites to load this file.
      if (file.name === EMBED_SCRIPT) reply.header('cross-origin-resource-policy', 'cross-origin')
      return reply.sendFile(file.name, webDir, { maxAge: '1h', immutable: false })
    })
  }
}

/**
 * Registers the files that search engines request. Pages that must not be indexed say `noindex` themselves. Crawlers
 * must be able to read that, so only the API is disallowed.
 */
function registerCrawlerFiles(app: FastifyInstance, baseUrl: string): void {
  const robots = `User-agent: *\nDisallow: /api/\n\nSitemap: ${baseUrl}/sitemap.xml\n`
  app.get('/robots.txt', { schema: { hide: true } }, (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(robots),
  )
  // Booking pages are not listed: owners decide who gets their link.
  const urls = Object.keys(PUBLIC_PAGES).map(
    (path) => `  <url><loc>${escapeHtml(baseUrl + path)}</loc></url>`,
  )
  const sitemap = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>\n',
  ].join('\n')
  app.get('/sitemap.xml', { schema: { hide: true } }, (_request, reply) =>
    reply.type('application/xml; charset=utf-8').send(sitemap),
  )
}
