import { Temporal } from 'temporal-polyfill'
import { invalidRequest } from '#sandbox/stripe/fault.ts'
import { type Happening, nowS, type StandIn } from '#sandbox/stripe/world.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { canRenew, type SandboxCard } from './cards.ts'
import { getPrice } from './prices.ts'
import {
  add,
  CHECKOUTS,
  CUSTOMERS,
  find,
  INVOICES,
  list,
  newId,
  type SandboxCustomer,
  type SandboxInvoice,
  type SandboxPlanCheckout,
  type SandboxSubscription,
  SUBSCRIPTIONS,
  save,
} from './records.ts'
import { toCustomer } from './resources.ts'
import { toPlanSession } from './session-resources.ts'
import { toInvoice, toSubscription } from './subscription-resources.ts'

/** The part of the stand-in that a life of a subscription needs. */
type World = Pick<StandIn, 'now'>
type Happenings = readonly Happening[]

/** How often Stripe asks the card again after a renewal has failed, before it gives up. */
const RETRIES = 3

/** The checkout of a plan was paid: the subscription begins. */
export async function beginSubscription(
  world: World,
  trx: Trx,
  checkout: SandboxPlanCheckout,
  card: SandboxCard,
): Promise<Happenings> {
  const customer = await getCustomer(trx, checkout.customerId)
  const createdS = nowS(world)
  const subscription = await add(trx, SUBSCRIPTIONS, {
    id: newId('sub'),
    customerId: customer.id,
    metadata: checkout.subscriptionMetadata,
    priceId: checkout.priceId,
    status: 'active',
    createdS,
    periodStartS: createdS,
    periodEndS: aMonthAfter(createdS),
    cancelsAtPeriodEnd: false,
    canceledAtS: null,
    endedAtS: null,
    reason: null,
    nextPriceId: null,
  } as const)
  const payer = await save(trx, CUSTOMERS, { ...customer, card })
  const invoice = await addInvoice(world, trx, subscription, { reason: 'subscription_create', isPaid: true })
  const complete = await save(trx, CHECKOUTS, {
    ...checkout,
    status: 'complete',
    subscriptionId: subscription.id,
  } as const)
  return [
    // Stripe makes it before it is paid, and tells so.
    told('customer.subscription.created', {
      ...toSubscription(subscription, payer),
      status: 'incomplete',
    }),
    told('invoice.paid', toInvoice(invoice, payer, '')),
    told('customer.subscription.updated', toSubscription(subscription, payer)),
    told('checkout.session.completed', toPlanSession(complete, payer, '')),
  ]
}

/**
 * A month passes for this subscription alone: its dates and those of its invoices move back so far that its period ends now, and
 * what is due then happens.
 */
export async function passMonth(
  world: World,
  trx: Trx,
  subscription: SandboxSubscription,
): Promise<Happenings> {
  if (subscription.endedAtS !== null) return []
  const agedS = Math.max(0, subscription.periodEndS - nowS(world))
  for (const invoice of await list(trx, INVOICES, { subscriptionId: subscription.id })) {
    await save(trx, INVOICES, {
      ...invoice,
      createdS: invoice.createdS - agedS,
      periodStartS: invoice.periodStartS - agedS,
      periodEndS: invoice.periodEndS - agedS,
      paidAtS: invoice.paidAtS === null ? null : invoice.paidAtS - agedS,
    })
  }
  const aged: SandboxSubscription = {
    ...subscription,
    createdS: subscription.createdS - agedS,
    periodStartS: subscription.periodStartS - agedS,
    periodEndS: subscription.periodEndS - agedS,
    canceledAtS: subscription.canceledAtS === null ? null : subscription.canceledAtS - agedS,
  }
  if (aged.cancelsAtPeriodEnd) return end(world, trx, aged, 'cancellation_requested')
  return renew(world, trx, aged)
}

async function renew(world: World, trx: Trx, ending: SandboxSubscription): Promise<Happenings> {
  const customer = await getCustomer(trx, ending.customerId)
  const isPaid = ending.status === 'active' && canRenew(customer.card, world.now())
  const renewed: SandboxSubscription = {
    ...ending,
    priceId: ending.nextPriceId ?? ending.priceId,
    nextPriceId: null,
    periodStartS: ending.periodEndS,
    periodEndS: aMonthAfter(ending.periodEndS),
    status: isPaid || ending.status !== 'active' ? ending.status : 'past_due',
  }
  await save(trx, SUBSCRIPTIONS, renewed)
  const invoice = await addInvoice(world, trx, renewed, { reason: 'subscription_cycle', isPaid })
  return [
    told(isPaid ? 'invoice.paid' : 'invoice.payment_failed', toInvoice(invoice, customer, '')),
    told('customer.subscription.updated', toSubscription(renewed, customer)),
  ]
}

