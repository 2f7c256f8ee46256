import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type {
  Branding,
  BrandingPreview,
  brandingChanges,
  brandingPreviewBody,
  Logo,
  PublicBranding,
  uploadLogoBody,
} from '#contract/calendars/branding.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { brandColors, calendarColors } from '#core/calendars/page-colors.ts'
import { omitUndefined } from '#core/shared/defined-fields.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Budgets } from '#server/platform/budgets/budgets.ts'
import { refuseIfOverBudget } from '#server/platform/budgets/budgets.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import type { FetchOwnerUrl } from '#server/platform/http/fetch-owner-url.ts'
import { OwnerUrlError } from '#server/platform/http/owner-url-error.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { refuseStaleChange } from '#server/platform/http/refuse-stale-change.ts'
import type { CopiedCalendar } from '#server/records/calendars/duplicate-calendar.ts'
import {
  type BookingPageCalendar,
  getOwnCalendar,
  lockOwnCalendar,
  setBranding,
} from '#server/records/calendars/use-cases.ts'
import { type DefaultPlanSettings, refuseFeatureOutsidePlan } from '#server/records/subscription/use-cases.ts'
import { type CheckedCss, checkCustomCss } from './check-custom-css.ts'
import { type CalendarReference, findPublicBrandingRow, type PublicBrandingRow } from './public-repository.ts'
import { type LogoImage, renderLogo } from './render-logo.ts'
import {
  copyBrandingFileRows,
  deleteBrandingFiles,
  findBrandingFile,
  findLogoSize,
  findStoredBranding,
  storeBrandingFile,
} from './repository.ts'
import type { MailBranding } from './to-branding.ts'
import {
  type StoredBranding,
  toBranding,
  toBrandingFileUrl,
  toBrandingJson,
  toLogoWithUrl,
  toStoredBranding,
} from './to-branding.ts'
import { toFormattedHtml } from './to-formatted-html.ts'

export type BrandingDeps = DefaultPlanSettings & {
  readonly db: Db
  readonly now: Clock
  readonly baseUrl: string
  readonly budgets: Budgets
  /** The only function that may fetch URLs entered by owners. */
  readonly fetchAddress: FetchOwnerUrl
}

export type PublicBrandingDeps = Pick<BrandingDeps, 'db' | 'now' | 'defaultTier'>

/** Maximum wait for the server that hosts a logo, in milliseconds. */
const FETCH_TIMEOUT_MS = 10_000

/**
 * Returns the branding of one of the owner's calendars, on every plan. Source: rules K1 and K3.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function getBranding(
  deps: Pick<BrandingDeps, 'db' | 'baseUrl'>,
  ownerId: OwnerId,
  calendarId: string,
): Promise<Branding> {
  return toBranding(calendarId, await getStored(deps, ownerId, calendarId))
}

async function getStored(
  deps: Pick<BrandingDeps, 'db' | 'baseUrl'>,
  ownerId: OwnerId,
  calendarId: string,
): Promise<StoredBranding> {
  const stored = await findStoredBranding(deps.db, ownerId, calendarId)
  // The owner has no such calendar. This call throws the right refusal: not found or forbidden.
  if (stored === null) await getOwnCalendar(deps, ownerId, calendarId)
  return toStoredBranding(stored ?? {})
}

/**
 * Changes all of the given branding fields, or none of them. A new logo URL is fetched once, before any row is locked.
 * Source: rules K1, K3, K4 and K6.
 * @throws ProblemError `calendar.*`, `branding.*`, `request.changed_meanwhile`, `request.too_many`
 */
export async function changeBranding(
  deps: BrandingDeps,
  ownerId: OwnerId,
  calendarId: string,
  { was, ...changes }: z.output<typeof brandingChanges>,
): Promise<Branding> {
  const before = await getStored(deps, ownerId, calendarId)
  await refuseFeatureOutsidePlan(deps, ownerId, 'custom_branding')
  const styles = changes.custom_css === undefined ? null : await checkAll(deps, ownerId, changes.custom_css)
  const image = await fetchNewLogo(deps, ownerId, before, changes)
  return inTransaction(deps.db, async (trx) => {
    const inside = { ...deps, db: trx }
    const changedAt = new Date(deps.now())
    await lockOwnCalendar(trx, ownerId, calendarId)
    const stored = await getStored(inside, ownerId, calendarId)
    refuseStaleChange(toComparable(stored), was)
    const { logo_hash: _hash, ...texts } = changes
    const settings: StoredBranding = {
      ...stored,
      ...omitUndefined(texts),
      own_colors: changes.own_colors ?? (stored.own_colors || choosesColor(changes)),
      logo: await toStoredLogo(trx, calendarId, { stored, changes, image }),
      style: styles === null ? stored.style : (styles.file?.hash ?? null),
    }
    const named = [settings.logo?.hash, settings.style].filter((hash) => typeof hash === 'string')
    if (image !== null)
      await storeBrandingFile(trx, { calendarId, kind: 'logo', image, at: changedAt }, named)
    if (styles?.file) {
      await storeBrandingFile(trx, { calendarId, kind: 'style', ...styles.file, at: changedAt }, named)
    }
    await setBranding(trx, ownerId, calendarId, { settings: toBrandingJson(settings), changedAt })
    return getBranding(inside, ownerId, calendarId)
  })
}

