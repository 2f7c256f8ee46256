import type { NewMessage } from '#server/messages/queue/repository.ts'
import { queueMessages } from '#server/messages/queue/use-cases.ts'
import { isDatabaseError } from '#server/platform/db/pg-errors.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { BookingsDeps } from './deps.ts'

/**
 * Queues emails in the caller's transaction. If queueing fails, the change still commits: the failure is logged, and
 * the response may mention it. A database error, however, aborts the whole transaction (decision 20). Source: rule B17.
 * @returns whether the emails are queued
 */
export async function tryToQueueMails(
  deps: Pick<BookingsDeps, 'jobs' | 'log'>,
  trx: Trx,
  kinds: readonly NewMessage['kind'][],
  about: Omit<NewMessage, 'kind'>,
  wait: { readonly afterSeconds?: number } = {},
): Promise<boolean> {
  if (kinds.length === 0) return false
  try {
    await queueMessages(
      deps,
      trx,
      kinds.map((kind) => ({ ...about, kind })),
      wait,
    )
    return true
  } catch (error) {
    if (isDatabaseError(error)) throw error
    deps.log.error({ err: error, kinds }, 'mails could not be queued')
    return false
  }
}
