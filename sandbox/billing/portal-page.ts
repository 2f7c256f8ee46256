import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { html } from '#sandbox/kit/html.ts'
import { sendSandboxPage } from '#sandbox/kit/sandbox-page.ts'
import { StripeFault } from '#sandbox/stripe/fault.ts'
import { type Happening, inWorld, nowS, type StandIn } from '#sandbox/stripe/world.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { readCard, typedCard } from './cards.ts'
import { changePlan, getCustomer, setCard, setEnding } from './lives.ts'
import { toPortalBody } from './portal-parts.ts'
import { find, INVOICES, list, PORTALS, type SandboxPortal, SUBSCRIPTIONS } from './records.ts'

type ById = { readonly Params: { readonly id: string } }

/** What an owner does in the portal. `subscription` and `price` name what it is about. */
const portalAction = z
  .object({
    action: z.enum(['change', 'cancel', 'keep', 'card']),
    subscription: z.string().max(100).default(''),
    price: z.string().max(100).default(''),
  })
  .and(typedCard)
type PortalAction = z.infer<typeof portalAction>

/** The customer portal. Opened for one thing, it shows that alone and leads back when it is done. */
export function registerPortal(app: FastifyInstance, world: StandIn): void {
  app.get<ById>('/p/session/:id', async (request, reply) => {
    const portal = await find(world.db, PORTALS, request.params.id)
    return sendPortal(reply, world, portal, null)
  })

  app.post<ById>('/p/session/:id', async (request, reply) => {
    const asked = portalAction.parse(request.body)
    const portal = await find(world.db, PORTALS, request.params.id)
    if (portal === null) return sendPortal(reply, world, null, null)
    try {
      await inWorld(world, async (trx) => ({ happened: await act(world, trx, portal, asked) }))
    } catch (error) {
      if (!(error instanceof StripeFault)) throw error
      return sendPortal(reply, world, portal, error.message)
    }
    return reply.redirect(portal.flow?.doneUrl ?? `/p/session/${portal.id}`, 303)
  })
}

/** @throws StripeFault when the card is refused */
async function act(
  world: StandIn,
  trx: Trx,
  portal: SandboxPortal,
  asked: PortalAction,
): Promise<readonly Happening[]> {
  const customer = await getCustomer(trx, portal.customerId)
  if (customer.isDeleted) return []
  if (asked.action === 'card') {
    const { card, refusal } = readCard(asked, world.now())
    if (card === null) throw new StripeFault(402, { type: 'card_error', message: refusal })
    return setCard(trx, customer, card)
  }
  const subscription = await find(trx, SUBSCRIPTIONS, asked.subscription, { lock: true })
  if (subscription?.customerId !== customer.id) return []
  switch (asked.action) {
    case 'change':
      return changePlan(world, trx, subscription, asked.price)
    case 'cancel':
      return setEnding(world, trx, subscription, true)
    case 'keep':
      return setEnding(world, trx, subscription, false)
  }
}

async function sendPortal(
  reply: FastifyReply,
  world: StandIn,
  portal: SandboxPortal | null,
  refusal: string | null,
) {
  const customer = portal === null ? null : await getCustomer(world.db, portal.customerId)
  if (portal === null || customer === null || customer.isDeleted) {
    const body = html`<p class="alert" role="alert">There is no such page of the portal.</p>`
    return sendSandboxPage(reply.code(404), { provider: 'Stripe', title: 'Your plan', body })
  }
  const subscriptions = await list(world.db, SUBSCRIPTIONS, { customerId: customer.id })
  const invoices = await list(world.db, INVOICES, { customerId: customer.id })
  const { title, body } = toPortalBody({
    portal,
    customer,
    subscriptions,
    invoices,
    atS: nowS(world),
    refusal,
  })
  return sendSandboxPage(reply, { provider: 'Stripe', title, body })
}
