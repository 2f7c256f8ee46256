import { formatDate } from '#server/platform/format-date.ts'
import { formatMoney } from '#server/platform/format-money.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { toSingleLine } from './entered-text.ts'
import type { MailBlock } from './mail-document.ts'
import type { MailOrigin } from './mail-origin.ts'
import { toMailFromInstallation } from './to-mail-from-installation.ts'

/** Features that were set up under an earlier plan and are inactive under the current one. */
export type InactiveFeature = 'paypal' | 'custom_branding' | 'custom_domains'

/** The data of an email about a plan. They are stored as JSON in a job, and instants are in RFC 3339. */
export type PlanMailFacts =
  | {
      readonly occasion: 'welcome'
      readonly plan: string
      /** The amount in minor units of `currency`. */
      readonly amountCents: number
      readonly currency: string
      /** When the next charge is due; null when nothing will be charged. */
      readonly nextChargeAt: string | null
    }
  | {
      readonly occasion: 'payment_failed'
      readonly plan: string
      readonly amountCents: number
      readonly currency: string
      /** Number of days since the first failed attempt. */
      readonly day: number
      /** When the plan ends if the owner does not pay; null while the provider retries. */
      readonly endsAt: string | null
    }
  | {
      readonly occasion: 'plan_ended'
      /** The plan that has ended, and the plan that applies now. */
      readonly ended: string
      readonly plan: string
      readonly pausedCalendars: readonly string[]
      readonly inactive: readonly InactiveFeature[]
    }
  | {
      readonly occasion: 'card_expiring'
      readonly plan: string
      readonly brand: string
      readonly last4: string
      /** The month, from 1 to 12. */
      readonly expiryMonth: number
      readonly expiryYear: number
    }
  | {
      readonly occasion: 'paid_twice'
      /** The plan that the owner bought twice, and the plan that remains. */
      readonly plan: string
      readonly kept: string
    }

type Input = {
  readonly owner: { readonly name: string; readonly email: string }
  readonly deliveryId: string
  readonly facts: PlanMailFacts
  readonly baseUrl: string
}

type Words = { readonly heading: string; readonly preview: string; readonly blocks: readonly MailBlock[] }

/** Builds an email about an owner's plan. Source: rule S15. */
export function buildPlanMail(
  { owner, deliveryId, facts, baseUrl }: Input,
  origin: MailOrigin,
): OutgoingMail {
  const { heading, preview, blocks } = toWords(facts, baseUrl)
  return toMailFromInstallation(
    {
      // Replace other characters: only these are safe in a Message-ID everywhere.
      idParts: [deliveryId.replace(/[^\w.-]+/g, '-'), facts.occasion],
      to: { name: owner.name, address: owner.email },
      calendar: null,
      about: null,
      heading,
      preview,
      blocks,
      footer: `You are receiving this because you have an account at ${toSingleLine(origin.from.name)}.`,
    },
    origin,
  )
}

function toWords(facts: PlanMailFacts, baseUrl: string): Words {
  switch (facts.occasion) {
    case 'welcome':
      return toWelcome(facts, baseUrl)
    case 'payment_failed':
      return toPaymentFailed(facts, baseUrl)
    case 'plan_ended':
      return toPlanEnded(facts, baseUrl)
    case 'card_expiring':
      return toCardExpiring(facts, baseUrl)
    case 'paid_twice':
      return toPaidTwice(facts, baseUrl)
  }
}

type About<Occasion extends PlanMailFacts['occasion']> = Extract<PlanMailFacts, { occasion: Occasion }>

function toWelcome(facts: About<'welcome'>, baseUrl: string): Words {
  const { plan, nextChargeAt } = facts
  const charge =
    nextChargeAt === null
      ? []
      : [{ label: 'Next payment', lines: [`${formatMoney(facts)} on ${toDay(nextChargeAt)}`] }]
  return {
    heading: `Welcome to the ${plan} plan`,
    preview: `Your ${plan} plan is active.`,
    blocks: [
      {
        kind: 'paragraph',
        text: `Thank you. Your ${plan} plan is active, and you can use everything in it now. You can change or end it at any time. It then runs until the end of the month you’ve paid for.`,
      },
      { kind: 'facts', facts: [{ label: 'Plan', lines: [plan] }, ...charge] },
      toPlanButton('View your plan', baseUrl),
    ],
  }
}

