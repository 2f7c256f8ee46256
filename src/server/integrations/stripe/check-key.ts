import { buildStripeClient } from './stripe-client.ts'

/** Calls an endpoint that every key may read. @throws Error with Stripe's reason when the key is rejected */
export async function checkStripeKey(secretKey: string, sandboxUrl?: string): Promise<void> {
  await buildStripeClient({
    secretKey,
    ...(sandboxUrl === undefined ? {} : { sandboxUrl }),
  }).balance.retrieve()
}
