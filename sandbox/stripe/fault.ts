/** A refusal as Stripe sends it. Source: https://docs.stripe.com/api/errors */
export class StripeFault extends Error {
  readonly status: number
  readonly body: { readonly error: Readonly<Record<string, string>> }
  constructor(status: number, error: { type: string; message: string; code?: string; param?: string }) {
    super(error.message)
    this.name = 'StripeFault'
    this.status = status
    this.body = { error }
  }
}

export function invalidRequest(
  message: string,
  details: { code?: string; param?: string } = {},
): StripeFault {
  return new StripeFault(400, { type: 'invalid_request_error', message, ...details })
}

export function noSuch(what: string, id: string): StripeFault {
  const message = `No such ${what}: '${id}'`
  return new StripeFault(404, { type: 'invalid_request_error', message, code: 'resource_missing' })
}

const FAILING_ADDRESS = /^(500|429|timeout|refused)(?:-(read|refund))?@stripe\.example$/

type Operation = 'create' | 'read' | 'refund'

/**
 * Whether this customer's address asks for a failure: `500@stripe.example` (or `429`, `timeout`, `refused`) when the checkout
 * is made, `500-read@…` when it is looked at or ended, `500-refund@…` when its money goes back.
 */
export function failureAskedFor(email: string, operation: Operation): string | null {
  const [, failure = null, when = 'create'] = FAILING_ADDRESS.exec(email) ?? []
  return when === operation ? failure : null
}

/** @throws StripeFault when the customer's address asks for one */
export function failWhenAsked(email: string, operation: Operation): void {
  switch (failureAskedFor(email, operation)) {
    case '500':
      throw new StripeFault(500, { type: 'api_error', message: 'An unknown error occurred' })
    case '429':
      throw new StripeFault(429, {
        type: 'invalid_request_error',
        message: 'Request rate limit exceeded.',
        code: 'rate_limit',
      })
    case 'refused':
      if (operation === 'refund') return
      throw invalidRequest('Your account cannot currently make live charges.')
  }
}

/** Leaves the request without an answer when the address asks for that. The work was done: the worst case of a time-out. */
export async function hangWhenAsked(email: string, operation: Operation): Promise<void> {
  if (failureAskedFor(email, operation) === 'timeout') await new Promise(() => {})
}
