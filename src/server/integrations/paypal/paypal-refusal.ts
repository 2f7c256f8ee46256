import { z } from 'zod'
import { cutText } from '#core/shared/text.ts'
import { ProviderError, type ProviderErrorKind } from '#server/ports/payment-provider.ts'

/** An error answer of PayPal, in its own terms. Users of the port see a ProviderError. */
export class PaypalRefusal extends ProviderError {
  readonly status: number
  /** PayPal's name of the error: `INSTRUMENT_DECLINED`, `invalid_client`. */
  readonly issue: string
  constructor(status: number, issue: string, message: string) {
    super(kindOf(status, issue), message, { isAccountGone: issue === INVALID_CLIENT })
    this.status = status
    this.issue = issue
  }
}

/** The app was deleted at PayPal, or has another secret there. */
const INVALID_CLIENT = 'invalid_client'

/** The API and its OAuth part have different words for a refusal. */
const refusalBody = z
  .object({
    name: z.string(),
    message: z.string(),
    error: z.string(),
    error_description: z.string(),
    details: z.array(z.object({ issue: z.string(), description: z.string() }).partial()),
  })
  .partial()

/** The longest sentence that an owner reads, in characters. */
const MESSAGE_LENGTH = 500

/** Reads an answer that is not 2xx, whatever its body is. */
export function toPaypalRefusal(status: number, body: unknown): PaypalRefusal {
  const { name, message, error, error_description, details } = refusalBody.safeParse(body).data ?? {}
  const detail = details?.[0]
  const issue = detail?.issue ?? error ?? name ?? ''
  if (status === 401 && issue === INVALID_CLIENT) {
    return new PaypalRefusal(status, issue, 'PayPal does not accept the client ID and the client secret.')
  }
  const words = detail?.description ?? error_description ?? message ?? `PayPal answered ${status}.`
  return new PaypalRefusal(status, issue, cutText(words, MESSAGE_LENGTH))
}

function kindOf(status: number, issue: string): ProviderErrorKind {
  if (status === 409 || issue === 'PREVIOUS_REQUEST_IN_PROGRESS') return 'in_progress'
  // Too many requests, or a fault there.
  return status === 429 || status >= 500 ? 'unavailable' : 'refused'
}
