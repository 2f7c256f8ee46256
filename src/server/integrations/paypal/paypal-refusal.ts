import { z } from 'zod'
import { truncateText } from '#core/shared/text.ts'
import { type PaymentErrorKind, PaymentProviderError } from '#server/ports/payment-provider.ts'

/** An error response of PayPal, with PayPal's own error name. Callers of the port see a PaymentProviderError. */
export class PaypalRefusal extends PaymentProviderError {
  readonly status: number
  /** PayPal's error name, such as `INSTRUMENT_DECLINED` or `invalid_client`. */
  readonly issue: string
  constructor(status: number, issue: string, message: string) {
    super(kindOf(status, issue), message, { isAccountGone: issue === INVALID_CLIENT })
    this.status = status
    this.issue = issue
  }
}

/** PayPal's error name when the app was deleted at PayPal or its secret changed. */
const INVALID_CLIENT = 'invalid_client'

/** The body of an error response, in the format of the API or of its OAuth part. */
const refusalBody = z
  .object({
    name: z.string(),
    message: z.string(),
    error: z.string(),
    error_description: z.string(),
    details: z.array(z.object({ issue: z.string(), description: z.string() }).partial()),
  })
  .partial()

/** Maximum length of a message shown to the owner, in characters. */
const MESSAGE_LENGTH = 500

/** Converts a response with an error status, whatever its body. */
export function toPaypalRefusal(status: number, body: unknown): PaypalRefusal {
  const { name, message, error, error_description, details } = refusalBody.safeParse(body).data ?? {}
  const detail = details?.[0]
  const issue = detail?.issue ?? error ?? name ?? ''
  if (status === 401 && issue === INVALID_CLIENT) {
    return new PaypalRefusal(status, issue, 'PayPal doesn’t accept this client ID and client secret.')
  }
  const words = detail?.description ?? error_description ?? message ?? `PayPal answered ${status}.`
  return new PaypalRefusal(status, issue, truncateText(words, MESSAGE_LENGTH))
}

function kindOf(status: number, issue: string): PaymentErrorKind {
  if (status === 409 || issue === 'PREVIOUS_REQUEST_IN_PROGRESS') return 'in_progress'
  // PayPal limits our rate, or has a server error.
  return status === 429 || status >= 500 ? 'unavailable' : 'refused'
}
