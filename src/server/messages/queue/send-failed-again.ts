import { DAY_MS } from '#core/shared/duration.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { listFailedMessages } from './delivery-repository.ts'
import { type MessagesDeps, sendMessageAgain } from './owner-use-cases.ts'

/** How far back failed messages are looked for. */
const FAILED_WITHIN_MS = 7 * DAY_MS

/** How many messages were queued again, and how many were not because they no longer match their appointment. */
export type ResendResult = { readonly queued: number; readonly skipped: number }

/**
 * Queues again all emails about an owner's appointments that failed for good in the last seven days, as the owner could
 * one by one. Source: rules M3 and U37.
 */
export async function sendFailedMessagesAgain(deps: MessagesDeps, ownerId: OwnerId): Promise<ResendResult> {
  const failed = await listFailedMessages(deps.db, ownerId, new Date(deps.now() - FAILED_WITHIN_MS))
  let queued = 0
  for (const message of failed) {
    try {
      await sendMessageAgain(deps, ownerId, message)
      queued += 1
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
    }
  }
  return { queued, skipped: failed.length - queued }
}