/** Asks the card for what is owed. After the last retry Stripe gives up, as most accounts have set it: the subscription ends. */
export async function retryPayment(
  world: World,
  trx: Trx,
  subscription: SandboxSubscription,
): Promise<Happenings> {
  const customer = await getCustomer(trx, subscription.customerId)
  const owed = await listOwed(trx, subscription)
  if (owed.length === 0) return []
  if (canRenew(customer.card, world.now())) return payOwed(world, trx, subscription)
  const tried: Happening[] = []
  for (const invoice of owed) {
    const again = await save(trx, INVOICES, { ...invoice, attempts: invoice.attempts + 1 })
    tried.push(told('invoice.payment_failed', toInvoice(again, customer, '')))
    // The first attempt was the renewal itself.
    if (again.attempts > RETRIES && subscription.status === 'past_due') {
      return [...tried, ...(await end(world, trx, subscription, 'payment_failed'))]
    }
  }
  return [...tried, told('customer.subscription.updated', toSubscription(subscription, customer))]
}

/** Everything that is owed for a subscription is paid, and it goes on. */
export async function payOwed(
  world: World,
  trx: Trx,
  subscription: SandboxSubscription,
): Promise<Happenings> {
  const customer = await getCustomer(trx, subscription.customerId)
  const happened: Happening[] = []
  for (const invoice of await listOwed(trx, subscription)) {
    const paid = await save(trx, INVOICES, {
      ...invoice,
      status: 'paid',
      attempts: invoice.attempts + 1,
      paidAtS: nowS(world),
    } as const)
    happened.push(told('invoice.paid', toInvoice(paid, customer, '')))
  }
  if (subscription.endedAtS !== null) return happened
  const active = await save(trx, SUBSCRIPTIONS, { ...subscription, status: 'active' } as const)
  return [...happened, told('customer.subscription.updated', toSubscription(active, customer))]
}

/** Stripe asks the card no more. What becomes of the subscription then is a setting of the account. */
export async function giveUp(
  world: World,
  trx: Trx,
  subscription: SandboxSubscription,
  becomes: 'canceled' | 'unpaid',
): Promise<Happenings> {
  if (subscription.status !== 'past_due') return []
  if (becomes === 'canceled') return end(world, trx, subscription, 'payment_failed')
  const unpaid = await save(trx, SUBSCRIPTIONS, { ...subscription, status: 'unpaid' } as const)
  const customer = await getCustomer(trx, subscription.customerId)
  return [told('customer.subscription.updated', toSubscription(unpaid, customer))]
}

/** It ends now. Ending what has ended changes nothing. */
export async function end(
  world: World,
  trx: Trx,
  subscription: SandboxSubscription,
  reason: NonNullable<SandboxSubscription['reason']>,
): Promise<Happenings> {
  if (subscription.endedAtS !== null) return []
  const endedAtS = nowS(world)
  const ended = await save(trx, SUBSCRIPTIONS, {
    ...subscription,
    status: 'canceled',
    canceledAtS: subscription.canceledAtS ?? endedAtS,
    endedAtS,
    reason,
    nextPriceId: null,
  } as const)
  const customer = await getCustomer(trx, subscription.customerId)
  return [told('customer.subscription.deleted', toSubscription(ended, customer))]
}

/** Ends it when its period ends, or takes that back. A change that was to come then is forgotten. */
export async function setEnding(
  world: World,
  trx: Trx,
  subscription: SandboxSubscription,
  cancelsAtPeriodEnd: boolean,
): Promise<Happenings> {
  if (subscription.endedAtS !== null) return []
  const changed = await save(trx, SUBSCRIPTIONS, {
    ...subscription,
    cancelsAtPeriodEnd,
    canceledAtS: cancelsAtPeriodEnd ? nowS(world) : null,
    reason: cancelsAtPeriodEnd ? 'cancellation_requested' : null,
    nextPriceId: null,
  } as const)
  const customer = await getCustomer(trx, subscription.customerId)
  return [told('customer.subscription.updated', toSubscription(changed, customer))]
}

/**
 * Changes the plan as the portal's configuration has it: a larger one at once, with an invoice for the difference, a smaller one at
 * the end of the period.
 *
 * @throws StripeFault when the card does not pay the difference
 */
