import type { PublicAppointmentType } from '#contract/availability/appointment-types.ts'
import type { PublicBranding } from '#contract/calendars/branding.ts'
import type { PublicCalendar, PublicPaymentProviders } from '#contract/calendars/calendars.ts'
import type { DialableNumber } from '#contract/shared/phone-number.ts'
import type { PlanTier } from '#core/plans/plan.ts'

/**
 * The initial data of `/book/{slug}`. The HTML contains it, so that the page renders without a request. `calendar` is null when
 * the calendar does not exist.
 */
export type BookingPageData = {
  calendar: PublicCalendar | null
  appointment_types: PublicAppointmentType[]
  payment_providers: PublicPaymentProviders
  /** Null when the calendar does not exist. */
  branding: PublicBranding | null
  /** True when payments and emails are simulated, which the page states. */
  sandbox: boolean
}

/** The query parameter of a booking page that turns custom CSS off. Source: rule K8. */
export const WITHOUT_CUSTOM_CSS_PARAM = 'plain'

/** The query parameter that shows a booking page with unsaved branding, next to the owner's branding form. Source: rule K9. */
export const PREVIEW_PARAM = 'preview'

/** The branding form posts this message to the preview, after the preview has posted `PREVIEW_READY_MESSAGE`. Source: rule K9. */
export type PreviewMessage = { readonly branding: PublicBranding; readonly css: string }
export const PREVIEW_READY_MESSAGE = 'meridian:preview-ready'

/** The installation's operator, from the settings `OPERATOR_…`. */
export type Operator = {
  name: string | null
  /** The postal address, line by line. */
  address: readonly string[]
  email: string | null
  phone: string | null
  /** The phone numbers in `phone` that are in international format. */
  phone_numbers: readonly DialableNumber[]
}

/** The initial data in the HTML of the public pages and of the owner's pages. */
export type SitePageData = {
  operator: Operator
  /** True when payments and emails are simulated, as in a trial on one machine. */
  sandbox: boolean
  /** True when this installation has a sandbox mailbox page that shows its emails. */
  mailbox: boolean
  /** Who can create an account (rule U35). */
  registration: RegistrationMode
  /** The plan of owners who have not bought one. */
  default_plan: PlanTier
  /** The plans on sale, with their monthly prices (rule S9). */
  plans_for_sale: readonly PlanPrice[]
  /** True when visitors can send a message to the operator. */
  contact_form: boolean
  /** True when owners can connect Stripe on this installation. */
  stripe: boolean
  /** The login of the demo practice, if there is one. */
  demo_login?: DemoCredentials
}

export type RegistrationMode = 'open' | 'invited' | 'closed'

export type PlanPrice = {
  readonly tier: 'professional' | 'business'
  /** The monthly price, in minor units. */
  readonly amount_cents: number
  /** ISO 4217, in lower case. */
  readonly currency: string
}

export type DemoCredentials = { readonly email: string; readonly password: string }

/** The query parameter of a booking page that is embedded in another website's frame (rule W19). */
export const EMBED_PARAM = 'embed'

/** The id of the `<script type="application/json">` element with the initial data. */
export const PAGE_DATA_ID = 'page-data'

/**
 * The function that the server-side bundle of an entry exports as `render`. It renders a page to HTML from its path and its
 * initial data.
 */
export type RenderPageOnServer<Data> = (path: string, data: Data) => string
