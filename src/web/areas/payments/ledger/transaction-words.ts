import type { TransactionRow } from '#contract/payments/transactions.ts'
import { PROVIDER_NAMES } from '#core/payments/provider-names.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'

export const PROVIDER_WORDS: Record<TransactionRow['provider'], string> = {
  ...PROVIDER_NAMES,
  manual: 'Manual',
}

type StatusWords = { readonly label: string; readonly tone: BadgeTone; readonly raw: string | null }

const KNOWN: Readonly<Record<string, readonly [label: string, tone: BadgeTone]>> = {
  completed: ['Completed', 'success'],
  failed: ['Failed', 'danger'],
  refunded: ['Refunded', 'info'],
  manual: ['Manual Payment', 'neutral'],
}

/** The word for a status; anything else is Pending, with the value itself (rule F9). */
export function wordsOf(status: string): StatusWords {
  const known = KNOWN[status]
  if (known === undefined) {
    return { label: 'Pending', tone: 'warning', raw: status === 'pending' ? null : status }
  }
  return { label: known[0], tone: known[1], raw: null }
}