export async function changePlan(
  world: World,
  trx: Trx,
  subscription: SandboxSubscription,
  priceId: string,
): Promise<Happenings> {
  if (subscription.endedAtS !== null) return []
  const customer = await getCustomer(trx, subscription.customerId)
  const [from, to] = [getPrice(subscription.priceId), getPrice(priceId)]
  const kept = { ...subscription, cancelsAtPeriodEnd: false, canceledAtS: null, reason: null }
  if (to.amountCents <= from.amountCents) {
    const nextPriceId = priceId === subscription.priceId ? null : priceId
    const later = await save(trx, SUBSCRIPTIONS, { ...kept, nextPriceId })
    return [told('customer.subscription.updated', toSubscription(later, customer))]
  }
  if (!canRenew(customer.card, world.now())) throw invalidRequest('Your card was declined.')
  const larger = await save(trx, SUBSCRIPTIONS, { ...kept, priceId, nextPriceId: null })
  const amountCents = toDifferenceCents(subscription, priceId, nowS(world))
  const invoice = await addInvoice(world, trx, larger, {
    reason: 'subscription_update',
    isPaid: true,
    amountCents,
  })
  return [
    told('customer.subscription.updated', toSubscription(larger, customer)),
    told('invoice.paid', toInvoice(invoice, customer, '')),
  ]
}

/** What a larger plan costs for the rest of the period beyond what was paid, in cents. */
export function toDifferenceCents(subscription: SandboxSubscription, priceId: string, atS: number): number {
  const { periodStartS, periodEndS } = subscription
  const restS = Math.max(0, periodEndS - atS)
  const differenceCents = getPrice(priceId).amountCents - getPrice(subscription.priceId).amountCents
  return Math.round((differenceCents * restS) / (periodEndS - periodStartS))
}

/** Somebody at Stripe sets another price, and nothing is paid for that. */
export async function setPrice(
  trx: Trx,
  subscription: SandboxSubscription,
  priceId: string,
): Promise<Happenings> {
  const changed = await save(trx, SUBSCRIPTIONS, { ...subscription, priceId, nextPriceId: null })
  const customer = await getCustomer(trx, subscription.customerId)
  return [told('customer.subscription.updated', toSubscription(changed, customer))]
}

/** The card that pays from now on. */
export async function setCard(trx: Trx, customer: SandboxCustomer, card: SandboxCard): Promise<Happenings> {
  const changed = await save(trx, CUSTOMERS, { ...customer, card })
  return [told('customer.updated', toCustomer(changed))]
}

/** Deleting a customer ends what it has at once, as it does at Stripe. */
export async function deleteCustomer(world: World, trx: Trx, customer: SandboxCustomer): Promise<Happenings> {
  const happened: Happening[] = []
  for (const subscription of await list(trx, SUBSCRIPTIONS, { customerId: customer.id })) {
    happened.push(...(await end(world, trx, subscription, 'cancellation_requested')))
  }
  for (const checkout of await list(trx, CHECKOUTS, { customerId: customer.id, status: 'open' })) {
    await save(trx, CHECKOUTS, { ...checkout, status: 'expired' } as const)
  }
  await save(trx, CUSTOMERS, { ...customer, isDeleted: true })
  return [...happened, told('customer.deleted', toCustomer(customer))]
}

/** The customer of something that exists. It is kept also when it was deleted. */
export async function getCustomer(db: Db, id: string): Promise<SandboxCustomer> {
  const customer = await find(db, CUSTOMERS, id)
  if (customer === null) throw new Error(`no customer ${id}`)
  return customer
}

/** An event about the operator's own account. */
export function told(type: Happening['type'], object: object): Happening {
  return { type, accountId: null, object }
}

function listOwed(trx: Trx, { id }: SandboxSubscription): Promise<SandboxInvoice[]> {
  return list(trx, INVOICES, { subscriptionId: id, status: 'open' })
}

async function addInvoice(
  world: World,
  trx: Trx,
  subscription: SandboxSubscription,
  {
    reason,
    isPaid,
    amountCents,
  }: {
    readonly reason: SandboxInvoice['reason']
    readonly isPaid: boolean
    /** A month's price when absent. */
    readonly amountCents?: number
  },
): Promise<SandboxInvoice> {
  const { customerId, periodStartS, periodEndS } = subscription
  const price = getPrice(subscription.priceId)
  const earlier = await list(trx, INVOICES, { customerId })
  const createdS = nowS(world)
  return add(trx, INVOICES, {
    id: newId('in'),
    customerId,
    subscriptionId: subscription.id,
    number: `${customerId.slice(-8).toUpperCase()}-${String(earlier.length + 1).padStart(4, '0')}`,
    createdS,
    description: amountCents === undefined ? price.name : `${price.name}, the rest of the month`,
    amountCents: amountCents ?? price.amountCents,
    currency: price.currency,
    status: isPaid ? 'paid' : 'open',
    reason,
    periodStartS,
    periodEndS,
    attempts: 1,
    paidAtS: isPaid ? createdS : null,
    refundedAtS: null,
  } as const)
}

/** The same day and time of the next month, in UTC; its last day where it is shorter. */
function aMonthAfter(seconds: number): number {
  const start = Temporal.Instant.fromEpochMilliseconds(seconds * 1_000).toZonedDateTimeISO('UTC')
  return Math.floor(start.add({ months: 1 }).epochMilliseconds / 1_000)
}
