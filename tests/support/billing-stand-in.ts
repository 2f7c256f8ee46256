import { type BillingSandbox, startBillingSandbox } from '#sandbox/billing/start-billing-sandbox.ts'
import { buildStripeBilling } from '#server/integrations/stripe/billing/adapter.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { PortalPage } from '#server/ports/billing-provider.ts'
import type { WebhookRequest } from '#server/ports/payment-provider.ts'
import { type BillingOwner, type BillingUnderTest, makeStranger } from './billing-provider-contract.ts'
import { deletePlanCustomer, PLAN_CARD, type PlanPress, payPlan, pressPlan } from './plan-people.ts'
import { post } from './post-form.ts'
import { startWebhookReceiver } from './webhook-receiver.ts'

export type BillingStandIn = BillingUnderTest & {
  readonly sandbox: BillingSandbox
  /** What the stand-in takes for the present. */
  readonly clock: { ms: number }
  /** Every message to our webhook, in order. */
  readonly webhooks: readonly WebhookRequest[]
  /** Presses a button of the owner's newest subscription in the dashboard. */
  readonly press: (owner: BillingOwner, action: PlanPress) => Promise<void>
  /** Opens a page of the portal and presses a button there. */
  readonly pressInPortal: (
    owner: BillingOwner,
    fields: Readonly<Record<string, string>>,
    page?: PortalPage,
  ) => Promise<Response>
}

/** The adapter and the stand-in that sells plans, with people who press its buttons and a webhook that keeps everything. */
export async function startBillingStandIn(db: Db): Promise<BillingStandIn> {
  const clock = { ms: Date.now() }
  const receiver = await startWebhookReceiver()
  const sandbox = await startBillingSandbox({ db, now: () => clock.ms, webhookUrl: () => receiver.url })
  const { sandboxUrl, prices } = sandbox.settings
  const provider = buildStripeBilling({ ...sandbox.settings, timeoutMs: 20_000 })

  const getSubscriptionId = async ({ customerId }: BillingOwner) => {
    const [newest] = await provider.listSubscriptions(customerId)
    if (newest === undefined) throw new Error('no subscription')
    return newest.id
  }
  const press: BillingStandIn['press'] = async (owner, action) =>
    void (await pressPlan(sandboxUrl, await getSubscriptionId(owner), action))
  const pressInPortal: BillingStandIn['pressInPortal'] = async (owner, fields, page = { kind: 'home' }) => {
    const { url } = await provider.createPortal({
      customerId: owner.customerId,
      returnUrl: 'https://book.example/profile',
      page,
    })
    return post(url, fields)
  }

  return {
    provider,
    prices,
    makeOwner: async () => {
      const stranger = makeStranger()
      return { ...stranger, ...(await provider.createCustomer(stranger)) }
    },
    people: {
      subscribe: async ({ customerId, ownerId }, priceId) => {
        const { url } = await provider.createCheckout({
          customerId,
          ownerId,
          priceId,
          successUrl: 'https://book.example/dashboard?subscription=success',
          cancelUrl: 'https://book.example/pricing',
          key: `${ownerId}-${priceId}`,
        })
        await payPlan(url)
      },
      useCard: async (owner, kind) => {
        const card = kind === 'pays' ? PLAN_CARD.pays : PLAN_CARD.failsLater
        await pressInPortal(owner, { action: 'card', card, expiry: '12/34' }, { kind: 'card' })
      },
      retry: (owner) => press(owner, 'retry'),
      giveUp: (owner) => press(owner, 'cancel_unpaid'),
      passMonth: (owner) => press(owner, 'month'),
      endAtPeriodEnd: async (owner) => {
        const subscription = await getSubscriptionId(owner)
        await pressInPortal(owner, { action: 'cancel', subscription })
      },
      changeAtPeriodEnd: async (owner, price) => {
        const subscription = await getSubscriptionId(owner)
        await pressInPortal(owner, { action: 'change', subscription, price })
      },
      deleteCustomer: async ({ customerId }) => void (await deletePlanCustomer(sandboxUrl, customerId)),
    },
    sandbox,
    clock,
    webhooks: receiver.webhooks,
    press,
    pressInPortal,
    stop: async () => {
      await sandbox.stop()
      await receiver.stop()
    },
  }
}