function toPaymentFailed(facts: About<'payment_failed'>, baseUrl: string): Words {
  const { plan, day, endsAt } = facts
  const heading = day === 0 ? 'Your payment didn’t go through' : 'Your payment is still unpaid'
  const when = day === 0 ? 'didn’t go through' : `failed ${day} days ago and is still unpaid`
  const next =
    endsAt === null
      ? 'We’ll try again over the next few days. Until then, your plan stays the same, and your customers won’t notice anything.'
      : `We won’t try again. Your plan runs until ${toDay(endsAt)}. Pay before then to keep it.`
  return {
    heading,
    preview: `${formatMoney(facts)} for your ${plan} plan ${when}.`,
    blocks: [
      { kind: 'paragraph', text: `The payment for your ${plan} plan ${when}.` },
      { kind: 'facts', facts: [{ label: 'Amount', lines: [formatMoney(facts)] }] },
      { kind: 'paragraph', text: `${next} Please check your card, or pay with another one.` },
      toPlanButton('Check your card', baseUrl),
    ],
  }
}

const INACTIVE: Readonly<Record<InactiveFeature, string>> = {
  paypal: 'PayPal isn’t offered to customers',
  custom_branding: 'Your branding isn’t shown',
  custom_domains: 'Your custom domain redirects to your booking link',
}

/** Maximum number of calendars that are listed by name; the rest is only counted. */
const LISTED = 20

function toPlanEnded(facts: About<'plan_ended'>, baseUrl: string): Words {
  const { ended, plan, pausedCalendars, inactive } = facts
  const names = pausedCalendars.slice(0, LISTED).map(toSingleLine)
  const rest = pausedCalendars.length - LISTED
  const paused =
    names.length === 0
      ? []
      : [{ label: 'Not taking new bookings', lines: rest > 0 ? [...names, `And ${rest} more`] : names }]
  const others =
    inactive.length === 0 ? [] : [{ label: 'Inactive', lines: inactive.map((thing) => INACTIVE[thing]) }]
  const nothing = paused.length + others.length === 0
  return {
    heading: `Your ${ended} plan has ended`,
    preview: `You are now on the ${plan} plan.`,
    blocks: [
      { kind: 'paragraph', text: `Your ${ended} plan has ended. You are now on the ${plan} plan.` },
      ...(nothing ? [] : [{ kind: 'facts' as const, facts: [...paused, ...others] }]),
      {
        kind: 'paragraph',
        text: nothing
          ? 'It includes everything you use, so nothing changes.'
          : 'Nothing is lost. Booked appointments stay, with their reminders, cancellations and refunds, and you can still view and export everything. With a larger plan, everything is active again right away.',
      },
      ...(paused.length === 0
        ? []
        : [
            {
              kind: 'paragraph' as const,
              text: 'In your profile you can choose which calendars stay open.',
            },
          ]),
      toPlanButton('View your plan', baseUrl),
    ],
  }
}

function toCardExpiring(facts: About<'card_expiring'>, baseUrl: string): Words {
  const { plan, brand, last4, expiryMonth, expiryYear } = facts
  const card = `${toSingleLine(brand)} ending in ${toSingleLine(last4)}`
  const month = `${String(expiryMonth).padStart(2, '0')}/${expiryYear}`
  return {
    heading: 'Your card expires soon',
    preview: `The card for your ${plan} plan expires in ${month}.`,
    blocks: [
      {
        kind: 'paragraph',
        text: `The card for your ${plan} plan expires at the end of ${month}. Please add your new card to keep your plan.`,
      },
      { kind: 'facts', facts: [{ label: 'Card', lines: [card] }] },
      toPlanButton('Change your card', baseUrl),
    ],
  }
}

function toPaidTwice(facts: About<'paid_twice'>, baseUrl: string): Words {
  const { plan, kept } = facts
  return {
    heading: 'You paid twice, so we’re refunding one payment',
    preview: `Your ${kept} plan stays as it is.`,
    blocks: [
      {
        kind: 'paragraph',
        text: `You bought the ${plan} plan, but you already had the ${kept} plan. We’ve cancelled the second purchase and are refunding its payment, which may take a few days. Your ${kept} plan stays the same.`,
      },
      { kind: 'paragraph', text: 'If you want a different plan, you can change it in your profile.' },
      toPlanButton('View your plan', baseUrl),
    ],
  }
}

function toPlanButton(label: string, baseUrl: string): MailBlock {
  return { kind: 'button', label, url: `${baseUrl}/profile?tab=subscription`, spelledOut: false }
}

/** Formats a date in UTC, because the provider counts days in UTC. */
function toDay(instant: string): string {
  return formatDate(new Date(instant).toISOString().slice(0, 10))
}
