import type { Payee, PaymentProvider, ProviderName } from '#server/ports/payment-provider.ts'

type FakeConnect = PaymentProvider & {
  /** What an owner comes back with, and with which account. */
  accountOf: (code: string) => string
  /** Whose connection was cut. */
  readonly disconnected: Payee[]
  /** The next disconnecting or connecting fails with it. */
  failure: Error | null
}

const NOT_ASKED = () => Promise.reject(new Error('nobody pays here'))

/** A provider as far as accounts are connected with it. A code names its account. */
export function makeFakeConnect(name: ProviderName): FakeConnect {
  const disconnected: Payee[] = []
  const failOnce = () => {
    const { failure } = fake
    fake.failure = null
    if (failure !== null) throw failure
  }
  const fake: FakeConnect = {
    isStandIn: true,
    accountOf: (code) => `${name}-${code}`,
    disconnected,
    failure: null,
    buildConnectUrl: ({ state, redirectUri }) =>
      `https://${name}.example/connect?${new URLSearchParams({ state, redirect_uri: redirectUri })}`,
    connect: async ({ code, app, webhookUrl }) => {
      failOnce()
      return {
        accountId: fake.accountOf(code),
        email: app === null ? null : `${app.clientId}@example.com`,
        webhookId: app === null ? null : webhookUrl,
      }
    },
    disconnect: async (payee) => {
      failOnce()
      disconnected.push(payee)
    },
    createCheckout: NOT_ASKED,
    findCheckout: NOT_ASKED,
    endCheckout: NOT_ASKED,
    captureCheckout: NOT_ASKED,
    refund: NOT_ASKED,
    readWebhook: NOT_ASKED,
  }
  return fake
}
