import { buildStripeClient } from './stripe-client.ts'

/** Asks Stripe for something that every key may see. @throws Error with what Stripe says about the key */
export async function checkStripeKey(secretKey: string, sandboxUrl?: string): Promise<void> {
  await buildStripeClient({
    secretKey,
    ...(sandboxUrl === undefined ? {} : { sandboxUrl }),
  }).balance.retrieve()
}
