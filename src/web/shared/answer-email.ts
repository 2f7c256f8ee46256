import { EMAIL_LINK_MARK } from '#contract/messages/email-link-mark.ts'
import type { EmailLinkBody } from '#contract/messages/email-links.ts'
import * as at from '#contract/operations/addresses.ts'
import { pathOf } from './call-api.ts'

/**
 * Events that a person causes on a page, and a program that opens the links of an email for a mail server does not.
 * Source: rule E5.
 */
const SIGNS_OF_A_PERSON = ['pointerdown', 'keydown', 'wheel'] as const

/**
 * On a page that an email led to: tells the server, when a person uses the page, that the reader of the email knows of
 * the booking. Source: rule E5.
 */
export function answerWhenUsed(): void {
  const link = location.hash.slice(EMAIL_LINK_MARK.length)
  const once = new AbortController()
  const answer = ({ isTrusted }: Event) => {
    if (!isTrusted) return
    once.abort()
    const body = JSON.stringify({ link } satisfies EmailLinkBody)
    // The request arrives even when the press leaves the page.
    navigator.sendBeacon(pathOf(at.answerEmail), new Blob([body], { type: 'application/json' }))
  }
  for (const sign of SIGNS_OF_A_PERSON) {
    addEventListener(sign, answer, { passive: true, signal: once.signal })
  }
}
