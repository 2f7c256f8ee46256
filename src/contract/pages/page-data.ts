import type { PublicAppointmentType } from '#contract/availability/appointment-types.ts'
import type { PublicBranding } from '#contract/calendars/branding.ts'
import type { PublicCalendar, PublicPaymentProviders } from '#contract/calendars/calendars.ts'
import type { DialableNumber } from '#contract/shared/phone-number.ts'
import type { PlanTier } from '#core/plans/plan.ts'

/**
 * The first data of `/book/{slug}`. It is in the HTML, so that the page needs no request before it can show itself.
 * `calendar` is null when there is no such calendar.
 */
export type BookingPageData = {
  calendar: PublicCalendar | null
  appointment_types: PublicAppointmentType[]
  payment_providers: PublicPaymentProviders
  /** How the page looks; null when there is no such calendar. */
  branding: PublicBranding | null
  /** Sandbox payments and mail: the page says so. */
  sandbox: boolean
}

/** In the query of a booking page: it is shown without custom CSS. Source: rule K8. */
export const PLAIN = 'plain'

/** In the query of a booking page: its owner sees it beside the form, with a look that is not saved. Source: rule K9. */
export const PREVIEW = 'preview'

/** What the form sends to the page beside it, and that page when it can take it. Source: rule K9. */
export type PreviewMessage = { readonly branding: PublicBranding; readonly css: string }
export const PREVIEW_READY = 'meridian:preview-ready'

/** Who runs the installation, as far as the settings `OPERATOR_…` say. */
export type Operator = {
  name: string | null
  /** The postal address, line by line. */
  address: readonly string[]
  email: string | null
  phone: string | null
  /** The numbers in `phone` that are in international form. */
  phone_numbers: readonly DialableNumber[]
}

/** What the pages of the site and the owner's pages know from their HTML. */
export type SitePageData = {
  operator: Operator
  /** A trial on one machine: no mail and no payment leaves it. */
  sandbox: boolean
  /** Whether emails can be read in the mailbox of this installation. */
  mailbox: boolean
  /** The plan of owners who have not bought one. */
  default_plan: PlanTier
  /** The plans that can be bought here, with what a month costs in minor units (rule S9). */
  plans_for_sale: readonly PlanPrice[]
  /** Whether this installation can send a message to its operator. */
  contact_form: boolean
  /** Whether owners can connect Stripe here. */
  stripe: boolean
  /** How the demo practice is looked at, where a trial has one. */
  demo_login?: DemoLogin
}

export type PlanPrice = {
  readonly tier: 'professional' | 'business'
  readonly amount_cents: number
  /** ISO 4217, lower case. */
  readonly currency: string
}

export type DemoLogin = { readonly email: string; readonly password: string }

/** In the address of a booking page that a page of another site shows in a frame (rule W19). */
export const EMBED_PARAM = 'embed'

/** The id of the `<script type="application/json">` element that carries it. */
export const PAGE_DATA_ID = 'page-data'

/**
 * The server-side bundle of an entry exports this as `render`. It draws a page as HTML from its path and its first
 * data.
 */
export type RenderPage<Data> = (path: string, data: Data) => string
