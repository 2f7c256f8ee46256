import { EMAIL_LINK_TOKEN_PREFIX } from '#contract/messages/email-link-mark.ts'
import { calendarFileUrlOf, manageUrlOf } from '#core/addresses/public-url.ts'
import { removeLinks } from '#core/messages/typed-links.ts'
import type { AppointmentMailContent } from './appointment-facts.ts'
import { toGreetingName, toLines, toSingleLine } from './entered-text.ts'

/**
 * Returns the content that a customer may read, in which text entered on the booking page has lost its links. Anybody
 * can enter text there with somebody else's email address, and the email would come from us. Text by the owner is kept,
 * because it may contain a video link, and rate limits bound the number of emails per owner. Every email to a customer
 * is built from this content. Source: rule E8.
 */
export function withoutEnteredLinks(facts: AppointmentMailContent): AppointmentMailContent {
  if (facts.bookedBy === 'owner') return facts
  const { title, description, customer } = facts
  return {
    ...facts,
    title: facts.isOwnersTitle ? title : removeLinks(toSingleLine(title)),
    description: description === null ? null : toLines(description).map(removeLinks).join('\n'),
    // Leave out a name that could be a link.
    customer: {
      ...customer,
      name: toGreetingName(customer.name),
      phone: customer.phone === null ? null : removeLinks(toSingleLine(customer.phone)),
    },
  }
}

/** The signed link of an appointment, and whether it has replaced an earlier one. */
export type SignedLink = { readonly token: string; readonly isReplaced: boolean }

/**
 * Adds the URL of the page that the signed link opens. The cancel link leads to that page too if the customer can
 * cancel without asking, or if the signed link has been replaced, because then the bare id no longer opens anything.
 * Source: rules Q4, R1 and R6.
 */
export function withManageLink(
  facts: AppointmentMailContent,
  { token, isReplaced }: SignedLink,
): AppointmentMailContent {
  const manageUrl = manageUrlOf(facts.cancelUrl, token)
  return {
    ...facts,
    manageUrl,
    cancelUrl: isReplaced || facts.cancelsAlone ? manageUrl : facts.cancelUrl,
    calendarFileUrl: calendarFileUrlOf(facts.cancelUrl, token),
  }
}

/**
 * Adds the links that only the recipient should have. `link` comes from `RecipientKeys`. `manage` is null for an
 * appointment that is no longer stored. Source: rules E5 and R1.
 */
export function withRecipientLink(
  facts: AppointmentMailContent,
  { link, manage }: { readonly link: string; readonly manage: SignedLink | null },
): AppointmentMailContent {
  const linked = manage === null ? facts : withManageLink(facts, manage)
  const { manageUrl, cancelUrl } = linked
  const proof = `${EMAIL_LINK_TOKEN_PREFIX}${link}`
  return {
    ...linked,
    manageUrl: `${manageUrl}${proof}`,
    cancelUrl: `${cancelUrl}${proof}`,
    stopUrl: `${new URL(facts.cancelUrl).origin}/cancel/emails${proof}`,
  }
}
