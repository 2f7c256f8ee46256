import { EMAIL_LINK_SIGN } from '#contract/email-link-sign.ts'
import { withoutLinks } from '#core/abuse/typed-links.ts'
import { manageUrlOf } from '#core/publishing/public-url.ts'
import type { AppointmentMailContent } from './appointment-facts.ts'
import { toAddressee, toLines, toSingleLine } from './typed-text.ts'

/**
 * The content as a customer may read it: text that somebody typed on the booking page has no links. Anybody may type
 * anything with somebody else's address, and the email comes from us. Text that the owner typed stays, because a video
 * link belongs there, and budgets limit how many emails an owner may cause. Every message to a customer is made of
 * this. Source: rule E8.
 */
export function toCustomerContent(facts: AppointmentMailContent): AppointmentMailContent {
  if (facts.bookedBy === 'owner') return facts
  const { title, description, customer } = facts
  return {
    ...facts,
    title: facts.isOwnersTitle ? title : withoutLinks(toSingleLine(title)),
    description: description === null ? null : toLines(description).map(withoutLinks).join('\n'),
    // A name with a link is left out.
    customer: {
      ...customer,
      name: toAddressee(customer.name),
      phone: customer.phone === null ? null : withoutLinks(toSingleLine(customer.phone)),
    },
  }
}

/** The signed link of an appointment, and whether there was another one before it. */
export type SignedLink = { readonly token: string; readonly isReplaced: boolean }

/**
 * The content, with the page that the signed link opens. The link to cancel leads there too, where the customer may cancel without
 * asking. It also does after the signed link was replaced, because the bare id then opens nothing. Source: rules Q4, R1 and R6.
 */
export function withManageLink(
  facts: AppointmentMailContent,
  { token, isReplaced }: SignedLink,
): AppointmentMailContent {
  const manageUrl = manageUrlOf(facts.cancelUrl, token)
  return { ...facts, manageUrl, cancelUrl: isReplaced || facts.cancelsAlone ? manageUrl : facts.cancelUrl }
}

/**
 * The content, with the links that only the reader of the recipient's address has. `link` is from `RecipientKeys`. `manage` is null
 * for an appointment that is not stored any more. Source: rules E5 and R1.
 */
export function withRecipientLink(
  facts: AppointmentMailContent,
  { link, manage }: { readonly link: string; readonly manage: SignedLink | null },
): AppointmentMailContent {
  const { manageUrl, cancelUrl } = manage === null ? facts : withManageLink(facts, manage)
  const proof = `${EMAIL_LINK_SIGN}${link}`
  return {
    ...facts,
    manageUrl: `${manageUrl}${proof}`,
    cancelUrl: `${cancelUrl}${proof}`,
    stopUrl: `${new URL(facts.cancelUrl).origin}/cancel/emails${proof}`,
  }
}