/**
 * Deletes the branding and its files. Allowed on every plan: an owner can always remove stored branding, even if it is
 * not shown. Source: rule K3.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function clearBranding(
  deps: Pick<BrandingDeps, 'db' | 'now'>,
  ownerId: OwnerId,
  calendarId: string,
): Promise<Branding> {
  const nothing = toStoredBranding({})
  await inTransaction(deps.db, async (trx) => {
    await lockOwnCalendar(trx, ownerId, calendarId)
    const changedAt = new Date(deps.now())
    await setBranding(trx, ownerId, calendarId, { settings: toBrandingJson(nothing), changedAt })
    await deleteBrandingFiles(trx, calendarId)
  })
  return toBranding(calendarId, nothing)
}

/** Copies the logo and the styles of a calendar's branding to a copy of the calendar. Source: rule C16. */
export async function copyBrandingFiles(
  trx: Trx,
  { ownerId, originalId, copyId }: Omit<CopiedCalendar, 'copiedAt'>,
): Promise<void> {
  const { logo, style } = toStoredBranding((await findStoredBranding(trx, ownerId, originalId)) ?? {})
  const hashes = [logo?.hash, style].filter((hash) => typeof hash === 'string')
  await copyBrandingFileRows(trx, { originalId, copyId, hashes })
}

type Changes = Omit<z.output<typeof brandingChanges>, 'was'>

function choosesColor({ primary_color, secondary_color }: Changes): boolean {
  return primary_color !== undefined || secondary_color !== undefined
}

/**
 * Returns the settings in the form in which the owner's form sends them back for comparison: the logo is represented by
 * its hash.
 */
function toComparable({ logo, style: _style, ...settings }: StoredBranding) {
  return { ...settings, logo_hash: logo?.hash ?? null }
}

/**
 * Checks all texts and styles.
 * @throws ProblemError `branding.css_refused` with one entry per refused line
 */
