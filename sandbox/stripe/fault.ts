/** An error response as Stripe sends it. Source: https://docs.stripe.com/api/errors */
export class StripeErrorResponse extends Error {
  readonly status: number
  readonly body: { readonly error: Readonly<Record<string, string>> }
  constructor(status: number, error: { type: string; message: string; code?: string; param?: string }) {
    super(error.message)
    this.name = 'StripeErrorResponse'
    this.status = status
    this.body = { error }
  }
}

export function invalidRequestError(
  message: string,
  details: { code?: string; param?: string } = {},
): StripeErrorResponse {
  return new StripeErrorResponse(400, { type: 'invalid_request_error', message, ...details })
}

export function noSuchResourceError(what: string, id: string): StripeErrorResponse {
  const message = `No such ${what}: '${id}'`
  return new StripeErrorResponse(404, { type: 'invalid_request_error', message, code: 'resource_missing' })
}

const FAILING_ADDRESS = /^(500|429|timeout|refused)(?:-(read|refund))?@stripe\.example$/

type Operation = 'create' | 'read' | 'refund'

/**
 * Returns the failure that a customer's email address requests: `500@stripe.example` (or `429`, `timeout`, `refused`) when the
 * checkout is created, `500-read@…` when it is read or expired, `500-refund@…` when it is refunded.
 */
export function findRequestedFailure(email: string, operation: Operation): string | null {
  const [, failure = null, when = 'create'] = FAILING_ADDRESS.exec(email) ?? []
  return when === operation ? failure : null
}

/** @throws StripeErrorResponse when the customer's email address requests a failure */
export function failIfRequested(email: string, operation: Operation): void {
  switch (findRequestedFailure(email, operation)) {
    case '500':
      throw new StripeErrorResponse(500, { type: 'api_error', message: 'An unknown error occurred' })
    case '429':
      throw new StripeErrorResponse(429, {
        type: 'invalid_request_error',
        message: 'Request rate limit exceeded.',
        code: 'rate_limit',
      })
    case 'refused':
      if (operation === 'refund') return
      throw invalidRequestError('Your account cannot currently make live charges.')
  }
}

/** Never responds when the email address requests a timeout. The request has already been executed, which is the worst case. */
export async function hangIfRequested(email: string, operation: Operation): Promise<void> {
  if (findRequestedFailure(email, operation) === 'timeout') await new Promise(() => {})
}
