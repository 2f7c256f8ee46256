import { randomUUID } from 'node:crypto'

const MESSAGES = {
  INVALID_REQUEST: 'Request is not well-formed, syntactically incorrect, or violates schema.',
  AUTHENTICATION_FAILURE:
    'Authentication failed due to missing authorization header, or invalid authentication credentials.',
  RESOURCE_NOT_FOUND: 'The specified resource does not exist.',
  UNPROCESSABLE_ENTITY:
    'The requested action could not be performed, semantically incorrect, or failed business validation.',
  WEBHOOK_URL_ALREADY_EXISTS: 'Webhook URL already exists.',
  RATE_LIMIT_REACHED: 'Too many requests. Blocked due to rate limiting.',
  INTERNAL_SERVER_ERROR: 'An internal server error occurred.',
} as const

type Detail = { readonly issue: string; readonly description: string; readonly field?: string }

/** An error response as PayPal sends it. Source: https://developer.paypal.com/api/rest/responses/ */
export class PaypalErrorResponse extends Error {
  readonly status: number
  readonly body: object
  constructor(status: number, name: keyof typeof MESSAGES, details: readonly Detail[] = []) {
    super(details[0]?.description ?? MESSAGES[name])
    this.name = 'PaypalErrorResponse'
    this.status = status
    this.body = { name, message: MESSAGES[name], debug_id: randomUUID().slice(0, 13), details }
  }
}

export function unprocessableError(issue: string, description: string): PaypalErrorResponse {
  return new PaypalErrorResponse(422, 'UNPROCESSABLE_ENTITY', [{ issue, description }])
}

export function notFoundError(): PaypalErrorResponse {
  const description = 'Specified resource ID does not exist. Please check the resource ID and try again.'
  return new PaypalErrorResponse(404, 'RESOURCE_NOT_FOUND', [{ issue: 'INVALID_RESOURCE_ID', description }])
}

const FAILING_ADDRESS = /^(500|429|timeout|refused)(?:-(read|capture|refund))?@paypal\.example$/

type Operation = 'create' | 'read' | 'capture' | 'refund'

/**
 * Returns the failure that a customer's email address requests: `500@paypal.example` (or `429`, `timeout`, `refused`) when the
 * order is created, `500-read@…` when it is read, `500-capture@…` and `500-refund@…` when money moves.
 */
export function findRequestedFailure(email: string, operation: Operation): string | null {
  const [, failure = null, when = 'create'] = FAILING_ADDRESS.exec(email) ?? []
  return when === operation ? failure : null
}

/** @throws PaypalErrorResponse when the customer's email address requests a failure */
export function failIfRequested(email: string, operation: Operation): void {
  const failure = findRequestedFailure(email, operation)
  if (failure === '500') throw new PaypalErrorResponse(500, 'INTERNAL_SERVER_ERROR')
  if (failure === '429') throw new PaypalErrorResponse(429, 'RATE_LIMIT_REACHED')
  if (failure !== 'refused') return
  if (operation === 'capture') throw unprocessableError('TRANSACTION_REFUSED', 'The request was refused.')
  if (operation === 'create') {
    throw unprocessableError('PAYEE_ACCOUNT_RESTRICTED', 'The merchant account is restricted.')
  }
}

/** Never responds when the email address requests a timeout. The request has already been executed, which is the worst case. */
export async function hangIfRequested(email: string, operation: Operation): Promise<void> {
  if (findRequestedFailure(email, operation) === 'timeout') await new Promise(() => {})
}