async function checkAll(
  deps: Pick<BrandingDeps, 'budgets'>,
  ownerId: OwnerId,
  css: string,
): Promise<{ readonly file: { readonly hash: string; readonly content: Buffer } | null }> {
  const checked = await checkOwnStyles(deps, ownerId, css)
  if (checked.refused.length > 0) {
    throw new ProblemError(
      'branding.css_refused',
      checked.refused.map(({ line, message }) => ({
        path: 'custom_css',
        message: `Line ${line}: ${message}`,
      })),
    )
  }
  if (checked.css === '') return { file: null }
  const content = Buffer.from(checked.css)
  return { file: { hash: hashOf(content), content } }
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Fetches the image of a new logo URL. Returns null when nothing has to be fetched. */
async function fetchNewLogo(
  deps: BrandingDeps,
  ownerId: OwnerId,
  before: StoredBranding,
  { logo_url, logo_hash }: Changes,
): Promise<LogoImage | null> {
  if (logo_url === undefined || logo_url === '' || typeof logo_hash === 'string') return null
  const isKnown = logo_url === before.logo_url && before.logo !== null && logo_hash === undefined
  return isKnown ? null : fetchLogo(deps, ownerId, logo_url)
}

async function toStoredLogo(
  trx: Trx,
  calendarId: string,
  given: { stored: StoredBranding; changes: Changes; image: LogoImage | null },
): Promise<StoredBranding['logo']> {
  const { stored, image } = given
  const { logo_url, logo_hash } = given.changes
  if (image !== null) return { hash: image.hash, width: image.width, height: image.height }
  if (typeof logo_hash === 'string') {
    const size = await findLogoSize(trx, calendarId, logo_hash)
    if (size === null) throw new ProblemError('branding.logo_unknown')
    return { hash: logo_hash, ...size }
  }
  return logo_hash === null || logo_url === '' ? null : stored.logo
}

/**
 * Creates a logo from a URL or an uploaded file, and stores it. Visitors see the logo once the owner has saved the
 * branding with it. Source: rule K4.
 * @throws ProblemError `calendar.*`, `branding.*`, `request.too_many`
 */
export async function makeLogo(
  deps: BrandingDeps,
  ownerId: OwnerId,
  calendarId: string,
  body: z.output<typeof uploadLogoBody>,
): Promise<Logo> {
  await getOwnCalendar(deps, ownerId, calendarId)
  await refuseFeatureOutsidePlan(deps, ownerId, 'custom_branding')
  const image =
    body.file === undefined
      ? await fetchLogo(deps, ownerId, body.logo_url ?? '')
      : await drawLogo(deps, ownerId, Buffer.from(body.file, 'base64'))
  await inTransaction(deps.db, async (trx) => {
    await lockOwnCalendar(trx, ownerId, calendarId)
    const { logo } = await getStored({ ...deps, db: trx }, ownerId, calendarId)
    const named = [image.hash, ...(logo === null ? [] : [logo.hash])]
    await storeBrandingFile(trx, { calendarId, kind: 'logo', image, at: new Date(deps.now()) }, named)
  })
  return toLogoWithUrl(calendarId, { hash: image.hash, width: image.width, height: image.height })
}

async function fetchLogo(deps: BrandingDeps, ownerId: OwnerId, url: string): Promise<LogoImage> {
  refuseIfOverBudget(await deps.budgets.spend([{ budget: 'logos_account', subject: ownerId }]))
  return renderLogo(await fetchImage(deps, url), { ownerId })
}

async function drawLogo(deps: BrandingDeps, ownerId: OwnerId, file: Buffer): Promise<LogoImage> {
  refuseIfOverBudget(await deps.budgets.spend([{ budget: 'logos_account', subject: ownerId }]))
  return renderLogo(file, { ownerId })
}

async function fetchImage({ fetchAddress }: BrandingDeps, url: string): Promise<Buffer> {
  try {
    const answer = await fetchAddress(url, { timeoutMs: FETCH_TIMEOUT_MS, maxBytes: LIMITS.logoBytes })
    if (!answer.ok) throw new ProblemError('branding.logo_unreachable')
    return Buffer.from(await answer.arrayBuffer())
  } catch (error) {
    if (!(error instanceof OwnerUrlError)) throw error
    const isTooLarge = error.problem === 'too_large'
    throw new ProblemError(isTooLarge ? 'branding.logo_too_large' : 'branding.logo_unreachable')
  }
}

/** Checks the owner's CSS. The checks are rate limited, because each uses much CPU time. */
async function checkOwnStyles(
  { budgets }: Pick<BrandingDeps, 'budgets'>,
  ownerId: OwnerId,
  css: string,
): Promise<CheckedCss> {
  refuseIfOverBudget(await budgets.spend([{ budget: 'branding_checks', subject: ownerId }]))
  return checkCustomCss(css)
}

/**
 * Returns the branding as visitors would see it, and the refused parts of the custom CSS. Saves nothing. Source: rule
 * K9.
 * @throws ProblemError `calendar.*`, `branding.not_in_plan`, `branding.logo_unknown`, `request.too_many`
 */
export async function previewBranding(
  deps: BrandingDeps,
  ownerId: OwnerId,
  calendarId: string,
  body: z.output<typeof brandingPreviewBody>,
): Promise<BrandingPreview> {
  const { color } = await getOwnCalendar(deps, ownerId, calendarId)
  await refuseFeatureOutsidePlan(deps, ownerId, 'custom_branding')
  const { css, refused } = await checkOwnStyles(deps, ownerId, body.custom_css)
  const size = body.logo_hash === null ? null : await findLogoSize(deps.db, calendarId, body.logo_hash)
  if (body.logo_hash !== null && size === null) throw new ProblemError('branding.logo_unknown')
  const { logo_hash, ...settings } = body
  const logo = logo_hash === null || size === null ? null : { hash: logo_hash, ...size }
  const look = { ...settings, logo_url: '', logo, style: null }
  const branding = await draw({ calendar_id: calendarId, color }, look)
  return { branding, css, refused: [...refused] }
}

/**
 * Returns the branding that visitors see. The calendar's own colour is used when no branding is set, or while the plan
 * does not include branding. Source: rules K1 and K3.
 * @throws ProblemError `calendar.not_found`
 */
export async function getPublicBranding(deps: PublicBrandingDeps, slug: string): Promise<PublicBranding> {
  const row = await findRow(deps, { by: 'slug', name: slug })
  if (row === null) throw new ProblemError('calendar.not_found')
  return drawRow(row)
}

/**
 * Returns the public branding of a calendar that is already loaded. Runs no query when no branding is set. Source:
 * rules K1 and K3.
 */
export async function getPublicBrandingForCalendar(
  deps: PublicBrandingDeps,
  { calendar, hasBranding }: Pick<BookingPageCalendar, 'calendar' | 'hasBranding'>,
): Promise<PublicBranding> {
  const { calendar_id: name, calendar_color: color } = calendar
  const row = hasBranding ? await findRow(deps, { by: 'calendar', name }) : null
  return row === null ? toDefaultBranding(color) : drawRow(row)
}

/**
 * Returns the colours and the logo of a calendar, for the pages after a booking. Null when no branding is shown.
 * Source: rules K3 and K11.
 */
export async function findPublicColorsAndLogo(
  deps: PublicBrandingDeps,
  calendar: CalendarReference,
): Promise<Pick<PublicBranding, 'colors' | 'logo'> | null> {
  const row = await findRow(deps, calendar)
  if (row === null || !isShown(row)) return null
  const { logo, ...settings } = toStoredBranding(row.branding_settings)
  return {
    colors: toColors(row.color, settings),
    logo: logo && toLogoWithUrl(row.calendar_id, logo),
  }
}

function findRow(deps: PublicBrandingDeps, calendar: CalendarReference): Promise<PublicBrandingRow | null> {
  return findPublicBrandingRow(deps, deps.db, { ...calendar, now: new Date(deps.now()) })
}

async function drawRow(row: PublicBrandingRow): Promise<PublicBranding> {
  return isShown(row) ? draw(row, toStoredBranding(row.branding_settings)) : toDefaultBranding(row.color)
}

/** Returns the default appearance, with the calendar's own colour. */
function toDefaultBranding(color: string): PublicBranding {
  return { colors: calendarColors(color), logo: null, welcome_html: '', footer_html: '', stylesheet: null }
}

function isShown({ branding_settings, is_in_plan }: PublicBrandingRow): boolean {
  return is_in_plan && Object.keys(branding_settings).length > 0
}

async function draw(
  { calendar_id: calendarId, color }: Pick<PublicBrandingRow, 'calendar_id' | 'color'>,
  settings: StoredBranding,
): Promise<PublicBranding> {
  const { logo, style } = settings
  return {
    colors: toColors(color, settings),
    logo: logo === null ? null : toLogoWithUrl(calendarId, logo),
    welcome_html: await toFormattedHtml(settings.welcome_message),
    footer_html: await toFormattedHtml(settings.footer_text),
    stylesheet: style === null ? null : toBrandingFileUrl(calendarId, `${style}.css`),
  }
}

/** Returns the brand colours, or the calendar's own colour while the owner has chosen none. Source: rule K1. */
function toColors(
  calendarColor: string,
  { own_colors, primary_color: primary, secondary_color: secondary }: Omit<StoredBranding, 'logo'>,
) {
  return own_colors ? brandColors({ primary, secondary }) : calendarColors(calendarColor)
}

/** Adds the calendar's branding to the content of an email, if branding is shown. Source: rules K3 and K10. */
export async function addMailBranding<Content extends { readonly calendar: Branded }>(
  deps: PublicBrandingDeps,
  calendarId: string,
  content: Content,
): Promise<Content> {
  const row = await findRow(deps, { by: 'calendar', name: calendarId })
  if (row === null || !isShown(row)) return content
  const { logo, own_colors, primary_color } = toStoredBranding(row.branding_settings)
  const file = logo && (await findBrandingFile(deps.db, { calendarId, hash: logo.hash, kind: 'logo' }))
  const color = own_colors ? primary_color : null
  const brand = { color, logo: logo && file && { ...logo, content: file.toString('base64') } }
  return { ...content, calendar: { ...content.calendar, brand } }
}

type Branded = { readonly brand?: MailBranding | null }

/**
 * Returns a branding file by its name.
 * @throws ProblemError `request.not_found`
 */
export async function getBrandingFile(
  { db }: Pick<BrandingDeps, 'db'>,
  { calendarId, file }: { calendarId: string; file: string },
): Promise<{ readonly contentType: string; readonly content: Buffer }> {
  const [hash = '', ending] = file.split('.')
  const kind = ending === 'png' ? 'logo' : 'style'
  const content = await findBrandingFile(db, { calendarId, hash, kind })
  if (content === null) throw new ProblemError('request.not_found')
  return { contentType: kind === 'logo' ? 'image/png' : 'text/css; charset=utf-8', content }
}
