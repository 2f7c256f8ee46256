import { MailRefusedError } from '#server/ports/mailer.ts'

/** How long a message is tried that a later try may still deliver. */
const TRIED_MS = 3 * 24 * 60 * 60 * 1000

/**
 * Whether a failed message is given up and its owner told: it was refused for good, or has failed for three days.
 * Source: rule M7.
 */
export function shouldGiveUp(error: unknown, failingForMs: number): boolean {
  return (error instanceof MailRefusedError && error.isFinal) || failingForMs >= TRIED_MS
}
