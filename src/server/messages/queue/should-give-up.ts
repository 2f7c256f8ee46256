import { MailRefusedError } from '#server/ports/mailer.ts'

/** How long to retry a message after temporary failures, in milliseconds. */
const TRIED_MS = 3 * 24 * 60 * 60 * 1000

/**
 * True when a failed message is given up and its owner notified: it was permanently refused, or has failed for three
 * days. Source: rule M7.
 */
export function shouldGiveUp(error: unknown, failingForMs: number): boolean {
  return (error instanceof MailRefusedError && error.isFinal) || failingForMs >= TRIED_MS
}
